import { createHash } from "node:crypto";
import { articleText } from "./article-text.ts";

export type WikiPage = { readonly title: string; readonly revision: number; readonly wikitext: string };

/** One article of the sample: clean prose in paragraphs, each separated by one empty line. */
export type SampleArticle = {
  readonly title: string;
  readonly text: string;
  readonly sourceUrl: string;
  /** The title as a file name that is valid on all usual file systems. */
  readonly filename: string;
};

type DropReason =
  | "redirect"
  | "other_namespace"
  | "disambiguation"
  | "list"
  | "date_or_year"
  | "too_short"
  | "unreadable";

export type Selection = {
  readonly articles: readonly SampleArticle[];
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  readonly pages: number;
};

/** More pages are read than needed: 10% of the pages that pass the rules on title and wikitext have too little prose (115 of 1,115). */
const SURPLUS = 1.25;
const SURPLUS_MIN = 20;

/** Shorter texts are stubs with too little to copy from. Also a bound on the wikitext, which is longer. */
const ARTICLE_CHARS_MIN = 1000;

/** The `limit` qualifying articles whose titles have the smallest SHA-1: an even sample that is the same on every machine. */
export async function selectArticles(pages: AsyncIterable<WikiPage>, limit: number): Promise<Selection> {
  const dropped: Partial<Record<DropReason, number>> = {};
  const drop = (reason: DropReason) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  const capacity = Math.ceil(limit * SURPLUS) + SURPLUS_MIN;
  let candidates: Candidate[] = [];
  let read = 0;
  for await (const page of pages) {
    read++;
    const reason = dropReason(page);
    if (reason !== null) {
      drop(reason);
      continue;
    }
    candidates.push({ page, order: createHash("sha1").update(page.title).digest("hex") });
    // Bounds the wikitext in memory.
    if (candidates.length >= 2 * capacity) candidates = candidates.toSorted(byOrder).slice(0, capacity);
  }
  const articles: SampleArticle[] = [];
  for (const { page } of candidates.toSorted(byOrder).slice(0, capacity)) {
    if (articles.length === limit) break;
    const result = readArticle(page);
    if (typeof result === "string") drop(result);
    else articles.push(result);
  }
  return { articles, dropped, pages: read };
}

type Candidate = { readonly page: WikiPage; readonly order: string };

function byOrder(a: Candidate, b: Candidate): number {
  return a.order < b.order ? -1 : 1;
}

const MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const ORDINAL = String.raw`\d{1,2}(?:st|nd|rd|th)`;
const ERA = "(?: BCE?| AD)?";

/** The namespaces of the export's `siteinfo` without the articles' namespace, and their talk pages. */
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

/** Templates that mark a disambiguation page in 2006: `{{disambig}}`, `{{TLAdisambig}}`, `{{hndis}}` and similar ones. */
const DISAMBIGUATION_TEMPLATE =
  /\{\{\s*(?:msg:|Template:)?(?:\w{0,3}disamb\w*|hndis|geodis|numberdis|roaddis|[34]LA|shipindex|surname)\b/i;

/** Why a page is rejected before its wikitext is parsed, or null. */
export function dropReason({ title, wikitext }: WikiPage): DropReason | null {
  if (/^\s*#redirect\b/i.test(wikitext)) return "redirect";
  if (OTHER_NAMESPACE.test(title)) return "other_namespace";
  if (/\(disambiguation\)$/i.test(title) || DISAMBIGUATION_TEMPLATE.test(wikitext)) return "disambiguation";
  if (LIST_TITLE.test(title)) return "list";
  if (DATE_TITLE.test(title)) return "date_or_year";
  if (wikitext.length < ARTICLE_CHARS_MIN) return "too_short";
  return null;
}

/** The page as an article, or the reason why it is none. */
function readArticle(page: WikiPage): SampleArticle | DropReason {
  try {
    const text = articleText(page.title, page.wikitext);
    if (text.length < ARTICLE_CHARS_MIN) return "too_short";
    const sourceUrl = `https://en.wikipedia.org/w/index.php?oldid=${page.revision}`;
    return { title: page.title, text, sourceUrl, filename: sampleFilename(page.title) };
  } catch {
    return "unreadable";
  }
}

/** File systems allow names of 255 bytes; a UTF-8 character has up to four, and `.txt` is added. */
const FILENAME_CHARS_MAX = 60;

/** The title with `_` for every character that is special in paths or shells: `AC/DC` gives `AC_DC.txt`. */
export function sampleFilename(title: string): string {
  const safe = title.normalize("NFC").replace(/[^\p{L}\p{M}\p{N} ,.()'&+-]/gu, "_");
  return `${[...safe]
    .slice(0, FILENAME_CHARS_MAX)
    .join("")
    .replace(/^[. ]+|[. ]+$/g, "_")}.txt`;
}
