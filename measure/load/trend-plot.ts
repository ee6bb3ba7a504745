import { type Point, type Series, trendOf } from "./trend.ts";

const WIDTH = 760;
const PANEL = 110;
const LEFT = 90;
const RIGHT = 20;
const TITLE = 40;

/**
 * One panel for each series, one below the other over the same time: its points (grey during the warm-up) and its
 * fitted line, dashed. Every axis begins at 0.
 */
export function trendPlot(title: string, series: readonly Series[]): string {
  const height = TITLE + series.length * PANEL + 10;
  const panels = series.map((one, at) => panel(one, TITLE + at * PANEL));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<text x="${LEFT}" y="22" font-size="15">${escaped(title)}</text>
${panels.join("\n")}
</svg>
`;
}

function panel(series: Series, top: number): string {
  const { name, unit, points, warmUp } = series;
  const { slope, start, rise, isFlat } = trendOf(series);
  const secondsMax = Math.max(1, ...points.map(({ seconds }) => seconds));
  const valueMax = Math.max(1, ...[...warmUp, ...points].map(({ value }) => value)) * 1.1;
  const bottom = top + PANEL - 30;
  const x = (seconds: number) => LEFT + (seconds / secondsMax) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => bottom - (value / valueMax) * (PANEL - 50);
  const at = (seconds: number, value: number) => `${x(seconds).toFixed(1)},${y(value).toFixed(1)}`;
  const line = (shown: readonly Point[]) => shown.map(({ seconds, value }) => at(seconds, value)).join(" ");
  const first = points.at(0)?.seconds ?? 0;
  const last = points.at(-1)?.seconds ?? 0;
  const verdict = `${isFlat ? "flat" : "rises"} (${rise >= 0 ? "+" : ""}${rise.toFixed(1)} ${unit})`;
  return `<g>
<text x="${LEFT}" y="${top + 12}" fill="${isFlat ? "#222" : "#b00020"}">${escaped(`${name}: ${verdict}`)}</text>
<path d="M${LEFT} ${top + 18}V${bottom}H${WIDTH - RIGHT}" fill="none" stroke="#999"/>
<text x="${LEFT - 6}" y="${top + 26}" text-anchor="end" fill="#555">${valueMax.toFixed(0)} ${escaped(unit)}</text>
<text x="${LEFT - 6}" y="${bottom}" text-anchor="end" fill="#555">0</text>
<text x="${WIDTH - RIGHT}" y="${bottom + 13}" text-anchor="end" fill="#555">${(secondsMax / 60).toFixed(1)} min</text>
<polyline points="${line([...warmUp, ...points.slice(0, 1)])}" fill="none" stroke="#aaa"/>
<polyline points="${line(points)}" fill="none" stroke="#1f5fbf"/>
<polyline points="${at(first, start + slope * first)} ${at(last, start + slope * last)}" fill="none" stroke="#b00020" stroke-dasharray="5 4"/>
</g>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
