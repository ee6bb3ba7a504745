import { type Content, type Html, html } from "../../http/html.ts";
import { COUNTRIES, REGIONS } from "../facts/countries.ts";
import { caveats } from "./page-frame.ts";
import { snippetOf } from "./samples.ts";
import type { Texts } from "./texts.ts";

type RatesTable = "countries" | "institutions" | "disciplines";

/** A chart of rates with their intervals. */
export function ratesFigure(texts: Texts, table: RatesTable): Html {
  const { look: words } = texts.page;
  const column = { countries: words.country, institutions: words.institution, disciplines: words.discipline }[
    table
  ];
  const title = words[`${table}Title`];
  return figure(texts, {
    ...{ id: table, title, columns: ratesColumns(texts, column) },
    controls: [
      viewControl(texts, table),
      yearsControl(texts),
      table === "countries" ? regionControl(texts) : "",
      table === "institutions" ? countryControl(texts) : "",
      sortControl(texts),
      checkControl("stable", texts.page.look.stableOnly),
      checkControl("log", texts.page.look.log),
    ],
    above: ratesLegend(texts),
    below: [
      html`<p class="axis-name">${texts.say(words.ratesAxis)}</p>`,
      html`<p class="axis-name extent" hidden>${column} <bdi></bdi></p>`,
    ],
  });
}

/** A country among the others of its sub-region. */
export function comparisonFigure(texts: Texts): Html {
  const { look: words, counting } = texts.page;
  return figure(texts, {
    ...{ id: "peers", title: counting.comparison, intro: words.ratesIntro, isRepeated: true },
    columns: ratesColumns(texts, words.country),
    controls: [checkControl("log", words.log)],
    above: ratesLegend(texts),
    below: html`<p class="axis-name">${texts.say(words.ratesAxis)}</p>`,
  });
}

/** The rates of a country year by year. */
export function yearsFigure(texts: Texts): Html {
  const { look: words } = texts.page;
  return figure(texts, {
    ...{ id: "years", title: words.yearsTitle, intro: words.yearsIntro, isRepeated: true },
    columns: [words.year, words.papers, words.publications, words.rate],
    above: html`<p class="axis-name">${texts.say(words.ratesAxis)}</p>
<ul class="legend" aria-hidden="true"><li class="incomplete">${words.incomplete}</li></ul>`,
  });
}

/** More lines than these can't be told apart. */
const LINES = [1, 2, 3, 4, 5, 6];

/** Some countries over time. */
export function trendsFigure(texts: Texts): Html {
  const { look: words } = texts.page;
  const options = [["", "–"], ...countriesByName(texts)] as const;
  return figure(texts, {
    ...{ id: "trends", title: words.trendsTitle, intro: words.trendsIntro },
    columns: [words.country, words.year, words.papers, words.publications, words.rate],
    controls: LINES.map((line) => selectControl(`country${line}`, `${words.country} ${line}`, options)),
    above: html`<p class="axis-name">${texts.say(words.ratesAxis)}</p>`,
  });
}

/** News mentions month by month. */
export function newsFigure(texts: Texts): Html {
  const { look: words } = texts.page;
  return figure(texts, {
    ...{ id: "news", title: words.newsTitle, intro: words.newsIntro },
    columns: [words.month, words.mentions, words.monitored, words.share],
    above: html`<p class="axis-name">${texts.say(words.newsAxis)}</p>`,
  });
}

type Figure = {
  readonly id: string;
  readonly title: string;
  readonly intro?: string;
  readonly controls?: readonly Content[];
  readonly above?: Content;
  readonly below?: Content;
  readonly columns: readonly string[];
  /** Whether the key figures of the page have the same caveats. */
  readonly isRepeated?: boolean;
};

