import { type Content, type Html, html } from "../../http/html.ts";

/**
 * A text with its `code` between backticks marked up as such: it runs left to right and is not translated, in any
 * language.
 */
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
