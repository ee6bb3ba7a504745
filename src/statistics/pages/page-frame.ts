import type { PageFiles } from "../../http/built-files.ts";
import { type Content, type Html, html } from "../../http/html.ts";
import { LANGUAGES, type LanguageTag } from "../../http/languages/languages.ts";
import type { DescribedPage, Place } from "../read-model/dataset-description.ts";
import { ORIGIN, snippetOf } from "./samples.ts";
import type { Texts } from "./texts.ts";

/** A page as each language has it. */
export type Page = {
  /** Its path in the language that the reader's browser asks for. */
  readonly negotiatedPath: string;
  /** Its path in a given language. */
  readonly pathIn: (tag: LanguageTag) => string;
  readonly title: string;
  readonly description: Content;
  /** The module in `web/browser/statistics` that fills the page. */
  readonly script: string;
  /** Its parts, for the list of contents: identifiers, the same in every language, and headings. */
  readonly contents: readonly (readonly [id: string, heading: string])[];
  readonly main: Content;
  readonly place?: Place;
  /** The list that the page shows. */
  readonly topic?: DescribedPage["topic"];
};

/** The whole document. It contains `ORIGIN` in place of the address of the instance, and `DATASET` in place of the description of its data. */
export function pageFrame(texts: Texts, page: Page, files: PageFiles): Html {
  const { language, page: words } = texts;
  return html`<!doctype html>
<html lang="${language.locale}" dir="${language.direction}">
${head(texts, page, files)}
<body data-messages="${scriptMessages(texts)}">
<a class="skip" href="#main">${words.skip}</a>
<header class="top"><div>
<a class="brand" href="/story/${language.tag}"><span translate="no">Similarity Check</span> ${words.site}</a>
${siteNavigation(texts, page)}
${languageSwitcher(texts, page)}
</div></header>
<div class="layout">
${page.contents.length === 0 ? "" : contents(words.contents, page)}
<main id="main" tabindex="-1"${page.place === undefined ? "" : html` data-kind="${page.place.kind}" data-code="${page.place.code}"`}>
${page.main}
</main>
</div>
</body>
</html>
`;
}

function head({ language }: Texts, page: Page, { script, styles, preloads }: PageFiles): Html {
  const alternates = LANGUAGES.map(
    ({ tag, locale }) =>
      html`<link rel="alternate" hreflang="${locale}" href="${ORIGIN}${page.pathIn(tag)}">
`,
  );
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.description}">
<title>${page.title} · Similarity Check</title>
<link rel="canonical" href="${ORIGIN}${page.pathIn(language.tag)}">
${alternates}<link rel="alternate" hreflang="x-default" href="${ORIGIN}${page.negotiatedPath}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Similarity Check">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${ORIGIN}${page.pathIn(language.tag)}">
<meta property="og:image" content="${ORIGIN}${PICTURE_PATH}">
<meta property="og:locale" content="${language.locale}">
<script type="application/ld+json">${DATASET}</script>
<link rel="icon" type="image/svg+xml" href="${ICON}">
${styles.map(
  (url) => html`<link rel="stylesheet" href="${url}">
`,
)}${preloads.map(
  (url) => html`<link rel="modulepreload" href="${url}">
`,
)}<script type="module" src="${script}"></script>
</head>`;
}

/** Of the picture that shared links show. */
export const PICTURE_PATH = "/picture.png";

/** Placeholder for the description of the page's data, which changes with each load. */
export const DATASET = "dataset.invalid";

const ICON_DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5d6b"/><path d="M7 10h18M7 16h13M7 22h8" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/><circle cx="18" cy="10" r="3.4" fill="#fff"/><circle cx="13" cy="16" r="3.4" fill="#fff"/><circle cx="10" cy="22" r="3.4" fill="#fff"/></svg>';
const ICON = `data:image/svg+xml;base64,${Buffer.from(ICON_DRAWING).toString("base64")}`;

/** The messages of the page's script, with plural forms and numbers. */
function scriptMessages({ language, page: words, plurals, numbers, disciplines }: Texts): string {
  const messages = { ...words.script, source: words.loaded.source };
  return JSON.stringify({
    ...{ messages, plurals, numbers, disciplines },
    ...{ caseTypes: words.lists.types, tag: language.tag },
  });
}

function siteNavigation({ language: { tag }, page: words }: Texts, page: Page): Html {
  const pages = [
    [`/cases/${tag}`, words.about.cases],
    [`/news/${tag}`, words.about.news],
    [`/developers/${tag}`, words.product],
  ] as const;
  const links = pages.map(([path, name]) => {
    const current = path === page.pathIn(tag) ? html` aria-current="page"` : "";
    return html`<li><a href="${path}"${current}>${name}</a></li>`;
  });
  return html`<nav class="pages" aria-label="${words.pages}"><ul>${links}</ul></nav>`;
}

function languageSwitcher({ language: shown, page: words }: Texts, page: Page): Html {
  const links = LANGUAGES.map(({ tag, locale, name, direction }) => {
    const current = tag === shown.tag ? html` aria-current="page"` : "";
    return html`<li><a href="${page.pathIn(tag)}" hreflang="${locale}" lang="${locale}" dir="${direction}"${current}>${name}</a></li>`;
  });
  return html`<details class="languages"><summary><span class="hidden-visually">${words.language} </span>${shown.name}</summary>
<nav aria-label="${words.language}"><ul>${links}</ul></nav></details>`;
}

function contents(label: string, page: Page): Html {
  const links = page.contents.map(([id, heading]) => html`<li><a href="#${id}">${heading}</a></li>`);
  return html`<nav class="contents" aria-label="${label}"><ul>
${links}
</ul></nav>`;
}

/**
 * What to know before the figures of a part are quoted. The page's script fills it with the API's words, which are in English.
 * @param isRepeated whether the same caveats stand above on the page: then they are closed
 */
export function caveats(texts: Texts, { isRepeated = false } = {}): Html {
  const open = isRepeated ? "" : html` open`;
  const heading = texts.reference("fields", "Meta.caveats", "What to know before you quote the figures.");
  return html`<details class="caveats"${open} hidden><summary>${heading}</summary><ul lang="en" dir="ltr"></ul></details>`;
}

/** The notices of a page with data: without a script, before any load, and for the synthetic set. */
export function dataNotices(texts: Texts): Html {
  const { empty: text, loadFiles, refresh, demo } = texts.page.loaded;
  const comment = (words: string) =>
    html`<span class="comment" lang="${texts.language.locale}" dir="auto"># ${words}</span>`;
  const commands = html`${comment(loadFiles)}
npm run statistics:load -- --retractions RW.csv --publications P.csv
${comment(refresh)}
npm run statistics:refresh
${comment(demo)}
npm run statistics:demo`;
  return html`<noscript><p class="notice">${texts.page.noScript}</p></noscript>
<div class="notice" id="never-loaded" hidden><p>${text}</p>${snippetOf(texts, commands)}</div>
<p class="notice warning" id="synthetic" hidden>${texts.page.script.synthetic}</p>
<p class="notice warning" id="unreadable" role="alert" hidden></p>`;
}
