// The part that charts with an upright scale have in common.
import { roundMarks, textWidth } from "./axis.ts";
import { shape } from "./elements.ts";
import { formatCount, isRightToLeft } from "./messages.ts";

const FONT_PX = 13;

type Size = {
  readonly width: number;
  readonly height: number;
  /** For the texts below the scale and above it. */
  readonly belowPx: number;
  readonly abovePx: number;
};

/** A drawing with a scale from 0 to `end` at the side where the language begins, and the places of values in it. */
export function uprightScale(end: number, marksWanted: number, { width, height, belowPx, abovePx }: Size) {
  const marks = roundMarks(end, marksWanted);
  const from = Math.max(...marks.map((mark) => textWidth(formatCount(mark), FONT_PX))) + 8;
  const bottom = height - belowPx;
  const up = (value: number) => bottom - (Math.min(value, end) / end) * (bottom - abovePx);
  // The other scale runs as the language is read.
  const along = (x: number, size = 0) => (isRightToLeft ? width - x - size : x);
  const drawing = (summary: string, ...shapes: readonly SVGElement[]): SVGSVGElement =>
    shape(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": summary },
      ...marks.flatMap((mark) => [
        shape("line", { x1: along(from), x2: along(width), y1: up(mark), y2: up(mark), class: "mark" }),
        shape("text", { x: along(from - 8), y: up(mark) + 4, class: "mark-side" }, formatCount(mark)),
      ]),
      ...shapes,
    );
  return { from, bottom, up, along, drawing };
}
