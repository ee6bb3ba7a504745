// Figures of the page: a chart with its table, saved as SVG, PNG and CSV. Each file carries the licence and the source.
import { BYTE_ORDER_MARK, csvCell } from "../../../http/csv.ts";
import { saveFile } from "../shared/save-file.ts";
import { type Draw, drawIn, textWidth } from "./axis.ts";
import { type Cell, element, find, findAll, shape, tableRow } from "./elements.ts";
import { formatDay, isolated, isRightToLeft, language, say, sayCount } from "./messages.ts";
import type { Meta } from "./page.ts";
import { diamond } from "./rate-rows.ts";

/** More rows than anyone reads here; a browser lays them out without a pause. */
export const TABLE_ROWS = 300;

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
  const all = Math.max(cells.length, download.meta.counts?.ranked ?? 0);
  find(".row-count", figure).textContent = `· ${sayCount("rows", all)}`;
  const shown = cells.slice(0, TABLE_ROWS);
  find("tbody", figure).replaceChildren(...shown.map((row) => tableRow(row, numeric)));
  offerDownloads(figure, download, draw);
  const frame = new URL(location.href);
  frame.searchParams.set("embed", figure.id);
  find("[data-embed]", figure).textContent =
    `<iframe src="${frame.href}" width="800" height="700" title="${titleOf(figure)}" loading="lazy"></iframe>`;
  find(".end", figure).hidden = shown.length === all;
}

/** A width at which a chart fits a page of text, and a picture that stays sharp on dense screens. */
const WIDTH_PX = 800;
const PIXELS = 2;

const MARGIN_PX = 24;
const TITLE_PX = 20;
const TEXT_PX = 14;
const LINE_PX = 20;

export type Download = {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Of the CSV; a function reads those that the page does not hold. */
  readonly rows: readonly object[] | (() => Promise<readonly object[]>);
  /** Of the answer that the rows come from. */
  readonly meta: Omit<Meta, "counts"> & {
    readonly counts?: Partial<NonNullable<Meta["counts"]>> | undefined;
  };
  /** Where the figures can be read again. */
  readonly address: string;
};

/** The origin of the data, as stated in a file. */
type Origin = Download["meta"] & { readonly address: string };

/** Makes the download buttons of a part of the page save its current figures. @param draw where the part has a chart */
export function offerDownloads(
  part: HTMLElement,
  { name, rows, meta, address }: Download,
  draw?: Draw,
): void {
  const origin = { ...meta, address: `${location.origin}${address}` };
  const count = typeof rows === "function" ? Number.POSITIVE_INFINITY : rows.length;
  const all = meta.counts?.ranked ?? count;
  const extent = count < all ? `-1-${count}-of-${all}` : "";
  const file = (isSynthetic(meta) ? `demo-${name}` : name) + extent;
  for (const button of findAll("[data-download]", part)) {
    const { download: format } = button.dataset;
    const make = async (): Promise<Blob> => {
      if (format === "csv" || draw === undefined)
        return csvFile(typeof rows === "function" ? await rows() : rows, origin);
      const picture = pictureOf(part, draw, origin);
      return format === "png" ? pngFile(picture) : svgFile(picture);
    };
    button.onclick = async () => saveFile(await make(), `${file}.${format}`);
  }
}

function isSynthetic({ dataset_version }: Pick<Meta, "dataset_version">): boolean {
  return dataset_version?.startsWith("demo-") === true;
}

/** The rows in CSV, as the API writes it, with the licence, the source and the caveats in columns of their own. */
function csvFile(rows: readonly object[], origin: Origin): Blob {
  const { license, attribution, dataset_version, address, caveats } = origin;
  const lines: Readonly<Record<string, unknown>>[] = rows.map((row) => ({
    ...row,
    ...{ license, attribution, dataset_version, address, caveats: caveats.join(" ") },
  }));
  const columns = Object.keys(lines[0] ?? {});
  const text = [columns, ...lines.map((line) => columns.map((column) => line[column]))]
    .map((cells) => `${cells.map(csvCell).join(",")}\r\n`)
    .join("");
  return new Blob([BYTE_ORDER_MARK, text], { type: "text/csv;charset=utf-8" });
}

function svgFile(picture: SVGSVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}

/** @throws Error when the browser can draw no picture of that size */
async function pngFile(picture: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(svgFile(picture));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = element("canvas", {
      width: Number(picture.getAttribute("width")) * PIXELS,
      height: Number(picture.getAttribute("height")) * PIXELS,
    });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (made === null) throw new Error("the browser could not draw the picture");
    return made;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The chart with its title, its legend and its source as one drawing that needs no style sheet, always in the light colours. */
function pictureOf(figure: HTMLElement, draw: Draw, origin: Origin): SVGSVGElement {
  const holder = element("div", { class: "plot picture" });
  document.body.append(holder);
  try {
    const picture = composed(figure, draw, origin);
    holder.append(picture);
    for (const node of picture.querySelectorAll(".row-area")) node.remove();
    keepLooks([picture, ...picture.querySelectorAll<SVGElement>("*")]);
    return picture;
  } finally {
    holder.remove();
  }
}

/** Looks that a style sheet gives. As attributes they are valid in every program that reads SVG. */
const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-size",
  "font-weight",
  "text-anchor",
];

