import type { WikiPage } from "../sample-article.ts";

/** Why a page is not in the sample. */
export type DropReason =
  | "redirect"
  | "other_namespace"
  | "disambiguation"
  | "list"
  | "date_or_year"
  | "too_short"
  | "unreadable";

/** Shorter texts are stubs: they hold too little to be copied from. Also a bound on the wikitext, which is longer. */
export const ARTICLE_CHARS_MIN = 1000;

const MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const ORDINAL = String.raw`\d{1,2}(?:st|nd|rd|th)`;
const ERA = "(?: BCE?| AD)?";

/** The namespaces of the export's `siteinfo` apart from that of the articles, and their talk pages. */
const OTHER_NAMESPACE =
  /^(?:Media|Special|Talk|(?:User|Wikipedia|Image|File|MediaWiki|Template|Help|Category|Portal)(?: talk)?):/;

const LIST_TITLE =
  /\blists? of\b|^(?:Timeline|Table|Index|Glossary|Chronology|Comparison|Outline|Bibliography|Discography|Topics) of\b|\b(?:timeline|glossary|discography|filmography|bibliography)$/i;

const DATE_TITLE = new RegExp(
  [
    String.raw`^(?:AD )?\d{1,4}s?${ERA}$`,
    String.raw`^\d{3,4}s?${ERA} in `,
    `^${ORDINAL} (?:century|millennium)${ERA}$`,
    `^${MONTH}(?: \\d{1,2})?(?:,? \\d{4})?$`,
    `^(?:Early |Mid-?|Late )?\\d{3,4}s$`,
    String.raw`^1 E-?\d`,
  ].join("|"),
);

/** The templates that mark a disambiguation page in 2006: `{{disambig}}`, `{{TLAdisambig}}`, `{{hndis}}` and their kin. */
const DISAMBIGUATION_TEMPLATE =
  /\{\{\s*(?:msg:|Template:)?(?:\w{0,3}disamb\w*|hndis|geodis|numberdis|roaddis|[34]LA|shipindex|surname)\b/i;

/** Why a page is left out before its wikitext is parsed, or null when it may stay. */
export function dropReason(page: WikiPage): DropReason | null {
  const { title, wikitext } = page;
  if (/^\s*#redirect\b/i.test(wikitext)) return "redirect";
  if (OTHER_NAMESPACE.test(title)) return "other_namespace";
  if (/\(disambiguation\)$/i.test(title) || DISAMBIGUATION_TEMPLATE.test(wikitext)) return "disambiguation";
  if (LIST_TITLE.test(title)) return "list";
  if (DATE_TITLE.test(title)) return "date_or_year";
  if (wikitext.length < ARTICLE_CHARS_MIN) return "too_short";
  return null;
}
