// A chart of a value over time: a bar for each, a dash where there is no data.
import { type Draw, marksWithSpace, roundMarks, textWidth } from "./axis.ts";
import { shape } from "./elements.ts";
import { formatCount, isRightToLeft } from "./messages.ts";

const HEIGHT_PX = 240;
const AXIS_PX = 24;
const TOP_PX = 20;
const FONT_PX = 13;
const COUNT_FONT_PX = 12;

type Bar = {
  /** Null where there is no data. */
  readonly value: number | null;
  readonly tip: string;
  /** Below the bar, where one begins there. */
  readonly label: string;
  /** Above the bar. */
  readonly count?: string;
};

/** A function that draws bars at a width. @param summary the chart in a sentence, for screen readers */
export function barChart(bars: readonly Bar[], summary: string): Draw {
  return (width) => chart(bars, width, summary);
}

function chart(bars: readonly Bar[], width: number, summary: string): SVGSVGElement {
  const end = Math.max(...bars.map(({ value }) => value ?? 0)) || 1;
  const marks = roundMarks(end, 4);
  const from = Math.max(...marks.map((mark) => textWidth(formatCount(mark), FONT_PX))) + 8;
  const step = (width - from) / bars.length;
  const bottom = HEIGHT_PX - AXIS_PX;
  const up = (value: number) => bottom - (value / end) * (bottom - TOP_PX);
  // Time runs as the language is read.
  const along = (x: number, size = 0) => (isRightToLeft ? width - x - size : x);
  return shape(
    "svg",
    { width, height: HEIGHT_PX, viewBox: `0 0 ${width} ${HEIGHT_PX}`, role: "img", "aria-label": summary },
    ...marks.map((mark) =>
      shape(
        "g",
        {},
        shape("line", { x1: along(from), x2: along(width), y1: up(mark), y2: up(mark), class: "mark" }),
        shape("text", { x: along(from - 8), y: up(mark) + 4, class: "mark-side" }, formatCount(mark)),
      ),
    ),
    ...bars.map((bar, index) => {
      const size = Math.max(step * 0.75, 1);
      const x = along(from + index * step + (step - size) / 2, size);
      return barShapes(bar, { x, size, step, up, bottom });
    }),
    ...labelTexts(bars, (index) => from + (index + 0.5) * step, width, along),
  );
}

type BarPlace = {
  readonly x: number;
  readonly size: number;
  readonly step: number;
  readonly up: (value: number) => number;
  readonly bottom: number;
};

function barShapes({ value, tip, count = "" }: Bar, { x, size, step, up, bottom }: BarPlace): SVGGElement {
  const hasCount = count !== "" && textWidth(count, COUNT_FONT_PX) < step;
  return shape(
    "g",
    { class: "column" },
    shape("title", {}, tip),
    value === null
      ? shape("line", { x1: x, x2: x + size, y1: bottom - 3, y2: bottom - 3, class: "gap" })
      : shape("rect", { x, y: up(value), width: size, height: bottom - up(value), class: "bar" }),
    ...(hasCount ? [shape("text", { x: x + size / 2, y: up(value ?? 0) - 5, class: "count" }, count)] : []),
  );
}

/**
 * Each label is centred under its bar, but within the drawing; those that would touch the one before are left out.
 *
 * @param centreOf the centre of a bar, from the side where the language begins
 */
function labelTexts(
  bars: readonly Bar[],
  centreOf: (index: number) => number,
  width: number,
  along: (x: number) => number,
): SVGTextElement[] {
  const labels = bars
    .map(({ label }, index) => ({ label, size: textWidth(label, FONT_PX), centre: centreOf(index) }))
    .filter(({ label }) => label !== "")
    .map(({ label, size, centre }) => ({
      label,
      size,
      at: Math.min(Math.max(centre, size / 2), width - size / 2),
    }));
  const shown = marksWithSpace(
    labels,
    ({ at }) => at,
    ({ size }) => size,
  );
  return shown.map(({ label, at }) =>
    shape("text", { x: along(at), y: HEIGHT_PX - 6, class: "label" }, label),
  );
}
