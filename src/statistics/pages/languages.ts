import { FIELDS } from "../facts/fields.ts";
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

/** A message for each plural category of the language (Unicode's plural rules). */
type PluralForms = { readonly [category in Intl.LDMLPluralRule]?: string };

type Texts = { readonly [key: string]: string };

export type Catalogue = {
  /** The texts of the pages themselves. */
  readonly page: typeof en.page;
  readonly plurals: { readonly [name in keyof typeof en.plurals]: PluralForms };
  /** The disciplines by their numbers in OpenAlex. */
  readonly disciplines: Texts;
  /** The translations of the texts of schemas and operations, under the keys of the reference. */
  readonly reference: {
    /** `{operationId}.summary` and `{operationId}.description`. */
    readonly operations: Texts;
    readonly parameters: Texts;
    readonly headers: Texts;
    readonly problems: Texts;
    readonly fields: Texts;
  };
};

/** The messages of each language. The English catalogue has only the texts that schemas and facts lack. */
export const CATALOGUES: Readonly<Record<LanguageTag, Catalogue>> = {
  ...{ ar, de, es, fr, hi, id, it, ja, pl, pt, ru, tr, zh },
  en: {
    ...en,
    disciplines: Object.fromEntries(FIELDS.map(({ fieldId, name }) => [fieldId, name])),
    reference: { operations: {}, parameters: {}, headers: {}, problems: {}, ...en.reference },
  },
};
