import type { Compute } from "../platform/compute-pool.ts";
import { groupItems, mapConcurrently } from "../platform/flow/concurrency.ts";
import { type Span, shiftedSpan, widenedSpan } from "../text/span.ts";
import { coveredSentences, type EncodedQuery } from "./encode-query.ts";
import type { QuerySentence } from "./meaning/align-meaning.ts";
import {
  droppedByDocument,
  type JudgedMeaning,
  passagesByDocument,
  supported,
} from "./meaning/judge-meaning.ts";
import { exceedsOneSubject } from "./meaning/meaning-decision.ts";
import type { MeaningModel } from "./meaning/meaning-model.ts";
import type { MeaningReason } from "./meaning/meaning-reason.ts";
import { joinPlaces, type MeaningPlace, type SearchedPart } from "./meaning/rank-meaning.ts";
import type { QueryCounts } from "./query-counts.ts";
import type { MatchableDocument, SearchableSet, SentenceTerms } from "./set.ts";
import type * as tasks from "./tasks.ts";
import type { TimeBudget } from "./time-budget.ts";
import type { DroppedMatches } from "./words/dropped-matches.ts";
import { type ChunkPair, pairStrength } from "./words/found-chunks.ts";
import { type ChunkAddress, chunkKey } from "./words/reuse-evidence.ts";
import type { MatchedSource, SourcePassage } from "./words/source-passage.ts";

/** Whether the meaning was compared: with how many documents, and why not with all; null: with all. */
export type MeaningCoverage = { readonly documents: number; readonly reason: MeaningReason | null };

/** OpenSearch rejects queries of more than 1,024 terms; a chunk of 16 sentences asks for all of theirs. */
const TERMS_OF_SEARCH_MAX = 512;

/**
 * Corpus chunks that are ranked by their sentences: for each part of a long query, and over all parts of a short one. Among 100,053 chunks, 50
 * have the source of as many rewritten and translated paragraphs as 100 have.
 */
const HITS_OF_PART = 50;
const HITS_OF_SHORT_QUERY = 400;
const HITS_MAX = 100;

/** The maximum number of word-matched chunks, for each query chunk, that are ranked with these. */
const WORD_HITS_MAX = 20;

/** Query chunks that are searched for in one request and compared in one task. */
const PARTS_TOGETHER = 8;

/** Text on each side of a place, in UTF-16 units, in which words of the subject occur. Twice as much finds no more. */
const AROUND_LENGTH = 4_000;

/**
 * Sentences around a part of the query that are aligned with it: passages seldom end where chunks do. More are added to the end of a
 * paragraph, which is judged as a whole.
 */
const QUERY_NEIGHBOURS = 6;
const PARAGRAPH_NEIGHBOURS = 8;

const BLANK_LINE = /\n\s*\n|\u2029/;

/**
 * Places that are judged, best first: for a short query, and for each part of a long one. Of 669 rewritten or translated paragraphs,
 * 24 and 3 find as many.
 */
const JUDGED_OF_SHORT_QUERY = 12;
const JUDGED_OF_PART = 2;

/** Places that are judged in one task. */
const JUDGED_TOGETHER = 12;

/** Concurrent tasks of a check, each with the search for its sentences. */
const TASKS_AT_ONCE = 2;

type ComparedQuery = Pick<tasks.AnalysedQuery, "chunkStarts" | "forms"> & {
  readonly text: string;
  readonly language: string;
};

/** The results of word matching: passages, and the pairs of chunks by which documents were found. */
type FoundByWords = {
  readonly aligned: readonly MatchedSource[];
  readonly pairs: ReadonlyMap<string, readonly ChunkPair[]>;
  readonly counts: Pick<QueryCounts, "ofAllWords">;
};

type MeaningRun = {
  readonly compute: Compute<typeof tasks>;
  readonly budget: Pick<TimeBudget, "remainingMs">;
  readonly signal: AbortSignal;
};

