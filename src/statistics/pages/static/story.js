// The script of the page with all charts.
import { showCitation } from "./citation.js";
import { showLoadedSources } from "./loaded-sources.js";
import { showNewsChart } from "./news-chart.js";
import { showPage } from "./page.js";
import { showRates } from "./rates.js";

await showPage(
  (overview) => showRates("countries", overview),
  (overview) => showRates("institutions", overview),
  (overview) => showRates("disciplines", overview),
  showNewsChart,
  showLoadedSources,
  showCitation,
);
