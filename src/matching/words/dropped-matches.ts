import type { Span } from "../../text/span.ts";
import { WORD_DROP_REASONS } from "./decision.ts";
import type { SourceRange } from "./source-passage.ts";

/** Why a match is not reported: as the alignment of words says; `weak_meaning`: sentences that resemble the source's too little. */
export const DROP_REASONS = [...WORD_DROP_REASONS, "weak_meaning"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** A match that was found by words or by meaning and that is not reported; `query` in UTF-16 units. */
export type DroppedMatch<Range = SourceRange> = {
  readonly query: Span;
  readonly sourceDocument: Range;
  readonly reason: DropReason;
  /** 0 for sentences that were compared by their meaning. */
  readonly matchedWords: number;
  /** The log-odds of reuse above the threshold; those of words and of meaning are measured in different ways. */
  readonly score: number;
  /** Names and numbers of such sentences that the source lacks there; undefined between two languages and for words. */
  readonly ownNames?: readonly string[];
};

/** The matches dropped from one document: those with the highest scores, and the number for each reason. */
export type DroppedMatches<Range = SourceRange> = {
  readonly matches: readonly DroppedMatch<Range>[];
  readonly counts: Readonly<Partial<Record<DropReason, number>>>;
};

/** At least as many as there are reasons. */
export const DROPPED_MAX = 5;

/** The dropped matches of words and of meaning in one document: the best of those listed, with the best for each reason among them. */
export function joinDropped(all: readonly DroppedMatches[]): DroppedMatches {
  const counts: Partial<Record<DropReason, number>> = {};
  for (const reason of DROP_REASONS) {
    const count = all.reduce((sum, dropped) => sum + (dropped.counts[reason] ?? 0), 0);
    if (count > 0) counts[reason] = count;
  }
  const inOrder = all.flatMap((dropped) => dropped.matches).toSorted((a, b) => b.score - a.score);
  const firsts = [...Map.groupBy(inOrder, ({ reason }) => reason).values()].flatMap(([first]) => first ?? []);
  const kept = new Set([...new Set([...firsts, ...inOrder])].slice(0, DROPPED_MAX));
  return { matches: inOrder.filter((match) => kept.has(match)), counts };
}
