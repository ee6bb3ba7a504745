// Texts in the language of the page, with its own forms of numbers, plurals, dates and names.

type Given = {
  readonly messages: Readonly<Record<string, string>>;
  /** The forms of each counted noun, by the names of the language's plural rules. */
  readonly plurals: Readonly<Record<string, Partial<Record<Intl.LDMLPluralRule, string>>>>;
  readonly numbers: Readonly<Record<string, string>>;
  readonly disciplines: Readonly<Record<string, string>>;
  readonly caseTypes: Readonly<Record<string, string>>;
  readonly tag: string;
};

type Values = Readonly<Record<string, string | number>>;

export const language = document.documentElement.lang;
export const isRightToLeft = document.documentElement.dir === "rtl";

const given: Given = JSON.parse(document.body.dataset.messages ?? "{}");

/** The end of the page's path, where `language` may also name a script. */
export const { tag } = given;

const pluralRules = new Intl.PluralRules(language);
const wholeNumber = new Intl.NumberFormat(language);
const threeDigits = new Intl.NumberFormat(language, {
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});
const percentage = new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 2 });
const monthName = new Intl.DateTimeFormat(language, { year: "numeric", month: "long", timeZone: "UTC" });
const yearName = new Intl.DateTimeFormat(language, { year: "numeric", timeZone: "UTC" });
const dayName = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
const countryNames = new Intl.DisplayNames(language, { type: "region" });

/** A message with values in the places of its `{names}`. @throws Error when the page has no such message */
export function say(name: string, values: Values = {}): string {
  return fill(known(given.messages, name), values);
}

/** A count with its noun in the form that the language has for it. */
export function sayCount(name: string, count: number): string {
  const forms = known(given.plurals, name);
  const form = forms[pluralRules.select(count)] ?? forms.other ?? "";
  return fill(form, { count: wholeNumber.format(count) });
}

export function formatCount(count: number): string {
  return wholeNumber.format(count);
}

/** A rate or a ratio to three digits. Further digits are far inside every interval. */
export function formatRate(rate: number): string {
  return rate === 0 ? wholeNumber.format(0) : threeDigits.format(rate);
}

export function formatShare(share: number): string {
  return percentage.format(share);
}

/** @param month such as `2026-10` */
export function formatMonth(month: string): string {
  return monthName.format(new Date(`${month}-01T00:00:00Z`));
}

/** A year without a separator of thousands. */
export function formatYear(year: number | string): string {
  return yearName.format(new Date(`${year}-01-01T00:00:00Z`));
}

/** The base of all rates, as the texts write it for `{per}`. */
export const PER = 100_000;

/** A number of years with its noun. */
export function formatYears(count: number): string {
  return new Intl.NumberFormat(language, { style: "unit", unit: "year", unitDisplay: "long" }).format(count);
}

/** A year of a place in words. */
export function yearText(point: { year: number; rate: number | null; papers: number }): string {
  const { year, rate, papers } = point;
  return say("yearPoint", {
    year: formatYear(year),
    rate: rate === null ? say("gap") : formatRate(rate),
    papers: sayCount("papers", papers),
  });
}

/** @param time a date or a time, as the API gives it */
export function formatDay(time: string): string {
  return dayName.format(new Date(time));
}

/** The discipline of a number in the language of the page. */
export function disciplineName(fieldId: number): string {
  return known(given.disciplines, String(fieldId));
}

/** The kind of work that was plagiarised in a case. */
export function caseTypeName(type: string): string {
  return known(given.caseTypes, type);
}

/** The country of a code in the language of the page. */
export function countryName(code: string): string {
  return countryNames.of(code) ?? code;
}

/** Keeps the characters of a text together in lines of the other direction: a Latin name in an Arabic page. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** The same only where the page reads from the right. */
export function isolatedFromRight(text: string): string {
  return isRightToLeft ? isolated(text) : text;
}

function fill(message: string, values: Values): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? given.numbers[name]));
}

function known<T>(texts: Readonly<Record<string, T>>, name: string): T {
  const text = texts[name];
  if (text === undefined) throw new Error(`the page has no text for ${name}`);
  return text;
}