/** A chart, the same figures as a table, and downloads. The page's script fills all three from the API. */
function figure(texts: Texts, described: Figure): Html {
  const { id, title, intro, controls, above, below, columns, isRepeated = false } = described;
  const { page: words } = texts;
  return html`<figure class="chart needs-data" id="${id}" aria-labelledby="${id}-title">
<figcaption><h3 id="${id}-title">${title}</h3>${intro === undefined ? "" : html`<p>${texts.say(intro)}</p>`}</figcaption>
${controls === undefined ? "" : html`<form class="controls">${controls}</form>`}
<p class="state" role="status"></p>
<div class="drawing" hidden>
${above}
<div class="plot"></div>
<p class="pointed" aria-hidden="true"></p>
${below}
<details class="figures"><summary>${words.look.table} <span class="row-count"></span></summary>
<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}-title"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${texts.say(column)}</th>`)}</tr></thead>
<tbody></tbody>
</table></div><p class="end" hidden>${words.script.cut}</p></details>
${caveats(texts, { isRepeated })}
<p class="downloads">${["SVG", "PNG", "CSV"].map((format) => downloadButton(texts, format))}</p>
<details class="embed"><summary>${words.look.embed}</summary>${snippetOf(texts, html`<span data-embed></span>`)}</details>
</div>
</figure>
`;
}

export function downloadButton(texts: Texts, format: string): Html {
  return html`<button type="button" class="quiet" data-download="${format.toLowerCase()}">${texts.say(texts.page.look.download, { format })}</button>
`;
}

function ratesColumns({ page: { look: words } }: Texts, name: string): readonly string[] {
  const { rank, papers, publications, rate, interval, shrunken, rankRange } = words;
  return [rank, name, papers, publications, rate, interval, shrunken, rankRange];
}

function ratesLegend(texts: Texts): Html {
  const { look: words } = texts.page;
  return html`<ul class="legend" aria-hidden="true">
<li class="stable" data-views="list funnel">${texts.say(words.stable)}</li>
<li class="unstable" data-views="list funnel">${texts.say(words.unstable)}</li>
<li class="limits" data-views="funnel" hidden>${words.funnelLimits}</li>
<li class="reach">${texts.say(words.interval)}</li>
<li class="shrunken">${words.shrunken}</li>
</ul>`;
}

/** Any years of the data. The page's script fills both lists. */
export function yearsControl({ page: { look: words } }: Texts): Html {
  return html`<label>${words.from} <select name="from" disabled></select></label>
<label>${words.to} <select name="to" disabled></select></label>
`;
}

function selectControl(name: string, label: string, options: readonly (readonly [string, string])[]): Html {
  const choices = options.map(([value, text]) => html`<option value="${value}">${text}</option>`);
  return html`<label>${label} <select name="${name}" disabled>${choices}</select></label>
`;
}

function viewControl({ page: { look: words } }: Texts, table: RatesTable): Html {
  const map = table === "countries" ? ([["map", words.viewMap]] as const) : [];
  return selectControl("view", words.view, [["list", words.viewList], ...map, ["funnel", words.viewFunnel]]);
}

function sortControl({ page: { look: words } }: Texts): Html {
  return selectControl("sort", words.sort, [
    ["rate_shrunken", words.shrunken],
    ["rate_ci_low", words.sortLow],
    ["rate", words.rate],
  ]);
}

function countryControl(texts: Texts): Html {
  const { country, world } = texts.page.look;
  return selectControl("country", country, [["", world], ...countriesByName(texts)]);
}

function regionControl({ page: { look: words }, language }: Texts): Html {
  const names = new Intl.DisplayNames(language.locale, { type: "region" });
  const regions = REGIONS.map(
    ({ slug, m49, parent }) =>
      html`<option value="${slug}">${parent === null ? "" : "\u2003"}${names.of(m49) ?? slug}</option>`,
  );
  return html`<label>${words.region} <select name="region" disabled><option value="">${words.world}</option>${regions}</select></label>
`;
}

function checkControl(name: string, label: string): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="true" disabled> ${label}</label>
`;
}

/** The countries of ISO 3166-1 in the order of the language: Kosovo is in none of its codes, and the API has no answer for it. */
export function countriesByName({ language }: Texts): readonly (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(language.locale, { type: "region" });
  const { compare } = new Intl.Collator(language.locale);
  return COUNTRIES.filter(({ isIso }) => isIso)
    .map(({ code }) => [code, names.of(code) ?? code] as const)
    .toSorted(([, one], [, other]) => compare(one, other));
}

export function loadedSources(texts: Texts): Html {
  const { heading, version, source, retrieved, newest, state } = texts.page.loaded;
  const columns = [source, retrieved, newest, state];
  return html`<div id="loaded" hidden>
<h3 id="loaded-title">${heading}</h3>
<p>${version} <code dir="ltr" class="dataset-version"></code></p>
<div class="scroll" role="group" tabindex="0" aria-labelledby="loaded-title"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody></tbody>
</table></div>
</div>`;
}
