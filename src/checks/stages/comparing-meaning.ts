import type { AnalysedQuery } from "../../compute/tasks.ts";
import type { AlignedSource } from "../../core/alignment/align.ts";
import type { DocumentHit } from "../../core/report/explanation.ts";
import type { SourcePassage } from "../../core/report/report.ts";
import type { ChunkAddress } from "../../core/retrieval/reuse-evidence.ts";
import type { TermCounts } from "../../core/retrieval/search-terms.ts";
import type { MeaningMatch, QuerySentence } from "../../core/semantic/align-meaning.ts";
import type { SearchedPart } from "../../core/semantic/find-meaning.ts";
import { backgroundOf } from "../../core/semantic/fingerprint-sentences.ts";
import type { JudgedMeaning } from "../../core/semantic/judge-meaning.ts";
import { BACKGROUND_CENTROIDS } from "../../core/semantic/semantic-model.ts";
import { overlapLength, type Span, spanLength } from "../../core/text/span.ts";
import {
  type CorpusParts,
  EncoderUnavailable,
  type MatchableDocument,
  type ReadyModel,
  type Semantics,
  semanticTerm,
} from "../../corpus/index.ts";
import { groupItems, mapConcurrently } from "../../platform/flow/concurrency.ts";
import type { SemanticReason } from "../../reports/index.ts";

export type MeaningParts = Pick<
  CorpusParts,
  "database" | "documents" | "texts" | "semantics" | "chunkIndex" | "compute"
> & { readonly meaning: Semantics };

/** Whether the meaning was compared: with how many documents, and why not with all; null: with all. */
export type MeaningCoverage = { readonly documents: number; readonly reason: SemanticReason | null };

/** The centroids by which a sentence is searched for: 93% of strongly reworded paragraphs were among the first ten hits. */
const CENTROIDS_OF_SENTENCE = 8;

/** Corpus chunks that are ranked by their sentences for each chunk of the query. */
const HITS_MAX = 100;

/** Of the chunks that words have found, those that are ranked with them. */
const WORD_HITS_MAX = 20;

/** Query chunks that are searched for in one request and compared in one task. */
const PARTS_AT_ONCE = 8;

/** Text around a match, in UTF-16 units: an article's worth, in which words of the subject occur. */
const AROUND_LENGTH = 8_000;

/** Matches that are judged, best first: for a short query, and for each part of a long one. A match takes 3 ms. */
const JUDGED_OF_SHORT_QUERY = 24;
const JUDGED_OF_PART = 3;

/** Matches that are judged in one task: half a megabyte of text, and two tasks at a time. */
const JUDGED_TOGETHER = 32;
const TASKS_AT_ONCE = 2;

/** A query whose sentences are encoded, or the reason why not. */
export type EncodedQuery =
  | {
      readonly ready: ReadyModel;
      readonly sentences: readonly Omit<QuerySentence, "isCovered">[];
      readonly terms: readonly (readonly { readonly term: string; readonly weight: number }[])[];
    }
  | { readonly reason: SemanticReason };

/** Encodes the sentences of a query. @throws the signal's reason. */
export async function encodeQuery(
  { meaning }: MeaningParts,
  { sentences }: AnalysedQuery,
  signal: AbortSignal,
): Promise<EncodedQuery> {
  if (!meaning.isOn) return { reason: "off" };
  if (sentences.length === 0) return { reason: "no_sentences" };
  try {
    const ready = await meaning.current();
    if (ready === undefined) return { reason: "not_encoded" };
    const { encoder, model } = ready;
    const vectors = await encoder.encode(
      sentences.map(({ text }) => text),
      "check",
      signal,
    );
    const nearest = await encoder.nearest(vectors, model.centroids, BACKGROUND_CENTROIDS, "check");
    const { dimensions, values } = vectors;
    return {
      ready,
      sentences: sentences.map(({ span }, at) => ({
        span,
        vector: values.slice(at * dimensions, (at + 1) * dimensions),
        background: backgroundOf(model, nearest[at] ?? []),
      })),
      terms: nearest.map((near) =>
        near.slice(0, CENTROIDS_OF_SENTENCE).map(({ centroid, cosine }) => ({
          term: semanticTerm(model.generation, centroid),
          weight: Math.max(0.01, Math.round(cosine * 100) / 100),
        })),
      ),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EncoderUnavailable) return { reason: "unavailable" };
    throw error;
  }
}

