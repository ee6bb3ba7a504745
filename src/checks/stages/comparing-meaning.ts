import type {
  ChunkIndex,
  ChunkSearch,
  CorpusParts,
  DocumentStore,
  MatchableDocument,
  SemanticStore,
  Semantics,
  SentenceTerms,
  TextRange,
  TextStore,
} from "../../corpus/index.ts";
import type { QuerySentence } from "../../matching/meaning/align-meaning.ts";
import { joinPlaces, type MeaningPlace, type SearchedPart } from "../../matching/meaning/find-meaning.ts";
import {
  droppedByDocument,
  type JudgedPlaces,
  type MeaningCandidate,
  passagesByDocument,
} from "../../matching/meaning/judge-meaning.ts";
import type { SemanticModel } from "../../matching/meaning/semantic-model.ts";
import type { SentenceSection } from "../../matching/meaning/sentence-section.ts";
import type { AnalysedQuery } from "../../matching/tasks.ts";
import { type ChunkAddress, chunkKey } from "../../matching/words/reuse-evidence.ts";
import type { TermCounts } from "../../matching/words/search-terms.ts";
import { groupItems, mapConcurrently } from "../../platform/flow/concurrency.ts";
import type { PackedSection } from "../../platform/packed-text.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import type { DocumentHit, DroppedMatches } from "../../report/figures/explanation.ts";
import {
  COUNTED_DOCUMENTS_MAX,
  type MatchedSource,
  type SourcePassage,
} from "../../report/figures/report.ts";
import type { SemanticReason } from "../../report/index.ts";
import { overlapLength, type Span, shiftedSpan, spanLength, widenedSpan } from "../../text/span.ts";
import type { EncodedQuery } from "./encoding-queries.ts";

/** The corpus, or the members of a batch in its place. */
export type MeaningParts = Pick<CorpusParts, "database" | "compute"> & {
  readonly documents: Pick<DocumentStore, "findMatchable" | "findChunkSpans">;
  readonly texts: Pick<TextStore, "findRanges">;
  readonly semantics: Pick<SemanticStore, "findSectionsIn" | "assertKept"> & {
    progress(
      db: Queryable,
      exactMax: number,
    ): Promise<{ readonly encoded: number; readonly lacking: number }>;
  };
  readonly chunkIndex: Pick<ChunkIndex, "searchMeaning" | "assertCurrent">;
  readonly meaning: Semantics;
};

/** The texts in which a query's meaning is looked for. */
export type SearchedTexts = {
  /** For each part of the query, the chunks that are nearest in meaning to its sentences, at most `hitsMax`. */
  readonly search: (
    parts: readonly (readonly SentenceTerms[])[],
    hitsMax: number,
    timeMs: number,
  ) => Promise<readonly ChunkSearch[]>;
  /** @throws when what was searched, or its fingerprints of this generation, may have been replaced meanwhile. */
  readonly assertSearched: (generation: number) => Promise<void>;
  /** How many texts can be compared by meaning, and how many lack their fingerprints. */
  readonly progress: () => Promise<{ readonly encoded: number; readonly lacking: number }>;
  /** The places of chunks in the texts of their documents (UTF-16); undefined for those that are gone. */
  readonly findChunks: (chunks: readonly ChunkAddress[]) => Promise<readonly (Span | undefined)[]>;
  readonly findDocuments: (documentIds: readonly string[]) => Promise<readonly MatchableDocument[]>;
  /** The sections of text that overlap the ranges, by document. */
  readonly findTexts: (
    ranges: readonly TextRange[],
  ) => Promise<ReadonlyMap<string, readonly PackedSection[]>>;
  /** The sections of the sentences that overlap the ranges, by document. */
  readonly findSentences: (
    ranges: readonly TextRange[],
    generation: number,
  ) => Promise<ReadonlyMap<string, readonly SentenceSection[]>>;
};

/** All texts of an index: the corpus, or the members of a batch. */
export function indexedTexts({
  database,
  documents,
  texts,
  semantics,
  chunkIndex,
}: Omit<MeaningParts, "compute" | "meaning">): SearchedTexts {
  return {
    search: (searched, hitsMax, timeMs) => chunkIndex.searchMeaning(searched, hitsMax, timeMs),
    assertSearched: async (generation) => {
      await Promise.all([chunkIndex.assertCurrent(), semantics.assertKept(database, generation)]);
    },
    progress: () => semantics.progress(database, COUNTED_DOCUMENTS_MAX),
    findChunks: (chunks) => documents.findChunkSpans(database, chunks),
    findDocuments: (documentIds) => documents.findMatchable(database, documentIds),
    findTexts: (ranges) => texts.findRanges(database, ranges),
    findSentences: (ranges, generation) => semantics.findSectionsIn(database, ranges, generation),
  };
}

