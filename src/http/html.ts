/** Markup with escaped texts. The tag `html` makes it; call the constructor only with constants. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** A value in a template: text, which is escaped; markup, which is not; a list of both; or nothing. */
export type Content = Html | string | number | undefined | readonly Content[];

/** Markup from a template: html`<p>${text}</p>`. Put attribute values in double quotes. */
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
