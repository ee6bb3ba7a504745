// A funnel plot (Spiegelhalter, 2005): the rate of each row by its publications, with the limits that chance alone allows.
import { type Draw, logScale, marksWithSpace, textWidth } from "./axis.ts";
import { shape } from "./elements.ts";
import { formatCount, formatRate, PER, say } from "./messages.ts";
import { pointText, type RatedRow } from "./rate-rows.ts";
import { uprightScale } from "./upright-scale.ts";

const HEIGHT_PX = 380;
const AXIS_PX = 46;
const TOP_PX = 20;
const FONT_PX = 13;
const CURVE_STEPS = 60;

/** Quantiles of the normal distribution beyond which 2.5% and 0.1% lie. */
const LIMITS = [1.96, 3.09] as const;

/** Names of rows beyond the outer limits, as far as they have space. */
const NAMES_MAX = 8;

/** @param rows each has publications */
export function funnel(rows: readonly RatedRow[]): Draw {
  const [papers, publications] = [sum(rows, "papers"), sum(rows, "publications")];
  const common = papers / publications;
  const counts = rows.map((row) => row.publications);
  const scale = logScale(Math.min(...counts) / 1.1, Math.max(...counts) * 1.1);
  const end = Math.max(...rows.map(({ rate }) => rate)) * 1.05 || 1;
  const summary = say("funnel", { rate: formatRate(common * PER) });
  return (width) => {
    const size = { width, height: HEIGHT_PX, belowPx: AXIS_PX, abovePx: TOP_PX };
    const { from, bottom, up, along, drawing } = uprightScale(end, 5, size);
    const offsetOf = (count: number) => from + scale.fractionOf(count) * (width - from - 10);
    const at = (count: number) => along(offsetOf(count));
    const below = marksWithSpace(scale.marks, offsetOf, (mark) => textWidth(formatCount(mark), FONT_PX));
    return drawing(
      summary,
      ...below.map((mark) => {
        const half = textWidth(formatCount(mark), FONT_PX) / 2;
        const x = Math.min(Math.max(at(mark), half), width - half);
        return shape("text", { x, y: bottom + 18, class: "mark-text" }, formatCount(mark));
      }),
      shape("text", { x: width / 2, y: HEIGHT_PX - 6, class: "mark-text" }, say("funnelAxis")),
      ...[0, ...LIMITS.flatMap((z) => [-z, z])].map((z) =>
        shape("path", { d: curve(z), class: z === 0 ? "common" : "limit", "data-z": Math.abs(z) }),
      ),
      ...rows.map((row) =>
        shape(
          "g",
          { class: row.unstable ? "row unstable" : "row stable" },
          shape("title", {}, pointText(row)),
          shape("circle", { cx: at(row.publications), cy: up(row.rate), r: 4, class: "rate" }),
        ),
      ),
      ...names(width),
    );

    function curve(z: number): string {
      return Array.from({ length: CURVE_STEPS + 1 }, (_, step) => {
        const count = scale.start * (scale.end / scale.start) ** (step / CURVE_STEPS);
        const rate = (quantile(count * common, z) / count) * PER;
        return `${step === 0 ? "M" : "L"}${at(count)} ${up(rate)}`;
      }).join("");
    }

    function names(all: number): SVGElement[] {
      const taken: { readonly x: number; readonly y: number; readonly size: number }[] = [];
      return rows
        .filter(({ papers: some, publications: of }) => some > quantile(of * common, LIMITS[1]))
        .slice(0, NAMES_MAX)
        .flatMap((row) => {
          const size = textWidth(row.name, FONT_PX);
          const x = Math.min(Math.max(at(row.publications), size / 2), all - size / 2);
          const y = up(row.rate) - 8;
          const isFree = taken.every(
            (one) => Math.abs(one.y - y) > 16 || Math.abs(one.x - x) > (one.size + size) / 2 + 4,
          );
          if (!isFree) return [];
          taken.push({ x, y, size });
          return [shape("text", { x, y, class: "label" }, row.name)];
        });
    }
  };
}

/** The papers at a quantile of a Poisson distribution, as a continuous value (Wilson and Hilferty, 1931). */
function quantile(expected: number, z: number): number {
  return z === 0
    ? expected
    : expected * Math.max(0, 1 - 1 / (9 * expected) + z / (3 * Math.sqrt(expected))) ** 3;
}

function sum(rows: readonly RatedRow[], member: "papers" | "publications"): number {
  return rows.reduce((total, row) => total + row[member], 0);
}
