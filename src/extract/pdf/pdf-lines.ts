import type { HidingMeans } from "../../text/integrity.ts";

/** A line of a page as it is drawn. `place` in points, from the page's lower left corner; undefined for text that is not upright. */
export type PageLine = {
  readonly text: string;
  readonly place: LinePlace | undefined;
  /** The pieces that it was put together from, for a reader who needs their places. */
  readonly pieces?: readonly LinePiece[];
  /** Whether it is known to be no text of the author, as the numbers of lines are. */
  readonly isMargin?: boolean;
  /** Whether all of it is in letters of the same width. */
  readonly isFixedWidth?: boolean;
  /** The text that is hidden in it, each with its offset. */
  readonly hidden?: readonly { readonly at: number; readonly means: HidingMeans; readonly text: string }[];
};

/** A piece of a line, and where it begins in the line's text. */
type LinePiece = { readonly start: number; readonly item: TextItem };

/** A piece of text as pdf.js returns it: drawn at once, on one line. Lengths in points. */
export type TextItem = {
  readonly str: string;
  /** Maps text space to the page: the first two numbers are the direction of writing, the last two the position. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Set where pdf.js found the end of a line. */
  readonly hasEOL: boolean;
  /** `rtl` for text that is written from right to left. */
  readonly dir: string;
  readonly fontName: string;
  /** The hidden text between it and the next piece of its line. */
  readonly before?: HiddenRun;
};

/** Text of a page that its reader does not see, and where it begins, in points. */
export type HiddenRun = {
  readonly means: HidingMeans;
  readonly text: string;
  readonly x: number;
  readonly y: number;
};

export type LinePlace = {
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly height: number;
};

/** The lines of a page in the order in which they are drawn, and where the page lies, in points. */
export type Page = {
  readonly lines: readonly PageLine[];
  readonly bottom: number;
  readonly height: number;
  /** The hidden text of a page that shows none. */
  readonly hidden?: readonly { readonly means: HidingMeans; readonly text: string }[];
};

/** A gap wider than two or three letters divides cells or columns; pdf.js turns smaller gaps into spaces. */
const CELL_GAP = 7;

/** Text that is shifted by less than the height of its line plus this is a superscript, not another line. */
const SHIFT_SLACK = 1;

/** A smaller shift is a rounding error. */
const LINE_SHIFT_MIN = 4.6;

/** Cosine of the largest angle between two pieces that are written in the same direction (about 8 degrees). */
const SAME_DIRECTION = 0.99;

/**
 * The lines of a page as the file draws them: one ends before another line or direction, and a tab stands for a wide gap
 * (also backwards, where text is drawn over text). Distances are along and across the direction of writing, whatever it is.
 */
export function drawnLines(items: readonly TextItem[]): PageLine[] {
  const lines: PageLine[] = [];
  let line: TextItem[] = [];
  let pieces: LinePiece[] = [];
  let text = "";
  let lineHeight = 0;
  const endLine = () => {
    lines.push({ text: withCells(text, pieces, lineHeight), place: placeOf(line), pieces });
    [line, pieces, text, lineHeight] = [[], [], "", 0];
  };
  let previous: TextItem | undefined;
  for (const item of items.filter((_, at) => !isGapBeforeHyphen(items, at))) {
    const divider = previous === undefined ? "" : dividerBetween(previous, item, lineHeight);
    if (divider === "\n" || (line.length > 0 && isBesideNote(line, item))) endLine();
    else text += divider;
    pieces.push({ start: text.length, item });
    text += item.str;
    line.push(item);
    lineHeight = Math.max(lineHeight, item.height);
    if (item.hasEOL) endLine();
    previous = item;
  }
  if (line.length > 0) endLine();
  return lines.filter((one) => one.text.trim() !== "");
}

/** A blank as wide as so many heights of the line's letters divides cells. */
const CELL_GAP_RATIO = 1.5;

/** Rounding tolerance in points: justified lines have gaps of the same width. */
const SAME_GAP = 0.5;

