// Texts in the language of the page, with its own forms of numbers, plurals, dates and names.

export const language = document.documentElement.lang;
export const isRightToLeft = document.documentElement.dir === "rtl";

const given = JSON.parse(document.body.dataset.messages);
const { messages, plurals, numbers } = given;

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

/** A message with values in the places of its `{names}`. */
export function say(name, values = {}) {
  return fill(messages[name], values);
}

/** A count with its noun in the form that the language has for it. */
export function sayCount(name, count) {
  const forms = plurals[name];
  const form = forms[pluralRules.select(count)] ?? forms.other;
  return fill(form, { count: wholeNumber.format(count) });
}

export function formatCount(count) {
  return wholeNumber.format(count);
}

/** A rate or a ratio to three digits: what comes after them is far inside every interval. */
export function formatRate(rate) {
  return rate === 0 ? wholeNumber.format(0) : threeDigits.format(rate);
}

export function formatShare(share) {
  return percentage.format(share);
}

/** @param month such as `2026-10` */
export function formatMonth(month) {
  return monthName.format(new Date(`${month}-01T00:00:00Z`));
}

/** A year without a separator of thousands. */
export function formatYear(year) {
  return yearName.format(new Date(`${year}-01-01T00:00:00Z`));
}

/** @param time a date or a time, as the API gives it */
export function formatDay(time) {
  return dayName.format(new Date(time));
}

/** The discipline of a number in the language of the page. */
export function disciplineName(fieldId) {
  return given.disciplines[fieldId];
}

/** What was plagiarised in a case. */
export function caseTypeName(type) {
  return given.caseTypes[type];
}

/** The country of a code in the language of the page. */
export function countryName(code) {
  return countryNames.of(code);
}

function fill(message, values) {
  return message.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? numbers[name]);
}
