import type { Language } from "../../../src/http/languages/languages.ts";
import { operationsOf } from "../../../src/http/routing/route.ts";
import { statisticsRoutes } from "../../../src/statistics/api/routes.ts";
import { describeApi } from "../../../src/statistics/pages/api-reference.ts";
import { CATALOGUES, type Catalogue } from "../../../src/statistics/pages/languages.ts";

/** Messages that are equal in every language: names, and templates of values only. */
const ALIKE_EVERYWHERE = [
  "answers.csv",
  "endpoints.types.null",
  "script.newsPoint",
  "script.yearPoint",
  "script.rankOf",
  "script.milliseconds",
  "fields.NewsMonth.share",
];

/**
 * The faults of the texts of a language other than English, one line each.
 *
 * @param alike keys of the page's messages that are equal in English.
 */
export function catalogueFaults(
  language: Language,
  catalogue: Catalogue,
  alike: readonly string[],
): readonly string[] {
  const page = messagesOf(catalogue.page);
  const reference = messagesOf(catalogue.reference);
  const englishPage = messagesOf(CATALOGUES.en.page);
  const englishReference = englishTexts();
  return [
    ...keyFaults("page", englishPage, page),
    ...keyFaults("reference", englishReference, reference),
    ...keyFaults("disciplines", messagesOf(CATALOGUES.en.disciplines), messagesOf(catalogue.disciplines)),
    ...alikeFaults(englishPage, page, alike),
    ...alikeFaults(englishReference, reference, []),
    ...alikeFaults(messagesOf(CATALOGUES.en.disciplines), messagesOf(catalogue.disciplines), []),
    ...contentFaults(englishPage, page),
    ...contentFaults(englishReference, reference),
    ...pluralFaults(language, catalogue.plurals),
  ];
}

/** The texts of a tree of messages, by path: `look.heading`. */
export function messagesOf(tree: object, before = ""): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries<unknown>({ ...tree })) {
    if (typeof value === "string") found.set(`${before}${name}`, value);
    else if (typeof value === "object" && value !== null) {
      for (const [path, text] of messagesOf(value, `${before}${name}.`)) found.set(path, text);
    }
  }
  return found;
}

/** All texts of the English reference: from the schemas, or from the catalogue where they have none. */
export function englishTexts(): ReadonlyMap<string, string> {
  const { endpoints, envelope, problem, headers, problems } = describeApi(operationsOf(statisticsRoutes));
  const own = CATALOGUES.en.reference.fields;
  const schemas = [...envelope, problem, ...endpoints.flatMap((endpoint) => endpoint.schemas)];
  return new Map([
    ...endpoints.flatMap(
      ({ operationId, summary, description }) =>
        [
          [`operations.${operationId}.summary`, summary],
          [`operations.${operationId}.description`, description],
        ] as const,
    ),
    ...endpoints
      .flatMap(({ parameters }) => parameters)
      .map(({ name, description }) => [`parameters.${name}`, description] as const),
    ...headers.map(({ name, meaning }) => [`headers.${name}`, meaning] as const),
    ...problems.map(({ code, meaning }) => [`problems.${code}`, meaning] as const),
    ...schemas
      .flatMap(({ fields }) => fields)
      .map(({ key, description }) => [`fields.${key}`, description ?? own[key] ?? ""] as const),
  ]);
}

function keyFaults(
  part: string,
  wanted: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
): readonly string[] {
  const missing = [...wanted.keys()].filter((key) => (given.get(key) ?? "").trim() === "");
  const extra = [...given.keys()].filter((key) => !wanted.has(key));
  return [
    ...missing.map((key) => `${part}: ${key} is missing`),
    ...extra.map((key) => `${part}: ${key} is not used`),
  ];
}

/** Texts that are still English, and excused keys whose texts differ from English. */
function alikeFaults(
  english: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
  excused: readonly string[],
): readonly string[] {
  const alike = [...given].filter(([key, text]) => english.get(key) === text).map(([key]) => key);
  const excess = excused.filter((key) => !alike.includes(key));
  const allExcused = [...ALIKE_EVERYWHERE, ...excused];
  return [
    ...alike.filter((key) => !allExcused.includes(key)).map((key) => `${key} is not translated`),
    ...excess.map((key) => `${key} is translated, and listed as alike`),
  ];
}

/** Placeholders and names of the API that a translation lost or added. */
function contentFaults(
  english: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
): readonly string[] {
  return [...given].flatMap(([key, text]) => {
    const original = english.get(key) ?? "";
    return [
      ...(valuesIn(text) === valuesIn(original) ? [] : [`${key} has other values: ${valuesIn(text)}`]),
      ...(codeIn(text) === codeIn(original) ? [] : [`${key} has other code: ${codeIn(text)}`]),
    ];
  });
}

/** Larger counts have the plural categories of these. */
const COUNTS = Array.from({ length: 1_000 }, (_, count) => count);

function pluralFaults({ locale }: Language, plurals: Catalogue["plurals"]): readonly string[] {
  const rules = new Intl.PluralRules(locale);
  const wanted = rules.resolvedOptions().pluralCategories.toSorted().join();
  const faults: string[] = [];
  for (const [name, forms] of Object.entries(plurals)) {
    const given = Object.keys(forms).toSorted().join();
    if (given !== wanted) faults.push(`plural ${name} has ${given}, not ${wanted}`);
    for (const [category, form] of Object.entries(forms)) {
      const values = valuesIn(form);
      // A category with a single count may have that count in words.
      const isOfOne = COUNTS.filter((count) => rules.select(count) === category).length === 1;
      if (values !== "{count}" && !(isOfOne && values === ""))
        faults.push(`plural ${name}.${category}: ${values}`);
    }
  }
  const missing = Object.keys(CATALOGUES.en.plurals).filter((name) => !(name in plurals));
  return [...faults, ...missing.map((name) => `plural ${name} is missing`)];
}

function valuesIn(text: string): string {
  return [...new Set(text.match(/\{\w+\}/g))].toSorted().join();
}

/** The code between backticks, and whether a backtick has no partner. */
function codeIn(text: string): string {
  const pieces = text.split("`");
  const code = pieces.filter((_, index) => index % 2 === 1);
  return [...(pieces.length % 2 === 0 ? ["an odd backtick"] : []), ...new Set(code)].toSorted().join();
}
