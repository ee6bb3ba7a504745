import { decodeHTMLStrict } from "entities";
import wtf from "wtf_wikipedia";

/** Shorter paragraphs are captions, labels and cross-references. */
const PARAGRAPH_CHARS_MIN = 60;

/** Marks a removed formula: U+FFFC, the object replacement character. A paragraph that contains it has a gap. */
const GAP = "\ufffc";

/** Marks that do not occur in clean prose: a paragraph with any is dropped, as the text around the mark is damaged too. */
const LEFTOVER = new RegExp(
  [
    String.raw`\[\[|\]\]|\{\{|\}\}|\{\||\|\}|\[\d+\]|==|~~~|\|`,
    String.raw`</?[a-z!]|&#?\w{1,8};`,
    String.raw`https?:|ftp:|www\.`,
    String.raw`\b(?:thumb|left|right|\d+px)\||\b(?:Image|File|Category):`,
    `${GAP}|\\ufffd`,
    String.raw`[{};]\s*$|\S {4,}\S`,
  ].join("|"),
  "i",
);

/** The end of a sentence, possibly inside a quotation or parentheses. */
const SENTENCE_END = /[.!?…]['"”’)\]]*(?=\s|$)/g;

/**
 * The prose of an article: paragraphs separated by one empty line. Templates, tables and tags are removed first, as
 * `wtf_wikipedia` keeps text of many that were common in 2006. @throws the parser's error for wikitext that it can't
 * read.
 */
export function articleText(title: string, wikitext: string): string {
  const document = wtf(proseLines(stripMarkup(wikitext)), { title });
  return document
    .paragraphs()
    .map((paragraph) => wholeSentences(tidyParagraph(paragraph.text())))
    .filter(isProse)
    .map((paragraph) => paragraph.replace(/\s+/g, " "))
    .join("\n\n");
}

/** A zero-width space in place of an inline tag, so that `''x''<sub>''n''</sub>` keeps its two pairs of quotes apart. */
const SEAM = "\u200b";

/** Elements without prose, with their content. */
const NON_PROSE =
  /<(table|gallery|pre|timeline|hiero|ref|references|script|source|caption|ul|ol|dl|includeonly)\b(?:[^>]*\/>|[^>]*>[\s\S]*?<\/\1\s*>)/gi;
const FORMULA = /<math\b[^>]*>[\s\S]*?<\/math\s*>/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const BLOCK_TAG = /<\/?(?:p|div|center|blockquote|hr|h[1-6])\b[^>]*>/gi;
const LINE_TAG = /<br\b[^>]*>/gi;
const INLINE_TAG =
  /<\/?(?:b|i|u|s|em|strong|strike|del|ins|tt|code|var|cite|span|font|small|big|sub|sup|nowiki|a|abbr|noinclude)\b[^>]*>/gi;

/** Templates of 2006 whose last argument belongs to the sentence: foreign words and signs. */
const TEXT_TEMPLATE =
  /\{\{\s*(?:IPA\d?|Unicode|polytonic|ArabDIN|Arabiyyah|Hayeren|Semxlit|ar|lang\s*\|[^|{}]*|lang-[\w-]+|nihongo)\s*\|\s*([^|{}]*?)\s*(?:\|[^{}]*)?\}\}/gi;
const OKINA = /\{\{\s*okina\s*\}\}/gi;
const TEMPLATE = /\{\{[^{}]*\}\}/g;
const TABLE = /\{\|(?:(?!\{\||\|\})[\s\S])*\|\}/g;

/** Links to categories and to other languages, which are not part of the text. */
const MARGIN_LINK = /\[\[\s*(?:Category|[a-z]{2,3}(?:-[a-z-]+)?|simple)\s*:[^[\]\n]*\]\]/gi;
const SOUND_LINK = /\[\[\s*Media\s*:[^[\]|\n]*(?:\|([^[\]\n]*))?\]\]/gi;
const MAGIC_WORD = /__[A-Z]{3,}__/g;

/** Removes comments, templates, tables, formulas, HTML tags, category and language links; leaves other links and images. */
function stripMarkup(wikitext: string): string {
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

function withoutNested(text: string, innermost: RegExp): string {
  let before = text;
  let after = text.replace(innermost, "");
  while (after !== before) {
    before = after;
    after = after.replace(innermost, "");
  }
  return after;
}

/** Headings of sections that only list sources and cross-references, even where these are written as paragraphs. */
const APPARATUS =
  /^(?:see also|(?:external |web ?)?links?(?: and references)?|(?:(?:general|cited|selected|further|online|additional|recommended|other) )?(?:references|sources|reading|readings|bibliography|literature|works cited|resources)|references and .*|sources and .*|notes(?: and references)?|foot ?notes|end ?notes|citations|credits|discography|filmography|selected works|works|publications|books|related (?:topics|articles)|further information|recommended sources used)$/i;

/** A line that only refers to another article, in italics by the convention of 2006. */
const POINTER =
  /^[:*\s]*'{2,}\s*\(?(?:see\b|main\b|for\b.*\bsee\b|further information\b|this (?:article|page) is about\b|alternat(?:e|ive) (?:meaning|use)|note:|from\b.*\bcommons)/i;

/** Headings, list items and indented lines (`* # : ;`), preformatted lines (a leading space) and rows of broken tables. */
const NO_PROSE_LINE = /^(?:[*#:;|!]|\s|-{4,}|\{\|)/;

/** Replaces every line that is not running text, and all lines of source sections, by an empty line, which ends a paragraph. */
function proseLines(wikitext: string): string {
  let apparatusDepth = Number.POSITIVE_INFINITY;
  const kept = wikitext.split("\n").map((line) => {
    const heading = /^(={1,6})\s*(.*?)\s*=+\s*$/.exec(line);
    if (heading !== null) {
      const depth = heading[1]?.length ?? 0;
      if (depth <= apparatusDepth)
        apparatusDepth = APPARATUS.test(plainHeading(heading[2])) ? depth : Number.POSITIVE_INFINITY;
      return "";
    }
    const isApparatus = apparatusDepth !== Number.POSITIVE_INFINITY;
    return isApparatus || NO_PROSE_LINE.test(line) || POINTER.test(line) ? "" : line;
  });
  return kept.join("\n");
}

function plainHeading(heading = ""): string {
  return heading
    .replace(/[[\]']/g, "")
    .replace(/[:.]$/, "")
    .trim();
}

/** Decodes entities, including ones that are escaped twice, and closes the gaps that removed marks leave in a sentence. */
function tidyParagraph(text: string): string {
  return decodeEntities(decodeEntities(text))
    .replace(/[\u00a0\u2002\u2003\u2009\t\n]/g, " ")
    .replace(/[\u00ad\u200b\u200e\u200f\ufeff]/g, "")
    .replace(/'{3,4}(?=s\b)/g, "'")
    .replace(/'{2,}/g, "")
    .replace(/\s*\[\d{1,3}\](?!\])/g, "")
    .replace(/\s*\([^()]*(?:https?:|ftp:|www\.)[^()]*\)/gi, "")
    .replace(/\[\s*\]/g, "")
    .replace(/\((?:\s*(?:IPA|see|pronounced|pronunciation|listen|audio))?[\s,;:/]*\)/gi, "")
    .replace(/([([])[\s,;:]+/g, "$1")
    .replace(/[\s,;:]+([)\]])/g, "$1")
    .replace(/ +([,.;:?!])(?=\s|$)/g, "$1")
    .replace(/[,;:]+(?=[,;]\s)/g, "")
    .trim();
}

/** Cuts the text after the last sentence, mostly the introduction of a list or a formula. */
function wholeSentences(paragraph: string): string {
  const last = [...paragraph.matchAll(SENTENCE_END)].at(-1);
  return last === undefined ? "" : paragraph.slice(0, last.index + last[0].length);
}

/** A paragraph that starts in lower case continues after a removed formula or list. */
function isProse(paragraph: string): boolean {
  return (
    paragraph.length >= PARAGRAPH_CHARS_MIN && !LEFTOVER.test(paragraph) && !/^\P{L}*\p{Ll}/u.test(paragraph)
  );
}

/** Replaces HTML character references once: `&amp;ndash;` becomes `&ndash;`. An unknown one is kept, to be noticed. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|[A-Za-z]\w{1,7});/g, (whole, decimal, hex) => {
    if (decimal === undefined && hex === undefined) return decodeHTMLStrict(whole);
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return isCharacter(code) ? String.fromCodePoint(code) : whole;
  });
}

function isCharacter(code: number): boolean {
  return code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && (code < 0x7f || code > 0x9f);
}
