import type { Compute } from "../platform/compute-pool.ts";
import type { QueryCounts } from "./query-counts.ts";
import type { ChunkHit, ChunkSearch, WordIndex } from "./set.ts";
import type * as tasks from "./tasks.ts";
import type { FoundChunk } from "./words/found-chunks.ts";
import {
  type ChunkAddress,
  chooseHits,
  chunkKey,
  type EvidenceBounds,
  evidenceBounds,
  type ReuseEvidence,
  SHINGLE_EVIDENCE,
} from "./words/reuse-evidence.ts";
import { searchWindows, type TermCounts, type WeightedTerm } from "./words/search-terms.ts";

/**
 * Corpus chunks that are read and weighed for a window of the query. With 3, 99.9% of the sources of PAN13's passages were
 * found, also with 100,000 more chunks on the same subjects in the corpus; 4 found no more. Reading one takes 0.2 ms.
 */
const READ_OF_WINDOW = 3;

/** More are read, up to this number, if they share this part of the weight of the window's words: a passage in many documents. */
const HITS_OF_WINDOW = 8;
const STRONG_SHARE = 0.5;

/**
 * A hit is read only if its score in one window is at least half of the required evidence, and exceeds ln(chunks in a shard) by a
 * fifth of it. The best score by chance grows with ln(chunks) (as in the E-value of Karlin and Altschul, 1990). With a third instead
 * of a fifth, an edited passage of 15 words among 2,634 chunks is lost.
 */
const READ_EVIDENCE_SHARE = 0.5;
const BEYOND_CHANCE_SHARE = 0.2;

/** The chunks that the words of one query chunk have found. */
type WordFindings = {
  readonly isComplete: boolean;
  readonly found: readonly Omit<FoundChunk, "sharedShingles">[];
};

/**
 * Finds reworded text: searches by rare words, then weighs the hits. Results are in the order of the query chunks.
 * @param doubtful by query chunk, corpus chunks that share a shingle and are weighed too. The search does not wait for them.
 */
export type FindByWords = (
  queryChunks: readonly number[],
  doubtful: Promise<readonly (readonly ChunkAddress[])[]>,
  timeMs: () => number,
) => Promise<readonly WordFindings[]>;

type WordParts = {
  readonly index: Pick<WordIndex, "findWords" | "readForms">;
  readonly compute: Compute<typeof tasks>;
  /** The normalised forms of the query's chunks. */
  readonly forms: readonly string[];
  readonly counts: Pick<QueryCounts, "wordsOf">;
  /** By default, the bounds for the number of chunks in a shard. */
  readonly bounds?: EvidenceBounds;
};

export function createFindByWords(parts: WordParts): FindByWords {
  const { index, compute, forms, counts } = parts;
  return async (queryChunks, doubtful, timeMs) => {
    const wordCounts = counts.wordsOf(queryChunks);
    const bounds = parts.bounds ?? evidenceBounds(wordCounts.chunks);
    const scoreMin = readFrom(bounds.hit, wordCounts.chunks);
    const searched = queryChunks.map((queryChunk) => {
      const form = forms[queryChunk] ?? "";
      return { form, windows: wordSearches(form, wordCounts, scoreMin) };
    });
    const allWindows = searched.flatMap(({ windows }) => windows);
    // The results are in the order of `allWindows`, in which they are handed out below.
    const searches = (await index.findWords(allWindows, HITS_OF_WINDOW, timeMs(), scoreMin)).values();
    const sharingShingle = await doubtful;

    const listed = new ChunkList();
    const toWeigh = searched.map(({ form, windows }, at) => {
      const sharing = listed.positions(sharingShingle[at] ?? []);
      const ofWindows = windows.map((terms) => ({ terms, search: searches.next().value }));
      const found = listed.positions(ofWindows.flatMap(({ terms, search }) => worthReading(search, terms)));
      const isSearched = ofWindows.every(({ search }) => search?.complete === true);
      return { form, isSearched, sharing: new Set(sharing), positions: [...new Set([...sharing, ...found])] };
    });
    const stored = listed.all.length === 0 ? [] : await index.readForms(listed.all);
    const weights = await weighInTwoThreads(compute, {
      forms: toWeigh.map(({ form }) => form),
      counts: wordCounts,
      sourceForms: stored.map(({ form }) => form ?? ""),
      pairs: toWeigh.map(({ positions }) => positions),
    });
    return toWeigh.map(({ isSearched, sharing, positions }, at) => {
      const weighed = positions.map((position, pair) => {
        const { sharedTerms, evidence } = weights[at]?.[pair] ?? NOTHING;
        // A shared shingle does not turn weak words into a hit, because more hits raise the evidence that every passage needs.
        const bonus = evidence >= bounds.hit && sharing.has(position) ? SHINGLE_EVIDENCE : 0;
        return { ...listed.at(position), sharedTerms, evidence: evidence + bonus };
      });
      return {
        isComplete: isSearched && positions.every((position) => stored[position]?.isRead === true),
        found: chooseHits(weighed, forms.length, bounds.hit).map((chunk) => ({
          ...chunk,
          isSufficient: chunk.evidence >= bounds.document,
        })),
      };
    });
  };
}

