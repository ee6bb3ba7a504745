import { type Html, html } from "../../../http/html.ts";
import type { Texts } from "../texts.ts";
import { section } from "./section.ts";

/** The other descriptions of the API. */
export function more(texts: Texts): Html {
  const { heading, swagger, redoc, openapi } = texts.page.more;
  return section(
    "more",
    heading,
    html`<ul class="points">
<li><a href="/docs">${swagger}</a></li>
<li><a href="/redoc">${redoc}</a></li>
<li><a href="/openapi.json">${openapi}</a></li>
</ul>`,
  );
}
