import type { Span } from "../../../core/text/span.ts";
import { otherSide, type PairedPassage, type Side } from "./paired-passages.ts";

export type Place = {
  readonly side: Side;
  /** In UTF-16 units of that text. */
  readonly offset: number;
  /** Where the other text stands now: of several places that correspond, the nearest one counts. */
  readonly near: number;
};

/**
 * The place in the other text that corresponds to a place in one: within a passage the same share of the same run, between two
 * passages the same share of what lies between them. Where the passages have another order there, the nearer one counts.
 * @param lengths of both texts
 */
export function counterpartOf(
  passages: readonly PairedPassage[],
  { side, offset, near }: Place,
  lengths: Readonly<Record<Side, number>>,
): number {
  const other = otherSide(side);
  const inside = passages
    .filter((passage) => passage[side].start <= offset && offset < passage[side].end)
    .toSorted((a, b) => distance(a[other], near) - distance(b[other], near));
  const [passage] = inside;
  if (passage !== undefined) {
    const run = passage.runs.find((one) => one[side].start <= offset && offset < one[side].end) ?? passage;
    return shareOf(run[side], offset, run[other]);
  }
  const before = lastBefore(passages, side, offset);
  const after = firstAfter(passages, side, offset);
  const from = { start: before?.[side].end ?? 0, end: after?.[side].start ?? lengths[side] };
  const to = { start: before?.[other].end ?? 0, end: after?.[other].start ?? lengths[other] };
  if (to.start <= to.end) return shareOf(from, offset, to);
  const isNearerBefore = offset - from.start < from.end - offset;
  const moved = isNearerBefore ? to.start + (offset - from.start) : to.end - (from.end - offset);
  return Math.max(0, Math.min(lengths[other] - 1, moved));
}

function shareOf(from: Span, offset: number, to: Span): number {
  const share = (offset - from.start) / Math.max(1, from.end - from.start);
  return to.start + Math.min(1, Math.max(0, share)) * (to.end - to.start);
}

function distance({ start, end }: Span, offset: number): number {
  return Math.max(start - offset, offset - end, 0);
}

function lastBefore(passages: readonly PairedPassage[], side: Side, offset: number) {
  let last: PairedPassage | undefined;
  for (const passage of passages)
    if (passage[side].end <= offset && passage[side].end > (last?.[side].end ?? -1)) last = passage;
  return last;
}

function firstAfter(passages: readonly PairedPassage[], side: Side, offset: number) {
  let first: PairedPassage | undefined;
  for (const passage of passages) {
    const { start } = passage[side];
    if (start > offset && start < (first?.[side].start ?? Number.POSITIVE_INFINITY)) first = passage;
  }
  return first;
}
