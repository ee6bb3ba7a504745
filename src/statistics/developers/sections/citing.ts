import { type Html, html } from "../../../http/html.ts";
import { LICENSE_URL } from "../../api/meta.ts";
import { ORIGIN, snippetOf } from "../samples.ts";
import type { Texts } from "../texts.ts";
import { section } from "./section.ts";

/** Under which licence, and how to cite it. The script puts what is loaded in the place of the words in capitals. */
export function citing(texts: Texts): Html {
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