/** A line with a tab for each space by which pdf.js stands for the gap between two cells, unless all gaps of the line are as wide. */
function withCells(text: string, pieces: readonly LinePiece[], height: number): string {
  const last = pieces.findLastIndex(({ item }) => item.str.trim() !== "");
  const gaps = pieces.slice(0, Math.max(0, last)).filter(({ item }) => item.str === " ");
  const widths = gaps.map(({ item }) => item.width);
  const isJustified =
    gaps.length > 1 && widths.every((width) => Math.abs(width - (widths[0] ?? 0)) < SAME_GAP);
  if (isJustified) return text;
  return gaps.reduce(
    (cells, { start, item }) =>
      item.width > CELL_GAP_RATIO * height ? `${cells.slice(0, start)}\t${cells.slice(start + 1)}` : cells,
    text,
  );
}

/** A gap narrower than this share of the letters' height does not separate words. */
const SPACE_MIN = 0.2;

/** Whether this is the gap that some programs leave before the hyphen of a divided word, to move it to the edge of its column. */
function isGapBeforeHyphen(items: readonly TextItem[], at: number): boolean {
  const [gap, hyphen, end] = items.slice(at, at + 3);
  if (gap === undefined || hyphen === undefined || !/^[-\u2010\u00ad]$/.test(hyphen.str)) return false;
  const endsLine = hyphen.hasEOL || (end?.hasEOL === true && end.str === "");
  return endsLine && gap.str === " " && gap.width < SPACE_MIN * hyphen.height;
}

/** Where an upright line stands on its page. */
function placeOf(line: readonly TextItem[]): LinePlace | undefined {
  const written = line.filter(({ str }) => str.trim() !== "");
  const [first] = written;
  if (first === undefined || !written.every(isUpright)) return undefined;
  return {
    left: written.reduce((left, item) => Math.min(left, at(item, 4)), at(first, 4)),
    right: written.reduce((right, item) => Math.max(right, at(item, 4) + item.width), at(first, 4)),
    baseline: at(first, 5),
    height: written.reduce((most, { height }) => Math.max(most, height), 0),
  };
}

/** The letters of a note beside a line are smaller than the letters of the line by more than this ratio. */
const NOTE_RATIO = 1.1;

/** Marks of footnotes are raised by more than this, in points. */
const SAME_BASELINE = 2;

/** Whether a line ends because a note beside it begins, or the other way round: beyond a wide gap or back, in letters of another height. */
function isBesideNote(line: readonly TextItem[], item: TextItem): boolean {
  if (item.str.trim() === "") return false;
  const last = line.findLast(({ str }) => str.trim() !== "");
  if (last === undefined || !isUpright(last) || !isUpright(item)) return false;
  const gap = at(item, 4) - at(last, 4) - last.width;
  const [larger, smaller] = [Math.max(item.height, last.height), Math.min(item.height, last.height)];
  const isLevel = Math.abs(at(item, 5) - at(last, 5)) < SAME_BASELINE;
  const isApart = gap < -CELL_GAP || (gap > CELL_GAP && isLevel);
  return isApart && larger > NOTE_RATIO * smaller;
}

function dividerBetween(previous: TextItem, item: TextItem, lineHeight: number): "" | "\t" | "\n" {
  if (previous.hasEOL) return "";
  const [ux, uy] = direction(previous);
  const dx = at(item, 4) - at(previous, 4);
  const dy = at(item, 5) - at(previous, 5);
  const across = Math.abs(dy * ux - dx * uy);
  const along = dx * ux + dy * uy;
  const ahead = Math.abs(along - previous.width);
  const isBackwards = previous.dir === "rtl" || item.dir === "rtl";
  const gap = isBackwards ? Math.min(ahead, Math.abs(along + item.width)) : ahead;
  const blank = item.str.trim() === ""; // has no meaningful direction
  const [ix, iy] = direction(item);
  const isParallel = ix * ux + iy * uy > SAME_DIRECTION;
  if (!blank && !isParallel) return "\n";
  if (across > Math.max(LINE_SHIFT_MIN, lineHeight + SHIFT_SLACK) && !(blank && item.hasEOL)) return "\n";
  return gap > CELL_GAP && across < LINE_SHIFT_MIN && !(blank && item.hasEOL) ? "\t" : "";
}

/** Whether text is written from left to right along the page. */
export function isUpright(item: TextItem): boolean {
  return direction(item)[0] > SAME_DIRECTION;
}

function direction(item: TextItem): readonly [x: number, y: number] {
  const length = Math.hypot(at(item, 0), at(item, 1));
  return length === 0 ? [1, 0] : [at(item, 0) / length, at(item, 1) / length];
}

function at(item: TextItem, index: number): number {
  return item.transform[index] ?? 0;
}
