import type { z } from "zod";
import { sweep } from "../../../core/text/sweep.ts";
import type { Report } from "../../api/schema.ts";

export type WireReport = z.output<typeof Report>;
export type WireSource = WireReport["sources"][number];
export type WirePassage = WireSource["passages"][number];
export type WireFlag = WireReport["integrity_flags"][number];

/** A passage with its own number and that of its source, both from 1 in the order of the report. */
export type NumberedPassage = {
  readonly number: number;
  readonly sourceNumber: number;
  readonly source: WireSource;
  readonly passage: WirePassage;
};

/** All passages of a report, source by source. */
export function numberedPassages({ sources }: WireReport): NumberedPassage[] {
  const placed = sources.flatMap((source, at) =>
    source.passages.map((passage) => ({ sourceNumber: at + 1, source, passage })),
  );
  return placed.map((one, at) => ({ number: at + 1, ...one }));
}

export type NumberedFlag = { readonly number: number; readonly flag: WireFlag };

export function numberedFlags({ integrity_flags: flags }: WireReport): NumberedFlag[] {
  return flags.map((flag, at) => ({ number: at + 1, flag }));
}

/** A stretch of text about which the same is to be said from its start to its end; UTF-16 offsets. */
export type TextPiece = {
  readonly start: number;
  readonly end: number;
  /** The passages that it belongs to, by the number of their source. */
  readonly passages: readonly NumberedPassage[];
  readonly flags: readonly NumberedFlag[];
  /** It counts as matched, but its source has been deleted since. */
  readonly isOrphan: boolean;
};

/** A line of the text without its line end, in pieces without gaps; an empty line has none. */
export type TextLine = readonly TextPiece[];

/** The text of a report, line by line, cut wherever a passage or a flag begins or ends. Offsets are in UTF-16. */
export function* textLines(report: WireReport): Generator<TextLine> {
  const passages = sweep(numberedPassages(report), ({ passage }) => ({
    start: passage.query_start,
    end: passage.query_end,
  }));
  const flags = sweep(numberedFlags(report), ({ flag }) => flag);
  const matched = sweep(report.unique_passages, ([start = 0, end = 0]) => ({ start, end }));
  const borders = bordersOf(report);
  let next = 0;
  for (const line of lineSpans(report.query_text)) {
    const pieces: TextPiece[] = [];
    for (let start = line.start; start < line.end; ) {
      while ((borders[next] ?? line.end) <= start) next += 1;
      const end = Math.min(borders[next] ?? line.end, line.end);
      const covering = passages(start).toSorted((a, b) => a.number - b.number);
      const isOrphan = covering.length === 0 && matched(start).length > 0;
      pieces.push({ start, end, passages: covering, flags: flags(start), isOrphan });
      start = end;
    }
    yield pieces;
  }
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

function* lineSpans(text: string): Generator<{ readonly start: number; readonly end: number }> {
  let start = 0;
  for (const { 0: lineEnd, index } of text.matchAll(LINE_END)) {
    yield { start, end: index };
    start = index + lineEnd.length;
  }
  yield { start, end: text.length };
}

/** Every place where something begins or ends: ascending, each once. */
function bordersOf({ sources, integrity_flags: flags, unique_passages: unique }: WireReport): number[] {
  const borders = new Set<number>(unique.flat());
  for (const { passages } of sources)
    for (const { query_start, query_end } of passages) borders.add(query_start).add(query_end);
  for (const { start, end } of flags) borders.add(start).add(end);
  return [...borders].sort((a, b) => a - b);
}
