import { type Content, type Html, html } from "../../http/html.ts";
import { FIELDS } from "../facts/fields.ts";
import { PUBLICATIONS_MIN, STABLE_PAPERS_MIN } from "../rates/ranking.ts";
import { RATE_BASE, TAIL } from "../rates/rate.ts";
import type { Field, Parameter, ProblemReference } from "./api-reference.ts";
import type { Catalogue, Language } from "./languages.ts";
import { prose } from "./markup.ts";

/** What a template's `{name}` stands for. */
export type Values = { readonly [name: string]: Content };

/** All texts of the page in one language. Each method throws Error for what the catalogue does not have. */
export class Texts {
  readonly language: Language;
  readonly page: Catalogue["page"];
  /** The numbers of the API as the language writes them. */
  readonly numbers: { readonly [name: string]: string };
  readonly plurals: Catalogue["plurals"];
  readonly #reference: Catalogue["reference"];

  constructor(language: Language, catalogue: Catalogue, numbers: { readonly [name: string]: string }) {
    this.language = language;
    this.page = catalogue.page;
    this.plurals = catalogue.plurals;
    this.numbers = numbers;
    this.#reference = catalogue.reference;
  }

  /** A message with its numbers, its `code` and the given values in it. */
  say(message: string, values: Values = {}): Html {
    const pieces = message.split(PLACEHOLDER);
    const known: Values = { ...this.numbers, ...values };
    return html`${pieces.map((piece, index) => (index % 2 === 0 ? prose(piece) : found(known[piece], piece)))}`;
  }

  summaryOf(operationId: string, english: string): string {
    return this.#text("operations", `${operationId}.summary`, english);
  }

  descriptionOf(operationId: string, english: string): Html {
    return prose(this.#text("operations", `${operationId}.description`, english));
  }

  parameter({ name, description }: Parameter): Html {
    return prose(this.#text("parameters", name, description));
  }

  field({ key, description }: Field): Html {
    return prose(this.#text("fields", key, description));
  }

  header({ name, meaning }: { readonly name: string; readonly meaning: string }): Html {
    return prose(this.#text("headers", name, meaning));
  }

  problem({ code, meaning }: ProblemReference): Html {
    return prose(this.#text("problems", code, meaning));
  }

  /** English is what schemas and operations say; where they say nothing, and in other languages, it is the catalogue's. */
  #text(group: keyof Catalogue["reference"], key: string, english: string | undefined): string {
    const text =
      this.language.tag === "en" ? (english ?? this.#reference[group][key]) : this.#reference[group][key];
    return found(text, `${group}.${key}`);
  }
}

const PLACEHOLDER = /\{(\w+)\}/;

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the page has no text for ${name}`);
  return value;
}

/** The numbers in the texts as a language writes them; all come from where they are in force. */
export function pageValues(locale: string): { readonly [name: string]: string } {
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
