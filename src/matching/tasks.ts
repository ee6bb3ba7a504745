import { detectLanguage, isNoLanguage, languageOf, type TextLanguage } from "../platform/detect-language.ts";
import {
  type PackedSection,
  packText,
  textBetween,
  unpackSection,
  unpackText,
} from "../platform/packed-text.ts";
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
import { type IntegrityFlag, integrityFlags } from "../text/integrity.ts";
import { blankMargins, type Margins } from "../text/margins.ts";
import { quotations } from "../text/quotations.ts";
import { boundaryShingles, sampledShingles } from "../text/sampled-shingles.ts";
import { joinSpans, type Span } from "../text/span.ts";
import { wordCount } from "../text/word-count.ts";
import { type Centroids, movedCentroids, type NearCentroid, nearestCentroids } from "./meaning/centroids.ts";
import {
  type JudgedMeaning,
  type JudgedQuery,
  judgeMeaning,
  type PlaceToJudge,
} from "./meaning/judge-meaning.ts";
import { type SentenceSection, unpackSentences } from "./meaning/sentence-section.ts";
import { wholeSentences } from "./meaning/whole-sentences.ts";
import { type AlignedSource, alignDocuments, type DocumentPart, type SourceChunk } from "./words/align.ts";
import { tokenisedText } from "./words/boundaries.ts";
import { type ReuseEvidence, ReuseScorer } from "./words/reuse-evidence.ts";
import type { TermCounts } from "./words/search-terms.ts";
import { type Template, templateSpans } from "./words/template-spans.ts";
import { type PreparedQuery, prepareQuery } from "./words/text-pair.ts";

export { findMeaning } from "./meaning/find-meaning.ts";
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

