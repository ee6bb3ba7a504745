import { cutAtMarks, type MarkedSpan } from "../../text/cut-at-marks.ts";
import { fromPairs, type Span } from "../../text/span.ts";
import type { WireReport } from "../presented-report.ts";

export type WireSource = WireReport["sources"][number];
export type WireFlag = WireReport["integrity_flags"][number];

/** A passage with its number, from 1 in the order of the report. */
export type NumberedPlace = {
  readonly number: number;
  readonly source: WireSource;
  readonly passage: WireSource["passages"][number];
};

/** All passages of a report, source by source. */
export function numberedPassages({ sources }: WireReport): NumberedPlace[] {
  return sources
    .flatMap((source) => source.passages.map((passage) => ({ source, passage })))
    .map((one, at) => ({ number: at + 1, ...one }));
}

export type NumberedFlag = { readonly number: number; readonly flag: WireFlag };

export function numberedFlags({ integrity_flags: flags }: WireReport): NumberedFlag[] {
  return flags.map((flag, at) => ({ number: at + 1, flag }));
}

/** Flags of hidden text behind the last character. */
export function flagsAtEnd(report: WireReport): NumberedFlag[] {
  const { length } = report.query_text;
  return numberedFlags(report).filter(({ flag }) => flag.hidden !== undefined && flag.start === length);
}

/** The text that a flag is about. */
export function flaggedExcerpt({ start, end, hidden }: WireFlag, text: string, lengthMax: number): string {
  const whole = hidden?.text ?? text.slice(start, end);
  return `${whole.slice(0, lengthMax).toWellFormed()}${whole.length > lengthMax ? "…" : ""}`;
}

/** A part of the text to which the same marks apply from start to end; UTF-16 offsets. */
export type TextPiece<Place = NumberedPlace> = Span & {
  /** By the number of their source. */
  readonly passages: readonly Place[];
  readonly flags: readonly NumberedFlag[];
  /** Counts as matched, but the source has been deleted since. */
  readonly isOrphan: boolean;
  /** A header, a footer or a page number, which was not compared. */
  readonly isMargin: boolean;
  /** Matches too, but the filters exclude all of it. */
  readonly isExcluded: boolean;
};

/** Everything that is marked in the text of a report. */
export function marksOf(report: WireReport): Mark[] {
  return [
    ...numberedPassages(report).map(
      (passage): Mark => ({
        start: passage.passage.query_start,
        end: passage.passage.query_end,
        passage,
      }),
    ),
    ...numberedFlags(report).map((flag): Mark => ({ start: flag.flag.start, end: flag.flag.end, flag })),
    ...fromPairs(report.unique_passages).map((span): Mark => ({ ...span, isMatched: true })),
    ...fromPairs(report.page_margins).map((span): Mark => ({ ...span, isMargin: true })),
    ...(report.explanation?.filtered_out ?? []).map(
      ({ query_start: start, query_end: end }): Mark => ({ start, end, isExcluded: true }),
    ),
  ];
}

/** Cuts ranges of the text, such as its lines, wherever a passage or a flag begins or ends. An empty range has no pieces. */
export function* textPieces<Place extends { readonly number: number } = NumberedPlace>(
  marks: readonly Mark<Place>[],
  ranges: Iterable<Span>,
): Generator<TextPiece<Place>[]> {
  for (const spans of cutAtMarks(ranges, marks)) yield spans.map(pieceOf);
}

/** Without any of these members, it only divides the pieces. */
export type Mark<Place = NumberedPlace> = Span & {
  readonly passage?: Place;
  readonly flag?: NumberedFlag;
  readonly isMatched?: boolean;
  readonly isMargin?: boolean;
  readonly isExcluded?: boolean;
};

function pieceOf<Place extends { readonly number: number }>({
  start,
  end,
  marks,
}: MarkedSpan<Mark<Place>>): TextPiece<Place> {
  const passages = marks.flatMap(({ passage }) => passage ?? []).sort((a, b) => a.number - b.number);
  const flags = marks.flatMap(({ flag }) => flag ?? []);
  const isMatched = marks.some((mark) => mark.isMatched);
  const isMargin = marks.some((mark) => mark.isMargin);
  const isOrphan = isMatched && passages.length === 0;
  const isExcluded = !isMatched && marks.some((mark) => mark.isExcluded);
  return { start, end, passages, flags, isOrphan, isMargin, isExcluded };
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** The lines of a text, without their ends. */
export function* lineSpans(text: string): Generator<Span> {
  let start = 0;
  for (const { 0: lineEnd, index } of text.matchAll(LINE_END)) {
    yield { start, end: index };
    start = index + lineEnd.length;
  }
  yield { start, end: text.length };
}
