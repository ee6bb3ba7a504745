import { type Draw, drawIn } from "./axis.ts";
import { type Download, offerDownloads } from "./downloads.ts";
import { type Cell, find, tableRow } from "./elements.ts";
import { sayCount } from "./messages.ts";

/** More rows than anyone reads here; a browser lays them out without a pause. The download has all. */
const TABLE_ROWS = 300;

type PresentedChart = {
  readonly draw: Draw;
  /** The cells of the table, row by row. */
  readonly cells: readonly (readonly Cell[])[];
  /** The columns of numbers. */
  readonly numeric: readonly number[];
  readonly download: Download;
};

/** Puts a chart, its table and its downloads into a figure of the page. */
export function presentChart(figure: HTMLElement, { draw, cells, numeric, download }: PresentedChart): void {
  find(".drawing", figure).hidden = false;
  drawIn(find(".plot", figure), draw);
  find(".row-count", figure).textContent = `· ${sayCount("rows", cells.length)}`;
  const shown = cells.slice(0, TABLE_ROWS);
  find("tbody", figure).replaceChildren(...shown.map((row) => tableRow(row, numeric)));
  offerDownloads(figure, download, draw);
  find(".end", figure).hidden = shown.length === cells.length;
}
