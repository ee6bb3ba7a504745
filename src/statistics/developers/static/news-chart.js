// News mentions by month: a bar for each month, a dash where there is no data.
import { isNeverLoaded, readApi, readOverview } from "./api.js";
import { drawIn, roundMarks, textWidth } from "./axis.js";
import { shape, tableRow } from "./elements.js";
import { formatCount, formatMonth, formatShare, isRightToLeft, language, say, sayCount } from "./messages.js";

const HEIGHT_PX = 220;
const AXIS_PX = 24;
const TOP_PX = 8;
const FONT_PX = 13;

const figure = document.getElementById("news");
const state = figure.querySelector(".state");
const yearName = new Intl.DateTimeFormat(language, { year: "numeric", timeZone: "UTC" });

export async function showNewsChart() {
  state.textContent = say("loading");
  try {
    figure.hidden = isNeverLoaded(await readOverview());
    const { data } = await readApi("/v1/news");
    const isEmpty = data.series.length === 0;
    state.textContent = isEmpty ? say("noNews") : "";
    figure.querySelector(".drawing").hidden = isEmpty;
    if (!isEmpty) present(data.series);
  } catch (error) {
    state.textContent = say("failed", { reason: error.message });
  }
}

function present(months) {
  const busiest = months.reduce((most, one) => ((one.mentions ?? 0) > (most.mentions ?? 0) ? one : most));
  const summary = say("busiest", { point: pointText(busiest) });
  drawIn(figure.querySelector(".plot"), (width) => chart(months, width, summary));
  figure.querySelector(".row-count").textContent = `· ${sayCount("rows", months.length)}`;
  const cell = (value, format) => (value === null ? say("gap") : format(value));
  figure
    .querySelector("tbody")
    .replaceChildren(
      ...months
        .toReversed()
        .map(({ month, mentions, monitored, share }) =>
          tableRow(
            [
              formatMonth(month),
              cell(mentions, formatCount),
              cell(monitored, formatCount),
              cell(share, formatShare),
            ],
            { numeric: [1, 2, 3] },
          ),
        ),
    );
}

function pointText({ month, mentions }) {
  const said = mentions === null ? say("gap") : sayCount("articles", mentions);
  return say("newsPoint", { month: formatMonth(month), mentions: said });
}

function chart(months, width, summary) {
  const end = Math.max(...months.map(({ mentions }) => mentions ?? 0), 1);
  const marks = roundMarks(end, 4);
  const from = Math.max(...marks.map((mark) => textWidth(formatCount(mark), FONT_PX))) + 8;
  const step = (width - from) / months.length;
  const bottom = HEIGHT_PX - AXIS_PX;
  const up = (value) => bottom - (value / end) * (bottom - TOP_PX);
  // Time runs as the language is read.
  const along = (x, size = 0) => (isRightToLeft ? width - x - size : x);
  return shape(
    "svg",
    { width, height: HEIGHT_PX, viewBox: `0 0 ${width} ${HEIGHT_PX}`, role: "img", "aria-label": summary },
    ...marks.map((mark) =>
      shape(
        "g",
        {},
        shape("line", { x1: along(from), x2: along(width), y1: up(mark), y2: up(mark), class: "mark" }),
        shape("text", { x: along(from - 8), y: up(mark) + 4, class: "mark-side" }, formatCount(mark)),
      ),
    ),
    ...months.map((month, index) => {
      const size = Math.max(step * 0.75, 1);
      return monthShapes(month, {
        x: along(from + index * step + (step - size) / 2, size),
        size,
        up,
        bottom,
      });
    }),
    ...yearTexts(months, (index) => along(from + index * step), width),
  );
}

function monthShapes(month, { x, size, up, bottom }) {
  const isGap = month.mentions === null;
  const bar = isGap
    ? shape("line", { x1: x, x2: x + size, y1: bottom - 3, y2: bottom - 3, class: "gap" })
    : shape("rect", {
        x,
        y: up(month.mentions),
        width: size,
        height: bottom - up(month.mentions),
        class: "bar",
      });
  return shape("g", { class: "month" }, shape("title", {}, pointText(month)), bar);
}

/** A year stands where it begins, at the first month too; none that the one before would touch. */
function yearTexts(months, at, width) {
  const texts = [];
  let taken = Number.NEGATIVE_INFINITY;
  for (const [index, { month }] of months.entries()) {
    const text = yearName.format(new Date(`${month}-01T00:00:00Z`));
    const offset = isRightToLeft ? width - at(index) : at(index);
    const isStart = index === 0 || month.endsWith("-01");
    if (!isStart || offset < taken || offset + textWidth(text, FONT_PX) > width) continue;
    texts.push(shape("text", { x: at(index), y: HEIGHT_PX - 6, class: "year" }, text));
    taken = offset + textWidth(text, FONT_PX) + 12;
  }
  return texts;
}
