import type { ComputePool } from "../../compute/compute-pool.ts";
import type { WeighInput } from "../../compute/tasks.ts";
import type { ReuseEvidence } from "../../core/retrieval/reuse-evidence.ts";
import {
  type ChunkAddress,
  chooseCandidates,
  type WeighedChunk,
} from "../../core/retrieval/reuse-evidence.ts";
import type { WeightedTerm } from "../../core/retrieval/search-terms.ts";
import type { ChunkHit, ChunkIndex, ChunkSearch } from "../../corpus/index.ts";
import type { QueryCounts } from "./query-counts.ts";

/**
 * Corpus chunks that are read and weighed for a window of the query. With these 99.9% of the sources of PAN13's passages were
 * found, also with 100,000 chunks more on the same subjects in the corpus, and no more with 4. To read one takes 0.2 ms.
 */
const READ_OF_WINDOW = 3;

/** There may be more of the same passage: as many are read if they share this part of what the window's words weigh. */
const HITS_OF_WINDOW = 8;
const STRONG_SHARE = 0.5;

/** A query chunk, and corpus chunks that were found for it already and are to be weighed with what the words find. */
export type WordRequest = { readonly queryChunk: number; readonly doubtful: readonly ChunkAddress[] };

/** What the words of one query chunk led to; all of it is worth aligning. */
export type WordFindings = { readonly isComplete: boolean; readonly candidates: readonly WeighedChunk[] };

/** Finds reworded text: searches by rare words, then weighs what was found. In the order of the requests. */
export type FindByWords = (
  requests: readonly WordRequest[],
  timeMs: () => number,
) => Promise<readonly WordFindings[]>;

export type WordParts = {
  readonly chunkIndex: Pick<ChunkIndex, "searchWords" | "readForms">;
  readonly compute: Pick<ComputePool, "run">;
  /** The narrow forms of the query's chunks. */
  readonly forms: readonly string[];
  readonly counts: Pick<QueryCounts, "wordsOf">;
};

export function createFindByWords({ chunkIndex, compute, forms, counts }: WordParts): FindByWords {
  return async (requests, timeMs) => {
    const requested = requests.map(({ queryChunk }) => forms[queryChunk] ?? "");
    const plan = { forms: requested, counts: counts.wordsOf(requested) };
    const windows = await compute.run("planWordSearches", plan);
    const searches = await chunkIndex.searchWords(windows.flat(), HITS_OF_WINDOW, timeMs());
    const ofRequest = groupItems(
      searches,
      windows.map(({ length }) => length),
    );

    const suspects = new Suspects();
    const pairs = requests.map(({ doubtful }, at) => {
      const found = windows[at]?.flatMap((terms, window) => worthReading(ofRequest[at]?.[window], terms));
      return suspects.positions([...doubtful, ...(found ?? [])]);
    });
    const stored = suspects.all.length === 0 ? [] : await chunkIndex.readForms(suspects.all);
    const sourceForms = stored.map(({ form }) => form ?? "");
    const weights = await weighReuse(compute, { ...plan, sourceForms, pairs });
    return weights.map((ofPairs, at) => ({
      isComplete:
        (ofRequest[at] ?? []).every(({ complete }) => complete) &&
        (pairs[at] ?? []).every((position) => stored[position]?.isRead === true),
      candidates: chooseCandidates(
        suspects.at(pairs[at] ?? []).map((address, pair) => ({ ...address, ...(ofPairs[pair] ?? NOTHING) })),
        forms.length,
      ),
    }));
  };
}

/**
 * In two threads: in one, a check of 1,500 words waited 25 ms for it. Both are given all forms, which takes less than finding
 * out which of them each needs.
 */
async function weighReuse(
  compute: WordParts["compute"],
  { forms, pairs, ...input }: WeighInput,
): Promise<ReuseEvidence[][]> {
  const half = Math.ceil(forms.length / 2);
  const halves = [
    { forms: forms.slice(0, half), pairs: pairs.slice(0, half) },
    { forms: forms.slice(half), pairs: pairs.slice(half) },
  ].filter((part) => part.forms.length > 0);
  const weighed = halves.map((part) => compute.run("weighReuse", { ...input, ...part }));
  return (await Promise.all(weighed)).flat();
}

function worthReading(search: ChunkSearch | undefined, terms: readonly WeightedTerm[]): readonly ChunkHit[] {
  const strong = STRONG_SHARE * terms.reduce((sum, { weight }) => sum + weight, 0);
  return search?.hits.filter(({ score }, at) => at < READ_OF_WINDOW || score >= strong) ?? [];
}

const NOTHING: ReuseEvidence = { sharedTerms: 0, evidence: 0 };

function groupItems<T>(items: readonly T[], lengths: readonly number[]): (readonly T[])[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return items.slice(end - length, end);
  });
}

/** The corpus chunks that some windows found, each once: neighbours often find the same. */
class Suspects {
  readonly all: ChunkAddress[] = [];
  readonly #positions = new Map<string, number>();

  /** Each of the given chunks once, as its position in `all`. */
  positions(chunks: readonly ChunkAddress[]): number[] {
    return [...new Set(chunks.map((chunk) => this.#positionOf(chunk)))];
  }

  at(positions: readonly number[]): ChunkAddress[] {
    return positions.flatMap((position) => this.all[position] ?? []);
  }

  #positionOf({ documentId, chunkIndex }: ChunkAddress): number {
    const key = `${documentId}:${chunkIndex}`;
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    this.#positions.set(key, this.all.length);
    return this.all.push({ documentId, chunkIndex }) - 1;
  }
}
