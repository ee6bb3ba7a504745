import type { Span } from "../../../text/span.ts";

/** Two texts with passages in common. */
export type Side = "query" | "source";

export function otherSide(side: Side): Side {
  return side === "query" ? "source" : "query";
}

/** The places of a passage in both texts, and of its parts if they are known. */
type Corresponding = Readonly<Record<Side, Span>> & {
  readonly runs?: readonly Readonly<Record<Side, Span>>[];
};

export type Place = {
  readonly side: Side;
  /** In UTF-16 units of that text. */
  readonly offset: number;
  /** Where the other text stands now: of several places that correspond, the nearest one counts. */
  readonly near: number;
};

/**
 * The place in the other text that corresponds to a place in one: within a passage the same share of the same run, between two
 * passages the same share of the text between them. Where the passages have another order there, the nearer one counts.
 * @param lengths of both texts
 */
export function counterpartOf(
  passages: readonly Corresponding[],
  place: Place,
  lengths: Readonly<Record<Side, number>>,
): number {
  const within = counterpartWithin(passages, place);
  if (within !== undefined) return within;
  const { side, offset } = place;
  const other = otherSide(side);
  const before = lastBefore(passages, side, offset);
  const after = firstAfter(passages, side, offset);
  const from = { start: before?.[side].end ?? 0, end: after?.[side].start ?? lengths[side] };
  const to = { start: before?.[other].end ?? 0, end: after?.[other].start ?? lengths[other] };
  if (to.start <= to.end) return shareOf(from, offset, to);
  const isNearerBefore = offset - from.start < from.end - offset;
  const moved = isNearerBefore ? to.start + (offset - from.start) : to.end - (from.end - offset);
  return Math.max(0, Math.min(lengths[other] - 1, moved));
}

/** The same within passages alone; undefined between them. */
export function counterpartWithin(
  passages: readonly Corresponding[],
  { side, offset, near }: Place,
): number | undefined {
  const other = otherSide(side);
  const contains = (span: Span) => span.start <= offset && offset < span.end;
  const [passage] = passages
    .filter((one) => contains(one[side]))
    .toSorted((a, b) => distance(a[other], near) - distance(b[other], near));
  if (passage === undefined) return undefined;
  const run = passage.runs?.find((one) => contains(one[side])) ?? passage;
  return shareOf(run[side], offset, run[other]);
}

function shareOf(from: Span, offset: number, to: Span): number {
  const share = (offset - from.start) / Math.max(1, from.end - from.start);
  return to.start + Math.min(1, Math.max(0, share)) * (to.end - to.start);
}

function distance({ start, end }: Span, offset: number): number {
  return Math.max(start - offset, offset - end, 0);
}

function lastBefore(passages: readonly Corresponding[], side: Side, offset: number) {
  let last: Corresponding | undefined;
  for (const passage of passages)
    if (passage[side].end <= offset && passage[side].end > (last?.[side].end ?? -1)) last = passage;
  return last;
}

function firstAfter(passages: readonly Corresponding[], side: Side, offset: number) {
  let first: Corresponding | undefined;
  for (const passage of passages) {
    const { start } = passage[side];
    if (start > offset && start < (first?.[side].start ?? Number.POSITIVE_INFINITY)) first = passage;
  }
  return first;
}