/** The texts that are searched, and the threads that compare. */
type ComparingParts = Pick<MeaningParts, "compute"> & { readonly searched: SearchedTexts };

/** Whether the meaning was compared: with how many documents, and why not with all; null: with all. */
export type MeaningCoverage = { readonly documents: number; readonly reason: SemanticReason | null };

/** OpenSearch rejects queries of more than 1,024 terms; a chunk of 16 sentences asks for all of theirs. */
const TERMS_OF_SEARCH_MAX = 512;

/**
 * Corpus chunks that are ranked by their sentences: for each part of a long query, and over all parts of a short one. Among 100,053 chunks, 50
 * have the source of as many rewritten and translated paragraphs as 100 have.
 */
const HITS_OF_PART = 50;
const HITS_OF_SHORT_QUERY = 400;
const HITS_MAX = 100;

/** Of the chunks that words have found, those that are ranked with them. */
const WORD_HITS_MAX = 20;

/** Query chunks that are searched for in one request and compared in one task. */
const PARTS_TOGETHER = 8;

/** Text on each side of a place, in UTF-16 units, in which words of the subject occur. Twice as much finds no more. */
const AROUND_LENGTH = 4_000;

/** Sentences around a part of the query that are aligned with it: passages seldom end where chunks do. */
const QUERY_NEIGHBOURS = 6;

/**
 * Places that are judged, best first: for a short query, and for each part of a long one. Of 669 rewritten or translated paragraphs,
 * 24 and 3 find as many.
 */
const JUDGED_OF_SHORT_QUERY = 12;
const JUDGED_OF_PART = 2;

/** Places that are judged in one task. */
const JUDGED_TOGETHER = 12;

/** Tasks of a check at a time, each with the search for what it compares. */
const TASKS_AT_ONCE = 2;

export type CompareMeaningInput = {
  readonly query: Pick<AnalysedQuery, "chunkStarts" | "forms"> & {
    readonly text: string;
    readonly language: string;
  };
  readonly encoded: EncodedQuery;
  /** The chunks that words have found, by document. */
  readonly wordHits: ReadonlyMap<string, readonly DocumentHit[]>;
  /** The passages that words have found. */
  readonly aligned: readonly MatchedSource[];
  readonly countWords: () => Promise<TermCounts>;
  readonly timeMs: () => number;
};

export type ComparedMeaning = {
  /** Passages by document, beside those that words have found. */
  readonly passages: ReadonlyMap<string, readonly SourcePassage[]>;
  /** Matches by document that were nearly reported. */
  readonly dropped: ReadonlyMap<string, DroppedMatches>;
  readonly coverage: MeaningCoverage;
};

