import { outsidePair } from "../../../text/code-points.ts";
import type { Span } from "../../../text/span.ts";
import { visibleSigns } from "../../../text/visible-signs.ts";
import type { ComparedPiece } from "../../figures/compare-sides.ts";
import { MATCH_TYPES_CLOSEST_FIRST } from "../../figures/exclusive-spans.ts";
import { percent } from "../../figures/figures.ts";
import { matchBands } from "../../figures/match-bands.ts";
import type { WireReport } from "../../presented-report.ts";
import { SOURCE_COLOURS } from "../../source-colours.ts";
import {
  corpusInWords,
  counted,
  coverageInWords,
  DISGUISE_ADVICE,
  filtersInWords,
  flagCount,
  isComparedWithMembersOnly,
  JUDGEMENT_ADVICE,
  languageName,
  languageOriginInWords,
  MATCH_GROUP_LABELS,
  MATCH_GROUPS_TITLE,
  matchGroupsOf,
  matchTypeLabel,
  PAIRS_ADVICE,
  passageInWords,
  passagesInWords,
  pendingInWords,
  percentage,
  REVIEW_LABELS,
  reuseKinds,
  riseInWords,
  SHARES_ADVICE,
  scoreInWords,
  semanticCoverageInWords,
  shownScore,
  standingInWords,
} from "../../wording.ts";
import type { ComparedPair } from "../compared-pairs.ts";
import { excerpt } from "../exclusions.ts";
import {
  EXCLUDED_LEGEND,
  flaggedExcerpt,
  flagsAtEnd,
  HIDDEN_LEGEND,
  lineSpans,
  marksOf,
  type NumberedPlace,
  numberedPassages,
  type TextPiece,
  textPieces,
  type WireFlag,
  type WireSource,
} from "../text-pieces.ts";
import type { PdfRequest } from "./report-pdf.ts";

type MatchType = NumberedPlace["passage"]["match_type"];

/** On paper, and for people who do not see colours, a letter tells the kind; not "I", which looks like a 1. */
const KINDS = {
  identical: { letter: "=", colour: "#1b1f26" },
  minor_changes: { letter: "C", colour: "#545d6b" },
  paraphrased: { letter: "P", colour: "#1f4fc4" },
  translated: { letter: "T", colour: "#7a4a00" },
} as const satisfies Record<MatchType, { readonly letter: string; readonly colour: string }>;

/** The content of `report.typ`: strings and numbers, ready to be laid out. */
export function pdfContent({ report, exclusions, pairs }: PdfRequest) {
  const noted = notedPassages(report);
  return {
    ...cover(report),
    ...sourceTable(report),
    ...markedText(report, noted),
    notes: noted.map(({ number, one: { source, passage } }) => ({
      number,
      about: directed(
        `Source ${source.number}, ${source.title} · ${passageInWords(passage, source.language)}`,
      ),
      excerpt: directed(`“${excerpt(report.query_text, passage)}”`),
      lines: directedLines(passage.note ?? ""),
    })),
    exclusions: exclusions.groups.map(({ title, items, more }) => ({
      title,
      items: items.map(({ text, isQuoted, about, note }) => ({
        excerpt: directed(isQuoted ? `“${text}”` : text),
        about: directed(about),
        note: note === undefined ? [] : directedLines(`Note: ${note}`),
      })),
      more: more === 0 ? null : `and ${counted(more, "other")}`,
    })),
    "exclusions-advice": exclusions.advice,
    pairs: pairs.map((pair) => besideSource(pair, report)),
    "pairs-advice": pairsAdvice(report, pairs.length),
  };
}

const LINE_ENDS = /[\r\n\u2028\u2029]+/g;

function pairsAdvice(report: WireReport, printed: number): string {
  const left = numberedPassages(report).length - printed;
  if (left === 0) return PAIRS_ADVICE;
  return `${PAIRS_ADVICE} ${counted(left, "further passage")} not printed here: the report as HTML has all of them.`;
}

