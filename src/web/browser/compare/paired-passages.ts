import type { ComparedPassage, IntegrityFlag } from "../../../client/index.ts";
import { cutAtMarks } from "../../../text/cut-at-marks.ts";
import { enclosingSpan, type Span } from "../../../text/span.ts";
import { otherSide, type Side } from "../shared/counterpart.ts";
import type { TextBlock } from "../shared/text-blocks.ts";

export { otherSide, type Side };

export type MatchType = ComparedPassage["match_type"];

/** The places and the kinds of a passage, in UTF-16 units, and its sentences that correspond. */
export type PlacesOfTwo = Pick<
  ComparedPassage,
  | "query_start"
  | "query_end"
  | "source_document_start"
  | "source_document_end"
  | "match_type"
  | "runs"
  | "meaning"
>;

/** One of the two texts, with its marks besides the passages. */
export type PairedText = {
  readonly name: string;
  readonly text: string;
  readonly language: string;
  readonly flags: readonly IntegrityFlag[];
  /** Text that was not compared, such as page numbers and templates, with the reason. */
  readonly uncompared: readonly (Span & { readonly reason: string })[];
};

/** A part of a passage of one kind, with its place in both texts. */
type PairedRun = Readonly<Record<Side, Span>> & { readonly matchType: MatchType };

/** A passage with its place in both texts, in UTF-16 units. */
export type PairedPassage = Readonly<Record<Side, Span>> & {
  /** Its place among all passages of the query, from 0; filters do not change it. */
  readonly index: number;
  readonly passage: PlacesOfTwo;
  /** The passages of the chosen kinds. */
  readonly runs: readonly PairedRun[];
};

/** The passages, in the order of the query, with their runs of the chosen kinds; those without any are left out. */
export function pairedPassages(
  passages: readonly PlacesOfTwo[],
  hidden: ReadonlySet<MatchType>,
): PairedPassage[] {
  return passages.flatMap((passage, index) => {
    const runs = passage.runs
      .filter((run) => !hidden.has(run.match_type))
      .map((run) => ({
        query: { start: run.query_start, end: run.query_end },
        source: { start: run.source_document_start, end: run.source_document_end },
        matchType: run.match_type,
      }));
    const [first] = runs;
    if (first === undefined) return [];
    const whole = (side: Side) => runs.map((run) => run[side]).reduce(enclosingSpan);
    return [{ index, passage, runs, query: whole("query"), source: whole("source") }];
  });
}

/** A part of one text to which the same marks apply from start to end. */
export type SideSegment = Span & {
  /** Source text may belong to several passages; their first one comes first. */
  readonly passages: readonly PairedPassage[];
  readonly matchType: MatchType | undefined;
  /** The passages whose numbers are drawn before the segment. */
  readonly begins: readonly PairedPassage[];
  readonly flags: readonly IntegrityFlag[];
  /** Why it was not compared; undefined for text that was. */
  readonly uncompared: string | undefined;
};

type Mark = Span & {
  readonly passage?: PairedPassage;
  readonly run?: PairedRun;
  readonly flag?: IntegrityFlag;
  readonly reason?: string;
};

type SideMarks = Pick<PairedText, "flags" | "uncompared"> & {
  readonly side: Side;
  readonly passages: readonly PairedPassage[];
};

/** The segments of each block, in order; together they are the text of the block, without gaps. */
export function sideSegments(
  blocks: readonly TextBlock[],
  { side, passages, flags, uncompared }: SideMarks,
): SideSegment[][] {
  const marks: Mark[] = [
    ...passages.flatMap((passage) => passage.runs.map((run) => ({ ...run[side], passage, run }))),
    ...flags.map((flag) => ({ start: flag.start, end: flag.end, flag })),
    ...uncompared,
  ];
  return [...cutAtMarks(blocks, marks)].map((spans) =>
    spans.map(({ start, end, marks: own }) => {
      const inPassages = own
        .flatMap(({ passage }) => passage ?? [])
        .toSorted((a, b) => a[side].start - b[side].start || a.index - b.index);
      const [first] = inPassages;
      return {
        start,
        end,
        passages: [...new Set(inPassages)],
        matchType: own.find(({ passage }) => passage !== undefined && passage === first)?.run?.matchType,
        begins: [...new Set(inPassages.filter((passage) => passage[side].start === start))],
        flags: own.flatMap(({ flag }) => flag ?? []),
        uncompared: own.find(({ reason }) => reason !== undefined)?.reason,
      };
    }),
  );
}

/** The passage after or before another one in the query, wrapping around at both ends. */
export function passageBeside(
  passages: readonly PairedPassage[],
  current: PairedPassage | undefined,
  step: 1 | -1,
): PairedPassage | undefined {
  if (current === undefined) return passages.at(step === 1 ? 0 : -1);
  const next =
    step === 1
      ? passages.find(({ index }) => index > current.index)
      : passages.findLast(({ index }) => index < current.index);
  return next ?? passages.at(step === 1 ? 0 : -1);
}