/** All styles are read before any is written, because a node's style may depend on the classes of the nodes around it. */
function keepLooks(nodes: readonly SVGElement[]): void {
  const looks = nodes.map((node) => {
    const style = getComputedStyle(node);
    return LOOKS.map((look) => [look, style.getPropertyValue(look)] as const);
  });
  for (const [index, node] of nodes.entries()) {
    for (const [look, value] of looks[index] ?? []) node.setAttribute(look, value);
    node.removeAttribute("class");
  }
}

function composed(figure: HTMLElement, draw: Draw, origin: Origin): SVGSVGElement {
  const inner = WIDTH_PX - 2 * MARGIN_PX;
  const startAt = isRightToLeft ? WIDTH_PX - MARGIN_PX : MARGIN_PX;
  const shapes: SVGElement[] = [];
  let y = MARGIN_PX;
  const write = (text: string, { kind = "quiet", size = TEXT_PX, indent = 0 } = {}) => {
    for (const line of wrapped(text, size, inner - indent)) {
      y += size * 1.4;
      const x = isRightToLeft ? startAt - indent : startAt + indent;
      shapes.push(shape("text", { x, y: y - size * 0.4, class: `picture-${kind}` }, line));
    }
  };
  write(titleOf(figure), { kind: "title", size: TITLE_PX });
  write(subtitleOf(figure, origin));
  write(figure.querySelector("figcaption p")?.textContent ?? "");
  for (const item of findAll(".legend li:not([hidden])", figure)) {
    shapes.push(legendShape(item.className, isRightToLeft ? startAt - 7 : startAt + 7, y + LINE_PX / 2));
    write(item.textContent ?? "", { indent: 28 });
  }
  const chart = draw(inner);
  chart.setAttribute("x", String(MARGIN_PX));
  chart.setAttribute("y", String(y + 10));
  shapes.push(chart);
  y += Number(chart.getAttribute("height")) + 18;
  for (const line of sourceLines(origin)) write(line);
  const height = Math.ceil(y + MARGIN_PX);
  return shape(
    "svg",
    {
      ...{
        xmlns: "http://www.w3.org/2000/svg",
        width: WIDTH_PX,
        height,
        viewBox: `0 0 ${WIDTH_PX} ${height}`,
      },
      ...{ lang: language, direction: isRightToLeft ? "rtl" : "ltr" },
      "font-family": getComputedStyle(document.body).fontFamily,
    },
    shape("rect", { width: WIDTH_PX, height, class: "picture-ground" }),
    ...shapes,
  );
}

function titleOf(figure: HTMLElement): string {
  const title = find("h3", figure).textContent ?? "";
  return find("#main").dataset.kind === undefined ? title : `${find("h1").textContent}: ${title}`;
}

/** The axis, the years and the region, as shown around the chart. */
function subtitleOf(figure: HTMLElement, { window: years = "" }: Origin): string {
  const region = figure.querySelector<HTMLSelectElement>("select[name=region]")?.selectedOptions[0];
  const [axis = "", ...extents] = [...findAll(".axis-name:not([hidden])", figure)].map(
    (one) => one.textContent ?? "",
  );
  return [axis, years, region?.textContent?.trim() ?? "", ...extents]
    .filter((part) => part !== "")
    .map(isolated)
    .join(" · ");
}

function sourceLines(origin: Origin): string[] {
  const { attribution, license, license_url, dataset_version, address, generated_at } = origin;
  return [
    ...(isSynthetic(origin) ? [say("synthetic")] : []),
    `${say("source")}: ${isolated(attribution)}`,
    isolated(`${license} (${license_url})`),
    [dataset_version ?? "", generated_at === null ? "" : formatDay(generated_at)].map(isolated).join(" · "),
    address,
  ];
}

function legendShape(kind: string, x: number, y: number): SVGElement {
  if (kind === "reach") return shape("line", { x1: x - 7, x2: x + 14, y1: y, y2: y, class: "interval" });
  if (kind === "limits") return shape("line", { x1: x - 7, x2: x + 14, y1: y, y2: y, class: "limit" });
  if (kind === "shrunken") return diamond(x, y);
  if (kind === "incomplete")
    return shape("rect", { x: x - 6, y: y - 6, width: 12, height: 12, class: "bar incomplete" });
  return shape("g", { class: kind }, shape("circle", { cx: x, cy: y, r: 5, class: "rate" }));
}

/** The lines of a text at a width. Languages without spaces break between characters. */
function wrapped(text: string, size: number, width: number): string[] {
  const words = [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)].map(
    ({ segment }) => segment,
  );
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    const line = last + word;
    if (textWidth(line.trimEnd(), size) > width && last !== "") lines.push(word.trimStart());
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}
