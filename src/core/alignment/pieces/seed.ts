import { findGram, NONE } from "../pair/gram-index.ts";
import { type PreparedQuery, UNKNOWN_ID } from "../pair/prepared-query.ts";

/** Where query and source share a gram. */
export type Seeds = {
  /** The query positions whose gram stands in the source, ascending. */
  readonly positions: Int32Array;
  /** For each of `positions` the first source position of its gram. */
  readonly firstPlaces: Int32Array;
  /** For a source position the next one with the same gram, or `NONE`. */
  readonly nextPlace: Int32Array;
};

/**
 * Finds the grams that both sides share, wherever they stand in either.
 * Linear in the source's words and in the query positions found, whatever the query's length.
 */
export function findSeeds(query: PreparedQuery, sourceIds: Int32Array): Seeds {
  const { nextPlace, grams } = linkPlaces(query, sourceIds);
  const { firstPlace } = query.scratch;
  const positions = positionsOf(query, grams);
  const firstPlaces = positions.map((position) => firstPlace[query.gramAt[position] ?? 0] ?? NONE);
  for (const gram of grams) firstPlace[gram] = NONE;
  return { positions, firstPlaces, nextPlace };
}

/** Chains the source positions of each shared gram, first one in the query's scratch; `grams` are those that have one. */
function linkPlaces(query: PreparedQuery, sourceIds: Int32Array) {
  const { gramWords, scratch } = query;
  const nextPlace = new Int32Array(sourceIds.length).fill(NONE);
  const grams: number[] = [];
  let knownWords = 0;
  for (let end = 1; end <= sourceIds.length; end++) {
    knownWords = (sourceIds[end - 1] ?? UNKNOWN_ID) < 0 ? 0 : knownWords + 1;
    if (knownWords < gramWords) continue;
    const place = end - gramWords;
    const gram = findGram(query, query.ids, sourceIds, place);
    if (gram === NONE) continue;
    if (scratch.firstPlace[gram] === NONE) {
      scratch.firstPlace[gram] = place;
      grams.push(gram);
    } else nextPlace[scratch.lastPlace[gram] ?? 0] = place;
    scratch.lastPlace[gram] = place;
  }
  return { nextPlace, grams };
}

function positionsOf(query: PreparedQuery, grams: readonly number[]): Int32Array {
  const positions: number[] = [];
  for (const gram of grams) {
    for (let at = gram; at !== NONE; at = query.nextSame[at] ?? NONE) positions.push(at);
  }
  return Int32Array.from(positions).sort();
}
