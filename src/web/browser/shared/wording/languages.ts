import { LANGUAGE_CODES } from "../../../../core/text/languages.ts";

export type NamedLanguage = { readonly code: string; readonly name: string };

/** The pages are written in English, and so are the names in them. */
const NAMES = new Intl.DisplayNames("en", { type: "language" });

/** The name of a language, as `German`; its code where nobody gave it one. */
export function languageName(code: string): string {
  return NAMES.of(code) ?? code;
}

/** Every language that the engine knows, by name. */
export function namedLanguages(): NamedLanguage[] {
  return [...LANGUAGE_CODES]
    .map((code) => ({ code, name: languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}
