import type { LanguageTag } from "../../http/languages/languages.ts";
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
