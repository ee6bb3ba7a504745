// Rates by country: a dot for each rate, a line for its interval.
import { isNeverLoaded, readApi, readOverview } from "./api.js";
import { drawIn, fitText, roundMarks, textWidth } from "./axis.js";
import { element, shape, tableRow } from "./elements.js";
import { countryName, formatCount, formatRate, isRightToLeft, say, sayCount } from "./messages.js";

/** As many rows as a person compares at a glance; the table has all of them. */
const ROWS_SHOWN = 20;

const FONT_PX = 14;
const ROW_PX = 26;
const AXIS_PX = 26;
const GAP_PX = 10;

/** Names may take this part of the width; longer ones are cut, as the table has them whole. */
const NAMES_SHARE = 0.36;

/** Intervals of unstable rows may reach many times further than all rates; the scale ends here, in highest rates. */
const SCALE_RATES = 2;

const figure = document.getElementById("rates");
const state = figure.querySelector(".state");

export async function showRatesChart() {
  const { window: windows, region } = figure.querySelector("form").elements;
  state.textContent = say("loading");
  try {
    const overview = await readOverview();
    document.getElementById("never-loaded").hidden = !isNeverLoaded(overview);
    if (isNeverLoaded(overview)) {
      figure.hidden = true;
      return;
    }
    for (const { id, default: isDefault } of overview.data.windows) {
      windows.append(new Option(id, id, isDefault, isDefault));
    }
    for (const control of [windows, region]) {
      control.disabled = false;
      control.addEventListener("change", () => show(windows.value, region.value, overview));
    }
    await show(windows.value, region.value, overview);
  } catch (error) {
    state.textContent = say("failed", { reason: error.message });
  }
}

async function show(windowId, region, overview) {
  const query = new URLSearchParams({ window: windowId, ...(region !== "" && { region }) });
  try {
    const { meta, data } = await readApi(`/v1/countries?${query}`);
    const isProvisional = overview.data.windows.some(
      ({ id, provisional }) => id === meta.window && provisional,
    );
    document.getElementById("synthetic").hidden = !meta.dataset_version.startsWith("demo-");
    figure.querySelector(".drawing").hidden = data.length === 0;
    figure.querySelector(".csv").href = `/v1/countries?${query}&format=csv`;
    const remarks = [isProvisional && say("provisional"), data.length === 0 && say("noRows")];
    state.textContent = remarks.filter(Boolean).join(" ");
    if (data.length > 0) present(data);
  } catch (error) {
    state.textContent = say("failed", { reason: error.message });
  }
}

function present(rows) {
  const shown = rows.slice(0, ROWS_SHOWN);
  const summary = say("highest", { first: pointText(shown[0]), last: pointText(shown.at(-1)) });
  const end = scaleEnd(shown);
  showExtent(shown.length, rows.length);
  figure.querySelector(".beyond").hidden = shown.every((row) => row.rate_ci_high <= end);
  drawIn(figure.querySelector(".plot"), (width) => chart(shown, { width, end, summary }));
  figure
    .querySelector("tbody")
    .replaceChildren(
      ...rows.map((row) =>
        tableRow(
          [
            formatCount(row.rank),
            countryName(row.code),
            formatCount(row.papers),
            formatCount(row.publications),
            formatRate(row.rate),
            element("bdi", {}, `${formatRate(row.rate_ci_low)} – ${formatRate(row.rate_ci_high)}`),
          ],
          { numeric: [0, 2, 3, 4, 5] },
        ),
      ),
    );
}

/** How many rows the chart has and how many there are, when it has not all of them; the table has. */
function showExtent(shown, all) {
  const extent = figure.querySelector(".extent");
  extent.hidden = shown === all;
  extent.querySelector("bdi").textContent = `${formatCount(1)}–${formatCount(shown)} / ${formatCount(all)}`;
  figure.querySelector(".row-count").textContent = `· ${sayCount("rows", all)}`;
}

function pointText(row) {
  return say("ratePoint", {
    country: countryName(row.code),
    rate: formatRate(row.rate),
    low: formatRate(row.rate_ci_low),
    high: formatRate(row.rate_ci_high),
  });
}

function chart(rows, { width, end, summary }) {
  const names = rows.map(({ code }) => countryName(code));
  const namesWidth = Math.min(
    Math.max(...names.map((name) => textWidth(name, FONT_PX))),
    width * NAMES_SHARE,
  );
  const ratesWidth = Math.max(...rows.map(({ rate }) => textWidth(formatRate(rate), FONT_PX)));
  const plot = { from: namesWidth + GAP_PX, to: width - ratesWidth - GAP_PX };
  // Right-to-left languages read the chart from the right, as they read its names.
  const along = (x) => (isRightToLeft ? width - x : x);
  const at = (value) => along(plot.from + (Math.min(value, end) / end) * (plot.to - plot.from));
  const height = rows.length * ROW_PX + AXIS_PX;
  const marks = roundMarks(end, Math.max(2, Math.floor((plot.to - plot.from) / 90)));
  return shape(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": summary },
    ...marks.map((mark) => markLine(mark, at(mark), height)),
    ...rows.map((row, index) =>
      rowShapes(row, {
        name: fitText(names[index], FONT_PX, namesWidth),
        y: index * ROW_PX + ROW_PX / 2,
        at,
        end,
        nameAt: along(0),
        rateAt: along(width),
      }),
    ),
  );
}

/** Ends the scale where the longest interval does, but not far beyond the highest rate. */
function scaleEnd(rows) {
  const rates = Math.max(...rows.map(({ rate }) => rate));
  const limits = Math.max(...rows.filter(({ unstable }) => !unstable).map((row) => row.rate_ci_high), 0);
  const furthest = Math.max(...rows.map((row) => row.rate_ci_high));
  return Math.min(Math.max(limits, rates * SCALE_RATES), furthest) || 1;
}

function markLine(value, x, height) {
  const line = shape("line", { x1: x, x2: x, y1: 0, y2: height - AXIS_PX + 4, class: "mark" });
  const text = shape("text", { x, y: height - 7, class: "mark-text" }, formatCount(value));
  return shape("g", {}, line, text);
}

function rowShapes(row, { name, y, at, end, nameAt, rateAt }) {
  const [low, high] = [at(row.rate_ci_low), at(row.rate_ci_high)];
  const isCut = row.rate_ci_high > end;
  const tip = `${pointText(row)}; ${sayCount("papers", row.papers)}, ${sayCount("publications", row.publications)}`;
  return shape(
    "g",
    { class: row.unstable ? "row unstable" : "row stable" },
    shape("title", {}, tip),
    shape("rect", { x: 0, y: y - ROW_PX / 2, width: "100%", height: ROW_PX, class: "row-area" }),
    shape("text", { x: nameAt, y: y + 5, class: "name" }, name),
    shape("line", { x1: low, x2: high, y1: y, y2: y, class: isCut ? "interval cut" : "interval" }),
    shape("line", { x1: low, x2: low, y1: y - 4, y2: y + 4, class: "interval" }),
    ...(isCut ? [] : [shape("line", { x1: high, x2: high, y1: y - 4, y2: y + 4, class: "interval" })]),
    shape("circle", { cx: at(row.rate), cy: y, r: 5, class: "rate" }),
    shape("text", { x: rateAt, y: y + 5, class: "value" }, formatRate(row.rate)),
  );
}
