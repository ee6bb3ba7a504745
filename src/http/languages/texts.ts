import { languageName } from "../../text/language-name.ts";
import type english from "./catalogue/en.json";

/** The English texts of the pages and of exported reports. `{name}` stands for a value. */
type English = typeof english;

/** A form of a counted text for each plural category of the language (Unicode's plural rules). */
type PluralForms = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, "other">]?: string;
};

/** The texts of a language. The compiler finds missing ones, and the tests find superfluous ones. */
export type Catalogue = {
  readonly [key in keyof English]: English[key] extends string ? string : PluralForms;
};

export type TextKey = { [key in keyof English]: English[key] extends string ? key : never }[keyof English];
export type CountKey = Exclude<keyof English, TextKey>;

type Values = { readonly [name: string]: string | number };

/** The texts of one language, with its own forms of numbers, plurals and names. */
export type Texts = ReturnType<typeof createTexts>;

/** @param locale BCP 47, of the catalogue's language; it may name a region, which decides the forms of numbers and dates */
export function createTexts(catalogue: Catalogue, locale: string) {
  const plurals = new Intl.PluralRules(locale);
  const wholeNumber = new Intl.NumberFormat(locale);
  const percentage = new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const wholePercentage = new Intl.NumberFormat(locale, { style: "percent" });
  const languages = new Intl.DisplayNames(locale, { type: "language" });
  const dates = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    ...{ dateStyle: "long", timeStyle: "short", timeZone: "UTC" },
  });
  const lists = new Intl.ListFormat(locale);
  const isEnglish = locale.split("-")[0] === "en";

  const count = (value: number) => wholeNumber.format(value);
  const say = (key: TextKey, values: Values = {}) => fill(catalogue[key], values).join("");
  /** The form for a number. */
  const formFor = (key: CountKey, value: number) => {
    const forms = catalogue[key];
    return forms[plurals.select(value)] ?? forms.other;
  };
  return {
    locale,
    say,
    count,
    /** A text with a number, `{count}`, that decides its form. */
    sayCount: (key: CountKey, value: number, values: Values = {}) =>
      fill(formFor(key, value), { count: count(value), ...values }).join(""),
    /** The pieces of a text with values that are more than text, such as markup. */
    sayParts: <T>(key: TextKey, values: { readonly [name: string]: T | string }) =>
      fill<T | string>(catalogue[key], values),
    /** The same for a text whose form a number decides. */
    countParts: <T>(key: CountKey, value: number, values: { readonly [name: string]: T | string }) =>
      fill<T | string>(formFor(key, value), { count: count(value), ...values }),
    /** A percentage of the API with its two decimals: `12.30%`. */
    percent: (value: number) => percentage.format(value / 100),
    /** A whole percentage: `12%`. */
    wholePercent: (value: number) => wholePercentage.format(value / 100),
    /** A range of whole percentages: `10% – 25%`. */
    percentRange: (from: number, to: number) => wholePercentage.formatRange(from / 100, to / 100),
    decimal: (value: number, digits: number) =>
      value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    /** The name of a language of ISO 639-1. */
    languageName: (code: string) => {
      const name = isEnglish ? code : (languages.of(code) ?? code);
      return name === code ? languageName(code) : name;
    },
    /** Date and time for documents, which have readers in many time zones: `21 November 2026 at 19:50 UTC`. */
    utcDate: (at: string) => `${dates.format(new Date(at))} UTC`,
    list: (items: readonly string[]) => lists.format(items),
    quote: (text: string) => say("quote", { text }),
  };
}

const PLACEHOLDER = /\{(\w+)\}/;

/** The pieces of a message in order. @throws Error for a placeholder without a value */
function fill<T>(message: string, values: { readonly [name: string]: T }): (T | string)[] {
  return message.split(PLACEHOLDER).flatMap((piece, at): (T | string)[] => {
    if (at % 2 === 0) return piece === "" ? [] : [piece];
    const value = values[piece];
    if (value === undefined) throw new Error(`a text has no value for ${piece}`);
    return [value];
  });
}
