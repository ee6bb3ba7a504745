import type { MatchedSource, SourcePassage } from "../../matching/words/source-passage.ts";
import { quotations } from "../../text/quotations.ts";
import {
  joinSpans,
  lines,
  overlapLength,
  overlappingSpans,
  type Span,
  spanLength,
  subtractSpans,
} from "../../text/span.ts";
import { wordCount } from "../../text/word-count.ts";
import {
  type BibliographyEntry,
  type Citation,
  citationsIn,
  namesOf,
  readsLikeCitingNote,
  wordsOf,
} from "./citations.ts";

/** How passages are acknowledged, the best first. */
export const MATCH_GROUPS = [
  "quoted_and_cited",
  "cited_without_quotation_marks",
  "quoted_without_source",
  "unsure",
  "neither",
] as const;

export type MatchGroup = (typeof MATCH_GROUPS)[number];

/** A value for each match group. */
export function byMatchGroup<T>(of: (group: MatchGroup) => T): Record<MatchGroup, T> {
  return {
    quoted_and_cited: of("quoted_and_cited"),
    cited_without_quotation_marks: of("cited_without_quotation_marks"),
    quoted_without_source: of("quoted_without_source"),
    unsure: of("unsure"),
    neither: of("neither"),
  };
}

/** Why a passage is in the group `unsure`. */
export const UNSURE_REASONS = [
  "partly_quoted",
  "possible_citation",
  "other_work_cited",
  "possible_block_quote",
  "in_bibliography",
] as const;

/** The group of a passage. Spans in UTF-16 units of the query text. */
export type Acknowledgement = {
  readonly group: MatchGroup;
  /** Undefined unless the group is `unsure`. */
  readonly reason: (typeof UNSURE_REASONS)[number] | undefined;
  /** The quotations that the passage lies in, or that lie in it. */
  readonly quotations: readonly Span[];
  /** The citations near the passage that were considered. */
  readonly citations: readonly Span[];
};

/** What tells that a bibliography's entry is a source. */
export type NamedSource = Pick<MatchedSource, "documentId"> & {
  readonly title: string;
  readonly filename: string;
};

export type GroupOf = (
  documentId: string,
  passage: Pick<SourcePassage, "query" | "preview">,
) => Acknowledgement;

/**
 * Tells passages apart by how the text acknowledges them: by quotation marks and block quotes, and by citations in the sentences of the passage.
 * A citation up to two sentences away, of an uncertain form, or of another work makes a passage `unsure`, so that "neither" is only said where
 * nothing near the passage could refer to a source. Reads the text once.
 */
export function matchGroups(text: string, language: string, sources: readonly NamedSource[]): GroupOf {
  const { found, bibliographies, entries } = citationsIn(text);
  const quoted = joinSpans([...quotations(text), ...indentedBlocks(text)]);
  const entriesOfSource = new Map(sources.map((source) => [source.documentId, entriesOf(source, entries)]));
  const surnames = new Set(entries.flatMap((entry) => [...entry.surnames].slice(0, 1)));
  return (documentId, passage) => {
    const query = trimmed(text, passage.query);
    const share = quotedShare(text, language, query, quoted);
    const isQuoted = share.share >= QUOTED_SHARE_MIN;
    const whole = isQuoted ? enclosing([query, ...share.spans]) : query;
    const own = entriesOfSource.get(documentId) ?? [];
    const scope = scopeOf(text, whole);
    const reading = readCitations({ text, found, scope, query, passage, own, surnames });
    const result = (group: MatchGroup, reason?: Acknowledgement["reason"]): Acknowledgement => ({
      group,
      reason,
      quotations: share.spans,
      citations: reading.citations.map(({ start, end }) => ({ start, end })),
    });
    if (overlappingSpans(query, bibliographies).length > 0) return result("unsure", "in_bibliography");
    if (reading.cited === "unsure") return result("unsure", reading.reason);
    if (share.share > UNQUOTED_SHARE_MAX && !isQuoted) return result("unsure", "partly_quoted");
    if (isQuoted) return result(reading.cited === "yes" ? "quoted_and_cited" : "quoted_without_source");
    if (scope.isIntroduced) return result("unsure", "possible_block_quote");
    return result(reading.cited === "yes" ? "cited_without_quotation_marks" : "neither");
  };
}

