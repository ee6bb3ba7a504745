import { textsIn } from "../../../http/languages/catalogues.ts";
import type { LanguageTag } from "../../../http/languages/languages.ts";
import type { Texts } from "../../../http/languages/texts.ts";
import type { ComparedPiece } from "../../figures/compare-sides.ts";
import { percent } from "../../figures/figures.ts";
import { matchBands } from "../../figures/match-bands.ts";
import type { WireReport } from "../../presented-report.ts";
import {
  corpusInWords,
  coverageInWords,
  filtersInWords,
  flagCount,
  isComparedWithMembersOnly,
  languageOriginInWords,
  matchGroupsOf,
  passageInWords,
  passagesInWords,
  pendingInWords,
  reuseKinds,
  reviewLabel,
  riseInWords,
  scoreInWords,
  semanticCoverageInWords,
  shownScore,
  standingInWords,
  statedInFile,
} from "../../wording.ts";
import type { ComparedPair } from "../compared-pairs.ts";
import { excerpt } from "../exclusions.ts";
import {
  flaggedExcerpt,
  flagsAtEnd,
  lineSpans,
  marksOf,
  type NumberedPlace,
  numberedPassages,
  textPieces,
  type WireSource,
} from "../text-pieces.ts";
import {
  asianFonts,
  breakable,
  type Directed,
  directed,
  isRightToLeft,
  KINDS,
  kindLetters,
  ownFrame,
  pageWords,
  printedLines,
  shortLines,
  signs,
  struck,
} from "./printed-text.ts";
import type { ReportToPrint } from "./report-pdf.ts";

/** The content of `report.typ`: strings and numbers, ready to be laid out. */
export function pdfContent({ report, exclusions, pairs, language }: ReportToPrint) {
  const noted = notedPassages(report);
  const texts = textsIn(language);
  const { say, quote } = texts;
  return {
    ...frame(language, texts),
    ...cover(report, texts),
    ...sourceTable(report, texts),
    ...markedText(report, noted, texts),
    notes: noted.map(({ number, one: { source, passage } }) => ({
      number,
      about: directed(
        `${say("export.source", { number: source.number })}, ${source.title} · ${passageInWords(passage, source.language, texts)}`,
      ),
      excerpt: directed(quote(excerpt(report.query_text, passage))),
      lines: directedLines(passage.note ?? ""),
    })),
    exclusions: exclusions.groups.map(({ title, items, more }) => ({
      title,
      items: items.map(({ text, isQuoted, about, note }) => ({
        excerpt: directed(isQuoted ? quote(text) : text),
        about: directed(about),
        note: note === undefined ? [] : directedLines(`${say("export.note")} ${note}`),
      })),
      more: more === 0 ? null : texts.sayCount("count.others", more),
    })),
    "exclusions-advice": exclusions.advice,
    pairs: pairs.map((pair) => besideSource(pair, report, texts)),
    "pairs-advice": pairsAdvice(report, pairs.length, texts),
  };
}

/** The language of the report's own words, and its headings. */
function frame(language: LanguageTag, texts: Texts) {
  const { say } = texts;
  const [quoteStart = "", quoteEnd = ""] = say("quote", { text: "\n" }).split("\n");
  const [noteStart = "", noteEnd = ""] = say("pdf.note", { number: "\n" }).split("\n");
  return {
    ...ownFrame(language),
    words: {
      ...{ "quote-start": quoteStart, "quote-end": quoteEnd, "note-start": noteStart, "note-end": noteEnd },
      page: pageWords(texts),
      kind: say("pdf.kind"),
      characters: say("pdf.characters"),
      share: say("pdf.share"),
      total: say("pdf.total"),
      map: say("pdf.map"),
      filters: say("pdf.filters"),
      "how-to-read": say("pdf.howToRead"),
      signs: say("flag.title"),
      sources: say("pdf.sources"),
      source: say("pdf.source"),
      matched: say("pdf.matched"),
      "in-score": say("pdf.inScore"),
      text: say("export.submittedText"),
      pairs: say("export.beside"),
      continues: say("pdf.continues"),
      notes: say("pdf.notes"),
      exclusions: say("export.exclusions"),
    },
  };
}

const LINE_ENDS = /[\r\n\u2028\u2029]+/g;

function pairsAdvice(report: WireReport, printed: number, texts: Texts): string {
  const left = numberedPassages(report).length - printed;
  const advice = texts.say("advice.pairs");
  return left === 0 ? advice : `${advice} ${texts.sayCount("pdf.further", left)}`;
}

