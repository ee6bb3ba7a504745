import { isNoLanguage, languageOf, type TextLanguage } from "../platform/detect-language.ts";
import { type PackedSection, packText, unpackText } from "../platform/packed-text.ts";
import { codePointLength } from "../text/code-points.ts";
import { shingleNumbers } from "../text/common-shingles.ts";
import { cutExcerpt, type Excerpt, type Landmark, type OffsetUnit } from "../text/excerpt.ts";
import { formWords } from "../text/fingerprint-form.ts";
import {
  type ChunkOffsets,
  type FingerprintedChunk,
  type FingerprintedPart,
  fingerprintPart,
  fingerprintText,
} from "../text/fingerprint-text.ts";
import { integrityFlags } from "../text/integrity.ts";
import { blankMargins, type Margins } from "../text/margins.ts";
import { quotations } from "../text/quotations.ts";
import { joinSpans, type Span } from "../text/span.ts";
import { tokenise } from "../text/tokenise.ts";
import { wordCount } from "../text/word-count.ts";
import { type Centroids, movedCentroids, type NearCentroid, nearestCentroids } from "./meaning/centroids.ts";
import { type PlacedSentence, placedSentences } from "./meaning/whole-sentences.ts";
import type { AnalysedQuery } from "./tasks.ts";
import { align } from "./words/align.ts";
import { prepareQuery } from "./words/text-pair.ts";

// The tasks that read, measure and cut texts before they are stored or matched, and those that calibrate a model.
export { measureCalibration } from "./meaning/measure-calibration.ts";

type Text = { readonly text: string; readonly language: string };

/** A text whose language may have to be detected. */
type NewText = { readonly text: string; readonly language: string | undefined };

export type TextMeasure = TextLanguage & { readonly charCount: number; readonly wordCount: number };

/** The language and the lengths shown in metadata; characters are code points. Words are those outside the margins. */
export function measureText({
  text,
  margins = [],
  language: stated,
}: NewText & { readonly margins?: Margins }): TextMeasure {
  const compared = blankMargins(text, margins);
  const language = languageOf(compared, stated);
  return { ...language, charCount: codePointLength(text), wordCount: wordCount(compared, language.language) };
}

/** The number of words of a stored text in a language. */
export function countWords(input: {
  readonly sections: readonly PackedSection[];
  readonly language: string;
}): number {
  return wordCount(unpackText(input.sections), input.language);
}

export type PackedDocument = TextMeasure & {
  /** In UTF-8. */
  readonly textBytes: number;
  readonly sections: readonly PackedSection[];
};

/** A text as it is stored. */
export function packDocument({ text, language }: NewText): PackedDocument {
  return {
    ...measureText({ text, language }),
    textBytes: Buffer.byteLength(text),
    sections: packText(text),
  };
}

type ExcerptInput = {
  /** The sections that contain the text from `before` to beyond the end of the span. */
  readonly sections: readonly PackedSection[];
  readonly before: Landmark;
  readonly unit: OffsetUnit;
  readonly span: Span;
};

export function readExcerpt({ sections, before, unit, span }: ExcerptInput): Excerpt {
  const text = unpackText(sections).slice(before.utf16 - (sections[0]?.start ?? 0));
  return cutExcerpt(text, before, unit, span);
}

export function fingerprint({ text, language }: Text): FingerprintedChunk[] {
  return fingerprintText(text, language);
}

/** The part of a stored text that begins at `start`. @param sections those of at least `PART_LENGTH_MAX` units from there, or all others. */
export function fingerprintPacked(input: {
  readonly sections: readonly PackedSection[];
  readonly start: number;
  readonly language: string;
}): FingerprintedPart {
  const { sections, start, language } = input;
  return fingerprintPart(unpackText(sections).slice(start - (sections[0]?.start ?? 0)), language);
}

/** The sentences of a document, on one line each: line breaks in them come from the layout. */
export function findSentences(input: {
  readonly sections: readonly PackedSection[];
  readonly language: string;
}): PlacedSentence[] {
  return placedSentences(unpackText(input.sections), input.language);
}

/** A text that a query is matched against, with its places in both units. */
export type AnalysedSource = Pick<AnalysedQuery, "forms" | "integrityFlags" | "sentences"> & {
  readonly chunkOffsets: ChunkOffsets;
  readonly sections: readonly PackedSection[];
};

