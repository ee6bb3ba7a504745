// The script of the page with all charts.
import type { z } from "zod";
import type { CountryData as CountryDataSchema } from "../../../statistics/api/schema.ts";
import type { CountryRow, NewsData, NewsMonth } from "../../../statistics/read-model/rows.ts";
import { barChart } from "./bar-chart.ts";
import { keepChoices, restoreChoices } from "./choices.ts";
import { controls, element, find, findAll, findOf, tableRow } from "./elements.ts";
import { presentChart } from "./figure.ts";
import { linesChart } from "./lines.ts";
import {
  countryName,
  formatCount,
  formatDay,
  formatMonth,
  formatRate,
  formatShare,
  formatYear,
  PER,
  say,
  sayCount,
  yearText,
} from "./messages.ts";
import { type Answer, fillPart, type Meta, type Overview, readApi, showPage } from "./page.ts";
import { showRates } from "./rates.ts";

type CountryData = z.output<typeof CountryDataSchema>;

const NEWS_ADDRESS = "/v1/news";

const DAY_MS = 24 * 3_600_000;

/** The messages and classes of the states of a source. */
const STATES = { "never loaded": "neverLoaded", current: "current", stale: "stale" } as const;

await showPage(
  (overview) => showRates("countries", overview),
  (overview) => showRates("institutions", overview),
  (overview) => showRates("disciplines", overview),
  showTrends,
  showNewsChart,
  showLoadedSources,
  showCitation,
);

/** Some countries over time; at first those with the highest rates. */
async function showTrends(overview: Overview): Promise<void> {
  const figure = find("#trends");
  const form = findOf(HTMLFormElement, "form", figure);
  const { first_year, last_year, newest_settled, settled_until } = overview.years;
  const isIncomplete = (year: number) => settled_until !== null && year > settled_until;
  const [from, to] = (newest_settled ?? `${first_year}-${last_year}`).split("-");
  const first = `/v1/countries?from=${from}&to=${to}&sort=rate_shrunken&limit=3`;
  // Without them the reader can still choose.
  const highest = await readApi<CountryRow[]>(first).catch(() => undefined);
  for (const [index, place] of controls(form).entries()) {
    place.disabled = false;
    const usual = highest?.data[index]?.code ?? "";
    const option = place.querySelector<HTMLOptionElement>(`[value="${usual}"]`);
    if (option !== null) option.selected = option.defaultSelected = true;
  }
  restoreChoices(form, "trends.");
  const span = `from=${first_year}&to=${last_year}`;
  const chosen = () => [...new Set(controls(form).flatMap(({ value }) => (value === "" ? [] : [value])))];
  const show = () => {
    const codes = chosen();
    return fillPart<CountryData[]>(
      figure,
      `/v1/country/${codes[0]}?${span}`,
      (answer, address) => {
        presentTrends(answer, address, isIncomplete);
        return isIncomplete(last_year ?? 0) ? say("provisional") : "";
      },
      async (address) => {
        const answers = await Promise.all(
          codes.map((code) => readApi<CountryData>(`/v1/country/${code}?${span}`)),
        );
        return { meta: (answers[0] ?? (await readApi(address))).meta, data: answers.map(({ data }) => data) };
      },
    );
  };
  form.addEventListener("change", () => {
    keepChoices(form, "trends.", "#trends");
    if (chosen().length > 0) void show();
  });
  if (chosen().length > 0) await show();
}

function presentTrends(
  { meta, data }: Answer<CountryData[]>,
  address: string,
  isIncomplete: (year: number) => boolean,
): void {
  const rows = data.flatMap(({ country: { code }, series }) =>
    series.map((point) => ({ code, ...point, incomplete: isIncomplete(point.year) })),
  );
  const lines = data.map(({ country: { code }, series }) => ({
    name: countryName(code),
    points: series.map((point) => ({ ...point, tip: `${countryName(code)}, ${yearText(point)}` })),
  }));
  presentChart(find("#trends"), {
    draw: linesChart(lines, lines.map(({ name }) => name).join(", ")),
    cells: rows.map(({ code, year, papers, publications, rate }) => [
      ...[countryName(code), formatYear(year), formatCount(papers), formatCount(publications)],
      rate === null ? say("gap") : formatRate(rate),
    ]),
    numeric: [1, 2, 3, 4],
    download: { name: `trends-${data.map(({ country }) => country.code).join("-")}`, rows, meta, address },
  });
}

