import { SHINGLE_WORDS } from "./fingerprint-form.ts";
import { wordBeginning } from "./word-terms.ts";

/**
 * The distinct terms that the index makes of a normalised form, in the order of their first places: the twin of the analyzer
 * `chunk_fingerprint` (`index-templates/chunk-analysis.json`).
 *
 * A shingle is the beginnings of its words, put together. Of all shingles it keeps the first, so that even the shortest
 * text finds itself, and those of whose words none has a smaller hash than the first one (open syncmers: Edgar, 2021).
 * The choice depends on the words of the shingle alone, so a copy keeps the same ones wherever it stands.
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
export type PlacedShingle = { readonly firstWord: number; readonly shingle: string };

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

/**
 * The sampled shingles of a text that stand across the borders of its chunks. Together with the terms of the chunks
 * they are all that `placedShingles` finds in the text.
 */
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
 * Whether the index keeps the shingle that begins there wherever it stands, and not only at the start of a chunk.
 *
 * The smallest of some hashes in a row is the first of five somewhere, so what is kept lies evenly: of all runs of 15
 * equal words 1.4% hold no kept shingle, of 20 words 0.05%, with one shingle in five kept; one in four by its own hash left
 * out 4.5% and 1.1%, one in five 8.6% and 2.8% (200,000 runs in texts of the web). Without sampling, the shingles of
 * 200,000 chunks took three times the room and eight times the time of a query.
 */
function isSampled(beginnings: readonly string[], first: number): boolean {
  const least = wordHash(beginnings[first] ?? "");
  for (let at = first + 1; at < first + SHINGLE_WORDS; at++) {
    if (wordHash(beginnings[at] ?? "") < least) return false;
  }
  return true;
}

/**
 * Letters, in code points, that are looked at of each word. The dictionary of terms is the largest part of the index:
 * with whole words it was 0.83 of the plain text, with 4 letters 0.54, with 3 letters 0.45. Of 2.2 million shingles of
 * literary prose, 0.7% then read like another one, most of them the same words in other forms.
 */
const WORD_LETTERS = 3;

/** Of the last two words fewer make the term: another 0.04 of the plain text less. */
const FULL_WORDS = 3;
const LAST_WORD_LETTERS = 2;

function shingleAt(beginnings: readonly string[], first: number): string {
  const words = beginnings.slice(first, first + SHINGLE_WORDS);
  return words.map((word, at) => (at < FULL_WORDS ? word : wordBeginning(word, LAST_WORD_LETTERS))).join("");
}

/** Java's `String.hashCode`, whose order is nearly that of the alphabet, mixed: lists are often sorted by their words. */
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
