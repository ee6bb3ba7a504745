// News mentions by month.
import { barChart } from "./bar-chart.js";
import { presentChart } from "./chart-figure.js";
import { formatCount, formatMonth, formatShare, formatYear, say, sayCount } from "./messages.js";
import { fillPart } from "./page.js";

const ADDRESS = "/v1/news";

export async function showNewsChart() {
  const figure = document.getElementById("news");
  await fillPart(figure, ADDRESS, ({ meta, data }) => {
    if (data.series.length === 0) return say("noNews");
    present(figure, meta, data.series);
  });
}

function present(figure, meta, months) {
  const busiest = months.reduce((most, one) => ((one.mentions ?? 0) > (most.mentions ?? 0) ? one : most));
  const bars = months.map((month, index) => ({
    value: month.mentions,
    tip: pointText(month),
    label: index === 0 || month.month.endsWith("-01") ? formatYear(month.month.slice(0, 4)) : "",
  }));
  const cell = (value, format) => (value === null ? say("gap") : format(value));
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
    download: { name: "news-by-month", rows: months, meta, address: ADDRESS },
  });
}

function pointText({ month, mentions }) {
  const said = mentions === null ? say("gap") : sayCount("articles", mentions);
  return say("newsPoint", { month: formatMonth(month), mentions: said });
}