export function analyseSource({ text, language }: Text): AnalysedSource {
  const chunks = fingerprintText(text, language);
  return {
    chunkOffsets: {
      utf16: [...chunks.map(({ start }) => start), text.length],
      codePoints: [...chunks.map(({ startCodePoint }) => startCodePoint), codePointLength(text)],
    },
    sentences: placedSentences(text, language),
    forms: chunks.map(({ form }) => form),
    integrityFlags: integrityFlags(text, isNoLanguage),
    sections: packText(text),
  };
}

/** A member of a batch, ready to be stored and searched for. */
export type PreparedMember = TextMeasure & {
  readonly templateSpans: readonly Span[];
  /** Characters outside the templates. Similarities are shares of this number. */
  readonly comparedChars: number;
  readonly quotations: readonly Span[];
  readonly chunks: readonly FingerprintedChunk[];
  /** See `shingleNumbers`. */
  readonly shingles: readonly number[];
  readonly sentences: readonly PlacedSentence[];
};

/**
 * Measures a text and cuts it into chunks, without its margins and text from templates.
 * @param withSentences false where no meaning is compared.
 */
export function prepareMember({
  text,
  language: stated,
  margins,
  templates,
  withSentences,
}: NewText & {
  readonly margins: Margins;
  readonly templates: readonly Template[];
  readonly withSentences: boolean;
}): PreparedMember {
  const measure = measureText({ text, margins, language: stated });
  const { language } = measure;
  const fromTemplates = templateSpans(blankMargins(text, margins), language, templates);
  const compared = blankMargins(text, joinSpans([...margins, ...fromTemplates]));
  const chunks = fingerprintText(compared, language);
  const ofTemplates = fromTemplates.reduce(
    (sum, { start, end }) => sum + codePointLength(text.slice(start, end)),
    0,
  );
  return {
    ...measure,
    templateSpans: fromTemplates,
    comparedChars: measure.charCount - ofTemplates,
    quotations: quotations(text),
    chunks,
    shingles: shingleNumbers(chunks.flatMap(({ form }) => formWords(form))),
    sentences: withSentences ? placedSentences(compared, language) : [],
  };
}

/** The parts of a text, without its margins, that come from texts that were handed out; their languages are detected unless stated. */
export function findTemplates({
  text,
  language,
  margins,
  templates,
}: NewText & { readonly margins: Margins; readonly templates: readonly string[] }): Span[] {
  const compared = blankMargins(text, margins);
  return templateSpans(
    compared,
    languageOf(compared, language).language,
    templates.map((template) => ({ text: template, language: languageOf(template, language).language })),
  );
}

/** Text that was handed out, and its ISO 639-1 language. */
type Template = { readonly text: string; readonly language: string };

/**
 * The parts of a text that come from templates, copied or slightly changed: ascending, disjoint UTF-16 spans. Rewording an
 * assignment is the author's own writing, so reworded passages do not count.
 */
function templateSpans(text: string, language: string, templates: readonly Template[]): Span[] {
  if (templates.length === 0) return [];
  const query = prepareQuery({ text, tokens: tokenise(text, language) }, { language });
  return joinSpans(
    templates.flatMap((template) => {
      const tokens = tokenise(template.text, template.language);
      return align(query, { text: template.text, tokens }).kept.flatMap((passage) =>
        (passage.runs ?? [passage]).filter(({ matchType }) => COPIED.has(matchType)).map((run) => run.query),
      );
    }),
  );
}

const COPIED: ReadonlySet<string> = new Set(["identical", "minor_changes"]);

/** The nearest centroids of each vector, nearest first. */
export function findNearestCentroids(input: {
  readonly vectors: Centroids;
  readonly centroids: Centroids;
  readonly count: number;
}): NearCentroid[][] {
  const { dimensions, values } = input.vectors;
  return Array.from({ length: values.length / dimensions }, (_, at) =>
    nearestCentroids(values.subarray(at * dimensions, (at + 1) * dimensions), input.centroids, input.count),
  );
}

/** One round of k-means. */
export function moveCentroids(input: {
  readonly vectors: Centroids;
  readonly nearest: readonly number[];
  readonly centroids: Centroids;
}): Centroids {
  return movedCentroids(input.vectors, input.nearest, input.centroids);
}
