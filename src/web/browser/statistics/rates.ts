// The charts of rates: by country, institution and discipline.
import type { CountryRow, DisciplineRow, InstitutionRow } from "../../../statistics/read-model/rows.ts";
import { type Cell, control, controls, element, find, findOf, isChecked } from "./elements.ts";
import type { Download } from "./figure.ts";
import { presentChart } from "./figure.ts";
import { countryName, disciplineName, formatCount, formatRate, say } from "./messages.ts";
import { type Answer, countryPath, fillPart, type Overview } from "./page.ts";
import { type RatedRow, ROWS_SHOWN, rateRows } from "./rate-rows.ts";

type Row = CountryRow | InstitutionRow | DisciplineRow;

/** A row of the API with its name on the page. */
type NamedRow = Row & {
  readonly name: string;
  /** The address of its page. */
  readonly href?: string | undefined;
  /** The country of an institution. */
  readonly place?: string | undefined;
};

/** The name of a row, and the address of its page where there is one: the API has no answer for Kosovo. */
export function named(row: Row): NamedRow {
  if ("code" in row) {
    const { code } = row;
    return { ...row, name: countryName(code), href: code === "XK" ? undefined : countryPath(code) };
  }
  if ("field_id" in row) return { ...row, name: disciplineName(row.field_id) };
  const { ror, name, country_code } = row;
  const place = country_code === null ? undefined : countryName(country_code);
  return { ...row, name: name ?? ror, href: ror, place };
}

export function isRated<R extends Row>(row: R): row is R & RatedRow {
  return row.rate !== null;
}

/** @param table of the API, and the identifier of its figure */
export async function showRates(
  table: "countries" | "institutions" | "disciplines",
  overview: Overview,
): Promise<void> {
  const figure = find(`#${table}`);
  const form = findOf(HTMLFormElement, "form", figure);
  offerWindows(form, overview);
  const show = () => {
    const region = control(form, "region")?.value ?? "";
    const chosen = {
      window: control(form, "window")?.value ?? "",
      ...(region !== "" && { region }),
    };
    const address = `/v1/${table}?${new URLSearchParams(chosen)}`;
    const name = [table, ...Object.values(chosen)].join("-");
    return fillPart<Row[]>(figure, address, (answer) => {
      const remarks = isProvisional(answer.meta.window, overview) ? [say("provisional")] : [];
      const isShown = present(figure, answer, { address, name, isLog: isChecked(form, "log") });
      return [...remarks, ...(isShown ? [] : [say("noRows")])].join(" ");
    });
  };
  form.addEventListener("change", show);
  await show();
}

/** Fills and enables the controls of a chart. */
export function offerWindows(form: HTMLFormElement, { data }: Overview): void {
  const windows = control(form, "window");
  for (const { id, default: isDefault } of data.windows)
    windows?.append(new Option(id, id, isDefault, isDefault));
  for (const one of controls(form)) one.disabled = false;
}

/** Whether figures of a window may still change much. */
export function isProvisional(windowId: string | undefined, { data }: Overview): boolean {
  return data.windows.some(({ id, provisional }) => id === windowId && provisional);
}

type Presented = { readonly address: string; readonly name: string; readonly isLog: boolean };

/** False if no row has a rate: disciplines are listed also without publications. */
function present(
  figure: HTMLElement,
  { meta, data }: Answer<Row[]>,
  { address, name, isLog }: Presented,
): boolean {
  const rows = data.map(named);
  const shown = rows.filter(isRated).slice(0, ROWS_SHOWN);
  find(".drawing", figure).hidden = shown.length === 0;
  if (shown.length === 0) return false;
  showExtent(figure, shown.length, rows.length);
  presentRates(figure, rows, shown, { isLog, download: { name, rows: data, meta, address } });
  return true;
}

type PresentedRates = {
  readonly isLog: boolean;
  readonly highlighted?: RatedRow;
  readonly download: Download;
};

/** Shows rows with names as a chart and a table. @param shown at least one */
export function presentRates(
  figure: HTMLElement,
  rows: readonly NamedRow[],
  shown: readonly RatedRow[],
  { isLog, highlighted, download }: PresentedRates,
): void {
  const { draw, isCut } = rateRows(shown, { isLog, highlighted });
  find(".beyond", figure).hidden = !isCut;
  presentChart(figure, { draw, cells: rows.map(cellsOf), numeric: [0, 2, 3, 4, 5], download });
}

function cellsOf(row: NamedRow): Cell[] {
  const { name, href, place } = row;
  const link = element("bdi", {}, href === undefined ? name : element("a", { href }, name));
  return [
    row.rank === null ? "–" : formatCount(row.rank),
    place === undefined ? link : element("span", {}, link, " · ", place),
    formatCount(row.papers),
    formatCount(row.publications),
    ...(isRated(row) ? [formatRate(row.rate), intervalText(row)] : ["–", "–"]),
  ];
}

function intervalText(row: RatedRow): HTMLElement {
  return element("bdi", {}, `${formatRate(row.rate_ci_low)} – ${formatRate(row.rate_ci_high)}`);
}

/** How many rows the chart has and how many there are, when it has not all of them; the table has. */
function showExtent(figure: HTMLElement, shown: number, all: number): void {
  const extent = find(".extent", figure);
  extent.hidden = shown === all;
  find("bdi", extent).textContent = `${formatCount(1)}–${formatCount(shown)} / ${formatCount(all)}`;
}
