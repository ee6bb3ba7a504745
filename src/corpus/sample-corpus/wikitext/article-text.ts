import wtf from "wtf_wikipedia";
import { decodeEntities } from "./decode-entities.ts";
import { proseLines } from "./prose-lines.ts";
import { GAP, stripMarkup } from "./strip-markup.ts";

/** Shorter paragraphs are captions, labels and pointers that stand by themselves. */
const PARAGRAPH_CHARS_MIN = 60;

/**
 * What may not occur in clean prose: brackets of links and templates, tags, unknown entities, gaps, addresses,
 * table rows, code. A paragraph that shows any of it is left out whole, for its text around the mark is broken too.
 */
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

/** The end of a sentence, perhaps inside a quotation or parentheses. */
const SENTENCE_END = /[.!?…]['"”’)\]]*(?=\s|$)/g;

/**
 * The prose of an article at its wikitext: paragraphs separated by one empty line.
 * Headings are left out, as they are no sentences and the same few words stand in every article; so are lists,
 * tables, notes and sections of sources. Throws what the parser throws on wikitext that it can't read.
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

/** Decodes entities, escaped twice at times, and closes the holes that removed marks leave in a sentence. */
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

/** Cuts what follows the last end of a sentence: most often the words that introduced a list or a formula. */
function wholeSentences(paragraph: string): string {
  const last = [...paragraph.matchAll(SENTENCE_END)].at(-1);
  return last === undefined ? "" : paragraph.slice(0, last.index + last[0].length);
}

/** A paragraph that starts in lower case goes on after a formula or a list that was left out. */
function isProse(paragraph: string): boolean {
  return (
    paragraph.length >= PARAGRAPH_CHARS_MIN && !LEFTOVER.test(paragraph) && !/^\P{L}*\p{Ll}/u.test(paragraph)
  );
}
