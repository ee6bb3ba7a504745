import type { Pair } from "../pair/pair.ts";
import type { Run } from "../pieces/run.ts";
import { rowPiece } from "../pieces/run-pieces.ts";
import { type DroppedMatch, type Match, matchOf } from "./match.ts";
import { isSetPhrase } from "./set-phrase.ts";

/**
 * Aligns a query that the source has all of, in one row: it is found whole, whatever its words are and however few,
 * as a text of nothing but figures or names is against itself. Further places are duplicates.
 * @param runs rows of equal words, each as long as the query
 */
export function alignWholeQuery(
  pair: Pair,
  runs: readonly Run[],
): { readonly kept: Match[]; readonly dropped: DroppedMatch[] } {
  const kept: Match[] = [];
  const dropped: DroppedMatch[] = [];
  for (const run of runs) {
    const match = matchOf(pair, rowPiece(pair, run));
    if (isSetPhrase(pair.query.shingleMarks, [run])) dropped.push({ match, reason: "set_phrase" });
    else if (kept.length > 0) dropped.push({ match, reason: "duplicate" });
    else kept.push(match);
  }
  return { kept, dropped };
}
