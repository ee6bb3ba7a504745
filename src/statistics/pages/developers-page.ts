import { type Html, html } from "../../http/html.ts";
import type { ApiReference } from "./api-reference.ts";
import { section } from "./markup.ts";
import { dataNotices, type Page } from "./page-frame.ts";
import { answers, endpoints } from "./reference-sections.ts";
import { curlSample } from "./samples.ts";
import type { Texts } from "./texts.ts";

/** The documentation of the API: every endpoint, its answers and its errors. */
export function developersPage(texts: Texts, reference: ApiReference): Page {
  const { page: words } = texts;
  const parts = ["endpoints", "answers", "more"] as const;
  return {
    negotiatedPath: "/developers",
    pathIn: (tag) => `/developers/${tag}`,
    title: words.product,
    description: words.developers.lead,
    script: "developers.ts",
    contents: parts.map((id) => [id, words[id].heading]),
    main: [
      hero(texts),
      dataNotices(texts),
      endpoints(texts, reference.endpoints),
      answers(texts, reference),
      more(texts),
      html`<datalist id="windows"></datalist>`,
    ],
  };
}

/** The most important facts and a first request. */
function hero(texts: Texts): Html {
  const { page } = texts;
  const facts = [page.facts.key, page.facts.formats, page.facts.limit, page.facts.licence];
  return html`<section class="hero">
<h1>${page.product}</h1>
<p class="lead">${page.developers.lead}</p>
<ul class="facts">${facts.map((fact) => html`<li>${texts.say(fact)}</li>`)}</ul>
<p class="small-heading">${page.firstRequest}</p>
${curlSample(texts, "/v1/countries?region=europe")}
</section>
`;
}

/** Links to the counting rules, the limits and the licence, and to the other descriptions of the API. */
function more({ language: { tag }, page: words }: Texts): Html {
  const { heading, swagger, redoc, openapi } = words.more;
  const parts = ["counting", "caution", "citing"] as const;
  return section(
    "more",
    heading,
    html`<ul class="points">
${parts.map((id) => html`<li><a href="/story/${tag}#${id}">${words[id].heading}</a></li>`)}
<li><a href="/docs">${swagger}</a></li>
<li><a href="/redoc">${redoc}</a></li>
<li><a href="/openapi.json">${openapi}</a></li>
</ul>`,
  );
}
