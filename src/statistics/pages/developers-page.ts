import { type Html, html } from "../../http/html.ts";
import type { ApiReference, Endpoint, Parameter, Schema, ValueType } from "./api-reference.ts";
import { dataNotices, type Page } from "./page-frame.ts";
import { curlSample, samples } from "./samples.ts";
import type { Texts } from "./texts.ts";
import { code, section } from "./texts.ts";

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

/** Every endpoint with its parameters, a form that sends requests, examples, and the fields of its answer. */
function endpoints(texts: Texts, described: readonly Endpoint[]): Html {
  const { heading, intro } = texts.page.endpoints;
  const index = described.map(
    ({ operationId, path, summary }) =>
      html`<li><a href="#${operationId}">${code(path)}</a> <span>${texts.reference("operations", `${operationId}.summary`, summary)}</span></li>`,
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
<p class="summary">${texts.reference("operations", `${operationId}.summary`, endpoint.summary)}</p>
<p>${texts.reference("operations", `${operationId}.description`, endpoint.description)}</p>
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
<td>${texts.reference("parameters", parameter.name, parameter.description)}${valueList(texts, parameter.values)}${fallback === undefined ? "" : html` <span class="values">${defaultValue} ${code(fallback)}</span>`}</td>
</tr>`;
  });
  return html`<div class="fields"><table>
<thead><tr><th scope="col">${field}</th><th scope="col">${meaning}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** The form needs the page's script, which enables it, updates the examples and shows the answer. */
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

/** A table of the fields of a schema. It is open at first; on narrow screens the page's script closes it. */
function fieldTable(texts: Texts, schema: Schema): Html {
  const { fields: caption, field: name, meaning, optional } = texts.page.endpoints;
  const rows = schema.fields.map(
    (field) => html`<tr>
<th scope="row">${code(field.path)}<span class="type">${typeNames(texts, field.types)}${field.isRequired ? "" : ` · ${optional}`}</span></th>
<td>${texts.reference("fields", field.key, field.description)}${valueList(texts, field.values)}</td>
</tr>`,
  );
  const titleId = `schema-${schema.name}-title`;
  return html`<details class="fields" open><summary id="${titleId}">${texts.say(caption, { schema: code(schema.name) })}</summary>
<table id="schema-${schema.name}" aria-labelledby="${titleId}">
<thead><tr><th scope="col">${name}</th><th scope="col">${meaning}</th></tr></thead>
<tbody>${rows}</tbody>
</table>
</details>`;
}

/** The types of a value in words. Schemas link to their tables. */
function typeNames(texts: Texts, types: readonly ValueType[]): Html {
  const { or, listOf, types: names } = texts.page.endpoints;
  const known = new Map<string, string>(Object.entries(names));
  const named = types.map(({ name, isSchema, isList }) => {
    const word = isSchema
      ? html`<a href="#schema-${name}">${code(name)}</a>`
      : (known.get(name) ?? unnamed(name));
    return isList ? html`${listOf} ${word}` : html`${word}`;
  });
  return html`${named.map((one, index) => (index === 0 ? one : html` ${or} ${one}`))}`;
}

/** The allowed values of a field or a parameter, if they are few. */
function valueList(texts: Texts, values: readonly string[]): Html {
  if (values.length === 0) return html``;
  const spaced = values.map((value) => html` ${code(value)}`);
  return html` <span class="values">${texts.page.endpoints.values}${spaced}</span>`;
}

function unnamed(type: string): never {
  throw new Error(`the page has no word for the type ${type}`);
}

/** The common properties of answers: envelope, CSV, caching, rate limit, headers and errors. */
function answers(texts: Texts, reference: ApiReference): Html {
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
    (header) =>
      html`<tr><th scope="row">${code(header.name)}</th><td>${texts.reference("headers", header.name, header.meaning)}</td></tr>`,
  );
  return html`<div class="fields"><table>
<thead><tr><th scope="col">${texts.page.answers.header}</th><th scope="col">${texts.page.endpoints.meaning}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function problemTable(texts: Texts, { problems }: ApiReference): Html {
  const rows = problems.map(
    (problem) =>
      html`<tr><th scope="row">${code(String(problem.status))}<span class="type" lang="en" dir="ltr">${problem.title}</span></th><td>${texts.reference("problems", problem.code, problem.meaning)}</td></tr>`,
  );
  return html`<div class="fields"><table>
<thead><tr><th scope="col">${texts.page.answers.status}</th><th scope="col">${texts.page.endpoints.meaning}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}
