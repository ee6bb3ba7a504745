import type { Compute } from "../platform/compute-pool.ts";
import { alignWords } from "./align-words.ts";
import { type ComparedMeaning, compareMeaning, type MeaningCoverage } from "./compare-meaning.ts";
import { type EncodedQuery, encodeQuery, encodeUncovered, type KeptVectors } from "./encode-query.ts";
import type { CurrentEncoder } from "./encoder/sentence-encoder.ts";
import { createFindByWords } from "./find-by-words.ts";
import { QueryCounts, type QueryTerms } from "./query-counts.ts";
import { type Retrieved, retrieve } from "./retrieve.ts";
import { isWholeText, type SearchableSet } from "./set.ts";
import type * as tasks from "./tasks.ts";
import type { TimeBudget } from "./time-budget.ts";
import type { AlignedSource } from "./words/align.ts";
import { joinDropped } from "./words/dropped-matches.ts";
import type { SearchedChunk } from "./words/found-chunks.ts";
import { STRONG_EVIDENCE } from "./words/reuse-evidence.ts";

/** A text to search for, with the results of its analysis. */
type MatchQuery = tasks.AnalysedQuery & { readonly text: string; readonly language: string };

/** How a query is matched: the threads, the encoder, the time budget and the results kept for a later run. */
type MatchRun = {
  readonly compute: Compute<typeof tasks>;
  readonly encoder: CurrentEncoder;
  /** For the searches and the comparison of meaning. Hits are aligned in any case. */
  readonly budget: TimeBudget;
  readonly signal: AbortSignal;
  /** Identifies the query, which each thread prepares once. */
  readonly queryKey: string;
  /** The sentence vectors that were kept. */
  readonly vectors?: KeptVectors;
  /** The results of earlier runs. */
  readonly earlier?: () => Promise<readonly SearchedChunk[]>;
  /** Called after each batch of searches with the number of query chunks done and the results of the batch. */
  readonly onRetrieved?: (checkedChunks: number, batch: readonly SearchedChunk[]) => Promise<void>;
  /** Runs each stage. */
  readonly stage?: <T>(name: "retrieving" | "aligning", work: () => Promise<T>) => Promise<T>;
  /** Replaces the task of a thread; a comparison of two texts bounds its time with it. */
  readonly align?: (input: tasks.AlignInput) => Promise<readonly AlignedSource[]>;
};

/** The matches of a query in a set of texts. */
export type Matches = {
  /** Documents with their passages and with the matches that are not reported; a document may have no passage. */
  readonly sources: readonly AlignedSource[];
  /** The pairs of chunks by which words have found each document. */
  readonly pairs: Retrieved["pairs"];
  /** Query chunks for which the whole set was searched. */
  readonly checkedChunks: number;
  /** Query chunks whose last search did not reach the whole set. */
  readonly incompleteChunks: number;
  readonly meaning: MeaningCoverage;
};

/**
 * Matches a query against a set of texts: first it finds and aligns texts that share words, then it compares the remaining
 * sentences by their meaning. @throws the signal's reason; the errors of the set.
 */
export async function match(query: MatchQuery, set: SearchableSet, run: MatchRun): Promise<Matches> {
  const { words } = set;
  const { stage = (_, work) => work() } = run;
  const encoding = startEncoding(query, words, run);
  const { frequent, ...terms } = await searchTerms(query, set);
  const counts = new QueryCounts(words.countTerms, terms);
  const retrieved = await stage("retrieving", () => retrieveDocuments(terms, counts, set, run));
  return stage("aligning", async () => {
    const aligned = await alignFound(query, frequent, retrieved, set, run);
    const byWords = { aligned, pairs: retrieved.pairs, counts };
    const meaning = await compareMeaning(query, byWords, await encoding(aligned), set, run);
    return {
      sources: joinMatches(aligned, meaning),
      pairs: retrieved.pairs,
      checkedChunks: retrieved.checkedChunks,
      incompleteChunks: retrieved.incompleteChunks,
      meaning: meaning.coverage,
    };
  });
}

