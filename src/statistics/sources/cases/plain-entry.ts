import { decodeHTMLStrict } from "entities";
import wtf from "wtf_wikipedia";

export type PlainLink = { readonly page: string; readonly text: string };

/** What readers see of a piece of wikitext. */
export type PlainText = {
  /** One line, without markup. */
  readonly text: string;
  /** Links to pages of the encyclopedia, in their order. */
  readonly links: readonly PlainLink[];
};

/** Renders wikitext: templates and links become their text, tags and what the parser can't show go. */
export function plainText(wikitext: string): PlainText {
  // The parser knows few entities, but `&amp;`: kept from it, so that `&amp;#58;` is decoded once, to `&#58;`. Without its
  // semicolon an entity is text, as in a wiki.
  const document = wtf(wikitext.replaceAll("&amp;", AMPERSAND));
  return {
    text: decodeHTMLStrict(document.text().replaceAll(AMPERSAND, "&amp;"))
      .replaceAll(/\s+/g, " ")
      .replaceAll(/\s+([,.;:)])/g, "$1")
      .trim(),
    links: [...wikitext.matchAll(/\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|([^[\]]*))?\]\]/g)].map(
      ([, page, text]) => ({
        page: decodeHTMLStrict(page ?? "")
          .replaceAll("_", " ")
          .trim(),
        text: decodeHTMLStrict(text ?? page ?? "").trim(),
      }),
    ),
  };
}

/** Stands for `&amp;` while wikitext is parsed: a character of the private use area. */
const AMPERSAND = "\ue001";
