/**
 * Prose that no two calls share: sentences of made-up words, the same for the same seed. Two texts of different seeds
 * have no five words in a row in common, so whatever a check finds was planted.
 */
export function prose(seed: number, words: number): string {
  const random = mulberry32(seed);
  const sentences: string[] = [];
  for (let written = 0; written < words; ) {
    const length = Math.min(words - written, 6 + Math.floor(random() * 14));
    const sentence = Array.from({ length }, () => madeUpWord(random)).join(" ");
    sentences.push(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
    written += length;
  }
  return sentences.join(" ");
}

function madeUpWord(random: () => number): string {
  const syllables = 1 + Math.floor(random() * 3);
  return Array.from(
    { length: syllables },
    () => pick(random, ONSETS) + pick(random, VOWELS) + pick(random, CODAS),
  ).join("");
}

function pick(random: () => number, from: readonly string[]): string {
  return from[Math.floor(random() * from.length)] ?? "";
}

const ONSETS = [
  "b",
  "br",
  "d",
  "f",
  "gl",
  "h",
  "k",
  "l",
  "m",
  "n",
  "p",
  "pl",
  "r",
  "s",
  "st",
  "t",
  "tr",
  "v",
  "w",
];
const VOWELS = ["a", "e", "i", "o", "u", "ea", "ou"];
const CODAS = ["", "", "n", "r", "s", "t", "l", "nd", "rk", "sh"];

/**
 * A small generator with a seed (Tommy Ettinger's mulberry32, 2017). All seeds share one cycle of 2^32 numbers, so two of them may yield
 * the same long row; use `sfc32` where that matters.
 */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A generator with a seed and 128 bits of state (Chris Doty-Humphrey's sfc32, 2010), for long rows that must differ. */
export function sfc32(seed: number): () => number {
  let [a, b, c, counter] = [0, seed | 0, 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  // After these rounds, the seed has reached the whole state.
  for (let round = 0; round < 15; round += 1) next();
  return next;
}
