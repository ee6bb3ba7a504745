import { ar } from "./catalogue/ar.ts";
import { de } from "./catalogue/de.ts";
import { type Catalogue, en } from "./catalogue/en.ts";
import { es } from "./catalogue/es.ts";
import { fr } from "./catalogue/fr.ts";
import { hi } from "./catalogue/hi.ts";
import { id } from "./catalogue/id.ts";
import { it } from "./catalogue/it.ts";
import { ja } from "./catalogue/ja.ts";
import { pl } from "./catalogue/pl.ts";
import { pt } from "./catalogue/pt.ts";
import { ru } from "./catalogue/ru.ts";
import { tr } from "./catalogue/tr.ts";
import { zh } from "./catalogue/zh.ts";
import { LANGUAGES, type LanguageTag } from "./languages.ts";
import { createTexts, type Texts } from "./texts.ts";

/** The texts of all languages, for the exports and the frames of pages. A page's script loads only its own language. */
export const CATALOGUES: Readonly<Record<LanguageTag, Catalogue>> = {
  ...{ ar, de, en, es, fr, hi, id, it, ja, pl, pt, ru, tr, zh },
};

const TEXTS = new Map(
  LANGUAGES.map(({ tag, locale }) => [tag, createTexts(CATALOGUES[tag], locale)] as const),
);

/** The texts of a language in its general form, without a region. */
export function textsIn(tag: LanguageTag): Texts {
  return TEXTS.get(tag) ?? createTexts(CATALOGUES[tag], tag);
}
