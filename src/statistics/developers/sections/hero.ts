import { type Html, html } from "../../../http/html.ts";
import { curlSample } from "../samples.ts";
import type { Texts } from "../texts.ts";

/** What this is and how to begin. */
export function hero(texts: Texts): Html {
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
