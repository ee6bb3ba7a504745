/** In the order in which the page offers them: by their own names, each alphabet by itself. */
export const LANGUAGE_TAGS = [
  "id",
  "de",
  "en",
  "es",
  "fr",
  "it",
  "pl",
  "pt",
  "tr",
  "ru",
  "ar",
  "hi",
  "zh",
  "ja",
] as const;
export type LanguageTag = (typeof LANGUAGE_TAGS)[number];

/** A language of the page. */
export type Language = {
  /** What stands in the path, `/developers/{tag}`. */
  readonly tag: LanguageTag;
  /** BCP 47, for `lang`, `hreflang`, `Content-Language` and Intl: names the script where a language has several. */
  readonly locale: string;
  /** Its name in itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
};

/** What is shown to readers none of whose languages are there. */
export const FALLBACK: LanguageTag = "en";

const LANGUAGES: Readonly<Record<LanguageTag, Language>> = {
  id: leftToRight("id", "Bahasa Indonesia"),
  de: leftToRight("de", "Deutsch"),
  en: leftToRight("en", "English"),
  es: leftToRight("es", "Español"),
  fr: leftToRight("fr", "Français"),
  it: leftToRight("it", "Italiano"),
  pl: leftToRight("pl", "Polski"),
  pt: leftToRight("pt", "Português"),
  tr: leftToRight("tr", "Türkçe"),
  ru: leftToRight("ru", "Русский"),
  ar: { tag: "ar", locale: "ar", name: "العربية", direction: "rtl" },
  hi: leftToRight("hi", "हिन्दी"),
  zh: { tag: "zh", locale: "zh-Hans", name: "简体中文", direction: "ltr" },
  ja: leftToRight("ja", "日本語"),
};

export function languageOf(tag: LanguageTag): Language {
  return LANGUAGES[tag];
}

/** The language that a path names, in any case; undefined for one that the page does not have. */
export function findLanguage(tag: string): Language | undefined {
  const known = LANGUAGE_TAGS.find((one) => one === tag.toLowerCase());
  return known === undefined ? undefined : languageOf(known);
}

function leftToRight(tag: LanguageTag, name: string): Language {
  return { tag, locale: tag, name, direction: "ltr" };
}
