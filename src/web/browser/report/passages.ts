import type { IntegrityFlag, Passage, Report, ReportExplanation, Source } from "../../../client/index.ts";
import { cutAtMarks, type MarkedSpan } from "../../../text/cut-at-marks.ts";
import type { Span } from "../../../text/span.ts";
import type { TextBlock } from "../shared/text-blocks.ts";

/** A passage with UTF-16 offsets of the submitted text. */
export type PlacedPassage = {
  /** Index in the result of `placedPassages`. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly source: Source;
  readonly passage: Passage;
};

/** How the text at an offset of a passage was reused. */
export function matchTypeAt({ passage }: PlacedPassage, offset: number): Passage["match_type"] {
  const run = passage.runs.findLast(({ query_start: start }) => start <= offset);
  return run?.match_type ?? passage.match_type;
}

/** The passages of a report by start, then by source number. */
export function placedPassages({ sources }: Pick<Report, "sources">): PlacedPassage[] {
  return sources
    .flatMap((source) => source.passages.map((passage) => ({ source, passage })))
    .sort((a, b) => a.passage.query_start - b.passage.query_start || a.source.number - b.source.number)
    .map((placed, index) => {
      const { query_start: start, query_end: end } = placed.passage;
      return { ...placed, index, start, end };
    });
}

/** The passage that covers most of the linked place, preferably of the linked document: filters may have cut the exact one. */
export function findPassage(
  passages: readonly PlacedPassage[],
  place: { readonly start: number; readonly end: number; readonly documentId: string },
): PlacedPassage | undefined {
  const near = passages.filter(({ start, end }) => start < place.end && end > place.start);
  const own = near.filter(({ source }) => source.source_document_id === place.documentId);
  const overlap = ({ start, end }: PlacedPassage) => Math.min(end, place.end) - Math.max(start, place.start);
  const length = ({ start, end }: PlacedPassage) => end - start;
  const closest = (a: PlacedPassage, b: PlacedPassage) => overlap(b) - overlap(a) || length(a) - length(b);
  return own.toSorted(closest)[0] ?? near.toSorted(closest)[0];
}

/** The passage after or before another one, wrapping around at both ends. */
export function neighbour(
  passages: readonly PlacedPassage[],
  current: PlacedPassage | undefined,
  step: 1 | -1,
): PlacedPassage | undefined {
  if (current === undefined) return step === 1 ? passages[0] : passages.at(-1);
  const after = passages.filter(({ index }) => (step === 1 ? index > current.index : index < current.index));
  return step === 1 ? (after[0] ?? passages[0]) : (after.at(-1) ?? passages.at(-1));
}

export type Excluded = ReportExplanation["filtered_out"][number];

/** A part of the text to which the same marks apply from start to end. */
export type Segment = Span & {
  /** By the number of their source: the first one gives the segment its colour. */
  readonly passages: readonly PlacedPassage[];
  /** The passages that begin here: their numbers and keyboard stops are drawn before the segment. */
  readonly begins: readonly PlacedPassage[];
  readonly flags: readonly IntegrityFlag[];
  /** The flags of hidden text that would stand before the segment. */
  readonly hidden: readonly IntegrityFlag[];
  /** Why a match here does not count, if none counts. */
  readonly excluded: Excluded | undefined;
  /** Counts as matched, but the source has been deleted since. */
  readonly isOrphan: boolean;
  /** A header, a footer or a page number, which was not compared. */
  readonly isMargin: boolean;
};

export type Marks = {
  readonly passages: readonly PlacedPassage[];
  readonly flags: readonly IntegrityFlag[];
  readonly excluded: readonly Excluded[];
  /** The text that the report counts as matched, by any source. */
  readonly unique: readonly (readonly [start: number, end: number])[];
  readonly margins: readonly (readonly [start: number, end: number])[];
};

/** The segments of each block, in order; together they are the text of the block, without gaps. */
export function blockSegments(blocks: readonly TextBlock[], marks: Marks): Segment[][] {
  const all: Mark[] = [
    ...marks.passages.map((passage) => ({ start: passage.start, end: passage.end, passage })),
    // Cut where the kind of reuse changes.
    ...marks.passages.flatMap(({ passage: { runs } }) =>
      runs.slice(1).map((run) => ({ start: run.query_start, end: run.query_end })),
    ),
    ...marks.flags.map((flag) => ({ start: flag.start, end: flag.end, flag })),
    ...marks.excluded.map((one) => ({ start: one.query_start, end: one.query_end, excluded: one })),
    ...marks.unique.map(([start, end]) => ({ start, end, isMatched: true })),
    ...marks.margins.map(([start, end]) => ({ start, end, isMargin: true })),
  ];
  return [...cutAtMarks(blocks, all)].map((spans) => spans.map(segmentOf));
}

/** Each mark has one of these members. */
type Mark = Span & {
  readonly passage?: PlacedPassage;
  readonly flag?: IntegrityFlag;
  readonly excluded?: Excluded;
  readonly isMatched?: boolean;
  readonly isMargin?: boolean;
};

function segmentOf({ start, end, marks }: MarkedSpan<Mark>): Segment {
  const passages = marks
    .flatMap(({ passage }) => passage ?? [])
    .sort((a, b) => a.source.number - b.source.number);
  const flags = marks.flatMap(({ flag }) => flag ?? []);
  const isUnmatched = passages.length === 0;
  return {
    start,
    end,
    passages,
    begins: passages.filter((passage) => passage.start === start),
    flags: flags.filter(({ hidden }) => hidden === undefined),
    hidden: flags.filter(({ hidden }) => hidden !== undefined),
    excluded: isUnmatched ? marks.find(({ excluded }) => excluded !== undefined)?.excluded : undefined,
    isOrphan: isUnmatched && marks.some(({ isMatched }) => isMatched),
    isMargin: marks.some(({ isMargin }) => isMargin),
  };
}