/** A passage with the text of its source: both sides as they are read, so that a board has both on paper. */
function besideSource({ one, sides }: ComparedPair, report: WireReport) {
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
    title: `Passage ${number}`,
    about: directed(
      `${source.title} · ${passageInWords(passage, source.language)}${passage.match_group === undefined ? "" : ` · ${MATCH_GROUP_LABELS[passage.match_group]}`}`,
    ),
    sides: [
      side("Submitted text", sides.query),
      side(
        source.language === report.language ? "Source" : `Source, in ${languageName(source.language)}`,
        sides.source,
      ),
    ],
    cut: sides.isCut,
  };
}

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function cover(report: WireReport) {
  const { language, language_origin: origin, filters } = report;
  const completed = new Date(report.completed_at);
  const kinds = reuseKinds(report);
  const length = `${counted(report.word_count, "word")}, ${counted(report.char_count, "character")}`;
  const notCounted = report.char_count - report.compared_chars;
  const flags = Map.groupBy(report.integrity_flags, ({ kind }) => kind);
  return {
    "document-title": `${report.display_title} · Similarity report`,
    kind: "Similarity report",
    title: directed(report.display_title),
    footer: `Similarity report · ${report.check_id}`,
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
    "asian-fonts": ASIAN_FONTS[language] ?? CHINESE_FIRST,
    colours: SOURCE_COLOURS.map(({ light: { mark, edge } }) => [mark, edge]),
    facts: [
      ["Checked on", `${DATE.format(completed)} UTC`],
      ["Language", `${languageName(language)}${languageOriginInWords(origin)}`],
      ["Length", length],
      ...(notCounted > 0 ? [["Compared", counted(report.compared_chars, "character")]] : []),
      ["Compared with", corpusInWords(report)],
      ...acknowledged(report),
      ["Check", report.check_id],
      ...decision(report),
    ],
    score: percentage(shownScore(report)),
    "score-label":
      filters === null || isComparedWithMembersOnly(report)
        ? "similarity"
        : `similarity, filtered (${percentage(filters.unfiltered_similarity_pct)} without filters)`,
    "score-words": [scoreInWords(report), riseInWords(report)].filter(Boolean).join(" "),
    kinds: kinds.map(({ type, label, chars, pct }) => ({
      ...KINDS[type],
      label: `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`,
      chars: chars.toLocaleString("en"),
      share: percentage(pct),
      pct,
    })),
    "total-chars": report.total_matched_chars.toLocaleString("en"),
    map: matchMap(report),
    filters: filtersInWords(report).map((phrase) => `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}`),
    advice: JUDGEMENT_ADVICE,
    statements: statements(report),
    signs: report.integrity_flags.slice(0, SIGNS_MAX).map((flag) => ({
      excerpt: directed(signs(flaggedExcerpt(flag, report.query_text, SIGN_LENGTH))),
      detail: flag.detail,
    })),
    "signs-summary": `${[...flags].map(([kind, all]) => flagCount(kind, all.length)).join(", ")}. ${DISGUISE_ADVICE}${
      report.integrity_flags.length > SIGNS_MAX ? ` The first ${SIGNS_MAX}:` : ""
    }`,
  };
}

function acknowledged(report: WireReport): string[][] {
  const groups = matchGroupsOf(report).map(
    ({ label, passages, pct }) => `${counted(passages, "passage")} ${label} (${percentage(pct)})`,
  );
  return groups.length === 0 ? [] : [[MATCH_GROUPS_TITLE, groups.join("; ")]];
}

function decision({ review }: WireReport): string[][] {
  if (review === undefined) return [];
  const kept = `${REVIEW_LABELS[review.status]}, kept on ${DATE.format(new Date(review.changed_at))} UTC`;
  const comment = review.comment?.replaceAll(LINE_ENDS, " ") ?? null;
  return [["Decision", kept], ...(comment === null ? [] : [["Comment", signs(comment)]])];
}

/** A page of them; the text marks all. */
const SIGNS_MAX = 40;
const SIGN_LENGTH = 60;

/** Fonts for Chinese characters. Chinese, Japanese and Korean print many of them differently. */
const CHINESE_FIRST = ["Noto Sans S Chinese", "Noto Sans Japanese", "Noto Sans Korean"];
const ASIAN_FONTS: Readonly<Record<string, readonly string[]>> = {
  ja: ["Noto Sans Japanese", "Noto Sans S Chinese", "Noto Sans Korean"],
  ko: ["Noto Sans Korean", "Noto Sans S Chinese", "Noto Sans Japanese"],
};

