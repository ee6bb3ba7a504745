import { type Content, type Html, html } from "../../http/html.ts";
import type { Language } from "../../http/languages/languages.ts";
import { FIELDS } from "../facts/fields.ts";
import { PUBLICATIONS_MIN, STABLE_PAPERS_MIN } from "../rates/ranking.ts";
import { RATE_BASE, TAIL } from "../rates/rate.ts";
import { CATALOGUES, type Catalogue } from "./languages.ts";

/** The values of a message's `{name}` placeholders. */
type Values = { readonly [name: string]: Content };

/** All texts of the pages in one language. Each method throws Error for a missing text. */
export class Texts {
  readonly language: Language;
  readonly page: Catalogue["page"];
  /** The numbers of the API as the language writes them. */
  readonly numbers: { readonly [name: string]: string };
  readonly plurals: Catalogue["plurals"];
  /** The names of the disciplines by their numbers. */
  readonly disciplines: { readonly [fieldId: string]: string };
  readonly #reference: Catalogue["reference"];

  constructor(language: Language) {
    const { page, plurals, disciplines, reference } = CATALOGUES[language.tag];
    this.language = language;
    this.page = page;
    this.plurals = plurals;
    this.disciplines = disciplines;
    this.numbers = numbersOf(language.locale);
    this.#reference = reference;
  }

  /** A message with its numbers, its `code` and the given values in it. */
  say(message: string, values: Values = {}): Html {
    const pieces = message.split(PLACEHOLDER);
    const known: Values = { ...this.numbers, ...values };
    return html`${pieces.map((piece, index) => (index % 2 === 0 ? prose(piece) : found(known[piece], piece)))}`;
  }

  /**
   * A text of the reference. In English it comes from schemas and operations. Where they have no text, and in other
   * languages, it comes from the catalogue.
   */
  reference(group: keyof Catalogue["reference"], key: string, english: string | undefined): Html {
    const translated = this.#reference[group][key];
    const text = this.language.tag === "en" ? (english ?? translated) : translated;
    return prose(found(text, `${group}.${key}`));
  }
}

const PLACEHOLDER = /\{(\w+)\}/;

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the pages have no text for ${name}`);
  return value;
}

/** The numbers in the texts as a language writes them. They come from the constants that the API uses. */
function numbersOf(locale: string): { readonly [name: string]: string } {
  const number = new Intl.NumberFormat(locale);
  return {
    per: number.format(RATE_BASE),
    confidence: new Intl.NumberFormat(locale, { style: "percent" }).format(1 - 2 * TAIL),
    stable: number.format(STABLE_PAPERS_MIN),
    fields: number.format(FIELDS.length),
    countryMin: number.format(PUBLICATIONS_MIN.country),
    institutionMin: number.format(PUBLICATIONS_MIN.institution),
    limit: number.format(REQUESTS_PER_MINUTE),
  };
}

/** The specification's limit. An instance may be set to another one; its answers name it in `RateLimit-Policy`. */
const REQUESTS_PER_MINUTE = 120;

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