export type ComparedMeaning = {
  /** Passages by document, beside the passages found by words. */
  readonly passages: ReadonlyMap<string, readonly SourcePassage[]>;
  /** Matches by document that were nearly reported. */
  readonly dropped: ReadonlyMap<string, DroppedMatches>;
  readonly coverage: MeaningCoverage;
};

/** One comparison of the query's sentences with a set's sentences, by the vectors of one model. */
type Comparison = MeaningRun & {
  readonly query: ComparedQuery;
  readonly sentences: readonly QuerySentence[];
  readonly model: CurrentModel;
  readonly set: SearchableSet;
};

/** Finds the passages that words do not show: by terms of meaning, then sentence by sentence, then by the words around. */
export async function compareMeaning(
  query: ComparedQuery,
  byWords: FoundByWords,
  encoded: EncodedQuery,
  set: SearchableSet,
  run: MeaningRun,
): Promise<ComparedMeaning> {
  if ("reason" in encoded)
    return { passages: new Map(), dropped: new Map(), coverage: { documents: 0, reason: encoded.reason } };
  const { model } = encoded.ready;
  // As of now, and counted beside the searches.
  const counted = set.countEncoded(model.generation);
  counted.catch(() => undefined);
  const isCovered = coveredSentences(encoded.sentences, byWords.aligned);
  const sentences = encoded.sentences.map((sentence, at) => {
    const before = encoded.sentences[at - 1]?.span.end ?? 0;
    const startsParagraph = at === 0 || BLANK_LINE.test(query.text.slice(before, sentence.span.start));
    return { ...sentence, isCovered: isCovered[at] === true, startsParagraph };
  });
  const comparison = { ...run, query, sentences, model, set };
  const { places, isInTime } = await findPlaces(comparison, byWords.pairs, encoded.terms);
  const found = await judgePlaces(comparison, places, byWords);
  const judged = supported(
    set.isOneSubject ? found.filter((one) => isBeyondSubject(one, set.sourcesCompared ?? 1)) : found,
  );
  const [{ encoded: compared, lacking }] = await Promise.all([counted, set.assertSearched(model.generation)]);
  const passages = passagesByDocument(judged);
  return {
    passages,
    dropped: set.isOneSubject ? new Map() : droppedByDocument(judged, passages),
    coverage: {
      documents: compared,
      reason: !isInTime || !encoded.isWhole ? "time_cap" : lacking > 0 ? "not_encoded" : null,
    },
  };
}

/** Whether a passage shows more than that two members of a batch write about one subject. */
function isBeyondSubject({ logOdds, passage }: JudgedMeaning, members: number): boolean {
  const margins = (passage.evidence?.meaning?.pairs ?? []).map(({ margin }) => margin);
  return exceedsOneSubject({ isTranslated: passage.matchType === "translated", logOdds, margins }, members);
}

/** The places that are most likely the source of a part of the query, best first. */
async function findPlaces(
  comparison: Comparison,
  pairs: FoundByWords["pairs"],
  terms: readonly SentenceTerms[],
): Promise<{ readonly places: readonly MeaningPlace[]; readonly isInTime: boolean }> {
  const { query, sentences, set } = comparison;
  const ranges = rangesOf(query.chunkStarts, sentences).filter(({ first, end }) =>
    sentences.slice(first, end).some((sentence) => !sentence.isCovered),
  );
  const strongest = strongestPairs(pairs);
  const hitsMax = Math.min(HITS_MAX, Math.max(HITS_OF_PART, Math.ceil(HITS_OF_SHORT_QUERY / ranges.length)));
  let isInTime = true;
  const inParts = evenGroups(ranges, PARTS_TOGETHER);
  // While the places of some parts are ranked, the set is searched for the next ones.
  const ranked = mapConcurrently(inParts, TASKS_AT_ONCE, async (group) => {
    const from = group[0]?.first ?? 0;
    // The first parts are always searched for, so that there is a result.
    if (group[0] !== ranges[0] && timeLeft(comparison) <= 0) {
      isInTime = false;
      return { from, places: [] };
    }
    const searches = await set.findNear(
      group.map(({ first, end }) =>
        boundedTerms(terms.slice(first, end).filter((_, at) => !sentences[first + at]?.isCovered)),
      ),
      hitsMax,
      timeLeft(comparison),
    );
    if (searches.some(({ complete }) => !complete)) isInTime = false;
    const found = group.map(({ chunk }, at) => [
      ...(strongest.get(chunk) ?? []),
      ...(searches[at]?.hits ?? []),
    ]);
    return { from, places: await rankPlaces(comparison, { group, found, partsOfQuery: ranges.length }) };
  });
  const groups: { readonly from: number; readonly places: readonly MeaningPlace[] }[] = [];
  for await (const group of ranked) groups.push(group);
  // In the order of the query, whichever group was ready first.
  const all = groups.toSorted((a, b) => a.from - b.from).flatMap(({ places }) => places);
  const placesMax = Math.max(JUDGED_OF_SHORT_QUERY, JUDGED_OF_PART * ranges.length);
  const places = joinPlaces(all)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, placesMax);
  return { places, isInTime };
}

