// The page of a country, an institution or a discipline: its figures, its papers, its years, and the sub-region of a country.
import type { z } from "zod";
import type { CountryData as CountryDataSchema } from "../../../statistics/api/schema.ts";
import type { DisciplineRow, InstitutionRow } from "../../../statistics/read-model/rows.ts";
import { barChart } from "./bar-chart.ts";
import { keepChoices, restoreChoices } from "./choices.ts";
import { element, find, findAll, findOf } from "./elements.ts";
import { presentChart } from "./figure.ts";
import { formatCount, formatRate, formatYear, say, yearText } from "./messages.ts";
import { type Answer, fillPart, type Overview, showPage } from "./page.ts";
import { papersOf } from "./papers.ts";
import { ROWS_SHOWN } from "./rate-rows.ts";
import { isRated, named, offerYears, presentRates, rangeText, remarksOn, yearsIn } from "./rates.ts";

type CountryData = z.output<typeof CountryDataSchema>;

/** What the answers for the three kinds of place have. */
type PlaceData = Pick<CountryData, "rank" | "series"> & {
  readonly comparison?: CountryData["comparison"];
  readonly country?: CountryData["country"];
  readonly institution?: InstitutionRow;
  readonly discipline?: DisciplineRow;
};

const { kind = "", code = "" } = find("#main").dataset;
const years = findOf(HTMLFormElement, "#years-shown");
const figures = find("#key-figures");
const series = find("#years");
const peers = document.getElementById("peers");

await showPage(showWindow, showSeries);

async function showWindow(overview: Overview): Promise<void> {
  offerYears(years, overview);
  restoreChoices(years);
  const showPapers = papersOf(kind, code);
  const log = peers === null ? undefined : findOf(HTMLInputElement, "[name=log]", peers);
  if (log !== undefined) log.disabled = false;
  const show = async () => {
    const query = new URLSearchParams({ ...yearsIn(years), sort: "rate_shrunken" });
    const address = `/v1/${kind}/${code}?${query}`;
    await Promise.all([
      fillPart<PlaceData>(figures, address, (answer) => showFigures(answer, overview)),
      ...(peers === null
        ? []
        : [
            fillPart<CountryData>(peers, address, (answer) =>
              showPeers(peers, answer, address, log?.checked === true),
            ),
          ]),
    ]);
  };
  years.addEventListener("change", () => {
    keepChoices(years);
    void show();
    void showPapers(yearsIn(years));
  });
  log?.addEventListener("change", show);
  await Promise.all([show(), showPapers(yearsIn(years))]);
}

function showFigures({ meta, data }: Answer<PlaceData>, overview: Overview): string {
  const { rank, comparison } = data;
  const row = data.country ?? data.institution ?? data.discipline;
  if (data.institution?.name) find("h1").textContent = data.institution.name;
  find(".drawing", figures).hidden = row?.rate == null;
  if (row === undefined || row.rate === null) return say("noPublications");
  const rate = (value: number | null | undefined) => (typeof value === "number" ? formatRate(value) : "–");
  const interval = (from: number | null | undefined, to: number | null | undefined) =>
    `${rate(from)}\u00a0–\u00a0${typeof to === "number" ? rate(to) : "∞"}`;
  const [ratio, low, high] = [
    comparison?.rate_ratio,
    comparison?.rate_ratio_ci_low,
    comparison?.rate_ratio_ci_high,
  ];
  const values: Readonly<Record<string, string>> = {
    rank:
      rank.position === null
        ? say("notRanked")
        : say("rankOf", { rank: formatCount(rank.position), of: formatCount(rank.of) }),
    rate: rate(row.rate),
    shrunken: rate(row.rate_shrunken),
    range: rangeText(row),
    interval: interval(row.rate_ci_low, row.rate_ci_high),
    papers: formatCount(row.papers),
    publications: formatCount(row.publications),
    pooled: rate(comparison?.pooled_rate),
    median: rate(comparison?.median_rate),
    ratio: typeof ratio === "number" ? `${rate(ratio)}× (${interval(low, high)})` : "–",
  };
  for (const place of findAll("[data-figure]", figures))
    place.textContent = values[place.dataset.figure ?? ""] ?? "";
  find("[data-figure=papers]", figures).replaceChildren(
    element("a", { href: "#papers" }, formatCount(row.papers)),
  );
  find(".verdict", figures).textContent = typeof low === "number" ? say(verdictOf(low, high ?? null)) : "";
  const remarks = [row.unstable ? say("unstableRate") : "", ...remarksOn(meta.window, overview)];
  return remarks.filter((remark) => remark !== "").join(" ");
}

/** Only an interval without 1 shows a difference. */
function verdictOf(low: number, high: number | null): string {
  if (low > 1) return "ratioHigher";
  return high !== null && high < 1 ? "ratioLower" : "ratioUnclear";
}

function showPeers(
  part: HTMLElement,
  { meta, data }: Answer<CountryData>,
  address: string,
  isLog: boolean,
): string {
  const rows = [data.country, ...data.comparison.peers];
  const rated = rows
    .map(named)
    .filter(isRated)
    .toSorted((one, other) => other.rate - one.rate);
  const own = rated.find((row) => "code" in row && row.code === code);
  find(".drawing", part).hidden = own === undefined || rated.length < 2;
  if (own === undefined) return say("noPublications");
  if (rated.length < 2) return say("noPeers");
  // The country is shown also where more than fit have higher rates.
  const shown =
    rated.indexOf(own) < ROWS_SHOWN ? rated.slice(0, ROWS_SHOWN) : [...rated.slice(0, ROWS_SHOWN - 1), own];
  const download = { name: `${code}-sub-region-${meta.window}`, rows, meta, address };
  presentRates(part, rated, shown, { isLog, highlighted: own, download });
  return "";
}

/** All years of the data, whichever ones the figures are about. */
async function showSeries({ years: { first_year, last_year, settled_until } }: Overview): Promise<void> {
  const address = `/v1/${kind}/${code}?from=${first_year}&to=${last_year}`;
  const isIncomplete = (year: number) => settled_until !== null && year > settled_until;
  await fillPart<PlaceData>(series, address, ({ meta, data }) => {
    if (data.series.every(({ rate }) => rate === null)) return say("noPublications");
    const rates = data.series
      .filter(({ rate }) => rate !== null)
      .toSorted((one, other) => (other.rate ?? 0) - (one.rate ?? 0));
    const [first, last] = [0, -1].map((index) => rates.at(index)).map((year) => (year ? yearText(year) : ""));
    const bars = data.series.map((point) => ({
      ...{ value: point.rate, tip: yearText(point), label: formatYear(point.year) },
      count: point.rate === null ? "" : formatCount(point.papers),
      isIncomplete: isIncomplete(point.year),
    }));
    presentChart(series, {
      draw: barChart(bars, say("highest", { first: first ?? "", last: last ?? "" })),
      cells: data.series
        .toReversed()
        .map(({ year, papers, publications, rate }) => [
          formatYear(year),
          formatCount(papers),
          formatCount(publications),
          rate === null ? say("gap") : formatRate(rate),
        ]),
      numeric: [1, 2, 3],
      download: {
        name: `${code}-by-year-${meta.window}`,
        rows: data.series.map((point) => ({ ...point, incomplete: isIncomplete(point.year) })),
        meta,
        address,
      },
    });
    find(".legend", series).hidden = !isIncomplete(last_year ?? 0);
    return isIncomplete(last_year ?? 0) ? say("provisional") : "";
  });
}
