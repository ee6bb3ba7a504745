import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
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

/** The first screens, drawn at once. */
const FIRST_BLOCKS = 8;

/** Blocks per step after that: some 20 ms, so that scrolling and typing stay fluid. */
const NEXT_BLOCKS = 40;

/** How many blocks of a text have their content: all of them at once would delay the first paint. */
export function useDrawnBlocks(all: number): number {
  const [drawn, setDrawn] = useState(FIRST_BLOCKS);
  useEffect(() => {
    if (drawn >= all) return;
    const timer = setTimeout(() => setDrawn(drawn + NEXT_BLOCKS));
    return () => clearTimeout(timer);
  }, [drawn, all]);
  return drawn;
}

/** The estimate before the first layout. */
const LINE_EMS = 38;

/** Width changes below this step do not change the estimated heights enough to redraw. */
const STEP_EMS = 4;

/** The estimated lines of each block of a text at its present width. */
export function useBlockLines(
  container: RefObject<HTMLDivElement | null>,
  text: string,
  blocks: readonly TextBlock[],
): readonly number[] {
  const lineWidth = useLineWidth(container);
  return useMemo(() => blocks.map((block) => blockLines(text, block, lineWidth)), [blocks, text, lineWidth]);
}

/** The width of a text in ems. */
function useLineWidth(container: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(LINE_EMS);
  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return;
    const measure = () => {
      const ems = element.clientWidth / Number.parseFloat(getComputedStyle(element).fontSize);
      setWidth(Math.max(STEP_EMS, Math.round(ems / STEP_EMS) * STEP_EMS));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [container]);
  return width;
}
