/** Whether `code` is one of the 183 language codes of ISO 639-1, in lower case. */
export function isLanguage(code: string): boolean {
  return LANGUAGES.has(code);
}

/** The language codes of ISO 639-1, in lower case and in order. */
export const LANGUAGE_CODES: readonly string[] = [
  "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz",
  "ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii",
  "ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi",
  "mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw",
  "sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk",
  "ur uz ve vi vo wa wo xh yi yo za zh zu",
]
  .join(" ")
  .split(" ");

const LANGUAGES: ReadonlySet<string> = new Set(LANGUAGE_CODES);

/** The language of a text that does not tell its own. */
export const LANGUAGE_DEFAULT = "en";

/** Who says which language a text is in; `default`: nobody, and it could not be detected. */
export const LANGUAGE_ORIGINS = ["stated", "detected", "default"] as const;
export type LanguageOrigin = (typeof LANGUAGE_ORIGINS)[number];

/** The locale that segments `language`, or English (the root rules) if ICU does not know it; `Intl` would use the host's. */
export function segmenterLocale(language: string): string {
  const wellFormed = /^[a-z]{2,3}$/i.test(language);
  return wellFormed && Intl.Segmenter.supportedLocalesOf(language).length > 0 ? language : "en";
}
