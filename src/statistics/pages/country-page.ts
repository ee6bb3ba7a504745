import { type Html, html } from "../../http/html.ts";
import { COUNTRIES, type Country, REGIONS } from "../facts/countries.ts";
import { comparisonFigure, windowControl, yearsFigure } from "./charts.ts";
import { dataNotices, type Page } from "./page-frame.ts";
import type { Texts } from "./texts.ts";
import { section } from "./texts.ts";

/** A country: its rank and rate, its years, and its sub-region. */
export function countryPage(texts: Texts, { code, subregion }: Country): Page {
  const { page: words, language } = texts;
  const names = new Intl.DisplayNames(language.locale, { type: "region" });
  const name = names.of(code) ?? code;
  const m49 = REGIONS.find(({ slug }) => slug === subregion)?.m49;
  const { figures } = words.country;
  return {
    negotiatedPath: `/countries/${code}`,
    pathIn: (tag) => `/countries/${code}/${tag}`,
    title: name,
    description: html`${name}: ${texts.say(words.look.ratesAxis)}`,
    script: "country.ts",
    contents: [
      ["figures", figures],
      ["look", words.look.heading],
      ["more", words.more.heading],
    ],
    countryCode: code,
    main: [
      html`<section class="hero">
<h1>${name}</h1>
<p class="lead">${texts.say(words.look.ratesAxis)}</p>
${countryChooser(texts, code)}
${dataNotices(texts)}
</section>
`,
      section("figures", figures, keyFigures(texts, m49 === undefined ? "–" : (names.of(m49) ?? m49))),
      section("look", words.look.heading, [yearsFigure(texts), comparisonFigure(texts)]),
      section("more", words.more.heading, links(texts)),
    ],
  };
}

/** The page's script fills each value by its name, and the sentence of the comparison. */
function keyFigures(texts: Texts, subregion: string): Html {
  const { look, country: words } = texts.page;
  const figure = (name: string) => html`<dd><bdi data-figure="${name}"></bdi></dd>`;
  const facts = [
    [look.rank, figure("rank")],
    [look.rate, figure("rate")],
    [look.interval, figure("interval")],
    [look.papers, figure("papers")],
    [look.publications, figure("publications")],
    [words.subregion, html`<dd>${subregion}</dd>`],
    [words.pooled, figure("pooled")],
    [words.median, figure("median")],
    [words.ratio, figure("ratio")],
  ] as const;
  return html`<form class="controls needs-data" id="years-shown">${windowControl(texts)}</form>
<div class="needs-data" id="key-figures">
<p class="state" role="status"></p>
<div class="drawing" hidden>
<dl class="key-figures">${facts.map(([label, value]) => html`<div><dt>${texts.say(label)}</dt>${value}</div>`)}</dl>
<p class="verdict"></p>
</div>
</div>`;
}

/** Where the figures are explained. */
function links({ language: { tag }, page: words }: Texts): Html {
  const parts = ["counting", "caution", "citing"] as const;
  return html`<ul class="points">${parts.map((id) => html`<li><a href="/story/${tag}#${id}">${words[id].heading}</a></li>`)}</ul>`;
}

/** Goes to the page of a country, by way of the page's script. */
export function countryChooser(texts: Texts, shown?: string): Html {
  const { look, country: words } = texts.page;
  const options = countriesByName(texts).map(
    ([code, name]) => html`<option value="${code}"${code === shown ? html` selected` : ""}>${name}</option>`,
  );
  return html`<form class="controls" id="choose-country">
<label>${look.country} <select name="country" required>${shown === undefined ? html`<option value="">${words.choose}</option>` : ""}${options}</select></label>
<button type="submit" disabled>${words.show}</button>
</form>`;
}

/** The countries of ISO 3166-1 in the order of the language: Kosovo is in none of its codes, and the API has no answer for it. */
function countriesByName({ language }: Texts): readonly (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(language.locale, { type: "region" });
  const { compare } = new Intl.Collator(language.locale);
  return COUNTRIES.filter(({ isIso }) => isIso)
    .map(({ code }) => [code, names.of(code) ?? code] as const)
    .toSorted(([, one], [, other]) => compare(one, other));
}

/** For a browser that asks for a country or a language that the pages do not have. */
export function notFoundPage(texts: Texts): Page {
  const { notFound, site } = texts.page;
  return {
    negotiatedPath: "/",
    pathIn: (tag) => `/story/${tag}`,
    title: notFound.heading,
    description: notFound.text,
    script: "plain.ts",
    contents: [],
    main: html`<section class="hero">
<h1>${notFound.heading}</h1>
<p class="lead">${notFound.text}</p>
${countryChooser(texts)}
<p><a href="/story/${texts.language.tag}">${site}</a></p>
</section>`,
  };
}
