import { type Content, html } from "../../../http/html.ts";
import { colourOf } from "../../source-colours.ts";
import type { WireReport } from "./report-marks.ts";

/** Columns of the strip: as fine as a wide screen shows it. */
const COLUMNS = 1_000;

/** Where in the text the matches lie: the text from its beginning to its end, in the colours of the sources. */
export function matchStrip({ sources, unique_passages: unique, query_text: text }: WireReport): Content {
  if (unique.length === 0) return undefined;
  const columns = new Uint8Array(COLUMNS);
  const paint = (start: number, end: number, colour: number) => {
    const last = Math.max(Math.ceil((end / text.length) * COLUMNS), 1);
    columns.fill(colour, Math.min(Math.floor((start / text.length) * COLUMNS), last - 1), last);
  };
  for (const [start = 0, end = 0] of unique) paint(start, end, ORPHAN);
  for (const [at, { passages }] of [...sources.entries()].toReversed())
    for (const { query_start, query_end } of passages) paint(query_start, query_end, colourOf(at + 1));
  return html`<svg class="strip" viewBox="0 0 ${COLUMNS} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="${COLUMNS}" height="10"/>${runsOf(
    columns,
  ).map(
    ({ start, end, colour }) =>
      html`<rect class="${colour === ORPHAN ? "orphan" : `f${colour}`}" x="${start}" width="${end - start}" height="10"/>`,
  )}</svg>`;
}

/** Colours of sources begin at 1; this one is for text whose source is gone. */
const ORPHAN = 255;

/** Columns side by side that have one colour. */
function runsOf(columns: Uint8Array) {
  const runs: { start: number; end: number; colour: number }[] = [];
  for (const [at, colour] of columns.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last.end === at && last.colour === colour) last.end = at + 1;
    else if (colour !== 0) runs.push({ start: at, end: at + 1, colour });
  }
  return runs;
}
