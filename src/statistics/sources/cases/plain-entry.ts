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
  const document = wtf(wikitext);
  return {
    text: document
      .text()
      .replaceAll(/\s+/g, " ")
      .replaceAll(/\s+([,.;:)])/g, "$1")
      .trim(),
    links: [...wikitext.matchAll(/\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|([^[\]]*))?\]\]/g)].map(
      ([, page, text]) => ({
        page: (page ?? "").replaceAll("_", " ").trim(),
        text: (text ?? page ?? "").trim(),
      }),
    ),
  };
}
