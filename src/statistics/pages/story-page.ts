import { type Html, html } from "../../http/html.ts";
import { LICENSE_URL } from "../facts/sources.ts";
import { loadedSources, newsFigure, ratesFigure, trendsFigure } from "./charts.ts";
import { countryChooser } from "./country-page.ts";
import { dataNotices, type Page } from "./page-frame.ts";
import { ORIGIN, snippetOf } from "./samples.ts";
import type { Texts } from "./texts.ts";
import { prose, section } from "./texts.ts";

/** The counting rules, with charts, and the limits of the figures. */
export function storyPage(texts: Texts): Page {
  const { page: words } = texts;
  const parts = ["look", "about", "counting", "caution", "citing"] as const;
  return {
    negotiatedPath: "/",
    pathIn: (tag) => `/story/${tag}`,
    title: words.title,
    description: words.description,
    script: "story.ts",
    contents: parts.map((id) => [id, words[id].heading]),
    main: [hero(texts), look(texts), about(texts), counting(texts), caution(texts), citing(texts)],
  };
}

function hero(texts: Texts): Html {
  return html`<section class="hero">
<h1>${texts.page.title}</h1>
<p class="lead">${texts.say(texts.page.lead)}</p>
${countryChooser(texts)}
${dataNotices(texts)}
</section>
`;
}

/** The charts and the loaded sources. The page's script fills them from the API. */
function look(texts: Texts): Html {
  const { heading, ratesIntro } = texts.page.look;
  return section("look", heading, [
    html`<p>${texts.say(ratesIntro)}</p>`,
    ratesFigure(texts, "countries"),
    ratesFigure(texts, "institutions"),
    ratesFigure(texts, "disciplines"),
    trendsFigure(texts),
    newsFigure(texts),
    loadedSources(texts),
    html`<p><a href="/v1/everything.zip" download>${texts.page.look.everything}</a></p>`,
  ]);
}

/** The kinds of data and their sources. */
function about(texts: Texts): Html {
  const words = texts.page.about;
  const { tag } = texts.language;
  const cards = [
    [html`${words.rates}`, words.ratesText],
    [html`<a href="/cases/${tag}">${words.cases}</a>`, words.casesText],
    [html`<a href="/news/${tag}">${words.news}</a>`, words.newsText],
  ] as const;
  return section(
    "about",
    words.heading,
    html`<div class="cards">${cards.map(([title, text]) => html`<div><h3>${title}</h3><p>${texts.say(text)}</p></div>`)}</div>
<p>${texts.say(words.sources)}</p>`,
  );
}

/** The counting rules. */
function counting(texts: Texts): Html {
  const words = texts.page.counting;
  const rules = [
    [words.paper, words.paperText],
    [words.year, words.yearText],
    [words.rate, words.rateText],
    [words.interval, words.intervalText],
    [words.sharing, words.sharingText],
    [words.windows, words.windowsText],
    [words.ranks, words.ranksText],
    [words.comparison, words.comparisonText],
  ] as const;
  return section(
    "counting",
    words.heading,
    html`<dl class="rules">${rules.map(([term, text]) => html`<div><dt>${term}</dt><dd>${texts.say(text)}</dd></div>`)}</dl>`,
  );
}

/** The limits of the data. */
function caution(texts: Texts): Html {
  const { heading, found, late, order, people, coverage, selection } = texts.page.caution;
  const points = [found, late, order, people, coverage, selection];
  return section(
    "caution",
    heading,
    html`<ul class="points">${points.map((point) => html`<li>${prose(point)}</li>`)}</ul>`,
  );
}

/** The licence, and how to cite the data. The script replaces the words in capitals with the loaded version. */
function citing(texts: Texts): Html {
  const { heading, licenceText, citeText, plain, bibtex } = texts.page.citing;
  const licence = html`<a href="${LICENSE_URL}" rel="license">CC BY 4.0</a>`;
  return section(
    "citing",
    heading,
    html`<p>${texts.say(licenceText, { licence })}</p>
<p>${texts.say(citeText)}</p>
<h3>${plain}</h3>
${snippetOf(texts, PLAIN)}
<h3>${bibtex}</h3>
${snippetOf(texts, BIBTEX)}`,
  );
}

const VERSION = html`<span data-cite="version">VERSION</span>`;
const YEARS = html`<span data-cite="window">YEARS</span>`;
const DATE = html`<span data-cite="date">DATE</span>`;
const ADDRESS = html`<span data-origin>${ORIGIN}</span>/v1/countries?window=${YEARS}&amp;dataset_version=${VERSION}`;

const PLAIN = html`Similarity Check statistics, version ${VERSION}, years ${YEARS}, CC BY 4.0, ${ADDRESS}, read ${DATE}.`;

const BIBTEX = html`@misc{similarity-check-statistics,
  title   = {Similarity Check statistics},
  note    = {Version ${VERSION}, years ${YEARS}, CC BY 4.0},
  url     = {${ADDRESS}},
  urldate = {${DATE}}
}`;
