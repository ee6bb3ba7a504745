/** A part of the text that is drawn as one element: half-open, in UTF-16 units. */
export type TextBlock = { readonly start: number; readonly end: number };

/**
 * Cuts a text into blocks of at most `charsMax` units, which cover it without gaps. The browser lays out only the blocks
 * in view, so none may be long, also where the text is a single paragraph or a single word. A block ends, in
 * this order of preference, with a blank line, a line, a sentence, a word; else between two characters as readers see
 * them, so that no emoji or combined letter is cut.
 */
export function textBlocks(text: string, charsMax = BLOCK_CHARS_MAX): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let start = 0; start < text.length; ) {
    const end = blockEnd(text, start, charsMax);
    blocks.push({ start, end });
    start = end;
  }
  return blocks;
}

/**
 * About a screen and a half. Of 500,000 characters with 4,000 passages, 1,000 to 4,000 made no difference to the first
 * paint; smaller ones are more elements to keep, larger ones more to lay out at once when they come into view.
 */
const BLOCK_CHARS_MAX = 2_000;

/** A block does not end before this share of the longest: short ones would be many. */
const SHARE_MIN = 0.5;

const ENDS = [/\n[^\S\n]*\n\s*/gu, /\n/gu, /[.!?…。！？؟।]["'”’»)\]]*\s+|[。！？]/gu, /\s+/gu];

function blockEnd(text: string, start: number, charsMax: number): number {
  if (text.length - start <= charsMax) return text.length;
  const from = start + charsMax * SHARE_MIN;
  const to = start + charsMax;
  const stretch = text.slice(from, to);
  for (const pattern of ENDS) {
    const last = [...stretch.matchAll(pattern)].at(-1);
    if (last !== undefined) return wholeCharacterEnd(text, start, from + last.index + last[0].length);
  }
  return wholeCharacterEnd(text, start, to);
}

/** How far back a character as readers see it may begin; a longer heap of marks is cut between code points. */
const CHARACTER_UNITS_MAX = 100;

const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The last place at or before `at` where no character is cut. */
function wholeCharacterEnd(text: string, start: number, at: number): number {
  const from = Math.max(start, at - CHARACTER_UNITS_MAX);
  const around = text.slice(from, at + CHARACTER_UNITS_MAX);
  const cut = CHARACTERS.segment(around).containing(at - from)?.index ?? at - from;
  // One that seems to begin just where the looking did may begin anywhere before.
  if (cut > 0) return from + cut;
  return isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