/** A passage with the text of its source: both sides as they are read, so that a board has both on paper. */
function besideSource({ one, sides }: ComparedPair, report: WireReport, texts: Texts) {
  const { number, source, passage } = one;
  const side = (title: string, pieces: readonly ComparedPiece[]) => ({
    title,
    rtl: isRightToLeft(pieces.map(({ text }) => text).join("")),
    parts: pieces.map(({ text, mark }, at) => ({
      text: breakable(signs((at === 0 ? text.trimStart() : text).replaceAll(LINE_ENDS, " "))),
      ...(mark && { mark }),
    })),
  });
  return {
    source: source.number,
    title: texts.say("export.passage", { number }),
    about: directed(
      `${source.title} · ${passageInWords(passage, source.language, texts)}${passage.match_group === undefined ? "" : ` · ${texts.say(`group.${passage.match_group}`)}`}`,
    ),
    sides: [
      side(texts.say("export.submittedText"), sides.query),
      side(
        source.language === report.language
          ? texts.say("pdf.source")
          : texts.say("pdf.sourceIn", { language: texts.languageName(source.language) }),
        sides.source,
      ),
    ],
    cut: sides.isCut,
  };
}

function cover(report: WireReport, texts: Texts) {
  const { say, sayCount, percent: percentage } = texts;
  const { language, language_origin: origin, filters } = report;
  const completed = new Date(report.completed_at);
  const kinds = reuseKinds(report, texts);
  const length = `${sayCount("count.words", report.word_count)}, ${sayCount("count.characters", report.char_count)}`;
  const notCounted = report.char_count - report.compared_chars;
  const flags = Map.groupBy(report.integrity_flags, ({ kind }) => kind);
  return {
    "document-title": `${report.display_title} · ${say("export.title")}`,
    kind: say("export.title"),
    title: directed(report.display_title),
    footer: `${say("export.title")} · ${report.check_id}`,
    // Fixed, so that the same report is the same file.
    date: {
      year: completed.getUTCFullYear(),
      month: completed.getUTCMonth() + 1,
      day: completed.getUTCDate(),
      hour: completed.getUTCHours(),
      minute: completed.getUTCMinutes(),
      second: completed.getUTCSeconds(),
    },
    language,
    "asian-fonts": asianFonts(language),
    facts: [
      ...statedInFile(report, texts).map(({ name, value }) => [name, signs(value)]),
      [say("pdf.checkedOn"), texts.utcDate(report.completed_at)],
      [say("pdf.language"), `${texts.languageName(language)}${languageOriginInWords(origin, texts)}`],
      [say("pdf.length"), length],
      ...(notCounted > 0 ? [[say("pdf.compared"), sayCount("count.characters", report.compared_chars)]] : []),
      [say("pdf.comparedWith"), corpusInWords(report, texts)],
      ...acknowledged(report, texts),
      [say("pdf.check"), report.check_id],
      ...decision(report, texts),
    ],
    score: percentage(shownScore(report)),
    "score-label":
      filters === null || isComparedWithMembersOnly(report)
        ? say("export.similarity")
        : say("export.filteredSimilarity", { pct: percentage(filters.unfiltered_similarity_pct) }),
    "score-words": [scoreInWords(report, texts), riseInWords(report, texts)].filter(Boolean).join(" "),
    kinds: kinds.map(({ type, label, chars, pct }) => ({
      ...KINDS[type],
      label: `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`,
      chars: texts.count(chars),
      share: percentage(pct),
      pct,
    })),
    "total-chars": texts.count(report.total_matched_chars),
    map: matchMap(report),
    filters: filtersInWords(report, texts).map(
      (phrase) => `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}`,
    ),
    advice: say("advice.judgement"),
    statements: statements(report, texts),
    signs: report.integrity_flags.slice(0, SIGNS_MAX).map((flag) => ({
      excerpt: directed(signs(flaggedExcerpt(flag, report.query_text, SIGN_LENGTH))),
      detail: flag.detail,
    })),
    "signs-summary": `${[...flags].map(([kind, all]) => flagCount(kind, all.length, texts)).join(", ")}. ${say("advice.disguise")}${
      report.integrity_flags.length > SIGNS_MAX ? ` ${say("pdf.first", { count: SIGNS_MAX })}` : ""
    }`,
  };
}

function acknowledged(report: WireReport, texts: Texts): string[][] {
  const groups = matchGroupsOf(report).map(
    ({ group, passages, pct }) =>
      `${texts.sayCount("count.passages", passages)} ${texts.say(`group.${group}`)} (${texts.percent(pct)})`,
  );
  return groups.length === 0 ? [] : [[texts.say("group.title"), groups.join("; ")]];
}

function decision({ review }: WireReport, texts: Texts): string[][] {
  if (review === undefined) return [];
  const kept = texts.say("export.kept", {
    status: reviewLabel(review.status, texts),
    date: texts.utcDate(review.changed_at),
  });
  const comment = review.comment?.replaceAll(LINE_ENDS, " ") ?? null;
  return [
    [texts.say("pdf.decision"), kept],
    ...(comment === null ? [] : [[texts.say("pdf.comment"), signs(comment)]]),
  ];
}

/** A page of them; the text marks all. */
const SIGNS_MAX = 40;
const SIGN_LENGTH = 60;

