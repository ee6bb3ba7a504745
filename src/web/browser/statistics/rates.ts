// The charts of rates: by country, institution and discipline, as a list, a map or a funnel plot.
import type { CountryRow, DisciplineRow, InstitutionRow } from "../../../statistics/read-model/rows.ts";
import type { Draw } from "./axis.ts";
import { keepChoices, restoreChoices } from "./choices.ts";
import { type Cell, control, controls, element, find, findAll, findOf } from "./elements.ts";
import type { Download } from "./figure.ts";
import { presentChart, TABLE_ROWS } from "./figure.ts";
import { funnel } from "./funnel.ts";
import {
  countryName,
  disciplineName,
  formatCount,
  formatRate,
  formatShare,
  formatYear,
  formatYears,
  say,
  tag,
} from "./messages.ts";
import { type Answer, countryPage, fillPart, type Overview, readApi } from "./page.ts";
import { type RatedRow, ROWS_SHOWN, rateRows } from "./rate-rows.ts";
import type { worldMap } from "./world-map.ts";

type Row = CountryRow | InstitutionRow | DisciplineRow;

/** A row of the API with its name on the page. */
type NamedRow = Row & {
  readonly name: string;
  /** The address of its page. */
  readonly href?: string | undefined;
  /** The country of an institution. */
  readonly place?: string | undefined;
};

/** The name of a row, and the address of its page where there is one. */
export function named(row: Row): NamedRow {
  if ("code" in row) {
    const { code } = row;
    return { ...row, name: countryName(code), href: countryPage(code) };
  }
  if ("field_id" in row) {
    const { field_id } = row;
    return { ...row, name: disciplineName(field_id), href: `/disciplines/${field_id}/${tag}` };
  }
  const { ror, name, country_code } = row;
  const place = country_code === null ? undefined : countryName(country_code);
  const href = `/institutions/${ror.slice(ror.lastIndexOf("/") + 1)}/${tag}`;
  return { ...row, name: name ?? ror, href, place };
}

export function isRated<R extends Row>(row: R): row is R & RatedRow {
  return row.rate !== null;
}

/** As many rows as a request asks for, so that the institutions of the world don't fill a page. */
const LIMITS: Readonly<Record<string, number>> = { list: TABLE_ROWS, map: TABLE_ROWS, funnel: 3_000 };

/** @param table of the API, and the identifier of its figure */
export async function showRates(
  table: "countries" | "institutions" | "disciplines",
  overview: Overview,
): Promise<void> {
  const figure = find(`#${table}`);
  const form = findOf(HTMLFormElement, "form", figure);
  offerYears(form, overview);
  restoreChoices(form, `${table}.`);
  const show = () => {
    const { view = "list", log, ...rest } = Object.fromEntries(controls(form).flatMap(choiceOf));
    const chosen = { ...rest, ...yearsIn(form) };
    const address = `/v1/${table}?${new URLSearchParams({ ...chosen, limit: String(LIMITS[view]) })}`;
    const name = [table, ...Object.values(chosen)].join("-");
    let map: typeof worldMap | undefined;
    const present = (answer: Answer<Row[]>) => {
      const isShown = presentRows(figure, answer, { address, name, isLog: log !== undefined, view, map });
      return [...remarksOn(answer.meta.window, overview), ...(isShown ? [] : [say("noRows")])].join(" ");
    };
    return fillPart<Row[]>(figure, address, present, async () => {
      // The outlines are larger than all else of the page.
      if (view === "map") map = (await import("./world-map.ts")).worldMap;
      return readApi(address);
    });
  };
  form.addEventListener("change", () => {
    keepChoices(form, `${table}.`, `#${table}`);
    void show();
  });
  await show();
}

/** The name and the value of a control, where it has one. */
function choiceOf(one: HTMLInputElement | HTMLSelectElement): readonly (readonly [string, string])[] {
  const isOff = one instanceof HTMLInputElement && !one.checked;
  return isOff || one.value === "" ? [] : [[one.name, one.value]];
}

