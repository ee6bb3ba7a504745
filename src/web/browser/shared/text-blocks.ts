import { outsidePair } from "../../../text/code-points.ts";
import type { Span } from "../../../text/span.ts";

/** A part of the text that is drawn as one element. */
export type TextBlock = Span;

/** Cuts a text into blocks, as the browser lays out only visible ones: at a blank line, line, sentence, word or grapheme. */
export function textBlocks(text: string, charsMax = BLOCK_CHARS_MAX): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let start = 0; start < text.length; ) {
    const end = blockEnd(text, start, charsMax);
    blocks.push({ start, end });
    start = end;
  }
  return blocks;
}

/** About a screen and a half; with 500,000 characters and 4,000 passages, 1,000 to 4,000 gave the same first paint. */
const BLOCK_CHARS_MAX = 2_000;

/** The shortest block, as a share of the longest: preferring boundaries must not produce many short blocks. */
const SHARE_MIN = 0.5;

const BOUNDARIES = [/\n[^\S\n]*\n\s*/gu, /\n/gu, /[.!?…。！？؟।]["'”’»)\]]*\s+|[。！？]/gu, /\s+/gu];

function blockEnd(text: string, start: number, charsMax: number): number {
  if (text.length - start <= charsMax) return text.length;
  const from = start + charsMax * SHARE_MIN;
  const to = start + charsMax;
  const searched = text.slice(from, to);
  for (const boundary of BOUNDARIES) {
    const last = [...searched.matchAll(boundary)].at(-1);
    if (last !== undefined) return graphemeBoundary(text, start, from + last.index + last[0].length);
  }
  return graphemeBoundary(text, start, to);
}

/** How far back a grapheme cluster may begin; longer ones (stacked marks) are cut between code points. */
const GRAPHEME_UNITS_MAX = 100;

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The last grapheme boundary at or before `at`. */
function graphemeBoundary(text: string, start: number, at: number): number {
  const from = Math.max(start, at - GRAPHEME_UNITS_MAX);
  const around = text.slice(from, at + GRAPHEME_UNITS_MAX);
  const cut = GRAPHEMES.segment(around).containing(at - from)?.index ?? at - from;
  // A cluster that seems to begin where the search did may begin anywhere before.
  if (cut > 0) return from + cut;
  return outsidePair(text, at);
}

/** Estimates the lines of a block before it is laid out. @param lineWidth width of the text, in ems */
export function blockLines(text: string, { start, end }: TextBlock, lineWidth: number): number {
  let lines = 0;
  let width = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === NEWLINE) {
      lines += Math.max(1, Math.ceil(width / lineWidth));
      width = 0;
    } else width += unit >= FIRST_WIDE ? WIDE_EMS : NARROW_EMS;
  }
  return lines + Math.ceil(width / lineWidth);
}

const NEWLINE = 10;

/** From the CJK radicals on, characters are as wide as they are high. */
const FIRST_WIDE = 0x2e80;
const WIDE_EMS = 1;

/** A letter of English prose in the serif fonts used, including spaces and the unused ends of lines. */
const NARROW_EMS = 0.47;
