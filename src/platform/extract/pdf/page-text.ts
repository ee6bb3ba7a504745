/** A piece of text as pdf.js gives it: drawn in one go, on one line. Lengths in points. */
export type TextItem = {
  readonly str: string;
  /** Text space to page: the first two numbers are the direction of writing, the last two the place. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Set where pdf.js itself found the end of a line. */
  readonly hasEOL: boolean;
};

/** A gap of more than two or three letters divides cells or columns; pdf.js has made spaces of smaller ones. */
const CELL_GAP = 7;

/** Text that is shifted by less than the height of its line, and this, is a superscript, not another line. */
const SHIFT_SLACK = 1;

/** Below this height of a line, a shift is a matter of rounding. */
const LINE_SHIFT_MIN = 4.6;

/** Cosine of the angle from which on two pieces are said to be written in different directions (about 8 degrees). */
const SAME_DIRECTION = 0.99;

/**
 * Puts the pieces of a page together in the order in which the file draws them: a line break where a piece stands on
 * another line or runs in another direction, a tab over a wide gap (also backwards, where text is drawn over text).
 * All is measured along and across the direction of writing, so that rotated text reads like upright text.
 */
export function joinTextItems(items: readonly TextItem[]): string {
  const parts: string[] = [];
  let previous: TextItem | undefined;
  let lineHeight = 0;
  for (const item of items) {
    const divider = previous === undefined ? "" : dividerBetween(previous, item, lineHeight);
    if (divider === "\n") lineHeight = 0;
    parts.push(divider, item.str);
    lineHeight = Math.max(lineHeight, item.height);
    if (item.hasEOL) {
      parts.push("\n");
      lineHeight = 0;
    }
    previous = item;
  }
  return parts.join("");
}

function dividerBetween(previous: TextItem, item: TextItem, lineHeight: number): "" | "\t" | "\n" {
  if (previous.hasEOL) return "";
  const [ux, uy] = direction(previous);
  const dx = at(item, 4) - at(previous, 4);
  const dy = at(item, 5) - at(previous, 5);
  const across = Math.abs(dy * ux - dx * uy);
  const gap = Math.abs(dx * ux + dy * uy - previous.width);
  const blank = item.str.trim() === ""; // has no direction to speak of
  if (!blank && !isParallel(direction(item), [ux, uy])) return "\n";
  if (across > Math.max(LINE_SHIFT_MIN, lineHeight + SHIFT_SLACK) && !(blank && item.hasEOL)) return "\n";
  return gap > CELL_GAP && across < LINE_SHIFT_MIN ? "\t" : "";
}

type Vector = readonly [number, number];

function direction(item: TextItem): Vector {
  const length = Math.hypot(at(item, 0), at(item, 1));
  return length === 0 ? [1, 0] : [at(item, 0) / length, at(item, 1) / length];
}

function isParallel(a: Vector, b: Vector): boolean {
  return a[0] * b[0] + a[1] * b[1] > SAME_DIRECTION;
}

function at(item: TextItem, index: number): number {
  return item.transform[index] ?? 0;
}