/** Finds the passages that words do not show: by terms of meaning, then sentence by sentence, then by the words around. */
export async function compareMeaning(
  parts: ComparingParts,
  { query, encoded, wordHits, aligned, countWords, timeMs }: CompareMeaningInput,
): Promise<ComparedMeaning> {
  const { searched } = parts;
  if ("reason" in encoded)
    return { passages: new Map(), dropped: new Map(), coverage: { documents: 0, reason: encoded.reason } };
  const { ready, sentences, terms } = encoded;
  // As of now, and counted beside the searches.
  const progress = searched.progress();
  progress.catch(() => undefined);
  const covered = aligned.flatMap(({ passages }) => passages.map((passage) => passage.query));
  const querySentences = sentences.map((sentence) => ({
    ...sentence,
    isCovered: isCovered(sentence.span, covered),
  }));
  const { model } = ready;
  const ranges = rangesOf(query.chunkStarts, querySentences).filter(({ first, end }) =>
    querySentences.slice(first, end).some((sentence) => !sentence.isCovered),
  );
  const strongest = strongestHits(wordHits);
  const hitsMax = Math.min(HITS_MAX, Math.max(HITS_OF_PART, Math.ceil(HITS_OF_SHORT_QUERY / ranges.length)));
  let isInTime = true;
  const inParts = evenGroups(ranges, PARTS_TOGETHER);
  // While the places of some parts are ranked, the index is searched for the next ones.
  const ranked = mapConcurrently(inParts, TASKS_AT_ONCE, async (group) => {
    const [{ first: from = 0 } = {}] = group;
    if (group[0] !== ranges[0] && timeMs() <= 0) {
      isInTime = false;
      return { from, places: [] };
    }
    const searches = await searched.search(
      group.map(({ first, end }) =>
        boundedTerms(terms.slice(first, end).filter((_, at) => !querySentences[first + at]?.isCovered)),
      ),
      hitsMax,
      timeMs(),
    );
    if (searches.some(({ complete }) => !complete)) isInTime = false;
    const hits = group.map(({ chunk }, at) => [
      ...(strongest.get(chunk) ?? []),
      ...(searches[at]?.hits ?? []),
    ]);
    return {
      from,
      places: await rankPlaces(parts, model, querySentences, { group, hits, partsOfQuery: ranges.length }),
    };
  });
  const found: { readonly from: number; readonly places: readonly MeaningPlace[] }[] = [];
  for await (const group of ranked) found.push(group);
  // In the order of the query, whichever group was ready first.
  const places = found.toSorted((a, b) => a.from - b.from).flatMap((group) => group.places);
  const best = joinPlaces(places)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, Math.max(JUDGED_OF_SHORT_QUERY, JUDGED_OF_PART * ranges.length));
  const [counts, documents] =
    best.length === 0
      ? [NO_COUNTS, []]
      : await Promise.all([
          countWords(),
          searched.findDocuments([...new Set(best.map(({ documentId }) => documentId))]),
        ]);
  const wordPassages = new Map(
    aligned.map(({ documentId, passages }) => [
      documentId,
      passages.map(({ query: span, sourceDocument }) => ({ query: span, source: sourceDocument.utf16 })),
    ]),
  );
  const known = new Map(
    documents.map((document) => {
      const { documentId } = document;
      return [documentId, { ...document, byWords: wordPassages.get(documentId) ?? [] }];
    }),
  );
  const judged: JudgedPlaces[] = [];
  const tasks = mapConcurrently(evenGroups(best, JUDGED_TOGETHER), TASKS_AT_ONCE, (group) =>
    judge(parts, model, querySentences, group, known, query, counts),
  );
  for await (const group of tasks) judged.push(group);
  const [{ encoded: compared, lacking }] = await Promise.all([
    progress,
    searched.assertSearched(model.generation),
  ]);
  const reason = !isInTime ? "time_cap" : lacking > 0 ? "not_encoded" : null;
  const passages = passagesByDocument(judged.flatMap((group) => group.passages));
  const dropped = droppedByDocument(
    judged.flatMap((group) => group.weak),
    passages,
  );
  return { passages, dropped, coverage: { documents: compared, reason } };
}

/** The nearest terms of each sentence, as many as one search may have. */
function boundedTerms(sentences: readonly SentenceTerms[]): SentenceTerms[] {
  const count = Math.max(1, Math.floor(TERMS_OF_SEARCH_MAX / Math.max(1, sentences.length)));
  return sentences.map((terms) => terms.slice(0, count));
}