/** The score of a window from which a hit is read, in nats. */
function readFrom(evidenceMin: number, chunks: number): number {
  const beyondChance = Math.log(Math.max(1, chunks)) + BEYOND_CHANCE_SHARE * evidenceMin;
  return Math.max(READ_EVIDENCE_SHARE * evidenceMin, beyondChance);
}

/**
 * The searches for the windows of a query chunk; windows whose words together can't reach `scoreMin` are left out. This takes 0.1 ms, less than a
 * thread's task.
 */
function wordSearches(form: string, counts: TermCounts, scoreMin: number): (readonly WeightedTerm[])[] {
  return searchWindows(form, counts)
    .map(({ terms }) => terms)
    .filter((terms) => weightOf(terms) >= scoreMin);
}

function weightOf(terms: readonly WeightedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

const NOTHING: ReuseEvidence = { sharedTerms: 0, evidence: 0 };

function worthReading(search: ChunkSearch | undefined, terms: readonly WeightedTerm[]): readonly ChunkHit[] {
  const strong = STRONG_SHARE * weightOf(terms);
  const isWorthIt = ({ score }: ChunkHit, at: number) => at < READ_OF_WINDOW || score >= strong;
  return search?.hits.filter(isWorthIt) ?? [];
}

/**
 * With one thread, a check of 1,500 words waited 25 ms. Both get all source forms, which is cheaper than
 * working out which of them each needs.
 */
async function weighInTwoThreads(
  compute: WordParts["compute"],
  { forms, pairs, ...input }: tasks.WeighInput,
): Promise<ReuseEvidence[][]> {
  const half = Math.ceil(forms.length / 2);
  const halves = [
    { forms: forms.slice(0, half), pairs: pairs.slice(0, half) },
    { forms: forms.slice(half), pairs: pairs.slice(half) },
  ].filter((part) => part.forms.length > 0);
  const weighed = halves.map((part) => compute.run("weighReuse", { ...input, ...part }));
  return (await Promise.all(weighed)).flat();
}

/** The corpus chunks found by some windows, each once: neighbouring windows often find the same. */
class ChunkList {
  readonly all: ChunkAddress[] = [];
  readonly #positions = new Map<string, number>();

  /** Each of the given chunks once, as its position in `all`. */
  positions(chunks: readonly ChunkAddress[]): number[] {
    return [...new Set(chunks.map((chunk) => this.#positionOf(chunk)))];
  }

  at(position: number): ChunkAddress {
    const found = this.all[position];
    if (found === undefined) throw new Error(`no chunk at ${position}`);
    return found;
  }

  #positionOf({ documentId, chunkIndex }: ChunkAddress): number {
    const key = chunkKey({ documentId, chunkIndex });
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    this.#positions.set(key, this.all.length);
    return this.all.push({ documentId, chunkIndex }) - 1;
  }
}
