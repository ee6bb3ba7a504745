import type { Context } from "koa";

/** The language for readers whose languages the pages do not have. */
export const FALLBACK = language("en", "English");

/** The languages of the pages in the order in which they list them: by their own names, alphabet by alphabet. */
export const LANGUAGES = [
  language("id", "Bahasa Indonesia"),
  language("de", "Deutsch"),
  FALLBACK,
  language("es", "Español"),
  language("fr", "Français"),
  language("it", "Italiano"),
  language("pl", "Polski"),
  language("pt", "Português"),
  language("tr", "Türkçe"),
  language("ru", "Русский"),
  language("ar", "العربية", "ar", "rtl"),
  language("hi", "हिन्दी"),
  language("zh", "简体中文", "zh-Hans"),
  language("ja", "日本語"),
];
export type Language = (typeof LANGUAGES)[number];
export type LanguageTag = Language["tag"];

export const LANGUAGE_TAGS = LANGUAGES.map(({ tag }) => tag);

/** The language that a path names, in any case; undefined for one that the pages do not have. */
export function findLanguage(tag: string): Language | undefined {
  return LANGUAGES.find((one) => one.tag === tag.toLowerCase());
}

/**
 * @param tag the end of a path such as `/developers/{tag}`.
 * @param name the language's name in itself.
 * @param locale BCP 47, for `lang`, `hreflang`, `Content-Language` and Intl: names the script where a language has several.
 */
function language<const T extends string>(
  tag: T,
  name: string,
  locale: string = tag,
  direction: "ltr" | "rtl" = "ltr",
) {
  return { tag, locale, name, direction };
}

/** Names the language that the reader chose, which goes before the languages of the browser. */
export const LANGUAGE_COOKIE = "language";

/** The language that the reader chose; otherwise the browser's. */
export function chosenLanguage(ctx: Context): Language {
  return findLanguage(ctx.cookies.get(LANGUAGE_COOKIE) ?? "") ?? acceptedLanguage(ctx);
}

/**
 * The browser's first language that the pages have; a regional variant (`de-AT`) matches its language. The fallback comes
 * first because a browser that accepts any language, or names none, gets the first.
 */
export function acceptedLanguage(ctx: Context): Language {
  const accepted = ctx.acceptsLanguages(FALLBACK.tag, ...LANGUAGE_TAGS);
  return (accepted === false ? undefined : findLanguage(String(accepted))) ?? FALLBACK;
}