/** Groups of nearly the same size and at most `countMax` items: as many as tasks at a time, or a multiple of that. */
function evenGroups<T>(items: readonly T[], countMax: number): AsyncIterable<readonly T[]> {
  const rounds = Math.ceil(items.length / (countMax * TASKS_AT_ONCE));
  const evenCount = Math.ceil(items.length / (rounds * TASKS_AT_ONCE));
  return groupItems(items, { countMax: evenCount, sizeMax: Number.POSITIVE_INFINITY, sizeOf: () => 0 });
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

/** Whether words have found a sentence, or so much of it that the rest is a matter of the passage's edges. */
export function isCovered(sentence: Span, passages: readonly Span[]): boolean {
  const covered = passages.reduce((sum, passage) => Math.max(sum, overlapLength(sentence, passage)), 0);
  return covered >= COVERED_SHARE_MIN * spanLength(sentence);
}

const COVERED_SHARE_MIN = 0.25;

/** The strongest of the chunks that words have found, by the query's chunk. */
function strongestHits(
  wordHits: ReadonlyMap<string, readonly DocumentHit[]>,
): ReadonlyMap<number, readonly FoundChunk[]> {
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

/** Some parts of a query, with the chunks found for each. */
type FoundGroup = {
  readonly group: readonly { readonly first: number; readonly end: number }[];
  readonly hits: readonly (readonly FoundChunk[])[];
  readonly partsOfQuery: number;
};

/** Ranks the chunks found for each part by the sentences in them. Documents that are gone are left out. */
async function rankPlaces(
  { searched, compute }: ComparingParts,
  model: CurrentModel,
  sentences: readonly QuerySentence[],
  { group, hits, partsOfQuery }: FoundGroup,
): Promise<MeaningPlace[]> {
  // Numbers of sentences count from the first of the group, so that a task gets only its own.
  const from = group[0]?.first ?? 0;
  // Where words have found a chunk too, it comes first, with the words.
  const hitsOf = hits.map((ofPart) => [
    ...new Map(ofPart.toReversed().map((hit) => [chunkKey(hit), hit] as const)).values(),
  ]);
  const spans = (await searched.findChunks(hitsOf.flat())).values();
  const parts = group.map(({ first, end }, at): SearchedPart => {
    const places = (hitsOf[at] ?? []).flatMap(({ documentId, sharedTerms = 0 }) => {
      const span = spans.next().value;
      return span === undefined ? [] : [{ documentId, span, sharedTerms }];
    });
    return { first: first - from, end: end - from, places };
  });
  const sections = await searched.findSentences(
    parts.flatMap(({ places }) => places.map(({ documentId, span }) => ({ documentId, ...span }))),
    model.generation,
  );
  const query = sentences.slice(from, group.at(-1)?.end);
  const found = await compute.run("findMeaning", {
    model: measuresOf(model),
    query,
    parts,
    partsOfQuery,
    sections,
  });
  return found.map((place) => ({ ...place, query: shiftedSpan(place.query, from) }));
}

type CurrentModel = Pick<SemanticModel, "mean" | "calibration" | "generation">;

/** What a task needs of a model: its centroids take eight megabytes. */
function measuresOf({ mean, calibration }: CurrentModel): Pick<SemanticModel, "mean" | "calibration"> {
  return { mean, calibration };
}

/** A chunk that was found by meaning, or by words, which it shares. */
type FoundChunk = ChunkAddress & { readonly sharedTerms?: number };

/** A document with places to be judged. */
type JudgedDocument = MatchableDocument & Pick<MeaningCandidate, "byWords">;

async function judge(
  { searched, compute }: ComparingParts,
  model: CurrentModel,
  sentences: readonly QuerySentence[],
  places: readonly MeaningPlace[],
  known: ReadonlyMap<string, JudgedDocument>,
  { text, language }: CompareMeaningInput["query"],
  counts: TermCounts,
): Promise<JudgedPlaces> {
  const placed = places.flatMap(({ documentId, query, source }) => {
    const document = known.get(documentId);
    if (document === undefined) return [];
    const whole = { start: 0, end: document.chunkOffsets.utf16.at(-1) ?? 0 };
    return [{ document, query, around: widenedSpan(source, AROUND_LENGTH, whole) }];
  });
  const ranges = placed.map(({ document, around }) => ({ documentId: document.documentId, ...around }));
  const [textSections, fingerprints] = await Promise.all([
    searched.findTexts(ranges),
    searched.findSentences(ranges, model.generation),
  ]);
  return compute.run("judgeMeaning", {
    model: measuresOf(model),
    text,
    language,
    sentences: sentences.length,
    counts,
    candidates: placed.flatMap(({ document, query, around }) => {
      const { documentId, chunkOffsets, byWords } = document;
      const sections = (textSections.get(documentId) ?? []).filter(
        ({ start, length }) => start < around.end && start + length > around.start,
      );
      if (sections.length === 0) return [];
      return [
        {
          documentId,
          query: sentences.slice(Math.max(0, query.start - QUERY_NEIGHBOURS), query.end + QUERY_NEIGHBOURS),
          language: document.language,
          chunkOffsets,
          byWords,
          around,
          sections,
          fingerprints: (fingerprints.get(documentId) ?? []).filter(
            ({ start, end }) => start < around.end && end > around.start,
          ),
        },
      ];
    }),
  });
}