/** Fills and enables the controls of a chart. The first years are the newest settled ones. */
export function offerYears(form: HTMLFormElement, { data, years }: Overview): void {
  const usual = years.newest_settled ?? data.windows.find((one) => one.default)?.id ?? "";
  const [first = 0, last = 0] = [years.first_year ?? 0, years.last_year ?? 0];
  for (const [name, chosen] of [
    ["from", usual.split("-")[0]],
    ["to", usual.split("-")[1]],
  ] as const) {
    for (let year = last; year >= first; year -= 1) {
      const isUsual = String(year) === chosen;
      control(form, name)?.append(new Option(formatYear(year), String(year), isUsual, isUsual));
    }
  }
  for (const one of controls(form)) one.disabled = false;
}

/** The chosen years, in either order. */
export function yearsIn(form: HTMLFormElement): { readonly from: string; readonly to: string } {
  const [from = "", to = ""] = ["from", "to"].map((name) => control(form, name)?.value ?? "").toSorted();
  return { from, to };
}

/** Says that figures of a window may still change much, and how much. */
export function remarksOn(windowId: string | undefined, { years }: Overview): string[] {
  const { settled_until, newest_retraction, delays } = years;
  const to = Number(windowId?.split("-")[1]);
  if (settled_until === null || newest_retraction === null || !(to > settled_until)) return [];
  const passed = Math.max(1, Number(newest_retraction.slice(0, 4)) - to - 1);
  const delay = delays.find((one) => one.years === passed);
  if (delay === undefined) return [say("provisional")];
  return [say("provisional"), say("later", { years: formatYears(passed), share: formatShare(delay.later) })];
}

type Presented = {
  readonly address: string;
  readonly name: string;
  readonly isLog: boolean;
  readonly view: string;
  readonly map: typeof worldMap | undefined;
};

/** False if no row has a rate: disciplines are listed also without publications. */
function presentRows(
  figure: HTMLElement,
  { meta, data }: Answer<Row[]>,
  { address, name, isLog, view, map }: Presented,
): boolean {
  const rows = data.map(named);
  const rated = rows.filter(isRated);
  const shown = view === "list" ? rated.slice(0, ROWS_SHOWN) : rated;
  find(".drawing", figure).hidden = shown.length === 0;
  if (shown.length === 0) return false;
  showExtent(figure, shown.length, meta.counts?.ranked ?? rows.length);
  const note = find(".pointed", figure);
  note.textContent = "";
  const describe = (text: string) => {
    note.textContent = text;
  };
  const codes = shown.flatMap((row) => ("code" in row ? [{ ...row, code: row.code }] : []));
  const draw = map?.(codes, describe) ?? (view === "funnel" ? funnel(shown) : undefined);
  presentRates(figure, rows, shown, { isLog, draw, download: { name, rows: data, meta, address } });
  for (const item of findAll(".legend li", figure))
    item.hidden = !(item.dataset.views ?? "list").split(" ").includes(view);
  return true;
}

type PresentedRates = {
  readonly isLog: boolean;
  readonly highlighted?: RatedRow;
  /** In place of a list. */
  readonly draw?: Draw | undefined;
  readonly download: Download;
};

/** Shows rows with names as a chart and a table. @param shown at least one */
export function presentRates(
  figure: HTMLElement,
  rows: readonly NamedRow[],
  shown: readonly RatedRow[],
  { isLog, highlighted, draw, download }: PresentedRates,
): void {
  presentChart(figure, {
    draw: draw ?? rateRows(shown, { isLog, highlighted }),
    cells: rows.map(cellsOf),
    numeric: [0, 2, 3, 4, 5, 6, 7],
    download,
  });
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
    typeof row.rate_shrunken === "number" ? formatRate(row.rate_shrunken) : "–",
    rangeText(row),
  ];
}

/** The ranks that the intervals allow. */
export function rangeText({ rank_low, rank_high }: Pick<Row, "rank_low" | "rank_high">): string {
  if (typeof rank_low !== "number" || typeof rank_high !== "number") return "–";
  return `${formatCount(rank_low)}–${formatCount(rank_high)}`;
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
