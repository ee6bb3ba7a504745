import type { z } from "zod";
import { textsIn } from "../../../http/languages/catalogues.ts";
import type { LanguageTag } from "../../../http/languages/languages.ts";
import type { Texts } from "../../../http/languages/texts.ts";
import { firstIndex, fromPairs, type Span } from "../../../text/span.ts";
import type { MemberPassage, WireReport } from "../../presented-report.ts";
import { languageOriginInWords, semanticCoverageInWords } from "../../wording.ts";
import type { Mark, WireFlag } from "../text-pieces.ts";
import {
  asianFonts,
  directed,
  kindLetters,
  ownFrame,
  type PrintedPassage,
  type PrintedPlace,
  pageWords,
  printedLines,
  shortLines,
  struck,
} from "./printed-text.ts";

type PrintedSide = Pick<
  WireReport,
  "language" | "language_origin" | "char_count" | "word_count" | "overall_similarity_pct" | "page_margins"
> & {
  readonly text: string;
  /** Null for a text. */
  readonly filename: string | null;
  readonly integrity_flags: readonly WireFlag[];
};

/** A comparison of two texts with UTF-16 offsets, and the language of the document's own words. */
export type ComparisonToPrint = {
  readonly comparison: Pick<WireReport, "coverage" | "semantic_coverage" | "semantic_coverage_reason"> & {
    readonly query: PrintedSide;
    readonly source: PrintedSide;
    /** Ascending by their place in the query. */
    readonly passages: readonly z.output<typeof MemberPassage>[];
  };
  readonly language: LanguageTag;
};

/** The content of `comparison.typ`: both texts as rows whose passages are level. */
export function comparisonContent({ comparison, language }: ComparisonToPrint) {
  const texts = textsIn(language);
  const { say } = texts;
  const { query, source, passages } = comparison;
  const titles = [query.filename ?? say("compare.first"), source.filename ?? say("compare.second")];
  const [queryLines, sourceLines] = [[...shortLines(query.text)], [...shortLines(source.text)]];
  const left = markedLines(query, queryLines, passages);
  const right = markedLines(source, sourceLines, passages.map(seenFromSource));
  const cuts = [...levelLines(passages, queryLines, sourceLines), [left.length, right.length] as const];
  return {
    ...ownFrame(language),
    "document-title": `${titles.join(" · ")} · ${say("comparison.title")}`,
    // None, so that the same comparison is the same file.
    date: null,
    footer: say("comparison.title"),
    kind: say("comparison.title"),
    words: { page: pageWords(texts) },
    sources: [],
    heads: [query, source].map((side, at) => sideHead(side, titles[at] ?? "", texts)),
    statements: statements(comparison, texts),
    rows: cuts.flatMap(([leftEnd, rightEnd], at) => {
      const [leftStart, rightStart] = cuts[at - 1] ?? [0, 0];
      const sides = [
        { ...typeface(query), lines: left.slice(leftStart, leftEnd) },
        { ...typeface(source), lines: right.slice(rightStart, rightEnd) },
      ];
      return sides.every(({ lines }) => lines.length === 0) ? [] : [sides];
    }),
  };
}

/** How the text of a side is set. */
function typeface({ language }: PrintedSide) {
  return { language, "asian-fonts": asianFonts(language) };
}

/** A passage with its places in the source in place of those in the query. */
function seenFromSource({
  runs,
  ...passage
}: ComparisonToPrint["comparison"]["passages"][number]): PrintedPassage {
  const place = (one: Omit<typeof passage, "meaning">) => ({
    query_start: one.source_document_start,
    query_end: one.source_document_end,
    match_type: one.match_type,
  });
  return { ...place(passage), runs: runs.map(place) };
}

function sideHead(side: PrintedSide, title: string, texts: Texts) {
  return {
    title: directed(title),
    share: texts.say("comparison.share", { pct: texts.percent(side.overall_similarity_pct) }),
    facts: `${texts.languageName(side.language)}${languageOriginInWords(side.language_origin, texts)} · ${texts.sayCount("count.words", side.word_count)}, ${texts.sayCount("count.characters", side.char_count)}`,
  };
}

function statements(comparison: ComparisonToPrint["comparison"], texts: Texts): string[] {
  const { coverage, passages, query, source } = comparison;
  const meaning = semanticCoverageInWords({ ...comparison, semantic_documents: 1, corpus_sources: 1 }, texts);
  const hasMargins = query.page_margins.length + source.page_margins.length > 0;
  const hasHidden = [query, source].some(({ integrity_flags: flags }) => flags.some(({ hidden }) => hidden));
  return [
    ...(coverage === "partial" ? [texts.say("comparison.partial")] : []),
    ...(meaning === undefined ? [] : [meaning]),
    passages.length === 0
      ? texts.say("comparison.none")
      : texts.say("comparison.legend", { letters: kindLetters(texts) }),
    ...(hasMargins ? [texts.say("export.legendMargin")] : []),
    ...(hasHidden ? [texts.say("export.legendHidden")] : []),
  ];
}

/** The passages that are put level, at most: the longest ones. Choosing them takes time by the square of their number. */
const LEVEL_MAX = 1_000;

type Level = readonly [queryLine: number, sourceLine: number];

/** The lines at which rows begin: where passages begin that come in the same order in both texts. Of those that cross, the longer is level. */
function levelLines(
  passages: ComparisonToPrint["comparison"]["passages"],
  queryLines: readonly Span[],
  sourceLines: readonly Span[],
): Level[] {
  const length = ({ query_start: start, query_end: end }: (typeof passages)[number]) => end - start;
  const longest = passages.toSorted((a, b) => length(b) - length(a)).slice(0, LEVEL_MAX);
  const levels: Level[] = [];
  for (const { query_start: query, source_document_start: source } of longest) {
    const [ofQuery, ofSource] = [lineAt(queryLines, query), lineAt(sourceLines, source)];
    const fits = levels.every(([before, after]) => (ofQuery - before) * (ofSource - after) > 0);
    if (fits) levels.push([ofQuery, ofSource]);
  }
  return levels.toSorted((a, b) => a[0] - b[0]);
}

/** The line that holds a place; the next one for a place between two lines. */
function lineAt(lines: readonly Span[], place: number): number {
  const at = firstIndex(lines.length, (index) => (lines[index]?.end ?? 0) > place);
  return Math.min(at, lines.length - 1);
}

/** The lines of a text with their pieces, as those of a report. @param passages with their places in this text */
function markedLines(side: PrintedSide, lines: readonly Span[], passages: readonly PrintedPassage[]) {
  const { text, integrity_flags: flags, page_margins: margins } = side;
  const marks: Mark<PrintedPlace>[] = [
    ...passages.map((passage, at) => ({
      start: passage.query_start,
      end: passage.query_end,
      passage: { number: at + 1, source: { number: at + 1 }, passage },
    })),
    ...passages.flatMap(({ runs }) => runs).map((run) => ({ start: run.query_start, end: run.query_end })),
    ...flags.map((flag, at) => ({ start: flag.start, end: flag.end, flag: { number: at + 1, flag } })),
    ...fromPairs(margins).map((span) => ({ ...span, isMargin: true })),
  ];
  const marked = printedLines(text, marks, lines);
  for (const flag of flags)
    if (flag.hidden !== undefined && flag.start === text.length)
      marked.push({ rtl: false, pieces: [{ text: struck(flag) }] });
  return marked;
}