/** Encodes sentences while an index is searched for words. If the query is compared with a whole text, encodes only sentences that words have not found. */
function startEncoding(
  { sentences }: MatchQuery,
  words: SearchableSet["words"],
  run: MatchRun,
): (aligned: readonly AlignedSource[]) => Promise<EncodedQuery> {
  if (isWholeText(words)) return (aligned) => encodeUncovered(sentences, aligned, words, run);
  const encoding = encodeQuery(sentences, run);
  encoding.catch(() => undefined);
  return () => encoding;
}

/** The terms by which a query is searched for: its shingles without frequent ones, and its words. */
async function searchTerms(
  { forms, shingles, boundaryShingles }: MatchQuery,
  set: SearchableSet,
): Promise<QueryTerms & { readonly frequent: ReadonlySet<string> }> {
  const frequent = await set.findFrequent([...shingles.flat(), ...boundaryShingles]);
  const shingleLists = shingles.map((terms) => terms.filter((term) => !frequent.has(term)));
  return { frequent, shingleLists, forms };
}

/** Texts about one subject share many rare words, so only strong evidence counts (`docs/decisions/batches.md`). */
const BOUNDS_OF_ONE_SUBJECT = { hit: STRONG_EVIDENCE, document: STRONG_EVIDENCE };

async function retrieveDocuments(
  { shingleLists, forms }: QueryTerms,
  counts: QueryCounts,
  { words, isOneSubject }: SearchableSet,
  { compute, budget, signal, earlier, onRetrieved }: MatchRun,
): Promise<Retrieved> {
  if (isWholeText(words))
    return {
      documentsToAlign: new Map(),
      pairs: new Map(),
      checkedChunks: forms.length,
      incompleteChunks: 0,
    };
  const bounds = isOneSubject ? { bounds: BOUNDS_OF_ONE_SUBJECT } : {};
  return retrieve({
    shingleLists,
    earlier: (await earlier?.()) ?? [],
    counts,
    index: words,
    findByWords: createFindByWords({ index: words, compute, forms, counts, ...bounds }),
    budget,
    onProgress: async (done, batch) => {
      await onRetrieved?.(done, batch);
      signal.throwIfAborted();
    },
  });
}

async function alignFound(
  { text: queryText, language, chunkStarts }: MatchQuery,
  frequent: ReadonlySet<string>,
  { documentsToAlign, pairs }: Retrieved,
  set: SearchableSet,
  { compute, queryKey, signal, align = (input) => compute.run("alignPacked", input) }: MatchRun,
): Promise<readonly AlignedSource[]> {
  const { words, isOneSubject, sourcesCompared = pairs.size } = set;
  const options = { frequentShingles: [...frequent], isOneSubject, sourcesCompared };
  return alignWords({
    ...{ documentsToAlign, pairs, chunkStarts, set },
    ...(isWholeText(words) && { whole: words.document }),
    align: async (documents) => {
      signal.throwIfAborted();
      return align({ queryKey, queryText, language, ...options, documents });
    },
  });
}

/** Joins the passages and the dropped matches of words and of meaning, by document. A document without a passage is included if a match was dropped. */
export function joinMatches(
  aligned: readonly AlignedSource[],
  { passages, dropped }: Pick<ComparedMeaning, "passages" | "dropped">,
): AlignedSource[] {
  const byWords = new Map(aligned.map((source) => [source.documentId, source]));
  const documentIds = new Set([...byWords.keys(), ...passages.keys(), ...dropped.keys()]);
  return [...documentIds].map((documentId) => {
    const known = byWords.get(documentId);
    const drops = [known?.dropped, dropped.get(documentId)].filter((one) => one !== undefined);
    return {
      documentId,
      passages: [...(known?.passages ?? []), ...(passages.get(documentId) ?? [])],
      dropped: joinDropped(drops),
    };
  });
}
