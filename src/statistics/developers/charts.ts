import { type Html, html } from "../../http/html.ts";
import { REGIONS } from "../facts/countries.ts";
import { section } from "./markup.ts";
import { snippetOf } from "./samples.ts";
import type { Texts } from "./texts.ts";

/** The charts and the loaded sources. The page's script fills them from the API. */
export function look(texts: Texts): Html {
  const { heading } = texts.page.look;
  return section("look", heading, [empty(texts), ratesChart(texts), newsChart(texts), loadedSources(texts)]);
}

/** The notice that replaces the charts before any load. */
function empty(texts: Texts): Html {
  const { empty: text, loadFiles, refresh, demo } = texts.page.loaded;
  const comment = (words: string) =>
    html`<span class="comment" lang="${texts.language.locale}" dir="auto"># ${words}</span>`;
  const commands = html`${comment(loadFiles)}
npm run statistics:load -- --retractions RW.csv --publications P.csv
${comment(refresh)}
npm run statistics:refresh
${comment(demo)}
npm run statistics:demo`;
  return html`<div class="notice" id="never-loaded" hidden><p>${text}</p>${snippetOf(texts, commands)}</div>
<p class="notice warning" id="synthetic" hidden>${texts.page.script.synthetic}</p>`;
}

function ratesChart(texts: Texts): Html {
  const { look: words } = texts.page;
  const names = new Intl.DisplayNames(texts.language.locale, { type: "region" });
  const regions = REGIONS.map(
    ({ slug, m49, parent }) =>
      html`<option value="${slug}">${parent === null ? "" : "\u2003"}${names.of(m49) ?? slug}</option>`,
  );
  const columns = [words.rank, words.country, words.papers, words.publications, words.rate, words.interval];
  return html`<figure class="chart" id="rates" aria-labelledby="rates-title">
<figcaption><h3 id="rates-title">${words.ratesTitle}</h3><p>${texts.say(words.ratesIntro)}</p></figcaption>
<form class="controls">
<label>${words.window} <select name="window" disabled></select></label>
<label>${words.region} <select name="region" disabled><option value="">${words.world}</option>${regions}</select></label>
</form>
<p class="state" role="status"></p>
<div class="drawing" hidden>
<ul class="legend" aria-hidden="true">
<li class="stable">${texts.say(words.stable)}</li>
<li class="unstable">${texts.say(words.unstable)}</li>
<li class="beyond" hidden>${words.beyond}</li>
</ul>
<div class="plot"></div>
<p class="axis-name">${texts.say(words.ratesAxis)}</p>
<p class="axis-name extent" hidden>${words.country} <bdi></bdi></p>
${tableOf(texts, "rates", columns)}
<p><a class="csv" href="/v1/countries?format=csv" download>${words.csv}</a></p>
</div>
</figure>`;
}

function newsChart(texts: Texts): Html {
  const { look: words } = texts.page;
  const columns = [words.month, words.mentions, words.monitored, words.share];
  return html`<figure class="chart" id="news" aria-labelledby="news-title">
<figcaption><h3 id="news-title">${words.newsTitle}</h3><p>${texts.say(words.newsIntro)}</p></figcaption>
<p class="state" role="status"></p>
<div class="drawing" hidden>
<p class="axis-name">${words.newsAxis}</p>
<div class="plot"></div>
${tableOf(texts, "news", columns)}
</div>
</figure>`;
}

/** The figures of a chart as a table, with the number of rows. It can be scrolled by keyboard. */
function tableOf(texts: Texts, chart: "rates" | "news", columns: readonly string[]): Html {
  return html`<details class="figures"><summary>${texts.page.look.table} <span class="row-count"></span></summary>
<div class="scroll" role="group" tabindex="0" aria-labelledby="${chart}-title"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${texts.say(column)}</th>`)}</tr></thead>
<tbody></tbody>
</table></div></details>`;
}

function loadedSources(texts: Texts): Html {
  const { heading, version, source, retrieved, newest, state } = texts.page.loaded;
  const columns = [source, retrieved, newest, state];
  return html`<div id="loaded" hidden>
<h3 id="loaded-title">${heading}</h3>
<p>${version} <code dir="ltr" class="dataset-version"></code></p>
<div class="scroll" role="group" tabindex="0" aria-labelledby="loaded-title"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody></tbody>
</table></div>
</div>`;
}
