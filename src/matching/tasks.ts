import { detectLanguage, isNoLanguage } from "../platform/detect-language.ts";
import { type PackedSection, textBetween, unpackSection, unpackText } from "../platform/packed-text.ts";
import { fingerprintText } from "../text/fingerprint-text.ts";
import { type IntegrityFlag, integrityFlags } from "../text/integrity.ts";
import { boundaryShingles, sampledShingles } from "../text/sampled-shingles.ts";
import type { Span } from "../text/span.ts";
import {
  type JudgedMeaning,
  type JudgedQuery,
  judgeMeaning,
  type PlaceToJudge,
} from "./meaning/judge-meaning.ts";
import { type SentenceSection, unpackSentences } from "./meaning/sentence-section.ts";
import { type PlacedSentence, placedSentences } from "./meaning/whole-sentences.ts";
import { type AlignedSource, alignDocuments, type DocumentPart, type SourceChunk } from "./words/align.ts";
import { tokenisedText } from "./words/boundaries.ts";
import { type ReuseEvidence, ReuseScorer } from "./words/reuse-evidence.ts";
import type { TermCounts } from "./words/search-terms.ts";
import { type PreparedQuery, prepareQuery } from "./words/text-pair.ts";

// The tasks of `match()` and the analysis of its query, called by name with `compute.run`. Others are in `preparation-tasks.ts`.
export { rankMeaning } from "./meaning/rank-meaning.ts";

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
}: {
  readonly text: string;
  readonly language: string;
  readonly withSentences: boolean;
}): AnalysedQuery {
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
