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
import { LANGUAGES, type LanguageTag } from "./languages.ts";
import { type Catalogue, createTexts, type Texts } from "./texts.ts";

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