/** @throws the signal's reason. */
function timeLeft({ budget, signal }: MeaningRun): number {
  signal.throwIfAborted();
  return budget.remainingMs;
}

/** Aligns the sentences of the query with the places, some of them in one task, and decides which are reuse. */
async function judgePlaces(
  comparison: Comparison,
  places: readonly MeaningPlace[],
  { aligned, counts }: FoundByWords,
): Promise<JudgedMeaning[]> {
  if (places.length === 0) return [];
  const { query, sentences, model, set, compute } = comparison;
  const [wordCounts, documents] = await Promise.all([
    counts.ofAllWords(),
    set.findDocuments([...new Set(places.map(({ documentId }) => documentId))]),
  ]);
  const known = new Map(documents.map((document) => [document.documentId, document]));
  const wordPassages = new Map(
    aligned.map(({ documentId, passages }) => [
      documentId,
      passages.map(({ query: span, sourceDocument }) => ({ query: span, source: sourceDocument.utf16 })),
    ]),
  );
  const groups = mapConcurrently(evenGroups(places, JUDGED_TOGETHER), TASKS_AT_ONCE, async (group) =>
    compute.run("judgePacked", {
      model: measuresOf(model),
      text: query.text,
      language: query.language,
      sentences: sentences.length,
      counts: wordCounts,
      places: await readPlaces(comparison, group, known, wordPassages),
    }),
  );
  const judged: JudgedMeaning[] = [];
  for await (const group of groups) judged.push(...group);
  return judged;
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
  return groupItems(items, { countMax: evenCount });
}

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

/** The strongest of the chunks that words have found, by the query's chunk. */
function strongestPairs(
  pairs: ReadonlyMap<string, readonly ChunkPair[]>,
): ReadonlyMap<number, readonly SearchedPlace[]> {
  const all = [...pairs].flatMap(([documentId, ofDocument]) =>
    ofDocument.map((pair) => ({ ...pair, documentId })),
  );
  const byChunk = Map.groupBy(all, ({ queryChunk }) => queryChunk);
  return new Map(
    [...byChunk].map(([queryChunk, ofChunk]) => [
      queryChunk,
      ofChunk.toSorted((a, b) => pairStrength(b) - pairStrength(a)).slice(0, WORD_HITS_MAX),
    ]),
  );
}

/** Some parts of a query, with the chunks found for each. */
type FoundGroup = {
  readonly group: readonly { readonly first: number; readonly end: number }[];
  readonly found: readonly (readonly SearchedPlace[])[];
  readonly partsOfQuery: number;
};

