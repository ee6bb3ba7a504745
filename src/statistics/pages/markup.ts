import { type Content, type Html, html } from "../../http/html.ts";

/** A text in which everything between backticks is marked up as code: left to right and untranslated in every language. */
export function prose(text: string): Html {
  const pieces: readonly Content[] = text
    .split("`")
    .map((piece, index) => (index % 2 === 0 ? piece : code(piece)));
  return html`${pieces}`;
}

/** A name or a value of the API within a text. */
export function code(text: string): Html {
  return html`<code dir="ltr" translate="no">${text}</code>`;
}

/** A part of a page. Its identifier is the same in every language, so that links keep their place. */
export function section(id: string, heading: string, content: Content): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading"><a href="#${id}">${heading}</a></h2>
${content}
</section>
`;
}
