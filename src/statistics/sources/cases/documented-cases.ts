import { createHash } from "node:crypto";
import { decodeHTMLStrict } from "entities";
import wtf from "wtf_wikipedia";
import { countryCodeOf } from "../../facts/countries.ts";
import type { CaseType, Finding } from "../../facts/sources.ts";
import { type ListEntry, type ListPage, listEntries, markReferences, REFERENCE } from "./list-page.ts";
import { plagiarismClaim } from "./plagiarism-claim.ts";

type DocumentedCase = {
  readonly caseId: string;
  readonly type: CaseType;
  readonly title: string;
  readonly year: number | undefined;
  /** Alpha-2 codes, ascending. */
  readonly countries: readonly string[];
  readonly institution: string | undefined;
  readonly discipline: string | undefined;
  /** The sentence of the entry that says how it ended. */
  readonly outcome: string | undefined;
  readonly summary: string;
  /** The sentence that says plagiarism. */
  readonly statement: string;
  readonly finding: Finding;
};

/**
 * The entries of a list page that say plagiarism and have a reference, in its order. Everything comes from the entry's own words:
 * missing facts are undefined, and nothing is inferred about a person. An entry that the newest revision has no longer is
 * left out: editors may have removed it to protect a person.
 */
export function documentedCases(page: ListPage): DocumentedCase[] {
  const { newestWikitext, wiki = WIKI } = page;
  const cases = casesIn(page, page.wikitext, wiki);
  if (newestWikitext === undefined) return cases;
  const remaining = new Set(casesIn(page, newestWikitext, wiki).map(({ caseId }) => caseId));
  return cases.filter(({ caseId }) => remaining.has(caseId));
}

/** Where pages come from that do not say so. */
export const WIKI = "https://en.wikipedia.org/w/index.php";

/** `de` of `https://de.wikipedia.org/w/index.php`. Mirrors have English pages. */
function languageOf(wiki: string): string {
  return /^([a-z-]+)\.wikipedia\.org$/.exec(new URL(wiki).hostname)?.[1] ?? "en";
}

function casesIn({ title }: ListPage, wikitext: string, wiki: string): DocumentedCase[] {
  const language = languageOf(wiki);
  // Pages of two wikis may share a title. Those of the default one have the identifiers of the first release.
  const pageTitle = wiki === WIKI ? title : `${wiki}\n${title}`;
  const taken = new Map<string, number>();
  return listEntries(markReferences(wikitext))
    .filter((entry) => entry.wikitext.includes(REFERENCE))
    .flatMap((entry) => toCase(pageTitle, entry, taken, language));
}

/** @param taken how often each title has occurred: a second entry of the same name gets another identifier. */
function toCase(
  pageTitle: string,
  entry: ListEntry,
  taken: Map<string, number>,
  language: string,
): DocumentedCase[] {
  const wikitext = entry.wikitext.replaceAll(REFERENCE, "");
  const { text, links } = plainText(wikitext);
  const title = titleOf(wikitext, text);
  if (title === "") return [];
  const nth = taken.get(title) ?? 0;
  taken.set(title, nth + 1);
  const claim = plagiarismClaim(text, language);
  if (claim === undefined) return [];
  return [
    {
      ...claim,
      caseId: caseIdOf(pageTitle, title, nth),
      type: caseType(text),
      title,
      year: onlyYear(text),
      countries: countriesIn(text),
      institution: links.find(isUniversity),
      discipline: disciplineOf(entry.headings),
      outcome: sentences(text).find((sentence) => OUTCOME.test(sentence)),
      summary: shortened(text),
    },
  ];
}

/** Stays the same when the entry is edited, unless its name changes. */
function caseIdOf(pageTitle: string, title: string, nth: number): string {
  const identity = [pageTitle, title.normalize("NFKC").toLowerCase(), ...(nth === 0 ? [] : [nth])].join("\n");
  return createHash("sha256").update(identity).digest("hex").slice(0, CASE_ID_CHARS);
}

/** Enough for a million cases without a collision. */
const CASE_ID_CHARS = 16;

const TITLE_WORDS_MAX = 8;