export type CompareMeaningInput = {
  readonly query: Pick<AnalysedQuery, "chunkStarts" | "forms"> & {
    readonly text: string;
    readonly language: string;
  };
  readonly encoded: EncodedQuery;
  /** The chunks that words have found, by document. */
  readonly wordHits: ReadonlyMap<string, readonly DocumentHit[]>;
  /** The passages that words have found. */
  readonly aligned: readonly AlignedSource[];
  readonly countWords: () => Promise<TermCounts>;
  readonly timeMs: () => number;
};

export type ComparedMeaning = {
  /** Passages by document, beside those that words have found. */
  readonly passages: ReadonlyMap<string, readonly SourcePassage[]>;
  readonly coverage: MeaningCoverage;
};

/** Finds the passages that words do not show: by terms of meaning, then sentence by sentence, then by the words around. */
export async function compareMeaning(
  parts: MeaningParts,
  { query, encoded, wordHits, aligned, countWords, timeMs }: CompareMeaningInput,
): Promise<ComparedMeaning> {
  const { database, semantics, chunkIndex, compute } = parts;
  if ("reason" in encoded) return { passages: new Map(), coverage: { documents: 0, reason: encoded.reason } };
  const { ready, sentences, terms } = encoded;
  const { encoded: documents, waiting } = await semantics.progress(database);
  const covered = aligned.flatMap(({ passages }) => passages.map((passage) => passage.query));
  const querySentences = sentences.map((sentence) => ({
    ...sentence,
    isCovered: isCovered(sentence.span, covered),
  }));
  const model = { mean: ready.model.mean, calibration: ready.model.calibration };
  const ranges = rangesOf(query.chunkStarts, querySentences).filter(({ first, end }) =>
    querySentences.slice(first, end).some((sentence) => !sentence.isCovered),
  );
  const byWords = strongestHits(wordHits);
  const matches: MeaningMatch[] = [];
  const known = new Map<string, MatchableDocument>();
  let isInTime = true;
  for (let from = 0; from < ranges.length; from += PARTS_AT_ONCE) {
    if (from > 0 && timeMs() <= 0) {
      isInTime = false;
      break;
    }
    const group = ranges.slice(from, from + PARTS_AT_ONCE);
    const searches = await chunkIndex.searchMeaning(
      group.map(({ first, end }) =>
        terms.slice(first, end).filter((_, at) => !querySentences[first + at]?.isCovered),
      ),
      HITS_MAX,
      timeMs(),
    );
    await chunkIndex.assertCurrent();
    if (searches.some(({ complete }) => !complete)) isInTime = false;
    const searched = await withPlaces(
      parts,
      group,
      group.map(({ chunk }, at) => [...(searches[at]?.hits ?? []), ...(byWords.get(chunk) ?? [])]),
      known,
    );
    const sections = await semantics.findSectionsIn(
      database,
      searched.flatMap(({ places }) => places.map(({ documentId, span }) => ({ documentId, ...span }))),
      ready.model.generation,
    );
    const found = await compute.run("findMeaning", {
      model,
      query: querySentences,
      parts: searched,
      sections,
    });
    matches.push(...found);
  }
  const best = matches
    .toSorted((a, b) => b.score - a.score)
    .slice(0, Math.max(JUDGED_OF_SHORT_QUERY, JUDGED_OF_PART * ranges.length));
  const counts = best.length === 0 ? NO_COUNTS : await countWords();
  const judged: JudgedMeaning[] = [];
  const groups = groupItems(best, {
    countMax: JUDGED_TOGETHER,
    sizeMax: Number.POSITIVE_INFINITY,
    sizeOf: () => 0,
  });
  const tasks = mapConcurrently(groups, TASKS_AT_ONCE, (group) =>
    judge(parts, group, known, query, sentences.length, counts),
  );
  for await (const group of tasks) judged.push(...group);
  const reason = !isInTime ? "time_cap" : waiting > 0 ? "not_encoded" : null;
  return { passages: reported(judged), coverage: { documents, reason } };
}

const NO_COUNTS: TermCounts = { chunks: 0, chunksWith: new Map() };

