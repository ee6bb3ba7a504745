import { type Html, html } from "../../http/html.ts";
import { CASE_TYPES } from "../facts/sources.ts";
import { downloadButton } from "./charts.ts";
import { caveats, dataNotices, type Page } from "./page-frame.ts";
import type { Texts } from "./texts.ts";

/** The documented cases, to read and to search. */
export function casesPage(texts: Texts): Page {
  const { about, lists } = texts.page;
  const types = CASE_TYPES.map((type) => html`<option value="${type}">${lists.types[type]}</option>`);
  const typeControl = html`<label>${lists.type} <select name="type"><option value="">${lists.allTypes}</option>${types}</select></label>`;
  return listPage(texts, "cases", {
    ...{ title: about.cases, lead: html`${texts.say(about.casesText)} ${lists.inEnglish}` },
    control: typeControl,
  });
}

/** The latest articles that mention plagiarism in research, to read and to search. */
export function newsPage(texts: Texts): Page {
  const { about, look } = texts.page;
  return listPage(texts, "news", { title: about.news, lead: html`${texts.say(look.newsIntro)}` });
}

type List = { readonly title: string; readonly lead: Html; readonly control?: Html };

/** A list that the page's script fills from the API and filters. */
function listPage(texts: Texts, name: "cases" | "news", { title, lead, control }: List): Page {
  return {
    negotiatedPath: `/${name}`,
    pathIn: (tag) => `/${name}/${tag}`,
    title,
    description: lead,
    ...{ script: `${name}.ts`, topic: name },
    contents: [],
    main: html`<section class="hero">
<h1>${title}</h1>
<p class="lead">${lead}</p>
${dataNotices(texts)}
</section>
<section id="list" class="needs-data" aria-label="${title}">
<form class="controls" id="search" role="search">
<label>${texts.page.lists.search} <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
${control}
</form>
<p class="state" role="status"></p>
<div class="drawing" hidden>
${caveats(texts)}
<ol class="entries"></ol>
<p class="downloads">${downloadButton(texts, "CSV")}</p>
</div>
</section>`,
  };
}
