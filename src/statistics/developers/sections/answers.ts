import { type Html, html } from "../../../http/html.ts";
import { code } from "../prose.ts";
import type { ApiReference } from "../reference/api-reference.ts";
import type { Texts } from "../texts.ts";
import { fieldTable } from "./field-table.ts";
import { section } from "./section.ts";

/** What all answers have in common: their frame, CSV, caching, the limit, headers and errors. */
export function answers(texts: Texts, reference: ApiReference): Html {
  const words = texts.page.answers;
  const rules = [
    [words.csv, words.csvText],
    [words.caching, words.cachingText],
    [words.limit, words.limitText],
    [words.browser, words.browserText],
  ] as const;
  return section(
    "answers",
    words.heading,
    html`<h3>${words.envelope}</h3>
<p>${texts.say(words.envelopeText)}</p>
${reference.envelope.map((schema) => fieldTable(texts, schema))}
<dl class="rules">${rules.map(([term, text]) => html`<div><dt>${term}</dt><dd>${texts.say(text)}</dd></div>`)}</dl>
<h3>${words.headers}</h3>
${headerTable(texts, reference)}
<h3>${words.errors}</h3>
<p>${texts.say(words.errorsText)}</p>
${problemTable(texts, reference)}
${fieldTable(texts, reference.problem)}`,
  );
}

function headerTable(texts: Texts, { headers }: ApiReference): Html {
  const rows = headers.map(
    (header) => html`<tr><th scope="row">${code(header.name)}</th><td>${texts.header(header)}</td></tr>`,
  );
  return html`<div class="fields"><table>
<thead><tr><th scope="col">${texts.page.answers.header}</th><th scope="col">${texts.page.endpoints.meaning}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function problemTable(texts: Texts, { problems }: ApiReference): Html {
  const rows = problems.map(
    (problem) =>
      html`<tr><th scope="row">${code(String(problem.status))}<span class="type" lang="en" dir="ltr">${problem.title}</span></th><td>${texts.problem(problem)}</td></tr>`,
  );
  return html`<div class="fields"><table>
<thead><tr><th scope="col">${texts.page.answers.status}</th><th scope="col">${texts.page.endpoints.meaning}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}
