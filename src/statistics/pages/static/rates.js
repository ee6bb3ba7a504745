// The charts of rates: by country, institution and discipline.
import { presentChart } from "./chart-figure.js";
import { element } from "./elements.js";
import { countryName, disciplineName, formatCount, formatRate, say } from "./messages.js";
import { countryPath, fillPart } from "./page.js";
import { ROWS_SHOWN, rateRows } from "./rate-rows.js";

const TABLES = {
  countries: { nameOf: nameOfCountry },
  institutions: {
    nameOf: ({ ror, name }) => ({ name: name ?? ror, href: ror }),
    placeOf: ({ country_code }) => (country_code === null ? undefined : countryName(country_code)),
  },
  disciplines: { nameOf: ({ field_id }) => ({ name: disciplineName(field_id) }) },
};

/** The name of a country, with the address of its page where the API has an answer for it: it has none for Kosovo. */
export function nameOfCountry({ code }) {
  return { name: countryName(code), href: code === "XK" ? undefined : countryPath(code) };
}

/** @param table of the API, and the identifier of its figure */
export async function showRates(table, overview) {
  const figure = document.getElementById(table);
  const form = figure.querySelector("form");
  offerWindows(form, overview);
  const show = () => {
    const { window: windows, region } = form.elements;
    const chosen = {
      window: windows.value,
      ...(region !== undefined && region.value !== "" && { region: region.value }),
    };
    const address = `/v1/${table}?${new URLSearchParams(chosen)}`;
    const name = [table, ...Object.values(chosen)].join("-");
    return fillPart(figure, address, (answer) => present(table, { answer, address, name, overview }));
  };
  form.addEventListener("change", show);
  await show();
}

/** Fills and enables the controls of a chart. */
export function offerWindows(form, { data }) {
  for (const { id, default: isDefault } of data.windows) {
    form.elements.window.append(new Option(id, id, isDefault, isDefault));
  }
  for (const control of form.elements) control.disabled = false;
}

/** Whether figures of a window may still change much. */
export function isProvisional(windowId, { data }) {
  return data.windows.some(({ id, provisional }) => id === windowId && provisional);
}

function present(table, { answer: { meta, data }, address, name, overview }) {
  const figure = document.getElementById(table);
  const remarks = isProvisional(meta.window, overview) ? [say("provisional")] : [];
  // Disciplines are listed also without publications.
  const isEmpty = data.every(({ rate }) => rate === null);
  figure.querySelector(".drawing").hidden = isEmpty;
  if (isEmpty) return [...remarks, say("noRows")].join(" ");
  const { nameOf, placeOf = () => undefined } = TABLES[table];
  const rows = data.map((row) => ({ ...row, ...nameOf(row), place: placeOf(row) }));
  const shown = rows.filter(({ rate }) => rate !== null).slice(0, ROWS_SHOWN);
  showExtent(figure, shown.length, rows.length);
  const isLog = figure.querySelector("form").elements.log.checked;
  presentRates(figure, rows, shown, { isLog, download: { name, rows: data, meta, address } });
  return remarks.join(" ");
}

/** Shows rows with names as a chart and a table. */
export function presentRates(figure, rows, shown, { isLog, highlighted, download }) {
  const { draw, isCut } = rateRows(shown, { isLog, highlighted });
  figure.querySelector(".beyond").hidden = !isCut;
  presentChart(figure, { draw, cells: rows.map(cellsOf), numeric: [0, 2, 3, 4, 5], download });
}

function cellsOf(row) {
  const { name, href, place } = row;
  const link = href === undefined ? name : element("a", { href }, name);
  return [
    row.rank === null ? "–" : formatCount(row.rank),
    place === undefined ? link : element("span", {}, link, " · ", place),
    formatCount(row.papers),
    formatCount(row.publications),
    ...(row.rate === null ? ["–", "–"] : [formatRate(row.rate), intervalText(row)]),
  ];
}

function intervalText(row) {
  return element("bdi", {}, `${formatRate(row.rate_ci_low)} – ${formatRate(row.rate_ci_high)}`);
}

/** How many rows the chart has and how many there are, when it has not all of them; the table has. */
function showExtent(figure, shown, all) {
  const extent = figure.querySelector(".extent");
  extent.hidden = shown === all;
  extent.querySelector("bdi").textContent = `${formatCount(1)}–${formatCount(shown)} / ${formatCount(all)}`;
}
