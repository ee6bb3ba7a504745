import { type Html, html } from "../../../http/html.ts";
import { prose } from "../prose.ts";
import type { Texts } from "../texts.ts";
import { section } from "./section.ts";

/** What the data is. */
export function about(texts: Texts): Html {
  const words = texts.page.about;
  const cards = [
    [words.rates, words.ratesText],
    [words.cases, words.casesText],
    [words.news, words.newsText],
  ] as const;
  return section(
    "about",
    words.heading,
    html`<div class="cards">${cards.map(([title, text]) => html`<div><h3>${title}</h3><p>${texts.say(text)}</p></div>`)}</div>
<p>${texts.say(words.sources)}</p>`,
  );
}

/** How it is counted. */
export function counting(texts: Texts): Html {
  const words = texts.page.counting;
  const rules = [
    [words.paper, words.paperText],
    [words.year, words.yearText],
    [words.rate, words.rateText],
    [words.interval, words.intervalText],
    [words.sharing, words.sharingText],
    [words.windows, words.windowsText],
    [words.ranks, words.ranksText],
    [words.comparison, words.comparisonText],
  ] as const;
  return section(
    "counting",
    words.heading,
    html`<dl class="rules">${rules.map(([term, text]) => html`<div><dt>${term}</dt><dd>${texts.say(text)}</dd></div>`)}</dl>`,
  );
}

/** What it does not say. */
export function caution(texts: Texts): Html {
  const { heading, found, late, order, people, coverage, selection } = texts.page.caution;
  const points = [found, late, order, people, coverage, selection];
  return section(
    "caution",
    heading,
    html`<ul class="points">${points.map((point) => html`<li>${prose(point)}</li>`)}</ul>`,
  );
}
