import type { Pair } from "../pair/pair.ts";
import { extendSeeds } from "../pieces/extend.ts";
import { findSeeds } from "../pieces/seed.ts";
import type { DroppedMatch, Match } from "./match.ts";
import { isSetPhrase } from "./set-phrase.ts";

/**
 * Aligns a query of fewer words than any evidence could come from: it is found where the source has all of it in one row,
 * once; further places are duplicates.
 */
export function alignShortQuery(pair: Pair): { readonly kept: Match[]; readonly dropped: DroppedMatch[] } {
  const { query, sourceSide } = pair;
  const words = query.ids.length;
  const kept: Match[] = [];
  const dropped: DroppedMatch[] = [];
  for (const run of extendSeeds(query, sourceSide.ids, findSeeds(query, sourceSide.ids))) {
    const source = { start: run.sourceWord, end: run.sourceWord + words };
    const match: Match = { query: { start: 0, end: words }, source, matchedWords: words, parts: 1, score: 0 };
    if (isSetPhrase(query.shingleMarks, [run])) dropped.push({ match, reason: "set_phrase" });
    else if (kept.length > 0) dropped.push({ match, reason: "duplicate" });
    else kept.push(match);
  }
  return { kept, dropped };
}