/** The acknowledgement of the found passage that a shown one is or was cut from. */
export function groupsOfParts(sources: readonly MatchedSource[], groupOf: GroupOf): GroupOf {
  const known = new Map(
    sources.map(({ documentId, passages }) => [
      documentId,
      passages.map((passage) => ({ query: passage.query, group: groupOf(documentId, passage) })),
    ]),
  );
  return (documentId, passage) => {
    const { start, end } = passage.query;
    const whole = known.get(documentId)?.find(({ query }) => query.start <= start && end <= query.end);
    return whole?.group ?? groupOf(documentId, passage);
  };
}

/** Fewer words in quotation marks are a title or a word that is talked about. Inside a copy, they are a part of it. */
export const QUOTED_WORDS_MIN = 4;

/** Shares of a passage's text in quotation marks from which it counts as quoted, and up to which it counts as not quoted. */
const QUOTED_SHARE_MIN = 0.75;
const UNQUOTED_SHARE_MAX = 0.15;

function trimmed(text: string, { start, end }: Span): Span {
  const shown = text.slice(start, end);
  const from = start + (shown.length - shown.trimStart().length);
  return { start: from, end: Math.max(from, start + shown.trimEnd().length) };
}

function enclosing(spans: readonly Span[]): Span {
  return {
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
  };
}

/** The quotations at a passage, without single words and titles inside it, and the share of its text that they hold. */
function quotedShare(text: string, language: string, query: Span, quoted: readonly Span[]) {
  const spans = overlappingSpans(query, quoted).filter(
    (one) =>
      !(query.start < one.start && one.end < query.end) ||
      wordCount(text.slice(one.start, one.end), language) >= QUOTED_WORDS_MIN,
  );
  const units = spans.reduce((sum, one) => sum + overlapLength(one, query), 0);
  return { spans, share: units / Math.max(1, spanLength(query)) };
}

const INDENTED = /^(?: {3}|\t)\s*\S/;
const LIST_ITEM = /^\s*(?:[-*+•–]|\(?\w{1,3}[.)])\s/;
/** Shorter indented lines are formulas, addresses or code. */
const BLOCK_UNITS_MIN = 60;

/** Block quotes by indentation: paragraphs whose lines are all indented, between paragraphs that begin without indentation. */
function indentedBlocks(text: string): Span[] {
  const blocks: (Span & { readonly isIndented: boolean })[] = [];
  let isOpen = false;
  for (const { start, end } of lines(text)) {
    const line = text.slice(start, end);
    if (line.trim() === "") {
      isOpen = false;
      continue;
    }
    const isIndented = INDENTED.test(line) && !LIST_ITEM.test(line);
    const last = blocks.at(-1);
    if (
      last !== undefined &&
      (isOpen || last.isIndented === isIndented) &&
      (isOpen || isIndented) &&
      last.isIndented === isIndented
    )
      blocks[blocks.length - 1] = { start: last.start, end, isIndented };
    else blocks.push({ start, end, isIndented });
    isOpen = true;
  }
  return blocks.filter(
    (block, at) =>
      block.isIndented &&
      spanLength(block) >= BLOCK_UNITS_MIN &&
      blocks[at - 1]?.isIndented === false &&
      blocks[at + 1]?.isIndented !== true,
  );
}

/** The entries of the bibliography that are the source: they have its title, or its file is named after an author and the year. */
function entriesOf(
  { title, filename }: NamedSource,
  entries: readonly BibliographyEntry[],
): readonly BibliographyEntry[] {
  const words = wordsOf(title);
  const titled = words.split(" ").length >= TITLE_WORDS_MIN ? ` ${words} ` : undefined;
  const named = `${title} ${filename}`.toLowerCase();
  return entries.filter(
    (entry) =>
      (titled !== undefined && ` ${entry.words} `.includes(titled)) ||
      (entry.years.some((year) => named.includes(year)) &&
        [...entry.surnames].some((name) => name.length > 2 && named.includes(name))),
  );
}

