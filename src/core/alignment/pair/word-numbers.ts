import type { PreparedQuery } from "./prepared-query.ts";
import { BARRIER } from "./tokenised-text.ts";

/** What a barrier becomes in `numberWords`. */
export const BARRIER_ID = -2;

/** The source's words as the query's numbers. */
export function numberWords(query: PreparedQuery, words: readonly string[]): Int32Array {
  const ids = new Int32Array(words.length);
  for (const [i, word] of words.entries()) {
    ids[i] = word === BARRIER ? BARRIER_ID : query.idOf(word);
  }
  return ids;
}
