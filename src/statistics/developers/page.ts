import { type Html, html } from "../../http/html.ts";
import { LANGUAGE_TAGS, type Language, languageOf } from "./languages.ts";
import type { ApiReference } from "./reference/api-reference.ts";
import { ORIGIN } from "./samples.ts";
import { answers } from "./sections/answers.ts";
import { citing } from "./sections/citing.ts";
import { endpoints } from "./sections/endpoints.ts";
import { about, caution, counting } from "./sections/explanations.ts";
import { hero } from "./sections/hero.ts";
import { look } from "./sections/look.ts";
import { more } from "./sections/more.ts";
import { SECTION_IDS } from "./sections/section.ts";
import { STYLES, staticUrl } from "./static-files.ts";
import type { Texts } from "./texts.ts";

/** The page in one language. `ORIGIN` stands in it for the address of the instance. */
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
  const alternates = LANGUAGE_TAGS.map(
    (tag) =>
      html`<link rel="alternate" hreflang="${languageOf(tag).locale}" href="${ORIGIN}/developers/${tag}">
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
  const links = LANGUAGE_TAGS.map(languageOf).map(({ tag, locale, name, direction }) => {
    const current = tag === shown.tag ? html` aria-current="page"` : "";
    return html`<li><a href="/developers/${tag}" hreflang="${locale}" lang="${locale}" dir="${direction}"${current}>${name}</a></li>`;
  });
  return html`<details class="languages"><summary><span class="visually-hidden">${label} </span>${shown.name}</summary>
<nav aria-label="${label}"><ul>${links}</ul></nav></details>`;
}

/** What the page's script says, and with what forms and numbers. */
function scriptMessages({ page: words, plurals, numbers }: Texts): string {
  return JSON.stringify({ messages: words.script, plurals, numbers });
}
