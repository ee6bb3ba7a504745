import type { MatchType } from "../alignment/match-type.ts";
import { type Span, spanLength } from "../text/span.ts";
import { type MatchedSource, runsOf } from "./report.ts";

/** A run of a source, and what speaks for the source where runs of several overlap. */
type Claim = Span & {
  readonly documentId: string;
  readonly closeness: number;
  readonly passageLength: number;
};

const CLOSENESS = {
  identical: 3,
  minor_changes: 2,
  paraphrased: 1,
  translated: 0,
} as const satisfies Record<MatchType, number>;

/**
 * For each source, the query text that it explains better than any other: by the closest kind of reuse, then by the longest passage,
 * since a long copy is no coincidence. The spans of all sources are disjoint and cover the same text as their passages. Takes
 * n log n time for n runs, times the number of runs that overlap in one place.
 */
export function exclusiveSpans(sources: readonly MatchedSource[]): Map<string, Span[]> {
  const claims = sources.flatMap(({ documentId, passages }) =>
    passages.flatMap((passage) =>
      runsOf(passage).map(
        ({ query, matchType }): Claim => ({
          ...query,
          documentId,
          closeness: CLOSENESS[matchType],
          passageLength: spanLength(passage.query),
        }),
      ),
    ),
  );
  const ascending = claims.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
  const borders = [...new Set(ascending.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const exclusive = new Map<string, Span[]>();
  let next = 0;
  let open: Claim[] = [];
  for (const [at, start] of borders.entries()) {
    const end = borders[at + 1] ?? start;
    open = open.filter((claim) => claim.end > start);
    for (; (ascending[next]?.start ?? Number.POSITIVE_INFINITY) <= start; next++)
      open.push(...ascending.slice(next, next + 1));
    const [best] = open;
    if (best === undefined) continue;
    const { documentId } = open.reduce(better, best);
    const spans = exclusive.get(documentId) ?? [];
    exclusive.set(documentId, spans);
    const last = spans.at(-1);
    if (last?.end === start) spans[spans.length - 1] = { start: last.start, end };
    else spans.push({ start, end });
  }
  return exclusive;
}

function better(a: Claim, b: Claim): Claim {
  const order =
    b.closeness - a.closeness || b.passageLength - a.passageLength || (a.documentId < b.documentId ? -1 : 1);
  return order > 0 ? b : a;
}
