/** Markup in which every text that was put in is escaped. Made by the tag `html`; by hand only of constants. */
export class Html {
  readonly #markup: string;

  /** @param markup what may stand in a page as it is. */
  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What a template takes: text, which it escapes, markup, which it does not, lists of both, and nothing. */
export type Content = Html | string | number | undefined | readonly Content[];

/** Markup from a template: html`<p>${text}</p>`. Attribute values stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.reduce((markup, next, index) => `${markup}${markupOf(values[index - 1])}${next}`));
}

function markupOf(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Html) return content.toString();
  if (typeof content === "string" || typeof content === "number") return escapeText(String(content));
  return content.map(markupOf).join("");
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