/** How completely the text was compared. */
function statements(report: WireReport, texts: Texts) {
  const { title, text } = coverageInWords(report, texts);
  const pending = pendingInWords(report, texts);
  const meaning = semanticCoverageInWords(report, texts);
  const standing = standingInWords(report, texts);
  return [
    { title, text, warns: report.coverage === "partial" },
    ...(standing === undefined ? [] : [{ title: texts.say("standing.title"), text: standing, warns: false }]),
    ...(pending === undefined ? [] : [{ title: texts.say("pending.title"), text: pending, warns: true }]),
    ...(meaning === undefined
      ? []
      : [
          {
            title: texts.say("meaning.title"),
            text: meaning,
            warns: report.semantic_coverage_reason !== "off",
          },
        ]),
  ];
}

const MAP_COLUMNS = 500;

/** The matched parts of the text as percentages of its length, each with the number of a source; 0 for a deleted one. */
function matchMap(report: WireReport): (readonly [start: number, share: number, source: number])[] {
  const { length } = report.query_text;
  const [pieces = []] = textPieces(marksOf(report), [{ start: 0, end: length }]);
  const matched = pieces.flatMap(({ start, end, passages: [first], isOrphan }) =>
    first === undefined && !isOrphan ? [] : [{ start, end, source: first?.source.number ?? 0 }],
  );
  return matchBands(matched, length, MAP_COLUMNS).map(({ top, rows, source }) => [
    (100 * top) / MAP_COLUMNS,
    (100 * rows) / MAP_COLUMNS,
    source,
  ]);
}

function sourceTable({ sources, language, compared_chars: comparedChars }: WireReport, texts: Texts) {
  return {
    "sources-advice": texts.say(sources.length === 0 ? "export.noSources" : "advice.shares"),
    sources: sources.map((source) => ({
      number: source.number,
      title: directed(source.title),
      about: [source.source_filename, aboutPassages(source, language, texts)].map(directed),
      matched: texts.count(source.matched_chars),
      share: texts.percent(source.similarity_pct),
      exclusive: {
        share: texts.percent(percent(source.exclusive_matched_chars, comparedChars)),
        matched: texts.count(source.exclusive_matched_chars),
      },
      linked: source.source_url !== null && /^https?:\/\//i.test(source.source_url),
      url: source.source_url && { link: source.source_url, text: source.source_url },
    })),
  };
}

function aboutPassages({ passages, language }: WireSource, checked: string, texts: Texts): string {
  const foreign = texts.say("inLanguage", { language: texts.languageName(language) });
  return `${passagesInWords(passages, texts)}${language === checked ? "" : ` · ${foreign}`}`;
}

type Noted = { readonly number: number; readonly one: NumberedPlace };

/** The passages with a note, numbered in the order of the text. */
function notedPassages(report: WireReport): Noted[] {
  return numberedPassages(report)
    .filter(({ passage }) => passage.note !== null)
    .sort((a, b) => a.passage.query_start - b.passage.query_start || a.number - b.number)
    .map((one, at) => ({ number: at + 1, one }));
}

function markedText(report: WireReport, noted: readonly Noted[], texts: Texts) {
  const noteNumbers = new Map(noted.map(({ number, one }) => [one.number, number]));
  const marks = marksOf(report);
  // The kind of a passage may change within it.
  const runs = report.sources.flatMap(({ passages }) => passages.flatMap((passage) => passage.runs));
  const cuts = runs.map(({ query_start: start, query_end: end }) => ({ start, end }));
  const lines = printedLines(
    report.query_text,
    [...marks, ...cuts],
    shortLines(report.query_text),
    noteNumbers,
  );
  const hasExcluded = lines.some(({ pieces }) => pieces.some((piece) => "excluded" in piece));
  for (const { flag } of flagsAtEnd(report)) lines.push({ rtl: false, pieces: [{ text: struck(flag) }] });
  return { legend: legend(report, { hasNotes: noted.length > 0, hasExcluded }, texts), lines };
}

function legend(
  report: WireReport,
  { hasNotes, hasExcluded }: { readonly hasNotes: boolean; readonly hasExcluded: boolean },
  texts: Texts,
): string[] {
  const { say } = texts;
  const phrases: string[] = [];
  if (report.sources.length > 0) {
    phrases.push(say("pdf.legend", { letters: kindLetters(texts) }));
  }
  if (hasExcluded) phrases.push(say("export.legendExcluded"));
  if (hasNotes) phrases.push(say("pdf.legendNotes"));
  if (report.page_margins.length > 0) phrases.push(say("export.legendMargin"));
  if (report.integrity_flags.some(({ hidden }) => hidden !== undefined))
    phrases.push(say("export.legendHidden"));
  if (report.integrity_flags.some(({ hidden }) => hidden === undefined)) phrases.push(say("pdf.legendSigns"));
  return phrases;
}

function directedLines(text: string): Directed[] {
  return [...lineSpans(text)].map(({ start, end }) => directed(text.slice(start, end)));
}
