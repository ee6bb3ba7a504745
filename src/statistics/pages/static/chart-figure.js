// Puts a chart, its table and its downloads into a figure of the page.
import { drawIn } from "./axis.js";
import { offerDownloads } from "./downloads.js";
import { tableRow } from "./elements.js";
import { sayCount } from "./messages.js";

/** More rows than anyone reads here; a browser lays them out without a pause. The download has all. */
const TABLE_ROWS = 300;

/**
 * @param draw gives the chart at a width, in pixels
 * @param cells the cells of the table, row by row
 * @param numeric the columns of numbers
 * @param download the rows of the CSV, with the `meta` of their answer and the name of the file
 */
export function presentChart(figure, { draw, cells, numeric, download }) {
  figure.querySelector(".drawing").hidden = false;
  drawIn(figure.querySelector(".plot"), draw);
  figure.querySelector(".row-count").textContent = `· ${sayCount("rows", cells.length)}`;
  const shown = cells.slice(0, TABLE_ROWS);
  figure.querySelector("tbody").replaceChildren(...shown.map((row) => tableRow(row, { numeric })));
  offerDownloads(figure, { ...download, draw });
  figure.querySelector(".end").hidden = shown.length === cells.length;
}
