import type { IntegrityFlag, ReportExplanation } from "../../../../client/index.ts";
import { sweep } from "../../../../core/text/sweep.ts";
import type { TextBlock } from "../../shared/text/text-blocks.ts";
import type { PlacedPassage } from "./passages.ts";

/** A part of a passage that a filter left out. */
export type LeftOut = ReportExplanation["filtered_out"][number];

/** A stretch of text about which the same is to be said from its start to its end. */
export type Segment = {
  readonly start: number;
  readonly end: number;
  /** The passages that it belongs to, by the number of their source: the first gives it its colour. */
  readonly passages: readonly PlacedPassage[];
  /** Those of them that begin here, and are numbered and reached by the keyboard here. */
  readonly begins: readonly PlacedPassage[];
  readonly flags: readonly IntegrityFlag[];
  /** Why a match here does not count, where none counts. */
  readonly leftOut: LeftOut | undefined;
  /** It counts as matched, but its source has been deleted since. */
  readonly isOrphan: boolean;
};

export type Marks = {
  /** Ascending by start. */
  readonly passages: readonly PlacedPassage[];
  readonly flags: readonly IntegrityFlag[];
  readonly leftOut: readonly LeftOut[];
  /** What the report counts as matched, by whatever source. */
  readonly unique: readonly (readonly [start: number, end: number])[];
};

/** The segments of each block, in order; together they are the text of the block, without gaps. */
export function blockSegments(blocks: readonly TextBlock[], marks: Marks): Segment[][] {
  const sweeps = {
    passages: sweep(marks.passages, (one) => one),
    flags: sweep(marks.flags, (one) => one),
    leftOut: sweep(marks.leftOut, ({ query_start, query_end }) => ({ start: query_start, end: query_end })),
    unique: sweep(marks.unique, ([start, end]) => ({ start, end })),
  };
  const borders = bordersOf(marks);
  let next = 0;
  return blocks.map(({ start, end }) => {
    const segments: Segment[] = [];
    for (let at = start; at < end; ) {
      while ((borders[next] ?? end) <= at) next++;
      const stop = Math.min(borders[next] ?? end, end);
      segments.push(segmentAt(at, stop, sweeps));
      at = stop;
    }
    return segments;
  });
}

type Sweeps = {
  readonly passages: (at: number) => readonly PlacedPassage[];
  readonly flags: (at: number) => readonly IntegrityFlag[];
  readonly leftOut: (at: number) => readonly LeftOut[];
  readonly unique: (at: number) => readonly unknown[];
};

function segmentAt(start: number, end: number, sweeps: Sweeps): Segment {
  const passages = sweeps.passages(start).toSorted((a, b) => a.source.number - b.source.number);
  const leftOut = sweeps.leftOut(start);
  return {
    start,
    end,
    passages,
    begins: passages.filter((passage) => passage.start === start),
    flags: sweeps.flags(start),
    leftOut: passages.length === 0 ? leftOut[0] : undefined,
    isOrphan: passages.length === 0 && sweeps.unique(start).length > 0,
  };
}

/** Every place where something begins or ends: ascending, each once. */
function bordersOf({ passages, flags, leftOut, unique }: Marks): number[] {
  const borders = new Set<number>();
  for (const { start, end } of [...passages, ...flags]) borders.add(start).add(end);
  for (const { query_start, query_end } of leftOut) borders.add(query_start).add(query_end);
  for (const [start, end] of unique) borders.add(start).add(end);
  return [...borders].sort((a, b) => a - b);
}