/** Shorter titles ("Introduction") occur in many entries. */
const TITLE_WORDS_MIN = 3;

type Scope = {
  /** The sentences of the passage, with citations directly behind them. */
  readonly sentences: Span;
  /** Two sentences more on either side, within the paragraph. */
  readonly near: Span;
  /** A citing note that follows the paragraph. */
  readonly hasNote: boolean;
  /** Whether the passage is a paragraph of its own behind a colon, as block quotes are whose indentation was lost. */
  readonly isIntroduced: boolean;
};

const WINDOW_UNITS = 1_500;
const NEAR_SENTENCES = 2;
const SENTENCE_END = /(?:[.!?…]["”»“’')\]]*(?=\s|$|[([¹²³⁰⁴-⁹\d])|[。！？][」』”）]*)/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|al|pp|vgl|cf|ca|bd|nr|no|vol|hrsg|eds?|dr|prof|st|mr|mrs|ibid|ebd|cit|fig|abb|tab|usw|etc|bzw|sog|e\.g|i\.e|z\.\s?b|d\.\s?h|u\.\s?a|p[áa]gs?|ff?)$/iu;
const BEHIND =
  /^["”»“’']?\s*(?:[([（［][^()[\]（）［］]{1,240}[)\]）］]|[¹²³⁰⁴⁵⁶⁷⁸⁹]{1,3}|\d{1,3}(?=[\s.,;]|$))\s*[.,;]?["”»“’']?/u;
const PARAGRAPH_END = /\n[^\S\n]*\n/g;
const BLOCK_QUOTE_WORDS_MIN = 12;

/** Where a citation of a passage may stand. */
function scopeOf(text: string, passage: Span): Scope {
  const from = Math.max(0, passage.start - WINDOW_UNITS);
  const to = Math.min(text.length, passage.end + WINDOW_UNITS);
  const before = text.slice(from, passage.start);
  const after = text.slice(passage.end, to);
  const paragraphStart = [...before.matchAll(PARAGRAPH_END)].at(-1);
  const opens = paragraphStart === undefined ? from : from + paragraphStart.index + paragraphStart[0].length;
  const closes = passage.end + (after.search(PARAGRAPH_END) + 1 || after.length + 1) - 1;
  const starts = sentenceEnds(text.slice(opens, passage.start)).map((at) => opens + at);
  const start = starts.at(-1) ?? opens;
  const end = behind(text, endOfSentence(text, passage, closes), closes);
  const following = sentenceEnds(text.slice(end, closes)).map((at) => end + at);
  const introduction =
    paragraphStart === undefined || start > opens
      ? ""
      : text.slice(Math.max(0, opens - WINDOW_UNITS), opens).trimEnd();
  const isAfterColon = /[:：]$/u.test(introduction) && text.slice(opens, passage.start).trim().length < 3;
  const introStart = isAfterColon
    ? opens - (introduction.length - (sentenceEnds(introduction).at(-1) ?? introduction.lastIndexOf("\n")))
    : start;
  const sentences = { start: Math.max(0, Math.min(start, introStart)), end };
  return {
    sentences,
    near: {
      start: Math.min(sentences.start, starts.at(-1 - NEAR_SENTENCES) ?? opens),
      end: Math.max(end, following[NEAR_SENTENCES - 1] ?? closes),
    },
    hasNote: hasNoteBehind(text, closes),
    isIntroduced:
      isAfterColon && text.slice(passage.start, passage.end).split(/\s+/).length >= BLOCK_QUOTE_WORDS_MIN,
  };
}

function sentenceEnds(text: string): number[] {
  return [...text.matchAll(SENTENCE_END)].flatMap(({ 0: marks, index }) => {
    const isAbbreviation =
      marks.startsWith(".") && ABBREVIATION.test(text.slice(Math.max(0, index - 12), index));
    const next = text.slice(index + marks.length).trimStart();
    return isAbbreviation || /^\p{Ll}/u.test(next) ? [] : [index + marks.length];
  });
}

function endOfSentence(text: string, { start, end }: Span, closes: number): number {
  const marks = /[.!?…。！？]["”»“’')\]]*$/u;
  const tail = /^["”»“’')\]]+/u.exec(text.slice(end, end + 4))?.[0].length ?? 0;
  if (marks.test(text.slice(Math.max(start, end - 4), end))) return end + tail;
  const [first] = sentenceEnds(text.slice(end, closes));
  return first === undefined ? closes : end + first;
}

/** Adds brackets and raised numbers that follow a sentence directly. */
function behind(text: string, sentenceEnd: number, closes: number): number {
  let end = sentenceEnd;
  for (
    let more = BEHIND.exec(text.slice(end, closes));
    more !== null;
    more = BEHIND.exec(text.slice(end, closes))
  )
    end += more[0].length;
  return end;
}

const NOTE_START =
  /^\s*(?:\[?\^?\d{1,3}|[¹²³⁰⁴⁵⁶⁷⁸⁹]|vgl|siehe|cf|see|voir|véase|ibid|ebd|\p{Lu}[\p{L}'’-]+,\s|\p{Lu}\.)/iu;
const NOTE_UNITS_MAX = 300;

/** Whether a citing note follows the paragraph, as notes of Word documents do, whose marks are no text. */
function hasNoteBehind(text: string, closes: number): boolean {
  const [line = ""] = /^\s*([^\n]*)/.exec(text.slice(closes, closes + 2 * NOTE_UNITS_MAX)) ?? [];
  return (
    line.trim() !== "" && line.length <= NOTE_UNITS_MAX && NOTE_START.test(line) && readsLikeCitingNote(line)
  );
}

type Place = {
  readonly text: string;
  readonly found: readonly Citation[];
  readonly scope: Scope;
  readonly query: Span;
  readonly passage: Pick<SourcePassage, "preview">;
  /** The entries of the source itself. */
  readonly own: readonly BibliographyEntry[];
  /** Of the first authors in the bibliography. */
  readonly surnames: ReadonlySet<string>;
};

type CitationReading = {
  readonly cited: "yes" | "no" | "unsure";
  readonly reason?: "possible_citation" | "other_work_cited";
  readonly citations: readonly Citation[];
};

function readCitations({ text, found, scope, query, passage, own, surnames }: Place): CitationReading {
  const inSentences = overlappingSpans(scope.sentences, found);
  const confirms = ({ entries }: Citation) => entries.some((entry) => own.includes(entry));
  const contradicts = (one: Citation) => own.length > 0 && one.entries.length > 0 && !confirms(one);
  const confirming = inSentences.filter(confirms);
  if (confirming.length > 0) return { cited: "yes", citations: confirming };
  const sure = inSentences.filter(
    (one) =>
      one.isSure &&
      !contradicts(one) &&
      !isCopied(text.slice(one.start, one.end), one, query, passage.preview),
  );
  if (sure.length > 0) return { cited: "yes", citations: sure };
  if (inSentences.length > 0) {
    const isOther = inSentences.some(contradicts);
    return {
      cited: "unsure",
      reason: isOther ? "other_work_cited" : "possible_citation",
      citations: inSentences,
    };
  }
  const around = overlappingSpans(scope.near, found);
  const near = around.filter((one) => !contradicts(one));
  const isNamed = subtractSpans(scope.near, joinSpans([query, ...around])).some(({ start, end }) =>
    namesOf(text.slice(start, end)).some((name) => surnames.has(name)),
  );
  return near.length > 0 || isNamed || scope.hasNote
    ? { cited: "unsure", reason: "possible_citation", citations: near }
    : { cited: "no", citations: [] };
}

/** A longer passage with a citation in its middle was copied with it, or was cited for a part of it. */
const OWN_CITATION_UNITS_MAX = 600;

/** Whether a citation belongs to the copied text, and so refers to a work that the source cites. */
function isCopied(words: string, citation: Span, query: Span, preview: string): boolean {
  const isInside = query.start <= citation.start && citation.end < query.end;
  return isInside && (preview.includes(words) || spanLength(query) > OWN_CITATION_UNITS_MAX);
}