/** News mentions by month. */
async function showNewsChart({ data: { freshness } }: Overview): Promise<void> {
  const figure = find("#news");
  const newest = freshness.find(({ source }) => source === "gdelt")?.newest_record ?? "9998-12-31";
  // The month of the newest day has not ended, unless that is its last day.
  const nextDay = new Date(Date.parse(newest) + DAY_MS).toISOString();
  await fillPart<NewsData>(figure, NEWS_ADDRESS, ({ meta, data }) => {
    const ended = data.series.filter(({ month }) => month < nextDay.slice(0, "YYYY-MM".length));
    if (ended.length === 0) return say("noNews");
    presentNews(figure, meta, ended);
    return "";
  });
}

function presentNews(figure: HTMLElement, meta: Meta, months: readonly NewsMonth[]): void {
  const busiest = months.reduce((most, one) => ((one.share ?? 0) > (most.share ?? 0) ? one : most));
  const bars = months.map((month, index) => ({
    value: month.share === null ? null : month.share * PER,
    tip: pointText(month),
    label: index === 0 || month.month.endsWith("-01") ? formatYear(month.month.slice(0, 4)) : "",
  }));
  const cell = (value: number | null, format: (value: number) => string) =>
    value === null ? say("gap") : format(value);
  presentChart(figure, {
    draw: barChart(bars, say("busiest", { point: pointText(busiest) })),
    cells: months
      .toReversed()
      .map(({ month, mentions, monitored, share }) => [
        formatMonth(month),
        cell(mentions, formatCount),
        cell(monitored, formatCount),
        cell(share, formatShare),
      ]),
    numeric: [1, 2, 3],
    download: { name: "news-by-month", rows: months, meta, address: NEWS_ADDRESS },
  });
}

function pointText({ month, mentions, share }: NewsMonth): string {
  if (mentions === null || share === null)
    return say("newsPoint", { month: formatMonth(month), mentions: say("gap") });
  const said = `${formatRate(share * PER)} (${sayCount("articles", mentions)})`;
  return say("newsPoint", { month: formatMonth(month), mentions: said });
}

/** The loaded data, source by source. */
function showLoadedSources({ meta, data }: Overview): void {
  const place = find("#loaded");
  const names = new Map(meta.sources.map(({ id, name }) => [id, name]));
  find(".dataset-version", place).textContent = meta.dataset_version;
  find("tbody", place).replaceChildren(
    ...data.freshness.map((source) => sourceRow(source, names.get(source.source) ?? source.source)),
  );
  place.hidden = false;
}

type LoadedSource = Overview["data"]["freshness"][number];

/** A source is shown with its name and its identifier, because all sources of the synthetic set have the same name. */
function sourceRow({ source, status, retrieved_at, newest_record }: LoadedSource, name: string) {
  const word = element("span", { class: `status ${STATES[status]}` }, say(STATES[status]));
  const title = element("span", {}, element("bdi", { lang: "en" }, name));
  title.append(element("code", { dir: "ltr", class: "source-id" }, source));
  const retrieved = retrieved_at === null ? "–" : formatDay(retrieved_at);
  return tableRow([title, retrieved, recordText(newest_record), word]);
}

/** A date, or only a year. */
function recordText(record: string | null): string {
  if (record === null) return "–";
  return record.length === 4 ? record : formatDay(record);
}

/** Inserts the loaded version and today's date into the citations. */
function showCitation({ meta, data }: Overview): void {
  const values: Readonly<Record<string, string | null | undefined>> = {
    version: meta.dataset_version,
    window: data.windows.find(({ default: isDefault }) => isDefault)?.id,
    date: new Date().toISOString().slice(0, 10),
  };
  for (const place of findAll("[data-cite]"))
    place.textContent = values[place.dataset.cite ?? ""] ?? place.textContent;
}
