// The page of a country: its figures, its years, and its sub-region.
import { barChart } from "./bar-chart.js";
import { presentChart } from "./chart-figure.js";
import { formatCount, formatRate, formatYear, say, sayCount } from "./messages.js";
import { fillPart, showPage } from "./page.js";
import { ROWS_SHOWN } from "./rate-rows.js";
import { isProvisional, nameOfCountry, offerWindows, presentRates } from "./rates.js";

const { country: code } = document.getElementById("main").dataset;
const years = document.getElementById("years-shown");
const [figures, series, peers] = ["key-figures", "years", "peers"].map((id) => document.getElementById(id));

await showPage(showWindow, showSeries);

async function showWindow(overview) {
  offerWindows(years, overview);
  const { log } = peers.querySelector("form").elements;
  log.disabled = false;
  const show = async () => {
    const address = `/v1/country/${code}?window=${years.elements.window.value}`;
    await Promise.all([
      fillPart(figures, address, (answer) => showFigures(answer, overview)),
      fillPart(peers, address, (answer) => showPeers(answer, address, log.checked)),
    ]);
  };
  years.addEventListener("change", show);
  log.addEventListener("change", show);
  await show();
}

function showFigures({ meta, data }, overview) {
  const { country, rank, comparison } = data;
  figures.querySelector(".drawing").hidden = country.rate === null;
  if (country.rate === null) return say("noPublications");
  const rate = (value) => (value === null ? "–" : formatRate(value));
  const interval = (low, high) => `${rate(low)}\u00a0–\u00a0${high === null ? "∞" : rate(high)}`;
  const { rate_ratio: ratio, rate_ratio_ci_low: low, rate_ratio_ci_high: high } = comparison;
  const values = {
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
  for (const place of figures.querySelectorAll("[data-figure]")) {
    place.textContent = values[place.dataset.figure];
  }
  figures.querySelector(".verdict").textContent = low === null ? "" : say(verdictOf(low, high));
  const remarks = [
    country.unstable && say("unstableRate"),
    isProvisional(meta.window, overview) && say("provisional"),
  ];
  return remarks.filter(Boolean).join(" ");
}

/** Only an interval without 1 shows a difference. */
function verdictOf(low, high) {
  if (low > 1) return "ratioHigher";
  return high !== null && high < 1 ? "ratioLower" : "ratioUnclear";
}

function showPeers({ meta, data }, address, isLog) {
  const named = [data.country, ...data.comparison.peers]
    .filter(({ rate }) => rate !== null)
    .map((row) => ({ ...row, ...nameOfCountry(row) }))
    .toSorted((one, other) => other.rate - one.rate);
  const own = named.find((row) => row.code === code);
  peers.querySelector(".drawing").hidden = own === undefined || named.length < 2;
  if (own === undefined) return say("noPublications");
  if (named.length < 2) return say("noPeers");
  // The country is shown also where more than fit have higher rates.
  const shown =
    named.indexOf(own) < ROWS_SHOWN ? named.slice(0, ROWS_SHOWN) : [...named.slice(0, ROWS_SHOWN - 1), own];
  const rows = [data.country, ...data.comparison.peers];
  const download = { name: `${code}-sub-region-${meta.window}`, rows, meta, address };
  presentRates(peers, named, shown, { isLog, highlighted: own, download });
}

/** The years of the longest window, whichever one the figures are about. */
async function showSeries({ data: { windows } }) {
  const longest = windows.reduce((most, one) => (one.to - one.from > most.to - most.from ? one : most));
  const address = `/v1/country/${code}?window=${longest.id}`;
  await fillPart(series, address, ({ meta, data }) => {
    if (data.series.every(({ rate }) => rate === null)) return say("noPublications");
    const rates = data.series
      .filter(({ rate }) => rate !== null)
      .toSorted((one, other) => other.rate - one.rate);
    const bars = data.series.map((point) => ({
      ...{ value: point.rate, tip: pointText(point), label: formatYear(point.year) },
      count: point.rate === null ? "" : formatCount(point.papers),
    }));
    presentChart(series, {
      draw: barChart(bars, say("highest", { first: pointText(rates[0]), last: pointText(rates.at(-1)) })),
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

function pointText({ year, rate, papers }) {
  return say("yearPoint", {
    year: formatYear(year),
    rate: rate === null ? say("gap") : formatRate(rate),
    papers: sayCount("papers", papers),
  });
}
