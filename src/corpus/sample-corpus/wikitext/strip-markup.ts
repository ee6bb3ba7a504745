/** Stands where a formula was: U+FFFC, the object replacement character. A paragraph that holds it has a gap. */
export const GAP = "\ufffc";

/** A zero-width space where an inline tag was, so that `''x''<sub>''n''</sub>` keeps its two pairs of quotes apart. */
const SEAM = "\u200b";

/** Elements that are no prose, with all they hold. A formula leaves a gap behind, for its sentence needs it. */
const NON_PROSE =
  /<(table|gallery|pre|timeline|hiero|ref|references|script|source|caption|ul|ol|dl|includeonly)\b(?:[^>]*\/>|[^>]*>[\s\S]*?<\/\1\s*>)/gi;
const FORMULA = /<math\b[^>]*>[\s\S]*?<\/math\s*>/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const BLOCK_TAG = /<\/?(?:p|div|center|blockquote|hr|h[1-6])\b[^>]*>/gi;
const LINE_TAG = /<br\b[^>]*>/gi;
const INLINE_TAG =
  /<\/?(?:b|i|u|s|em|strong|strike|del|ins|tt|code|var|cite|span|font|small|big|sub|sup|nowiki|a|abbr|noinclude)\b[^>]*>/gi;

/** Templates of 2006 whose last argument is text of the sentence: foreign words and signs. */
const TEXT_TEMPLATE =
  /\{\{\s*(?:IPA\d?|Unicode|polytonic|ArabDIN|Arabiyyah|Hayeren|Semxlit|ar|lang\s*\|[^|{}]*|lang-[\w-]+|nihongo)\s*\|\s*([^|{}]*?)\s*(?:\|[^{}]*)?\}\}/gi;
const OKINA = /\{\{\s*okina\s*\}\}/gi;
const TEMPLATE = /\{\{[^{}]*\}\}/g;
const TABLE = /\{\|(?:(?!\{\||\|\})[\s\S])*\|\}/g;

/** Links to categories and to the same article in other languages: they stand in a page's margin, not in its text. */
const MARGIN_LINK = /\[\[\s*(?:Category|[a-z]{2,3}(?:-[a-z-]+)?|simple)\s*:[^[\]\n]*\]\]/gi;
const SOUND_LINK = /\[\[\s*Media\s*:[^[\]|\n]*(?:\|([^[\]\n]*))?\]\]/gi;
const MAGIC_WORD = /__[A-Z]{3,}__/g;

/**
 * Takes out of wikitext what is not prose, before it is parsed: comments, templates, tables, formulas, HTML tags,
 * category and language links. Text in brackets of its own, such as links and images, is left to the parser.
 */
export function stripMarkup(wikitext: string): string {
  const prose = wikitext
    .replace(COMMENT, "")
    .replace(FORMULA, GAP)
    .replace(NON_PROSE, "")
    .replace(BLOCK_TAG, "\n\n")
    .replace(LINE_TAG, " ")
    .replace(INLINE_TAG, SEAM)
    .replace(OKINA, "ʻ");
  return withoutNested(withoutNested(prose.replace(TEXT_TEMPLATE, "$1"), TEMPLATE), TABLE)
    .replace(MARGIN_LINK, "")
    .replace(SOUND_LINK, "$1")
    .replace(MAGIC_WORD, "");
}

/** Removes the innermost occurrences until none is left, so that nesting of any depth goes. */
function withoutNested(text: string, innermost: RegExp): string {
  let before = text;
  let after = text.replace(innermost, "");
  while (after !== before) {
    before = after;
    after = after.replace(innermost, "");
  }
  return after;
}
