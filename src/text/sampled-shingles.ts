import { SHINGLE_WORDS } from "./fingerprint-form.ts";
import { wordBeginning } from "./word-terms.ts";

/**
 * The distinct terms of a form as the analyzer `chunk_fingerprint` makes them (`index-templates/chunk-analysis.json`). The
 * first shingle is kept, so the shortest text finds itself, and shingles whose first word has the smallest hash (open syncmers:
 * Edgar, 2021), so a copy keeps the same ones wherever it stands.
 */
export function sampledShingles(form: string): string[] {
  const words = form === "" ? [] : form.split(" ").map((word) => wordBeginning(word, WORD_LETTERS));
  const terms = new Set<string>();
  for (let first = 0; first + SHINGLE_WORDS <= words.length; first++) {
    if (first === 0 || isSampled(words, first)) terms.add(shingleAt(words, first));
  }
  return [...terms];
}

/** A shingle that the index keeps wherever it stands, and the position of its first word. */
type PlacedShingle = { readonly firstWord: number; readonly shingle: string };

/** The shingles of a text's normalised words that the index keeps wherever they stand, in order. */
export function placedShingles(words: readonly string[]): PlacedShingle[] {
  const beginnings = words.map((word) => wordBeginning(word, WORD_LETTERS));
  const placed: PlacedShingle[] = [];
  for (let firstWord = 0; firstWord + SHINGLE_WORDS <= beginnings.length; firstWord++) {
    if (isSampled(beginnings, firstWord))
      placed.push({ firstWord, shingle: shingleAt(beginnings, firstWord) });
  }
  return placed;
}

/** The sampled shingles across chunk borders: with the terms of the chunks, all that `placedShingles` finds in a text. */
export function boundaryShingles(forms: readonly string[]): string[] {
  const reach = SHINGLE_WORDS - 1;
  const shingles: string[] = [];
  let before: readonly string[] = [];
  for (const form of forms) {
    const words = form.split(" ");
    for (const { firstWord, shingle } of placedShingles([...before, ...words.slice(0, reach)])) {
      if (firstWord < before.length) shingles.push(shingle);
    }
    before = [...before, ...words.slice(-reach)].slice(-reach);
  }
  return shingles;
}

/**
 * Whether the index keeps this shingle wherever it stands. Kept ones are spread evenly: of runs of 15 equal words 1.4% have
 * none, of 20 words 0.05%, with one in five kept; one in four by its own hash left 4.5% and 1.1%, one in five 8.6% and 2.8%
 * (200,000 runs in web texts). Unsampled shingles of 200,000 chunks took three times the space and eight times the query time.
 */
function isSampled(beginnings: readonly string[], first: number): boolean {
  const least = wordHash(beginnings[first] ?? "");
  for (let at = first + 1; at < first + SHINGLE_WORDS; at++) {
    if (wordHash(beginnings[at] ?? "") < least) return false;
  }
  return true;
}

/**
 * Letters (code points) of each word. The dictionary of terms is most of the index: 0.83 of the text with whole words, 0.54
 * with 4 letters, 0.45 with 3. Of 2.2 million shingles of prose, 0.7% then equal another, mostly other forms of the same words.
 */
const WORD_LETTERS = 3;

/** Two letters of the last two words save another 0.04 of the plain text. */
const FULL_WORDS = 3;
const LAST_WORD_LETTERS = 2;

function shingleAt(beginnings: readonly string[], first: number): string {
  const words = beginnings.slice(first, first + SHINGLE_WORDS);
  return words.map((word, at) => (at < FULL_WORDS ? word : wordBeginning(word, LAST_WORD_LETTERS))).join("");
}

/** Java's `String.hashCode`, mixed: its order is nearly alphabetical, and lists are often sorted by their words. */
function wordHash(word: string): number {
  return Math.imul(javaHashCode(word), HASH_FACTOR);
}

/** Odd, so that no two hashes become one; 2^32 divided by the golden ratio scatters neighbours farthest (Knuth). */
const HASH_FACTOR = -1640531535;

/** The sum of the UTF-16 units times powers of 31, as a signed 32-bit number. */
function javaHashCode(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
