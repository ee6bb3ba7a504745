import { html } from "../../http/html.ts";
import { countryChooser } from "./country-page.ts";
import type { Page } from "./page-frame.ts";
import type { Texts } from "./texts.ts";

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
