import type { MatchType } from "../../matching/words/match-type.ts";
import type { Span } from "../../text/span.ts";

/** A run that explains a part of the query, as one of several where runs overlap. */
export type Claim = {
  readonly query: Span;
  readonly matchType: MatchType;
  readonly documentId: string;
  /** The length of its whole passage in the query. */
  readonly passageLength: number;
};

/** From the closest reuse to the one that changes most. */
export const MATCH_TYPES_CLOSEST_FIRST = [
  "identical",
  "minor_changes",
  "paraphrased",
  "translated",
] as const satisfies readonly MatchType[];

/** A value for each match type. */
export function byMatchType<T>(of: (type: MatchType) => T): Record<MatchType, T> {
  return {
    identical: of("identical"),
    minor_changes: of("minor_changes"),
    paraphrased: of("paraphrased"),
    translated: of("translated"),
  };
}

/**
 * The query text that each run explains better than any other: by the closest kind of reuse, then by the longest passage, since a long
 * copy is no coincidence. The spans of all runs are disjoint and cover the same text as the runs. Takes n log n time for n runs, times
 * the number of runs that overlap in one place.
 */
export function exclusiveSpans<Run extends Claim>(runs: readonly Run[]): Map<Run, Span[]> {
  const ascending = runs
    .filter(({ query }) => query.start < query.end)
    .sort((a, b) => a.query.start - b.query.start);
  const borders = [...new Set(ascending.flatMap(({ query }) => [query.start, query.end]))].sort(
    (a, b) => a - b,
  );
  const exclusive = new Map<Run, Span[]>();
  let next = 0;
  let open: Run[] = [];
  for (const [at, start] of borders.entries()) {
    const end = borders[at + 1] ?? start;
    open = open.filter(({ query }) => query.end > start);
    for (let run = ascending[next]; run !== undefined && run.query.start <= start; run = ascending[++next])
      open.push(run);
    const [first] = open;
    if (first === undefined) continue;
    const best = open.reduce((a, b) => (byClaim(a, b) <= 0 ? a : b), first);
    const spans = exclusive.get(best) ?? [];
    exclusive.set(best, spans);
    const last = spans.at(-1);
    if (last?.end === start) spans[spans.length - 1] = { start: last.start, end };
    else spans.push({ start, end });
  }
  return exclusive;
}

function byClaim(a: Claim, b: Claim): number {
  return (
    MATCH_TYPES_CLOSEST_FIRST.indexOf(a.matchType) - MATCH_TYPES_CLOSEST_FIRST.indexOf(b.matchType) ||
    b.passageLength - a.passageLength ||
    (a.documentId < b.documentId ? -1 : Number(a.documentId > b.documentId))
  );
}
