import type { ChunkHit, ChunkSearch, WordIndex } from "./set.ts";

/**
 * Fewest corpus chunks fetched for a query chunk. A query chunk overlaps at most three chunks of a source, so six sources
 * of the same passage fit, and each chunk of a long passage fetches its own.
 */
const HITS_MIN = 20;

/**
 * Corpus chunks fetched in total for a text of few chunks. Such a text has no neighbouring chunks to find the documents that one
 * chunk misses: only 20 of 25 documents with one paragraph in common were found. With their surroundings, at most 600 chunks
 * must be aligned, which takes 200 ms of a thread.
 */
const HITS_OF_SHORT_TEXT = 200;

/**
 * Corpus chunks fetched for a query chunk whose last hit is about as good as its first, because its passage occurs in more
 * documents than were fetched. Without this, only 20 of 25 documents with one paragraph in common were found.
 */
const CROWDED_HITS_MAX = 200;

/** How many may share only one shingle. These are mostly boilerplate, but the sample may keep only one shingle of a copied sentence. */
const SINGLE_SHINGLE_HITS_MAX = 6;

/**
 * Up to this many terms, a query chunk has at most about 15 words and one shingle is a large part of it, so all hits count.
 * With the limit above, a document of six words was not found by its own text when ten others began with the same five words.
 */
const FEW_TERMS = 3;

/** The hits of the sampled shingles of one query chunk. */
type ShingleFindings = {
  readonly isComplete: boolean;
  readonly certain: readonly ChunkHit[];
  /** They share a single shingle, which may be chance, so they need further evidence. */
  readonly doubtful: readonly ChunkHit[];
};

/** Searches for some query chunks by their terms. @param searchedChunks how many chunks of the whole query have terms. */
export async function findByShingles(
  termLists: readonly (readonly string[])[],
  searchedChunks: number,
  index: Pick<WordIndex, "findShared">,
  timeMs: () => number,
): Promise<ShingleFindings[]> {
  const hitsMax = Math.max(HITS_MIN, Math.ceil(HITS_OF_SHORT_TEXT / searchedChunks));
  const searches = [...(await index.findShared(termLists, hitsMax, timeMs()))];

  const crowded = [...termLists.keys()].filter((at) => isCrowded(searches[at], hitsMax));
  if (crowded.length > 0) {
    const wider = await index.findShared(
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

/** True when further hits may be as good as the first ones. */
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
