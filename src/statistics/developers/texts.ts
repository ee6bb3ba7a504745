import { type Content, type Html, html } from "../../http/html.ts";
import type { Catalogue, PageMessages } from "./catalogues.ts";
import type { Language } from "./languages.ts";
import { prose } from "./prose.ts";
import type { Parameter, ProblemReference } from "./reference/api-reference.ts";
import type { Field } from "./reference/fields.ts";

/** What a template's `{name}` stands for. */
export type Values = { readonly [name: string]: Content };

/** All texts of the page in one language. Each method throws Error for what the catalogue does not have. */
export class Texts {
  readonly language: Language;
  readonly page: PageMessages;
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
