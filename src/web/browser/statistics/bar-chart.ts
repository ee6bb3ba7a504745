// A chart of a value over time: a bar for each, a dash where there is no data.
import { type Draw, marksWithSpace, textWidth } from "./axis.ts";
import { shape } from "./elements.ts";
import { uprightScale } from "./upright-scale.ts";

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
  /** Whether the value will still grow. */
  readonly isIncomplete?: boolean;
};

/** A function that draws bars at a width. @param summary the chart in a sentence, for screen readers */
export function barChart(bars: readonly Bar[], summary: string): Draw {
  return (width) => chart(bars, width, summary);
}

function chart(bars: readonly Bar[], width: number, summary: string): SVGSVGElement {
  const end = Math.max(...bars.map(({ value }) => value ?? 0)) || 1;
  const size = { width, height: HEIGHT_PX, belowPx: AXIS_PX, abovePx: TOP_PX };
  const { from, bottom, up, along, drawing } = uprightScale(end, 4, size);
  const step = (width - from) / bars.length;
  return drawing(
    summary,
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

function barShapes(
  { value, tip, count = "", isIncomplete }: Bar,
  { x, size, step, up, bottom }: BarPlace,
): SVGGElement {
  const hasCount = count !== "" && textWidth(count, COUNT_FONT_PX) < step;
  return shape(
    "g",
    { class: "column" },
    shape("title", {}, tip),
    value === null
      ? shape("line", { x1: x, x2: x + size, y1: bottom - 3, y2: bottom - 3, class: "gap" })
      : shape("rect", {
          x,
          y: up(value),
          width: size,
          height: bottom - up(value),
          class: isIncomplete ? "bar incomplete" : "bar",
        }),
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
