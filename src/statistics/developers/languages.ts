import ar from "./catalogue/ar.json" with { type: "json" };
import de from "./catalogue/de.json" with { type: "json" };
import en from "./catalogue/en.json" with { type: "json" };
import es from "./catalogue/es.json" with { type: "json" };
import fr from "./catalogue/fr.json" with { type: "json" };
import hi from "./catalogue/hi.json" with { type: "json" };
import id from "./catalogue/id.json" with { type: "json" };
import it from "./catalogue/it.json" with { type: "json" };
import ja from "./catalogue/ja.json" with { type: "json" };
import pl from "./catalogue/pl.json" with { type: "json" };
import pt from "./catalogue/pt.json" with { type: "json" };
import ru from "./catalogue/ru.json" with { type: "json" };
import tr from "./catalogue/tr.json" with { type: "json" };
import zh from "./catalogue/zh.json" with { type: "json" };

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

/** The texts of the page itself. */
export type PageMessages = typeof en.page;

/** A message for each plural category of the language (Unicode's plural rules). */
export type PluralForms = { readonly [category in Intl.LDMLPluralRule]?: string };

type Texts = { readonly [key: string]: string };

export type Catalogue = {
  readonly page: PageMessages;
  readonly plurals: { readonly [name in keyof typeof en.plurals]: PluralForms };
  /** What schemas and operations say in English, under the keys that the reference gives. */
  readonly reference: {
    /** `{operationId}.summary` and `{operationId}.description`. */
    readonly operations: Texts;
    readonly parameters: Texts;
    readonly headers: Texts;
    readonly problems: Texts;
    readonly fields: Texts;
  };
};

/** The messages of each language. In English they hold of the reference only what the schemas leave out. */
export const CATALOGUES: Readonly<Record<LanguageTag, Catalogue>> = {
  ...{ ar, de, es, fr, hi, id, it, ja, pl, pt, ru, tr, zh },
  en: { ...en, reference: { operations: {}, parameters: {}, headers: {}, problems: {}, ...en.reference } },
};
