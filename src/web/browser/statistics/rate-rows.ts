// A chart of rates: a row for each, with a dot for the rate and a line for its interval.
import { type Draw, fitText, linearScale, logScale, marksWithSpace, type Scale, textWidth } from "./axis.ts";
import { shape } from "./elements.ts";
import { formatCount, formatRate, isolatedFromRight, isRightToLeft, say, sayCount } from "./messages.ts";

/** As many rows as a person compares at a glance; the table has all of them. */
export const ROWS_SHOWN = 20;

const FONT_PX = 14;
const SMALL_FONT_PX = 12;
const AXIS_PX = 26;
const GAP_PX = 10;

/** The line above the rows, which explains the rates. */
const HEAD_PX = 20;

/** Where a row has its parts, from its top: beside each other, or one below the other. */
const BESIDE = { height: 44, name: 18, note: 36, line: 22, value: 27 } as const;
const BELOW = { height: 66, name: 16, note: 34, line: 50, value: 16 } as const;

type Layout = {
  readonly place: typeof BESIDE | typeof BELOW;
  readonly namesWidth: number;
  /** Where the scale begins and ends. */
  readonly from: number;
  readonly to: number;
};

/** On a narrower chart, names that would be cut get a line of their own. */
const BESIDE_FROM_PX = 480;

/** Keeps dots and whiskers at the ends of a scale within the drawing. */
const EDGE_PX = 6;

/** Names may take this part of the width, but not more pixels; longer ones are cut, as the table has them whole. */
const NAMES_SHARE = 0.38;
const NAMES_PX = 320;

/** The figures of a row of the API, with its name in the language of the page. */
export type RatedRow = {
  readonly name: string;
  readonly place?: string | undefined;
  readonly papers: number;
  readonly publications: number;
  readonly rate: number;
  readonly rate_ci_low: number;
  readonly rate_ci_high: number;
  readonly unstable: boolean;
  readonly rate_shrunken?: number | null | undefined;
};

type RateRowsOptions = {
  /** Whether equal distances are equal ratios. */
  readonly isLog: boolean;
  /** The row that the chart is about. */
  readonly highlighted?: RatedRow | undefined;
};

/** A function that draws at least one row at a width. */
export function rateRows(rows: readonly RatedRow[], { isLog, highlighted }: RateRowsOptions): Draw {
  const summary = say("highest", { first: pointText(rows.at(0)), last: pointText(rows.at(-1)) });
  const scaleFor = (width: number) => scaleOf(rows, isLog, Math.max(2, Math.floor(width / 90)));
  return (width) => chart(rows, { width, scaleFor, summary, highlighted });
}

/** A row in words: its rate with the interval. */
export function pointText(row: RatedRow | undefined): string {
  if (row === undefined) return "";
  const { name, rate, rate_ci_low, rate_ci_high } = row;
  return say("ratePoint", {
    name: isolatedFromRight(name),
    rate: formatRate(rate),
    low: formatRate(rate_ci_low),
    high: formatRate(rate_ci_high),
  });
}

/** Ends the scale where the longest interval does: intervals that were cut would look alike. */
function scaleOf(rows: readonly RatedRow[], isLog: boolean, wanted: number): Scale {
  const end = Math.max(...rows.map((row) => row.rate_ci_high)) || 1;
  const start = logStart(rows);
  return isLog && start < end ? logScale(start, end) : linearScale(end, wanted);
}

/** All intervals fit into a logarithmic scale, but 0 is nowhere on it. */
function logStart(rows: readonly RatedRow[]): number {
  const values = rows.flatMap((row) => [row.rate, row.rate_ci_low]);
  const least = Math.min(...values.filter((value) => value > 0));
  const power = 10 ** Math.floor(Math.log10(least));
  return [5, 2, 1].map((factor) => factor * power).find((value) => value <= least) ?? power;
}

type ChartOptions = {
  readonly width: number;
  readonly scaleFor: (width: number) => Scale;
  readonly summary: string;
  readonly highlighted: RatedRow | undefined;
};

