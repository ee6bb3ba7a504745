// Several places over time: a line for each, with its own colour, dash and marker, and its name at the side.
import { type Draw, textWidth } from "./axis.ts";
import { shape } from "./elements.ts";
import { formatYear, isolatedFromRight } from "./messages.ts";
import { uprightScale } from "./upright-scale.ts";

const HEIGHT_PX = 320;
const AXIS_PX = 24;
const TOP_PX = 16;
const FONT_PX = 13;

export type Line = {
  readonly name: string;
  readonly points: readonly { readonly year: number; readonly rate: number | null; readonly tip: string }[];
};

/** @param lines all of the same years; years without a rate interrupt a line. */
export function linesChart(lines: readonly Line[], summary: string): Draw {
  const years = lines[0]?.points.map(({ year }) => year) ?? [];
  const end = Math.max(...lines.flatMap(({ points }) => points.map(({ rate }) => rate ?? 0))) || 1;
  return (width) => {
    const size = { width, height: HEIGHT_PX, belowPx: AXIS_PX, abovePx: TOP_PX };
    const { from, up, along, drawing } = uprightScale(end, 4, size);
    const at = (index: number) => along(from + ((index + 0.5) * (width - from)) / years.length);
    const every = Math.ceil((years.length * 44) / (width - from));
    return drawing(
      summary,
      ...years.flatMap((year, index) =>
        index % every === 0
          ? [shape("text", { x: at(index), y: HEIGHT_PX - 6, class: "label" }, formatYear(year))]
          : [],
      ),
      ...lines.map(({ name, points }, index) => {
        const known = points.flatMap(({ rate, tip }, year) => (rate === null ? [] : [{ rate, tip, year }]));
        const d = known.map(
          ({ rate, year }, i) => `${known[i - 1]?.year === year - 1 ? "L" : "M"}${at(year)} ${up(rate)}`,
        );
        const highest = known.toSorted((a, b) => b.rate - a.rate)[0];
        const half = textWidth(name, FONT_PX) / 2;
        const nameAt = Math.min(Math.max(at(highest?.year ?? 0), half), width - half);
        return shape(
          "g",
          { class: `line-${index}` },
          shape("path", { d: d.join(""), class: "line" }),
          ...known.map(({ rate, tip, year }) =>
            shape("circle", { cx: at(year), cy: up(rate), r: 3.5 }, shape("title", {}, tip)),
          ),
          shape(
            "text",
            { x: nameAt, y: up(highest?.rate ?? 0) - 6, class: "label" },
            isolatedFromRight(name),
          ),
        );
      }),
    );
  };
}
