import { type Html, html } from "../../http/html.ts";
import { type Country, REGIONS } from "../facts/countries.ts";
import { comparisonFigure, countriesByName, downloadButton, yearsControl, yearsFigure } from "./charts.ts";
import { caveats, dataNotices, type Page } from "./page-frame.ts";
import type { Texts } from "./texts.ts";
import { section } from "./texts.ts";

/** A country: its rank and rate, its years, its sub-region, and its papers. */
export function countryPage(texts: Texts, { code, subregion }: Country): Page {
  const names = new Intl.DisplayNames(texts.language.locale, { type: "region" });
  const m49 = REGIONS.find(({ slug }) => slug === subregion)?.m49;
  const region = m49 === undefined ? "–" : (names.of(m49) ?? m49);
  const place = { kind: "country", code } as const;
  return placePage(texts, place, names.of(code) ?? code, `/countries/${code}`, region);
}

/** An institution. The page's script replaces its identifier by its name. */
export function institutionPage(texts: Texts, ror: string): Page {
  const code = ror.slice(ror.lastIndexOf("/") + 1);
  return placePage(texts, { kind: "institution", code }, ror, `/institutions/${code}`);
}

export function disciplinePage(texts: Texts, code: string): Page {
  return placePage(
    texts,
    { kind: "discipline", code },
    texts.disciplines[code] ?? code,
    `/disciplines/${code}`,
  );
}

/** @param region the name of the sub-region with which the place is compared */
function placePage(
  texts: Texts,
  place: NonNullable<Page["place"]>,
  name: string,
  path: string,
  region?: string,
): Page {
  const { look, more, country, papers } = texts.page;
  return {
    negotiatedPath: path,
    pathIn: (tag) => `${path}/${tag}`,
    title: name,
    description: html`${name}: ${texts.say(look.ratesAxis)}`,
    script: "country.ts",
    contents: [
      ["figures", country.figures],
      ["look", look.heading],
      ["retracted", papers.heading],
      ["more", more.heading],
    ],
    place,
    main: [
      html`<section class="hero">
<h1>${name}</h1>
<p class="lead">${texts.say(look.ratesAxis)}</p>
${place.kind === "country" ? countryChooser(texts, place.code) : ""}
${dataNotices(texts)}
</section>
`,
      section("figures", country.figures, keyFigures(texts, region)),
      section("look", look.heading, [
        yearsFigure(texts),
        region === undefined ? "" : comparisonFigure(texts),
      ]),
      section("retracted", papers.heading, papersList(texts)),
      section("more", more.heading, links(texts)),
    ],
  };
}

/** The page's script fills each value by its name, and the sentence of the comparison. */
function keyFigures(texts: Texts, region: string | undefined): Html {
  const { look, country: words } = texts.page;
  const figure = (name: string) => html`<dd><bdi data-figure="${name}"></bdi></dd>`;
  const facts = [
    [look.papers, figure("papers")],
    [look.publications, figure("publications")],
    [look.rate, figure("rate")],
    [look.interval, figure("interval")],
    [look.shrunken, figure("shrunken")],
    [look.rank, figure("rank")],
    [look.rankRange, figure("range")],
    ...(region === undefined
      ? []
      : ([
          [words.subregion, html`<dd>${region}</dd>`],
          [words.pooled, figure("pooled")],
          [words.median, figure("median")],
          [words.ratio, figure("ratio")],
        ] as const)),
  ] as const;
  return html`<form class="controls needs-data" id="years-shown">${yearsControl(texts)}</form>
<div class="needs-data" id="key-figures">
<p class="state" role="status"></p>
<div class="drawing" hidden>
<dl class="key-figures">${facts.map(([label, value]) => html`<div><dt>${texts.say(label)}</dt>${value}</div>`)}</dl>
<p class="verdict"></p>
${caveats(texts)}
</div>
</div>`;
}

/** The papers behind the figures, which the page's script lists. */
function papersList(texts: Texts): Html {
  const { intro, previous, next } = texts.page.papers;
  return html`<div class="needs-data" id="papers">
<p>${intro}</p>
<p class="state" role="status"></p>
<div class="drawing" hidden>
${caveats(texts)}
<ol class="entries"></ol>
<form class="pager" autocomplete="off">
<input type="hidden" name="offset">
<button type="button" class="quiet previous">${previous}</button>
<bdi class="extent"></bdi>
<button type="button" class="quiet next">${next}</button>
</form>
<p class="downloads">${downloadButton(texts, "CSV")}</p>
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
