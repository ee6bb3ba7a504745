import {
  type DroppedMatch,
  LISTED_WORDS_MIN,
  MATCHED_WORDS_MIN,
  type Match,
  matchOf,
} from "./choosing/match.ts";
import { selectPieces } from "./choosing/select.ts";
import { listedRuns, uncoveredCopies } from "./choosing/verbatim.ts";
import { alignWholeQuery } from "./choosing/whole-query.ts";
import { exactCopies } from "./fitting/exact-copies.ts";
import { withSourceTail } from "./fitting/source-tail.ts";
import { trimPiece } from "./fitting/trim.ts";
import { withoutOverlaps } from "./fitting/without-overlaps.ts";
import { growPiece } from "./joining/grow.ts";
import { joinPieces } from "./joining/join.ts";
import { type Pair, pairOf } from "./pair/pair.ts";
import {
  type PreparedQuery,
  prepareQuery,
  type QueryOptions,
  SHORT_QUERY_WORDS,
} from "./pair/prepared-query.ts";
import { BARRIER, type TokenisedText } from "./pair/tokenised-text.ts";
import { type DroppedPassage, type Passage, passageOf } from "./passages/passage.ts";
import { findPieces, withoutCovered } from "./pieces/find-pieces.ts";
import { netWorth, type Piece } from "./pieces/piece.ts";
import type { Run } from "./pieces/run.ts";
import { allRuns, RUN_WORDS_MIN } from "./pieces/run-pieces.ts";
import { withSummaries } from "./summaries/whole-source.ts";

export { BARRIER, type PreparedQuery, prepareQuery, type QueryOptions, type TokenisedText };

/**
 * Finds what of the query stands in one source: word for word, edited, reworded, or summarised.
 * The kept passages ascend by query and do not overlap there; a source's text may serve several of them. Offsets are
 * UTF-16 into the two texts. No passage crosses a source word that is `BARRIER`.
 *
 * A passage is a stretch of each text whose words are explained better by reuse than by chance: a bag of words on each
 * side, scored by log-odds, with priors for where passages begin and end; no sentence is a unit and no order
 * is asked for. Pieces are found first and joined where that explains more; then edges are fitted, and the evidence weighed.
 * Copies are given their exact edges last.
 */
export function align(
  query: PreparedQuery,
  source: TokenisedText,
): { readonly kept: Passage[]; readonly dropped: DroppedPassage[] } {
  const pair = pairOf(query, source);
  const runs = allRuns(pair);
  const whole = runs.filter(({ words }) => words === query.ids.length);
  // Fewer words than any evidence could come from are found whole or not at all.
  const { kept, dropped } =
    whole.length > 0 || query.ids.length < SHORT_QUERY_WORDS
      ? alignWholeQuery(pair, whole)
      : alignWords(
          pair,
          runs.filter(({ words }) => words >= RUN_WORDS_MIN),
        );
  return {
    kept: keptPassages(query.text, source, kept),
    dropped: dropped.map(({ match, reason }) => ({ passage: passageOf(query.text, source, match), reason })),
  };
}

function alignWords(
  pair: Pair,
  runs: readonly Run[],
): { readonly kept: Match[]; readonly dropped: DroppedMatch[] } {
  const pieces = findPieces(pair, runs);
  const joined = joinPieces(pair, pieces);
  const grown = joined.map((piece) => growPiece(pair, piece));
  const joinedAgain = joinPieces(pair, withoutCovered(bestFirst(pair, grown)));
  const passages = joinedAgain.map((piece) => withSourceTail(pair, trimPiece(pair, piece)));
  const { kept, dropped } = selectPieces(pair, passages);
  const exact = kept.flatMap((piece) => exactCopies(pair, runs, piece));
  const copies = uncoveredCopies(pair, runs, exact);
  const apart = withoutOverlaps(withSummaries(pair, runs, [...exact, ...copies])).map((piece) =>
    matchOf(pair, piece),
  );
  const reported = apart.filter(isLongEnough);
  const unlisted = [...dropped, ...remainders(apart)];
  return { kept: reported, dropped: [...unlisted, ...listedRuns(pair, runs, reported, unlisted)] };
}

/** What is too little of a passage when better ones have taken their share of its query words. */
function remainders(apart: readonly Match[]): DroppedMatch[] {
  return apart
    .filter((match) => !isLongEnough(match) && match.matchedWords >= LISTED_WORDS_MIN)
    .map((match) => ({ match, reason: "remainder_too_short" }));
}

function isLongEnough({ matchedWords }: Match): boolean {
  return matchedWords >= MATCHED_WORDS_MIN;
}

function bestFirst(pair: Pair, pieces: readonly Piece[]): Piece[] {
  return pieces.toSorted((a, b) => netWorth(pair, b) - netWorth(pair, a));
}

/** Each passage may widen up to the one before it and to the first word of the one after it. */
function keptPassages(query: TokenisedText, source: TokenisedText, matches: readonly Match[]): Passage[] {
  const passages: Passage[] = [];
  for (const [i, match] of matches.entries()) {
    const next = matches[i + 1];
    const ceiling = next && query.tokens.starts[next.query.start];
    passages.push(passageOf(query, source, match, passages.at(-1)?.query.end, ceiling));
  }
  return passages;
}
