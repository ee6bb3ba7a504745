import { type Html, html } from "../../http/html.ts";
import { LICENSE_URL } from "../api/meta.ts";
import type { ApiReference } from "./api-reference.ts";
import { look } from "./charts.ts";
import { LANGUAGES, type Language } from "./languages.ts";
import { prose, SECTION_IDS, section } from "./markup.ts";
import { answers, endpoints } from "./reference-sections.ts";
import { curlSample, ORIGIN, snippetOf } from "./samples.ts";
import { STYLES, staticUrl } from "./static-files.ts";
import type { Texts } from "./texts.ts";

/** The page in one language. It contains `ORIGIN` in place of the address of the instance. */
export function page(texts: Texts, reference: ApiReference): Html {
  const { language, page: words } = texts;
  return html`<!doctype html>
<html lang="${language.locale}" dir="${language.direction}">
${head(texts)}
<body data-messages="${scriptMessages(texts)}">
<a class="skip" href="#main">${words.skip}</a>
<header class="top"><div>
<a class="brand" href="/developers/${language.tag}"><span translate="no">Similarity Check</span> ${words.product}</a>
${languageSwitcher(language, words.language)}
</div></header>
<div class="layout">
<nav class="contents" aria-label="${words.contents}"><ul>
${SECTION_IDS.map((id) => html`<li><a href="#${id}">${words[id].heading}</a></li>`)}
</ul></nav>
<main id="main" tabindex="-1">
${hero(texts)}
${look(texts)}
${about(texts)}
${counting(texts)}
${caution(texts)}
${endpoints(texts, reference.endpoints)}
${answers(texts, reference)}
${citing(texts)}
${more(texts)}
</main>
</div>
<datalist id="windows"></datalist>
</body>
</html>
`;
}

function head({ language, page: words }: Texts): Html {
  const alternates = LANGUAGES.map(
    ({ tag, locale }) =>
      html`<link rel="alternate" hreflang="${locale}" href="${ORIGIN}/developers/${tag}">
`,
  );
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${words.description}">
<title>${words.title} · Similarity Check</title>
<link rel="canonical" href="${ORIGIN}/developers/${language.tag}">
${alternates}<link rel="alternate" hreflang="x-default" href="${ORIGIN}/developers">
<link rel="icon" type="image/svg+xml" href="${staticUrl("icon.svg")}">
${STYLES.map(
  (file) => html`<link rel="stylesheet" href="${staticUrl(file)}">
`,
)}<script type="module" src="${staticUrl("page.js")}"></script>
</head>`;
}

function languageSwitcher(shown: Language, label: string): Html {
  const links = LANGUAGES.map(({ tag, locale, name, direction }) => {
    const current = tag === shown.tag ? html` aria-current="page"` : "";
    return html`<li><a href="/developers/${tag}" hreflang="${locale}" lang="${locale}" dir="${direction}"${current}>${name}</a></li>`;
  });
  return html`<details class="languages"><summary><span class="visually-hidden">${label} </span>${shown.name}</summary>
<nav aria-label="${label}"><ul>${links}</ul></nav></details>`;
}

/** The messages of the page's script, with plural forms and numbers. */
function scriptMessages({ page: words, plurals, numbers }: Texts): string {
  return JSON.stringify({ messages: words.script, plurals, numbers });
}

/** The title, the most important facts and a first request. */
function hero(texts: Texts): Html {
  const { page } = texts;
  const facts = [page.facts.key, page.facts.formats, page.facts.limit, page.facts.licence];
  return html`<section class="hero">
<h1>${page.title}</h1>
<p class="lead">${texts.say(page.lead)}</p>
<ul class="facts">${facts.map((fact) => html`<li>${texts.say(fact)}</li>`)}</ul>
<p class="small-heading">${page.firstRequest}</p>
${curlSample(texts, "/v1/countries?region=europe")}
<noscript><p class="notice">${page.noScript}</p></noscript>
</section>`;
}

/** The kinds of data and their sources. */
function about(texts: Texts): Html {
  const words = texts.page.about;
  const cards = [
    [words.rates, words.ratesText],
    [words.cases, words.casesText],
    [words.news, words.newsText],
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
const ADDRESS = html`<span data-origin>${ORIGIN}</span>/v1/countries?window=${YEARS}`;

const PLAIN = html`Similarity Check statistics, version ${VERSION}, years ${YEARS}, CC BY 4.0, ${ADDRESS}, read ${DATE}.`;

const BIBTEX = html`@misc{similarity-check-statistics,
  title   = {Similarity Check statistics},
  note    = {Version ${VERSION}, years ${YEARS}, CC BY 4.0},
  url     = {${ADDRESS}},
  urldate = {${DATE}}
}`;

/** Links to the other descriptions of the API. */
function more(texts: Texts): Html {
  const { heading, swagger, redoc, openapi } = texts.page.more;
  return section(
    "more",
    heading,
    html`<ul class="points">
<li><a href="/docs">${swagger}</a></li>
<li><a href="/redoc">${redoc}</a></li>
<li><a href="/openapi.json">${openapi}</a></li>
</ul>`,
  );
}