export type ExcerptInput = {
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

/** A sentence that is compared by meaning, with its place in the text. */
export type PlacedSentence = { readonly span: Span; readonly text: string };

/** The sentences of a document, on one line each: line breaks in them come from the layout. */
export function findSentences(input: {
  readonly sections: readonly PackedSection[];
  readonly language: string;
}): PlacedSentence[] {
  return placedSentences(unpackText(input.sections), input.language);
}

function placedSentences(text: string, language: string): PlacedSentence[] {
  return wholeSentences(text, language).map((span) => ({
    span,
    text: text.slice(span.start, span.end).replaceAll(/\s+/g, " "),
  }));
}

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

export type JudgeInput = Omit<JudgedQuery, "detectLanguage"> & {
  readonly places: readonly (Omit<PlaceToJudge, "around" | "sentences"> & {
    /** The part of the document, with the sections of its text and of its fingerprints that overlap it. */
    readonly around: Span;
    readonly sections: readonly PackedSection[];
    readonly fingerprints: readonly SentenceSection[];
  })[];
};

/** Decides which places are the source of a passage. */
export function judgePacked({ places, ...query }: JudgeInput): JudgedMeaning[] {
  return judgeMeaning(
    { ...query, detectLanguage },
    places.map(({ around, sections, fingerprints, ...place }) => {
      const textStart = sections[0]?.start ?? 0;
      const start = Math.max(textStart, around.start);
      const text = unpackText(sections).slice(start - textStart, around.end - textStart);
      const sentences = unpackSentences(fingerprints).filter(
        ({ span }) => span.start >= start && span.end <= start + text.length,
      );
      return { ...place, around: { start, text }, sentences };
    }),
  );
}

/** A query ready to be searched for: everything that later stages need of it, made in one task. */
export type AnalysedQuery = {
  /** The normalised form of each chunk, and the shingles by which the index knows it. */
  readonly forms: readonly string[];
  readonly shingles: readonly (readonly string[])[];
  /** The sampled shingles that cross from one chunk into the next. */
  readonly boundaryShingles: readonly string[];
  readonly integrityFlags: readonly IntegrityFlag[];
  /** Where each chunk begins, in UTF-16 units. */
  readonly chunkStarts: readonly number[];
  readonly sentences: readonly PlacedSentence[];
};

/** @param withSentences false where no meaning is compared. */
export function analyseQuery({
  text,
  language,
  withSentences,
}: Text & { readonly withSentences: boolean }): AnalysedQuery {
  const chunks = fingerprintText(text, language);
  const forms = chunks.map(({ form }) => form);
  return {
    chunkStarts: chunks.map(({ start }) => start),
    sentences: withSentences ? placedSentences(text, language) : [],
    forms,
    shingles: forms.map(sampledShingles),
    boundaryShingles: boundaryShingles(forms),
    integrityFlags: integrityFlags(text, isNoLanguage),
  };
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

export type WeighInput = {
  /** The forms of the query's chunks. */
  readonly forms: readonly string[];
  readonly counts: TermCounts;
  /** The forms of corpus chunks. */
  readonly sourceForms: readonly string[];
  /** For each of the query's chunks, the positions in `sourceForms` to weigh against it. */
  readonly pairs: readonly (readonly number[])[];
};

/** The evidence of reuse for each pair. */
export function weighReuse({ forms, counts, sourceForms, pairs }: WeighInput): ReuseEvidence[][] {
  return forms.map((form, at) => {
    const evidence = new ReuseScorer(form, counts);
    return (pairs[at] ?? []).map((position) => evidence.of(sourceForms[position] ?? ""));
  });
}

export type AlignInput = {
  /** Identifies the query: a text is prepared once per key and thread, and kept for the next call. */
  readonly queryKey: string;
  readonly queryText: string;
  readonly language: string;
  /** Shingles of the query that occur in so many documents that they are no evidence. */
  readonly frequentShingles: readonly string[];
  /** See `QueryOptions`. */
  readonly sourcesCompared: number;
  /** See `QueryOptions`. */
  readonly isOneSubject?: boolean;
  readonly documents: readonly PackedPart[];
  /** Finds verbatim copies only, in linear time. */
  readonly copiesOnly?: boolean;
};

/** The part of a source document to align, with the sections of its text that contain the chunks. */
export type PackedPart = Omit<DocumentPart, "chunks"> & {
  readonly chunks: readonly ChunkPosition[];
  readonly sections: readonly PackedSection[];
};

/** Where a chunk lies in its document; `start` and `end` in UTF-16 units. */
export type ChunkPosition = Omit<SourceChunk, "text"> & { readonly end: number };

export function alignPacked(input: AlignInput): AlignedSource[] {
  return alignDocuments(preparedQuery(input), input.documents.map(unpackPart), input.copiesOnly);
}

function unpackPart({ sections, chunks, ...document }: PackedPart): DocumentPart {
  const texts = sections.map((section) => ({ start: section.start, text: unpackSection(section) }));
  return { ...document, chunks: chunks.map((chunk) => ({ ...chunk, text: textBetween(texts, chunk) })) };
}

/** Two checks at once keep their queries prepared in one thread; further checks prepare theirs again. */
const PREPARED_KEPT = 2;

/** A query not used for this long is most likely finished. One of 80,000 words takes 11 MB, and 0.17 s to prepare. */
const PREPARED_KEPT_MS = 3_000;

/** One check sends its documents in several calls, and preparing a long query takes longer than aligning a short source. */
const prepared = new Map<string, { readonly query: PreparedQuery; readonly usedAt: number }>();

function preparedQuery(input: AlignInput): PreparedQuery {
  const { queryKey } = input;
  const usedAt = performance.now();
  const known = prepared.get(queryKey);
  prepared.delete(queryKey);
  // The least recently used query comes first.
  for (const [key, other] of prepared) {
    if (prepared.size >= PREPARED_KEPT || other.usedAt < usedAt - PREPARED_KEPT_MS) prepared.delete(key);
  }
  const query = known?.query ?? prepare(input);
  prepared.set(queryKey, { query, usedAt });
  return query;
}

function prepare({
  queryText,
  language,
  frequentShingles,
  ...options
}: Omit<AlignInput, "queryKey" | "documents">): PreparedQuery {
  return prepareQuery(tokenisedText(queryText, language), {
    ...options,
    language,
    frequentShingles: new Set(frequentShingles),
  });
}
