import type { Span } from "../../../src/text/span.ts";

/** The letters and digits of a text, folded so that ligatures, accents, case and divided words make no difference. */
export type Letters = {
  readonly folded: string;
  /** Where each of them stands in the text, in UTF-16. */
  readonly offsets: readonly number[];
};

export function lettersOf(text: string): Letters {
  const offsets: number[] = [];
  let folded = "";
  for (const { 0: character, index } of text.matchAll(/./gsu)) {
    const plain = character
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
    folded += plain;
    for (let unit = 0; unit < plain.length; unit++) offsets.push(index);
  }
  return { folded, offsets };
}

/** Shorter stretches of letters are in any text. */
const STRETCH_MIN = 12;

/**
 * Finds where each letter of a text that was set in a document stands in the text read from the document: the longest
 * stretch that is in both, again and again, whatever stands between two of them.
 */
export class LetterFinder {
  readonly #letters: Letters;
  readonly #places = new Map<string, number[]>();

  constructor(text: string) {
    this.#letters = lettersOf(text);
    const { folded } = this.#letters;
    for (let at = 0; at + STRETCH_MIN <= folded.length; at++) {
      const stretch = folded.slice(at, at + STRETCH_MIN);
      const places = this.#places.get(stretch);
      if (places === undefined) this.#places.set(stretch, [at]);
      else places.push(at);
    }
  }

  /**
   * For each letter of `text` its offset in the text that was read, in UTF-16; undefined where it is not found.
   * @param after where the text before it ends: of two places of the same text, the nearer one counts.
   */
  find(text: string, after = 0): (number | undefined)[] {
    const { folded } = lettersOf(text);
    const found: (number | undefined)[] = [];
    let expected = this.#letters.offsets.findIndex((offset) => offset >= after);
    while (found.length < folded.length) {
      const at = found.length;
      const places = this.#places.get(folded.slice(at, at + STRETCH_MIN)) ?? [];
      let best = { place: 0, length: 0 };
      for (const place of places) {
        const length = this.#commonLength(folded, at, place);
        const isNearer = Math.abs(place - expected) < Math.abs(best.place - expected);
        if (length > best.length || (length === best.length && isNearer)) best = { place, length };
      }
      if (best.length === 0) found.push(undefined);
      for (let one = 0; one < best.length; one++) found.push(this.#letters.offsets[best.place + one]);
      if (best.length > 0) expected = best.place + best.length;
    }
    return found;
  }

  #commonLength(folded: string, at: number, place: number): number {
    let length = STRETCH_MIN;
    while (
      at + length < folded.length &&
      folded.charAt(at + length) === this.#letters.folded.charAt(place + length)
    )
      length++;
    return length;
  }
}

/** How the paragraphs of a document were read. */
export type ReadingFigures = {
  /** Words that were found, and how many of them precede a word that they should follow. */
  readonly words: number;
  readonly misplaced: number;
  /** Places in a paragraph where its words do not follow each other: other text or the end of a paragraph is between. */
  readonly breaks: readonly Span[];
};

/** @param text the text that was read, with blanks instead of the page margins. */
export function readingFigures(text: string, paragraphs: readonly string[]): ReadingFigures {
  const finder = new LetterFinder(text);
  const starts: number[] = [];
  const breaks: Span[] = [];
  let end = 0;
  for (const paragraph of paragraphs) {
    const offsets = finder.find(paragraph, end);
    end = offsets.findLast((offset) => offset !== undefined) ?? end;
    let letter = 0;
    for (const word of paragraph.split(/\s+/)) {
      const start = offsets[letter];
      if (start !== undefined) starts.push(start);
      letter += lettersOf(word).folded.length;
    }
    let last: number | undefined;
    for (const offset of offsets) {
      if (last !== undefined && offset !== undefined && offset !== last) {
        const between = text.slice(last, offset).replace(/^./u, "");
        const follows = offset > last && BETWEEN_LETTERS.test(between) && !/\n\s*\n/.test(between);
        if (!follows) breaks.push({ start: last, end: offset });
      }
      last = offset ?? last;
    }
  }
  return { words: starts.length, misplaced: starts.length - ascendingLength(starts), breaks };
}

/** A footnote's number may stand behind a word; numbers of lines stand by themselves. */
const BETWEEN_LETTERS = /^[^\p{L}\p{N}\s]* ?\d{0,3}[^\p{L}\p{N}]*$/u;

/** The length of the longest ascending subsequence. */
function ascendingLength(values: readonly number[]): number {
  const ends: number[] = [];
  for (const value of values) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    ends[low] = value;
  }
  return ends.length;
}
