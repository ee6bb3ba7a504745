// Saves charts as SVG and PNG and figures as CSV. Each file carries the licence and the source.
import { textWidth } from "./axis.js";
import { element, shape } from "./elements.js";
import { formatDay, isRightToLeft, language, say } from "./messages.js";

/** A width at which a chart fits a page of text, and a picture that stays sharp on dense screens. */
const WIDTH_PX = 800;
const PIXELS = 2;

const MARGIN_PX = 24;
const TITLE_PX = 20;
const TEXT_PX = 14;
const LINE_PX = 20;

/**
 * Makes the download buttons of a part of the page save what it shows now.
 *
 * @param name of the file, without its ending
 * @param rows of the CSV
 * @param meta of the answer that the rows come from
 * @param address where the figures can be read again
 * @param draw gives the chart at a width, where there is one
 */
export function offerDownloads(part, { name, rows, meta, address, draw }) {
  const source = sourceOf(meta, address);
  const file = isSynthetic(meta) ? `demo-${name}` : name;
  const makers = {
    svg: async () => svgFile(pictureOf(part, draw, source)),
    png: () => pngFile(pictureOf(part, draw, source)),
    csv: async () => csvFile(rows, source),
  };
  for (const button of part.querySelectorAll("[data-download]")) {
    const { download: format } = button.dataset;
    button.onclick = async () => save(await makers[format](), `${file}.${format}`);
  }
}

function isSynthetic({ dataset_version }) {
  return dataset_version.startsWith("demo-");
}

function sourceOf({ license, attribution, dataset_version, ...meta }, address) {
  const note = isSynthetic({ dataset_version }) ? say("synthetic") : "";
  return { license, attribution, dataset_version, address: `${location.origin}${address}`, note, ...meta };
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  element("a", { href: url, download: name }).click();
  // The browser has begun to read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The rows in CSV, as the API writes it, with the licence and the source in columns of their own. */
function csvFile(rows, { license, attribution, dataset_version, address }) {
  const lines = rows.map((row) => ({ ...row, license, attribution, dataset_version, address }));
  const columns = Object.keys(lines[0] ?? {});
  const text = [columns, ...lines.map((line) => columns.map((column) => line[column]))]
    .map((cells) => `${cells.map(csvCell).join(",")}\r\n`)
    .join("");
  // Excel takes a file for UTF-8 only with a byte-order mark.
  return new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" });
}

/** A text that a spreadsheet would take for a formula gets an apostrophe, also after a character that may separate cells. */
function csvCell(value) {
  if (value === null || value === undefined) return "";
  const text =
    typeof value === "string"
      ? value.replace(/^[=+\-@\t\r\n＝＋－＠]/, "'$&").replace(/[;\t\r\n]"*(?=[=+\-@＝＋－＠])/g, "$&'")
      : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function svgFile(picture) {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}

async function pngFile(picture) {
  const url = URL.createObjectURL(svgFile(picture));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = element("canvas", {
      width: picture.getAttribute("width") * PIXELS,
      height: picture.getAttribute("height") * PIXELS,
    });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The chart with its title, its legend and its source as one drawing that needs no style sheet, always in the light colours. */
function pictureOf(figure, draw, source) {
  const holder = element("div", { class: "plot picture" });
  document.body.append(holder);
  try {
    const picture = composed(figure, draw, source);
    holder.append(picture);
    for (const node of picture.querySelectorAll(".row-area")) node.remove();
    keepLooks([picture, ...picture.querySelectorAll("*")]);
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

/** All looks are read before any is written: those of a node may depend on the classes of the nodes around it. */
function keepLooks(nodes) {
  const looks = nodes.map((node) => {
    const style = getComputedStyle(node);
    return LOOKS.map((look) => [look, style.getPropertyValue(look)]);
  });
  for (const [index, node] of nodes.entries()) {
    for (const [look, value] of looks[index]) node.setAttribute(look, value);
    node.removeAttribute("class");
  }
}

function composed(figure, draw, source) {
  const inner = WIDTH_PX - 2 * MARGIN_PX;
  const startAt = isRightToLeft ? WIDTH_PX - MARGIN_PX : MARGIN_PX;
  const shapes = [];
  let y = MARGIN_PX;
  const write = (text, { kind = "plain", size = TEXT_PX, indent = 0 } = {}) => {
    for (const line of wrapped(text, size, inner - indent)) {
      y += size * 1.4;
      const x = isRightToLeft ? startAt - indent : startAt + indent;
      shapes.push(shape("text", { x, y: y - size * 0.4, class: `picture-${kind}` }, line));
    }
  };
  write(titleOf(figure), { kind: "title", size: TITLE_PX });
  write(subtitleOf(figure, source), { kind: "quiet" });
  write(figure.querySelector("figcaption p")?.textContent ?? "", { kind: "quiet" });
  for (const item of figure.querySelectorAll(".legend li:not([hidden])")) {
    shapes.push(legendShape(item.className, isRightToLeft ? startAt - 7 : startAt + 7, y + LINE_PX / 2));
    write(item.textContent, { kind: "quiet", indent: 28 });
  }
  const chart = draw(inner);
  chart.setAttribute("x", MARGIN_PX);
  chart.setAttribute("y", y + 10);
  shapes.push(chart);
  y += Number(chart.getAttribute("height")) + 18;
  for (const line of sourceLines(source)) write(line, { kind: "quiet" });
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

function titleOf(figure) {
  const subject = document.getElementById("main").dataset.country;
  const title = figure.querySelector("h3").textContent;
  return subject === undefined ? title : `${document.querySelector("h1").textContent}: ${title}`;
}

/** The axis, the years and the region: what a reader sees around the chart. */
function subtitleOf(figure, { window: years }) {
  const region = figure.querySelector("select[name=region]")?.selectedOptions[0].textContent.trim();
  const axis = figure.querySelector(".axis-name").textContent;
  return [axis, years, region].filter(Boolean).map(isolated).join(" · ");
}

/** Keeps the characters of a text together in lines of the other direction. */
function isolated(text) {
  return `\u2068${text}\u2069`;
}

function sourceLines({ note, attribution, license, license_url, dataset_version, address, generated_at }) {
  return [
    ...(note === "" ? [] : [note]),
    `${say("source")}: ${isolated(attribution)}`,
    isolated(`${license} (${license_url})`),
    [dataset_version, formatDay(generated_at)].map(isolated).join(" · "),
    address,
  ];
}

function legendShape(kind, x, y) {
  if (kind === "reach" || kind === "beyond") {
    const look = kind === "beyond" ? "interval cut" : "interval";
    return shape("line", { x1: x - 7, x2: x + 14, y1: y, y2: y, class: look });
  }
  return shape("g", { class: kind }, shape("circle", { cx: x, cy: y, r: 5, class: "rate" }));
}

/** The lines of a text at a width. Languages without spaces break between characters. */
function wrapped(text, size, width) {
  const words = [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)].map(
    ({ segment }) => segment,
  );
  const lines = [""];
  for (const word of words) {
    const line = lines.at(-1) + word;
    if (textWidth(line.trimEnd(), size) > width && lines.at(-1) !== "") lines.push(word.trimStart());
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}