/** How completely the text was compared. */
function statements(report: WireReport) {
  const { title, text } = coverageInWords(report);
  const pending = pendingInWords(report);
  const meaning = semanticCoverageInWords(report);
  const standing = standingInWords(report);
  return [
    { title, text, warns: report.coverage === "partial" },
    ...(standing === undefined ? [] : [{ title: "Left out of all reports", text: standing, warns: false }]),
    ...(pending === undefined
      ? []
      : [{ title: "Some documents were not compared", text: pending, warns: true }]),
    ...(meaning === undefined
      ? []
      : [
          {
            title: "Not everything was compared by meaning",
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

function sourceTable({ sources, language, compared_chars: comparedChars }: WireReport) {
  return {
    "sources-advice": sources.length === 0 ? "No sources to show." : SHARES_ADVICE,
    sources: sources.map((source) => ({
      number: source.number,
      title: directed(source.title),
      about: [source.source_filename, aboutPassages(source, language)].map(directed),
      matched: source.matched_chars.toLocaleString("en"),
      share: percentage(source.similarity_pct),
      exclusive: {
        share: percentage(percent(source.exclusive_matched_chars, comparedChars)),
        matched: source.exclusive_matched_chars.toLocaleString("en"),
      },
      linked: source.source_url !== null && /^https?:\/\//i.test(source.source_url),
      url: source.source_url && { link: source.source_url, text: source.source_url },
    })),
  };
}

function aboutPassages({ passages, language }: WireSource, checked: string): string {
  return `${passagesInWords(passages)}${language === checked ? "" : ` · in ${languageName(language)}`}`;
}

type Noted = { readonly number: number; readonly one: NumberedPlace };

/** The passages with a note, numbered in the order of the text. */
function notedPassages(report: WireReport): Noted[] {
  return numberedPassages(report)
    .filter(({ passage }) => passage.note !== null)
    .sort((a, b) => a.passage.query_start - b.passage.query_start || a.number - b.number)
    .map((one, at) => ({ number: at + 1, one }));
}

/** Labels of sources shown at one place; the others are counted. */
const LABELS_MAX = 6;

function markedText(report: WireReport, noted: readonly Noted[]) {
  const noteNumbers = new Map(noted.map(({ number, one }) => [one.number, number]));
  const marks = marksOf(report);
  // The kind of a passage may change within it.
  const runs = report.sources.flatMap(({ passages }) => passages.flatMap((passage) => passage.runs));
  const cuts = runs.map(({ query_start: start, query_end: end }) => ({ start, end }));
  const labelled = new Set<string>();
  const lines = [...textPieces([...marks, ...cuts], shortLines(report.query_text))].map((pieces) => ({
    rtl: isRightToLeft(pieces.map(({ start, end }) => report.query_text.slice(start, end)).join("")),
    pieces: pieces.map((piece) => laidOut(piece, report, noteNumbers, labelled)),
  }));
  const hasExcluded = lines.some(({ pieces }) => pieces.some((piece) => "excluded" in piece));
  for (const { flag } of flagsAtEnd(report)) lines.push({ rtl: false, pieces: [{ text: struck(flag) }] });
  return { legend: legend(report, noted.length > 0, hasExcluded), lines };
}

function laidOut(
  piece: TextPiece,
  { query_text: text }: WireReport,
  noteNumbers: ReadonlyMap<number, number>,
  labelled: Set<string>,
) {
  const begins = piece.passages.flatMap(({ number, source, passage }) => {
    const at = Math.max(
      0,
      passage.runs.findLastIndex((run) => run.query_start <= piece.start),
    );
    const isFirst = !labelled.has(`${number}`);
    if (labelled.has(`${number} ${at}`)) return [];
    labelled.add(`${number}`).add(`${number} ${at}`);
    const kind = passage.runs[at]?.match_type ?? passage.match_type;
    const note = isFirst ? noteNumbers.get(number) : undefined;
    return [{ label: [source.number, KINDS[kind].letter] as const, note }];
  });
  const labels = begins.map(({ label }) => label);
  const shown = text.slice(piece.start, piece.end);
  const first = labels.length > 0 && piece.flags.length === 0 ? (FIRST_WORD.exec(shown)?.[0] ?? "") : "";
  const notes = begins.flatMap(({ note }) => note ?? []);
  const [source, also] = new Set(piece.passages.map(({ source: { number } }) => number));
  return {
    text: textParts(shown.slice(first.length), piece),
    ...(labels.length > 0 && { labels: labels.slice(0, LABELS_MAX), first: printable(first) }),
    ...(labels.length > LABELS_MAX && { more: labels.length - LABELS_MAX }),
    ...(notes.length > 0 && { notes }),
    ...(piece.isMargin && { margin: true }),
    ...(piece.isOrphan && { orphan: true }),
    ...(piece.isExcluded && { excluded: true }),
    ...(source !== undefined && { source }),
    ...(also !== undefined && { also }),
  };
}

/** The beginning of a passage that stays with its label: up to a space, or one character of a script without spaces. */
const FIRST_WORD =
  /^(?:[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,24}(?=\s|$)|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/u;

/** A longer flag, in UTF-16 units, stands for many others, and its text is not marked. */
const MARKED_FLAG_LENGTH_MAX = 500;

/** A part of the text, or a sign in it: the code point of a character that shows nothing, or hidden text. */
type TextPart = string | { readonly code: string } | { readonly struck: string };

/** Strings, code points in place of characters that show nothing, and before them the text that is hidden there. */
function textParts(text: string, { start: pieceStart, flags: all }: TextPiece): TextPart[] {
  const flags = all.map(({ flag }) => flag);
  const marked = flags.filter(
    ({ start, end, hidden }) => hidden === undefined && end - start <= MARKED_FLAG_LENGTH_MAX,
  );
  const pieces = marked.length === 0 ? [{ text, code: undefined }] : visibleSigns(text, marked);
  const shown = pieces.flatMap(({ text: plain, code }): TextPart[] =>
    code === undefined ? breakable(printable(plain)) : [{ code }],
  );
  return [...flags.filter(({ end }) => end <= pieceStart).flatMap(struck), ...shown];
}

function struck({ hidden }: WireFlag): TextPart[] {
  return hidden === undefined ? [] : [{ struck: printable(hidden.text) }];
}

/** The space of four characters for a tab, and a sign for other control characters, which fonts lack. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\t", "    ")
    .replaceAll(/\p{Cc}/gu, "\ufffd");
}

/** A word that may be longer than a line, in a script that is written with spaces. */
const LONG_WORD =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{60}(?=\S)/gu;

/** Cuts long words; the layout may break lines between the parts. */
function breakable(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
    parts.push(text.slice(start, index + word.length));
    start = index + word.length;
  }
  return [...parts, text.slice(start)];
}

function signs(text: string): string {
  return visibleSigns(text, [{ kind: "invisible_characters", detail: "" }])
    .map(({ text: plain, code }) => code ?? printable(plain))
    .join("");
}

/** The time for a paragraph grows faster than its length: 500,000 characters in one took nine seconds, in fifty one second. */
const LINE_LENGTH_MAX = 10_000;

/** The lines of a text; longer ones are divided at a space. */
function* shortLines(text: string): Generator<Span> {
  for (const { start: first, end } of lineSpans(text)) {
    let start = first;
    while (end - start > LINE_LENGTH_MAX) {
      const space = text.lastIndexOf(" ", start + LINE_LENGTH_MAX);
      const cut = space > start ? space + 1 : outsidePair(text, start + LINE_LENGTH_MAX);
      yield { start, end: cut };
      start = cut;
    }
    yield { start, end };
  }
}

function legend(report: WireReport, hasNotes: boolean, hasExcluded: boolean): string[] {
  const phrases: string[] = [];
  if (report.sources.length > 0) {
    const letters = MATCH_TYPES_CLOSEST_FIRST.map((type) => `${KINDS[type].letter}: ${matchTypeLabel(type)}`);
    phrases.push(
      `Marked text matches the corpus. Colour and number name the source, and the letter the kind of match (${letters.join(", ")}). ` +
        "Where sources overlap, the text is underlined in the colour of the second one.",
    );
  }
  if (hasExcluded) phrases.push(EXCLUDED_LEGEND);
  if (hasNotes) phrases.push("Boxes such as “Note 1” refer to the notes after the text.");
  if (report.page_margins.length > 0)
    phrases.push("Small grey text is a header, a footer or a page number, which was not compared.");
  if (report.integrity_flags.some(({ hidden }) => hidden !== undefined)) phrases.push(HIDDEN_LEGEND);
  if (report.integrity_flags.some(({ hidden }) => hidden === undefined))
    phrases.push("Invisible characters are shown as code points in boxes.");
  return phrases;
}

type Directed = { readonly text: string; readonly rtl: boolean };

function directed(text: string): Directed {
  return { text: signs(text), rtl: isRightToLeft(text) };
}

function directedLines(text: string): Directed[] {
  return [...lineSpans(text)].map(({ start, end }) => directed(text.slice(start, end)));
}

/** By the first letter, as browsers do for `dir="auto"`. */
function isRightToLeft(text: string): boolean {
  const [letter = ""] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter);
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
