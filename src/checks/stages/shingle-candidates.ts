import type { ChunkHit, ChunkSearch } from "../../corpus/index.ts";

/**
 * Corpus chunks that are fetched for a query chunk, at least. A query chunk overlaps three chunks of a source at most,
 * so there is room for six sources of the same passage, and each of a long passage's chunks brings its own.
 */
const HITS_MAX = 20;

/**
 * Corpus chunks that are fetched for a text of few chunks, over all of them. Its chunks have no neighbours to bring
 * what one leaves out: of 25 documents with one paragraph in common, 20 were found. Aligned with their surroundings
 * these are 600 chunks, 200 ms of a thread, and only if there are so many that share more than a phrase.
 */
const HITS_OF_SHORT_TEXT = 200;

/**
 * Corpus chunks that are fetched for a query chunk whose last hit is about as good as its first: a passage that stands in
 * more documents than there was room for. Of 25 documents with one paragraph in common, 20 were found.
 */
const CROWDED_HITS_MAX = 200;

/**
 * How many of them may rest on a single shared shingle. Those are mostly set phrases, yet one of them may be a copied
 * sentence of which the sample kept one shingle.
 */
const SINGLE_SHINGLE_HITS_MAX = 6;

/**
 * Up to this many terms, a query chunk has some 15 words at most, and a single shingle is much of it: all its hits
 * count. With the limit above, ten documents that began with the same five words hid an eleventh of six from itself.
 */
const FEW_TERMS = 3;

export type SearchShingles = (
  termLists: readonly (readonly string[])[],
  size: number,
  timeMs: number,
) => Promise<readonly ChunkSearch[]>;

/** What the sampled shingles of one query chunk led to. */
export type ShingleFindings = {
  readonly isComplete: boolean;
  readonly certain: readonly ChunkHit[];
  /** They share a single shingle, which may be chance: something else has to speak for them. */
  readonly doubtful: readonly ChunkHit[];
};

/**
 * Searches for some query chunks by their terms.
 * @param searchedChunks how many chunks of the query have terms, in all.
 */
export async function findByShingles(
  termLists: readonly (readonly string[])[],
  searchedChunks: number,
  search: SearchShingles,
  timeMs: () => number,
): Promise<ShingleFindings[]> {
  const hitsMax = Math.max(HITS_MAX, Math.ceil(HITS_OF_SHORT_TEXT / searchedChunks));
  const searches = [...(await search(termLists, hitsMax, timeMs()))];

  const crowded = [...termLists.keys()].filter((at) => isCrowded(searches[at], hitsMax));
  if (crowded.length > 0) {
    const wider = await search(
      crowded.map((at) => termLists[at] ?? []),
      CROWDED_HITS_MAX,
      timeMs(),
    );
    for (const [position, at] of crowded.entries()) {
      const found = wider[position];
      if (found !== undefined) searches[at] = found;
    }
  }
  return termLists.map((terms, at) => ({
    isComplete: searches[at]?.complete === true,
    ...sorted(searches[at]?.hits ?? [], terms.length),
  }));
}

/** True when there may be more behind the last hit that are as good as the first ones. */
function isCrowded(search: ChunkSearch | undefined, hitsMax: number): boolean {
  const first = search?.hits[0]?.score ?? 0;
  const last = search?.hits.at(-1)?.score ?? 0;
  return search?.hits.length === hitsMax && hitsMax < CROWDED_HITS_MAX && last > 1 && last >= first / 2;
}

function sorted(hits: readonly ChunkHit[], terms: number): Pick<ShingleFindings, "certain" | "doubtful"> {
  if (terms <= FEW_TERMS) return { certain: hits, doubtful: [] };
  const single = hits.filter(({ score }) => score <= 1);
  return {
    certain: hits.filter(({ score }) => score > 1),
    doubtful: single.slice(0, SINGLE_SHINGLE_HITS_MAX),
  };
}