function chart(
  rows: readonly RatedRow[],
  { width, scaleFor, summary, highlighted }: ChartOptions,
): SVGSVGElement {
  const notes = rows.map(noteOf);
  const { place, namesWidth, from, to } = layOut(rows, notes, width);
  const scale = scaleFor(to - from);
  // Right-to-left languages read the chart from the right, as they read its names.
  const along = (x: number) => (isRightToLeft ? width - x : x);
  const offsetOf = (value: number) => from + scale.fractionOf(value) * (to - from);
  const height = HEAD_PX + rows.length * place.height + AXIS_PX;
  const marks = marksWithSpace(scale.marks, offsetOf, (mark) => textWidth(formatCount(mark), FONT_PX));
  return shape(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": summary },
    shape("text", { x: along(width), y: HEAD_PX - 6, class: "unit" }, say("perUnit")),
    ...marks.map((mark) => markLine(mark, along(offsetOf(mark)), height, width)),
    ...rows.map((row, index) =>
      rowShapes(row, {
        name: isolatedFromRight(fitText(row.name, FONT_PX, namesWidth)),
        note: fitText(notes[index] ?? "", SMALL_FONT_PX, namesWidth),
        top: HEAD_PX + index * place.height,
        at: (value) => along(offsetOf(value)),
        ...{ place, scale, nameAt: along(0), rateAt: along(width), isHighlighted: row === highlighted },
      }),
    ),
  );
}

function layOut(rows: readonly RatedRow[], notes: readonly string[], width: number): Layout {
  const widest = Math.max(
    ...rows.map(({ name }) => textWidth(name, FONT_PX)),
    ...notes.map((note) => textWidth(note, SMALL_FONT_PX)),
  );
  const ratesWidth = Math.max(...rows.map(({ rate }) => textWidth(formatRate(rate), FONT_PX)));
  const namesWidth = Math.min(widest, width * NAMES_SHARE, NAMES_PX);
  if (namesWidth < widest && width < BESIDE_FROM_PX) {
    return { place: BELOW, namesWidth: width - ratesWidth - GAP_PX, from: EDGE_PX, to: width - EDGE_PX };
  }
  return { place: BESIDE, namesWidth, from: namesWidth + GAP_PX, to: width - ratesWidth - GAP_PX };
}

/** The papers that a rate is based on, and the place of the row. */
function noteOf({ papers, place }: RatedRow): string {
  return sayCount("papers", papers) + (place === undefined ? "" : ` · ${isolatedFromRight(place)}`);
}

function markLine(value: number, x: number, height: number, width: number): SVGGElement {
  const text = formatCount(value);
  const half = textWidth(text, FONT_PX) / 2;
  const textAt = Math.min(Math.max(x, half), width - half);
  return shape(
    "g",
    {},
    shape("line", { x1: x, x2: x, y1: HEAD_PX, y2: height - AXIS_PX + 4, class: "mark" }),
    shape("text", { x: textAt, y: height - 7, class: "mark-text" }, text),
  );
}

type RowShapes = {
  readonly name: string;
  readonly note: string;
  readonly top: number;
  readonly place: Layout["place"];
  readonly at: (value: number) => number;
  readonly scale: Scale;
  readonly nameAt: number;
  readonly rateAt: number;
  readonly isHighlighted: boolean;
};

function rowShapes(row: RatedRow, shapes: RowShapes): SVGGElement {
  const { name, note, top, place, at, scale, nameAt, rateAt, isHighlighted } = shapes;
  const [low, high] = [row.rate_ci_low, row.rate_ci_high];
  const ends = [low, high].filter((end) => end >= scale.start);
  const y = top + place.line;
  const tip = `${pointText(row)}; ${noteOf(row)}, ${sayCount("publications", row.publications)}`;
  const kind = row.unstable ? "row unstable" : "row stable";
  return shape(
    "g",
    { class: isHighlighted ? `${kind} highlighted` : kind },
    shape("title", {}, tip),
    shape("rect", { x: 0, y: top, width: "100%", height: place.height, class: "row-area" }),
    shape("text", { x: nameAt, y: top + place.name, class: "name" }, name),
    shape("text", { x: nameAt, y: top + place.note, class: "note" }, note),
    shape("line", { x1: at(low), x2: at(high), y1: y, y2: y, class: "interval" }),
    ...ends.map((end) =>
      shape("line", { x1: at(end), x2: at(end), y1: y - 4, y2: y + 4, class: "interval" }),
    ),
    shape("circle", { cx: at(row.rate), cy: y, r: 5, class: "rate" }),
    ...(typeof row.rate_shrunken === "number" ? [diamond(at(row.rate_shrunken), y)] : []),
    shape("text", { x: rateAt, y: top + place.value, class: "value" }, formatRate(row.rate)),
  );
}

/** The mark of a shrunken rate. */
export function diamond(x: number, y: number): SVGPathElement {
  return shape("path", { d: `M${x} ${y - 7}l5 7l-5 7l-5 -7z`, class: "shrunken" });
}