/** The sentences of each chunk of the query, as numbers; chunks without any are left out. */
function rangesOf(
  chunkStarts: readonly number[],
  sentences: readonly { readonly span: Span }[],
): { readonly first: number; readonly end: number; readonly chunk: number }[] {
  const ranges: { first: number; end: number; chunk: number }[] = [];
  let first = 0;
  for (const chunk of chunkStarts.keys()) {
    const next = chunkStarts[chunk + 1] ?? Number.POSITIVE_INFINITY;
    let end = first;
    while (end < sentences.length && (sentences[end]?.span.start ?? 0) < next) end++;
    if (end > first) ranges.push({ first, end, chunk });
    first = end;
  }
  return ranges;
}

/** Whether words have found at least half of a sentence. */
function isCovered(sentence: Span, passages: readonly Span[]): boolean {
  const covered = passages.reduce((sum, passage) => Math.max(sum, overlapLength(sentence, passage)), 0);
  return covered * 2 >= spanLength(sentence);
}

/** The strongest of the chunks that words have found, by the query's chunk. */
function strongestHits(
  wordHits: ReadonlyMap<string, readonly DocumentHit[]>,
): ReadonlyMap<number, readonly ChunkAddress[]> {
  const hits = [...wordHits].flatMap(([documentId, ofDocument]) =>
    ofDocument.map((hit) => ({ ...hit, documentId, strength: hit.sharedShingles + hit.sharedTerms })),
  );
  const byChunk = Map.groupBy(hits, ({ queryChunk }) => queryChunk);
  return new Map(
    [...byChunk].map(([queryChunk, ofChunk]) => [
      queryChunk,
      ofChunk.toSorted((x, y) => y.strength - x.strength).slice(0, WORD_HITS_MAX),
    ]),
  );
}

/** The chunks found for each part, with their places in the documents. Documents that are gone are left out. */
async function withPlaces(
  { database, documents }: MeaningParts,
  group: readonly { readonly first: number; readonly end: number }[],
  chunksOf: readonly (readonly ChunkAddress[])[],
  known: Map<string, MatchableDocument>,
): Promise<SearchedPart[]> {
  const named = new Set(chunksOf.flat().map(({ documentId }) => documentId));
  const unknown = [...named].filter((documentId) => !known.has(documentId));
  for (const document of await documents.findMatchable(database, unknown))
    known.set(document.documentId, document);
  return group.map(({ first, end }, at) => {
    const distinct = new Map(
      (chunksOf[at] ?? []).map((hit) => [`${hit.documentId}:${hit.chunkIndex}`, hit] as const),
    );
    const places = [...distinct.values()].flatMap(({ documentId, chunkIndex }) => {
      const utf16 = known.get(documentId)?.chunkOffsets.utf16;
      const [start, chunkEnd] = [utf16?.[chunkIndex], utf16?.[chunkIndex + 1]];
      return start === undefined || chunkEnd === undefined
        ? []
        : [{ documentId, span: { start, end: chunkEnd } }];
    });
    return { first, end, places };
  });
}

async function judge(
  { database, texts, compute }: MeaningParts,
  matches: readonly MeaningMatch[],
  known: ReadonlyMap<string, MatchableDocument>,
  { text, language }: CompareMeaningInput["query"],
  sentences: number,
  counts: TermCounts,
): Promise<readonly JudgedMeaning[]> {
  const placed = matches.flatMap((match) => {
    const document = known.get(match.documentId);
    if (document === undefined) return [];
    const length = document.chunkOffsets.utf16.at(-1) ?? 0;
    const around = {
      start: Math.max(0, match.source.start - AROUND_LENGTH),
      end: Math.min(length, match.source.end + AROUND_LENGTH),
    };
    return [{ match, document, around }];
  });
  const sections = await texts.findRanges(
    database,
    placed.map(({ match, around }) => ({ documentId: match.documentId, ...around })),
  );
  return compute.run("judgeMeaning", {
    text,
    language,
    sentences,
    counts,
    candidates: placed.flatMap(({ match, document, around }) => {
      const found = (sections.get(match.documentId) ?? []).filter(
        ({ start, length }) => start < around.end && start + length > around.start,
      );
      const { language: ofDocument, chunkOffsets } = document;
      return found.length === 0
        ? []
        : [{ match, language: ofDocument, chunkOffsets, around, sections: found }];
    }),
  });
}

function reported(judged: readonly JudgedMeaning[]): Map<string, SourcePassage[]> {
  const kept = judged.filter(({ logOdds }) => logOdds > 0);
  return new Map(
    [...Map.groupBy(kept, ({ documentId }) => documentId)].map(([documentId, ofDocument]) => [
      documentId,
      ofDocument.map(({ passage }) => passage),
    ]),
  );
}
