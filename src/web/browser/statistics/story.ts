// The script of the page with all charts.
import type { NewsData, NewsMonth } from "../../../statistics/read-model/rows.ts";
import { barChart } from "./bar-chart.ts";
import { element, find, findAll, tableRow } from "./elements.ts";
import { presentChart } from "./figure.ts";
import { formatCount, formatDay, formatMonth, formatShare, formatYear, say, sayCount } from "./messages.ts";
import { fillPart, type Meta, type Overview, showPage } from "./page.ts";
import { showRates } from "./rates.ts";

const NEWS_ADDRESS = "/v1/news";

/** The messages and classes of the states of a source. */
const STATES = { "never loaded": "neverLoaded", current: "current", stale: "stale" } as const;

await showPage(
  (overview) => showRates("countries", overview),
  (overview) => showRates("institutions", overview),
  (overview) => showRates("disciplines", overview),
  showNewsChart,
  showLoadedSources,
  showCitation,
);

/** News mentions by month. */
async function showNewsChart(): Promise<void> {
  const figure = find("#news");
  await fillPart<NewsData>(figure, NEWS_ADDRESS, ({ meta, data }) => {
    if (data.series.length === 0) return say("noNews");
    presentNews(figure, meta, data.series);
    return "";
  });
}

function presentNews(figure: HTMLElement, meta: Meta, months: readonly NewsMonth[]): void {
  const busiest = months.reduce((most, one) => ((one.mentions ?? 0) > (most.mentions ?? 0) ? one : most));
  const bars = months.map((month, index) => ({
    value: month.mentions,
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

function pointText({ month, mentions }: NewsMonth): string {
  const said = mentions === null ? say("gap") : sayCount("articles", mentions);
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