/** Ranks the chunks found for each part by the sentences in them. Documents that are gone are left out. */
async function rankPlaces(
  { set, compute, model, sentences }: Comparison,
  { group, found, partsOfQuery }: FoundGroup,
): Promise<MeaningPlace[]> {
  // Numbers of sentences count from the first of the group, so that a task gets only its own.
  const from = group[0]?.first ?? 0;
  const chunksOf = found.map(uniqueChunks);
  const spans = (await set.findChunks(chunksOf.flat())).values();
  const parts = group.map(({ first, end }, at): SearchedPart => {
    const places = (chunksOf[at] ?? []).flatMap(({ documentId, sharedTerms = 0 }) => {
      const span = spans.next().value;
      return span === undefined ? [] : [{ documentId, span, sharedTerms }];
    });
    return { first: first - from, end: end - from, places };
  });
  const sections = await set.readSentences(
    parts.flatMap(({ places }) => places.map(({ documentId, span }) => ({ documentId, ...span }))),
    model.generation,
  );
  const query = sentences.slice(from, group.at(-1)?.end);
  const ranked = await compute.run("rankMeaning", {
    model: measuresOf(model),
    query,
    parts,
    partsOfQuery,
    sections,
  });
  return ranked.map((place) => ({ ...place, query: shiftedSpan(place.query, from) }));
}

/** Each chunk once: the first of several, which words have found if they have found it at all. */
function uniqueChunks(chunks: readonly SearchedPlace[]): SearchedPlace[] {
  return [...new Map(chunks.toReversed().map((chunk) => [chunkKey(chunk), chunk])).values()];
}

type CurrentModel = Pick<MeaningModel, "mean" | "calibration" | "generation">;

/** The part of a model that a task needs, since its centroids take eight megabytes. */
function measuresOf({ mean, calibration }: CurrentModel): Pick<MeaningModel, "mean" | "calibration"> {
  return { mean, calibration };
}

/** A chunk that was found by meaning, or by words, which it shares. */
type SearchedPlace = ChunkAddress & { readonly sharedTerms?: number };

/** Places with the text and the fingerprints around them. Places in deleted documents are left out. */
async function readPlaces(
  { set, sentences, model }: Comparison,
  places: readonly MeaningPlace[],
  known: ReadonlyMap<string, MatchableDocument>,
  wordPassages: ReadonlyMap<string, tasks.JudgeInput["places"][number]["byWords"]>,
): Promise<tasks.JudgeInput["places"]> {
  const all = { start: 0, end: sentences.length };
  const placed = places.flatMap(({ documentId, query, source }) => {
    const document = known.get(documentId);
    if (document === undefined) return [];
    const whole = { start: 0, end: document.chunkOffsets.utf16.at(-1) ?? 0 };
    return [{ ...document, query, around: widenedSpan(source, AROUND_LENGTH, whole) }];
  });
  const ranges = placed.map(({ documentId, around }) => ({ documentId, ...around }));
  const [texts, fingerprints] = await Promise.all([
    set.readTexts(ranges),
    set.readSentences(ranges, model.generation),
  ]);
  return placed.flatMap(({ documentId, language, chunkOffsets, query, around }) => {
    const sections = (texts.get(documentId) ?? []).filter(
      ({ start, length }) => start < around.end && start + length > around.start,
    );
    if (sections.length === 0) return [];
    return [
      {
        documentId,
        query: wholeParagraphs(sentences, widenedSpan(query, QUERY_NEIGHBOURS, all)),
        language,
        chunkOffsets,
        byWords: wordPassages.get(documentId) ?? [],
        around,
        sections,
        fingerprints: (fingerprints.get(documentId) ?? []).filter(
          ({ start, end }) => start < around.end && end > around.start,
        ),
      },
    ];
  });
}

/** The sentences `[start, end)` with the rest of the paragraphs at both ends. */
function wholeParagraphs(
  sentences: readonly QuerySentence[],
  { start, end }: Span,
): readonly QuerySentence[] {
  let first = start;
  while (first > 0 && start - first < PARAGRAPH_NEIGHBOURS && sentences[first]?.startsParagraph === false)
    first--;
  let last = end;
  while (last - end < PARAGRAPH_NEIGHBOURS && sentences[last]?.startsParagraph === false) last++;
  return sentences.slice(first, last);
}
