import { placedShingles } from "../../fingerprint/sampled-shingles.ts";

/**
 * For each word of the query whether a sampled shingle begins there, and whether it is one of `frequentShingles`.
 * Undefined when none is, so that a query without them costs nothing.
 */
export function markShingles(
  words: readonly string[],
  frequentShingles: ReadonlySet<string>,
): Uint8Array | undefined {
  if (frequentShingles.size === 0) return undefined;
  const marks = new Uint8Array(words.length);
  for (const { firstWord, shingle } of placedShingles(words)) {
    marks[firstWord] = frequentShingles.has(shingle) ? FREQUENT : RARE;
  }
  return marks.includes(FREQUENT) ? marks : undefined;
}

/** What stands for a sampled shingle in the marks; 0 where none begins. */
export const RARE = 1;
export const FREQUENT = 2;
