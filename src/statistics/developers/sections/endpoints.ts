import { type Html, html } from "../../../http/html.ts";
import { code } from "../prose.ts";
import type { Endpoint, Parameter } from "../reference/api-reference.ts";
import { samples } from "../samples.ts";
import type { Texts } from "../texts.ts";
import { fieldTable, typeNames, valueList } from "./field-table.ts";
import { section } from "./section.ts";

/** Every endpoint with its parameters, a form that sends requests, examples, and the fields of its answer. */
export function endpoints(texts: Texts, described: readonly Endpoint[]): Html {
  const { heading, intro } = texts.page.endpoints;
  const index = described.map(
    ({ operationId, path, summary }) =>
      html`<li><a href="#${operationId}">${code(path)}</a> <span>${texts.summaryOf(operationId, summary)}</span></li>`,
  );
  return section("endpoints", heading, [
    html`<p>${texts.say(intro)}</p><ul class="index">${index}</ul>`,
    described.map((endpoint) => endpointArticle(texts, endpoint)),
  ]);
}

function endpointArticle(texts: Texts, endpoint: Endpoint): Html {
  const words = texts.page.endpoints;
  const { operationId, path, parameters } = endpoint;
  const hasCsv = parameters.some(({ name }) => name === "format");
  return html`<article class="endpoint" id="${operationId}" aria-labelledby="${operationId}-heading">
<h3 id="${operationId}-heading"><a href="#${operationId}"><span class="method" translate="no">GET</span> ${code(path)}</a></h3>
<p class="summary">${texts.summaryOf(operationId, endpoint.summary)}</p>
<p>${texts.descriptionOf(operationId, endpoint.description)}</p>
<h4>${words.parameters}</h4>
${parameters.length === 0 ? html`<p>${words.noParameters}</p>` : parameterTable(texts, parameters)}
${tryForm(texts, endpoint)}
<h4>${words.examples}</h4>
${samples(texts, { path: examplePath(endpoint), hasCsv })}
<h4>${words.answer}</h4>
<p>${texts.say(words.answerIntro)} ${typeNames(texts, endpoint.data)}</p>
${endpoint.schemas.map((schema) => fieldTable(texts, schema))}
</article>
`;
}

function parameterTable(texts: Texts, parameters: readonly Parameter[]): Html {
  const { field, meaning, required, defaultValue } = texts.page.endpoints;
  const rows = parameters.map((parameter) => {
    const fallback = parameter.defaultValue;
    return html`<tr>
<th scope="row">${code(parameter.name)}<span class="type">${typeNames(texts, parameter.types)}${parameter.isRequired ? ` · ${required}` : ""}</span></th>
<td>${texts.parameter(parameter)}${valueList(texts, parameter.values)}${fallback === undefined ? "" : html` <span class="values">${defaultValue} ${code(fallback)}</span>`}</td>
</tr>`;
  });
  return html`<div class="fields"><table>
<thead><tr><th scope="col">${field}</th><th scope="col">${meaning}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** The form needs the page's script, which enables it, keeps the examples in step and shows the answer. */
function tryForm(texts: Texts, { operationId, path, parameters }: Endpoint): Html {
  const { tryIt, send } = texts.page.endpoints;
  const controls = parameters.map((parameter) => {
    const place = parameter.isInPath ? "path" : "query";
    return html`<label><span>${code(parameter.name)}</span> ${control(texts, parameter, place)}</label>`;
  });
  return html`<h4 id="${operationId}-try">${tryIt}</h4>
<form class="try" data-path="${path}" aria-labelledby="${operationId}-try ${operationId}-heading">
<div class="controls">${controls}</div>
<p class="request"><output class="address" dir="ltr" translate="no">${examplePath({ path, parameters })}</output> <button type="submit" disabled>${send}</button></p>
<p class="state" role="status"></p>
<pre class="body" dir="ltr" translate="no" hidden></pre>
</form>`;
}

function control(texts: Texts, parameter: Parameter, place: string): Html {
  const { name, values, types, defaultValue, example } = parameter;
  const options = types[0]?.name === "boolean" ? ["false", "true"] : values;
  if (options.length === 0) {
    const list = name === "window" ? html` list="windows"` : "";
    const value = parameter.isRequired ? html` value="${example}" required` : html` placeholder="${example}"`;
    return html`<input name="${name}" data-place="${place}" dir="ltr" autocomplete="off" spellcheck="false"${value}${list}>`;
  }
  const unset = html`<option value="">${defaultValue ?? texts.page.endpoints.notSet}</option>`;
  const choices = options
    .filter((option) => option !== defaultValue)
    .map((option) => html`<option value="${option}">${option}</option>`);
  return html`<select name="${name}" data-place="${place}">${unset}${choices}</select>`;
}

/** The path with an example for each of its parameters. */
function examplePath({ path, parameters }: Pick<Endpoint, "path" | "parameters">): string {
  return parameters
    .filter(({ isInPath }) => isInPath)
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, example ?? ""), path);
}
