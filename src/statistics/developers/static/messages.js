// Texts in the language of the page, with its own forms of numbers, plurals, dates and names.

export const language = document.documentElement.lang;
export const isRightToLeft = document.documentElement.dir === "rtl";

const { messages, plurals, numbers } = JSON.parse(document.body.dataset.messages);
const pluralRules = new Intl.PluralRules(language);
const wholeNumber = new Intl.NumberFormat(language);
const threeDigits = new Intl.NumberFormat(language, {
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});
const percentage = new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 2 });
const monthName = new Intl.DateTimeFormat(language, { year: "numeric", month: "long", timeZone: "UTC" });
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

/** A rate to three digits: what comes after them is far inside every interval. */
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

/** @param time a date or a time, as the API gives it */
export function formatDay(time) {
  return dayName.format(new Date(time));
}

/** The country of a code in the language of the page. */
export function countryName(code) {
  return countryNames.of(code);
}

function fill(message, values) {
  return message.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? numbers[name]);
}