/** The bold name; else the words before the first parenthesis, comma, colon or dash. */
function titleOf(wikitext: string, text: string): string {
  const bold = /'''(?!')(.+?)'''/.exec(wikitext)?.[1];
  const named = bold === undefined ? "" : plainText(bold).text;
  if (named !== "") return named.replace(/[,:;]+$/, "");
  const [first = ""] = text.split(/\s*[(,:;]|\s+[–—-]\s+|\.\s/, 1);
  return first.split(" ").slice(0, TITLE_WORDS_MAX).join(" ").trim();
}

function onlyYear(text: string): number | undefined {
  const years = new Set(text.match(/(?<![\d.,/])(?:1[5-9]|20)\d{2}(?![\d/]|[.,]\d)/g));
  const [year, ...more] = years;
  return year === undefined || more.length > 0 ? undefined : Number(year);
}

/** The countries in parentheses, as in `(Germany)`, `(US and Italy)`. */
function countriesIn(text: string): string[] {
  const codes = [...text.matchAll(/\(([^()]*)\)/g)].flatMap(([, inside = ""]) => {
    const whole = countryCodeOf(inside);
    if (whole !== undefined) return [whole];
    return inside
      .split(/[,;/&–—]|\band\b|\bthen\b|\bnow\b|\blater\b|\bformerly\b/)
      .map((name) => countryCodeOf(name.replace(/^\s*in\s+/, "")));
  });
  return [...new Set(codes.filter((code) => code !== undefined))].toSorted();
}

const UNIVERSITY =
  /universit|université|uniwersytet|univerzit|università|universidad|universidade|institute of technology|college|polytechni|politecnico|école|hochschule|academy of sciences|medical school|\bETH\b|\bMIT\b/i;

/** Publishers are named after their universities. */
const NO_UNIVERSITY = /\bpress\b|^(?:file|image|category|:|wikt?:)/i;

function isUniversity(page: string): boolean {
  return UNIVERSITY.test(page) && !NO_UNIVERSITY.test(page);
}

/** Headings that name no discipline: periods, letters, countries and words that only divide. */
const NO_DISCIPLINE =
  /^(?:\d{4}s?(?:\s*[–-]\s*\d{4})?|\d{1,2}th century|[A-Z](?:\s*[–-]\s*[A-Z])?|(?:notable |other |recent |selected |individual )?(?:cases|examples|incidents|list|people|persons|entries|individuals)|other|others|miscellaneous|unknown)$/i;

function disciplineOf(headings: readonly string[]): string | undefined {
  const named = headings.map((heading) => plainText(heading).text);
  return named.findLast(
    (name) => name !== "" && !NO_DISCIPLINE.test(name) && countryCodeOf(name) === undefined,
  );
}

const OUTCOME =
  /\b(?:retract|revoke|rescind|withdr[ae]w|stripped|resign|dismiss|fired|sacked|suspend|expel|convict|sentenced|debar|banned|reprimand|cleared|acquit|exonerat|apologi[sz]ed|stepped down|barred)\w*/i;

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?]["”’)]?)\s+(?=["“(]?\p{Lu})/u);
}

const SUMMARY_CHARS_MAX = 500;

/** Cut at the end of a word. */
function shortened(text: string): string {
  if (text.length <= SUMMARY_CHARS_MAX) return text;
  return `${text.slice(0, SUMMARY_CHARS_MAX).replace(/\s+\S*$/, "")}…`;
}

/** The first match decides: a thesis is often published as a book, and a book is reviewed in articles. */
const KEYWORDS: readonly (readonly [CaseType, RegExp])[] = [
  [
    "dissertation",
    /\b(?:dissertations?|thes[ei]s|habilitations?|doctoral (?:degree|work)|doctorates?|Ph\.?\s?D\.? (?:degree|work)|doktorarbeit)\b/i,
  ],
  ["peer_review", /\bpeer[- ]review(?:s|ed|er|ers|ing)?\b|\b(?:referee|reviewer)s?\b/i],
  [
    "book",
    /\b(?:books?|textbooks?|handbooks?|monographs?|novels?|biograph(?:y|ies)|memoirs?|encyclop(?:a)?edias?)\b/i,
  ],
  [
    "article",
    /\b(?:articles?|papers?|manuscripts?|publications?|journals?|preprints?|essays?|columns?|studies|study)\b/i,
  ],
];

/** The type of a case by the keywords of its text. */
function caseType(text: string): CaseType {
  return KEYWORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "other";
}

/** The visible text of wikitext on one line, without tags and unsupported markup, and the titles of the linked pages. */
function plainText(wikitext: string): { readonly text: string; readonly links: readonly string[] } {
  // The parser decodes `&amp;` and few other entities. It must not see that one: `&amp;#58;` would be decoded twice.
  const document = wtf(wikitext.replaceAll("&amp;", AMPERSAND));
  const text = decodeHTMLStrict(document.text().replaceAll(AMPERSAND, "&amp;"));
  return {
    text: text
      .replaceAll(/\s+/g, " ")
      .replaceAll(/\s+([,.;:)])/g, "$1")
      .trim(),
    links: [...wikitext.matchAll(/\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|[^[\]]*)?\]\]/g)].map(([, page = ""]) =>
      decodeHTMLStrict(page).replaceAll("_", " ").trim(),
    ),
  };
}

/** Stands for `&amp;` while wikitext is parsed: a character of the private use area. */
const AMPERSAND = "\ue001";
