// The page of a country: its figures, its years, and its sub-region.
import type { z } from "zod";
import type { CountryData as CountryDataSchema } from "../../../statistics/api/schema.ts";
import type { YearPoint } from "../../../statistics/read-model/rows.ts";
import { barChart } from "./bar-chart.ts";
import { control, find, findAll, findOf } from "./elements.ts";
import { presentChart } from "./figure.ts";
import { formatCount, formatRate, formatYear, say, sayCount } from "./messages.ts";
import { type Answer, fillPart, type Overview, showPage } from "./page.ts";
import { ROWS_SHOWN } from "./rate-rows.ts";
import { isProvisional, isRated, named, offerWindows, presentRates } from "./rates.ts";

type CountryData = z.output<typeof CountryDataSchema>;

const { country: code = "" } = find("#main").dataset;
const years = findOf(HTMLFormElement, "#years-shown");
const figures = find("#key-figures");
const series = find("#years");
const peers = find("#peers");

await showPage(showWindow, showSeries);

async function showWindow(overview: Overview): Promise<void> {
  offerWindows(years, overview);
  const form = findOf(HTMLFormElement, "form", peers);
  const log = findOf(HTMLInputElement, "[name=log]", form);
  log.disabled = false;
  const show = async () => {
    const address = `/v1/country/${code}?window=${control(years, "window")?.value}`;
    await Promise.all([
      fillPart<CountryData>(figures, address, (answer) => showFigures(answer, overview)),
      fillPart<CountryData>(peers, address, (answer) => showPeers(answer, address, log.checked)),
    ]);
  };
  years.addEventListener("change", show);
  log.addEventListener("change", show);
  await show();
}

function showFigures({ meta, data }: Answer<CountryData>, overview: Overview): string {
  const { country, rank, comparison } = data;
  find(".drawing", figures).hidden = country.rate === null;
  if (country.rate === null) return say("noPublications");
  const rate = (value: number | null) => (value === null ? "–" : formatRate(value));
  const interval = (low: number | null, high: number | null) =>
    `${rate(low)}\u00a0–\u00a0${high === null ? "∞" : rate(high)}`;
  const { rate_ratio: ratio, rate_ratio_ci_low: low, rate_ratio_ci_high: high } = comparison;
  const values: Readonly<Record<string, string>> = {
    rank:
      rank.position === null
        ? say("notRanked")
        : say("rankOf", { rank: formatCount(rank.position), of: formatCount(rank.of) }),
    rate: rate(country.rate),
    interval: interval(country.rate_ci_low, country.rate_ci_high),
    papers: formatCount(country.papers),
    publications: formatCount(country.publications),
    pooled: rate(comparison.pooled_rate),
    median: rate(comparison.median_rate),
    ratio: ratio === null ? "–" : `${rate(ratio)}× (${interval(low, high)})`,
  };
  for (const place of findAll("[data-figure]", figures))
    place.textContent = values[place.dataset.figure ?? ""] ?? "";
  find(".verdict", figures).textContent = low === null ? "" : say(verdictOf(low, high));
  const remarks = [
    country.unstable ? say("unstableRate") : "",
    isProvisional(meta.window, overview) ? say("provisional") : "",
  ];
  return remarks.filter((remark) => remark !== "").join(" ");
}

/** Only an interval without 1 shows a difference. */
function verdictOf(low: number, high: number | null): string {
  if (low > 1) return "ratioHigher";
  return high !== null && high < 1 ? "ratioLower" : "ratioUnclear";
}

function showPeers({ meta, data }: Answer<CountryData>, address: string, isLog: boolean): string {
  const rows = [data.country, ...data.comparison.peers];
  const rated = rows
    .map(named)
    .filter(isRated)
    .toSorted((one, other) => other.rate - one.rate);
  const own = rated.find((row) => "code" in row && row.code === code);
  find(".drawing", peers).hidden = own === undefined || rated.length < 2;
  if (own === undefined) return say("noPublications");
  if (rated.length < 2) return say("noPeers");
  // The country is shown also where more than fit have higher rates.
  const shown =
    rated.indexOf(own) < ROWS_SHOWN ? rated.slice(0, ROWS_SHOWN) : [...rated.slice(0, ROWS_SHOWN - 1), own];
  const download = { name: `${code}-sub-region-${meta.window}`, rows, meta, address };
  presentRates(peers, rated, shown, { isLog, highlighted: own, download });
  return "";
}

/** The years of the longest window, whichever one the figures are about. */
async function showSeries({ data: { windows } }: Overview): Promise<void> {
  const longest = windows.reduce((most, one) => (one.to - one.from > most.to - most.from ? one : most));
  const address = `/v1/country/${code}?window=${longest.id}`;
  await fillPart<CountryData>(series, address, ({ meta, data }) => {
    if (data.series.every(({ rate }) => rate === null)) return say("noPublications");
    const rates = data.series
      .filter(({ rate }) => rate !== null)
      .toSorted((one, other) => (other.rate ?? 0) - (one.rate ?? 0));
    const bars = data.series.map((point) => ({
      ...{ value: point.rate, tip: pointText(point), label: formatYear(point.year) },
      count: point.rate === null ? "" : formatCount(point.papers),
    }));
    presentChart(series, {
      draw: barChart(bars, say("highest", { first: pointText(rates.at(0)), last: pointText(rates.at(-1)) })),
      cells: data.series
        .toReversed()
        .map(({ year, papers, publications, rate }) => [
          formatYear(year),
          formatCount(papers),
          formatCount(publications),
          rate === null ? say("gap") : formatRate(rate),
        ]),
      numeric: [1, 2, 3],
      download: { name: `${code}-by-year-${meta.window}`, rows: data.series, meta, address },
    });
    return longest.provisional ? say("provisional") : "";
  });
}

function pointText(point: YearPoint | undefined): string {
  if (point === undefined) return "";
  const { year, rate, papers } = point;
  return say("yearPoint", {
    year: formatYear(year),
    rate: rate === null ? say("gap") : formatRate(rate),
    papers: sayCount("papers", papers),
  });
}
