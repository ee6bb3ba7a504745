import type { Pair } from "../pair/pair.ts";
import { COMMON_SHARE_MIN } from "../pair/prepared-query.ts";
import { type Box, overlap, rangeLength } from "../pair/word-range.ts";
import { netWorth, type Piece } from "../pieces/piece.ts";
import { evidenceOf } from "./evidence.ts";
import {
  type DroppedMatch,
  type DropReason,
  LISTED_WORDS_MIN,
  MATCHED_WORDS_MIN,
  type Match,
  matchOf,
} from "./match.ts";
import { isSetPhrase } from "./set-phrase.ts";
import { equalRows } from "./verbatim.ts";

export type Selection = { readonly kept: Piece[]; readonly dropped: DroppedMatch[] };

/** Net worth below which a piece is not even looked at. */
const NET_WORTH_MIN = -30;

/**
 * Chooses the pieces that are reported, the best first. None has most of its query words in a better one, and none
 * overlaps a better one on both sides; the source's words may serve several. So query text that the source has twice is
 * one passage, and source text that the query uses twice is two.
 */
export function selectPieces(pair: Pair, pieces: readonly Piece[]): Selection {
  const candidates = pieces
    .filter((piece) => netWorth(pair, piece) >= NET_WORTH_MIN)
    .sort((a, b) => netWorth(pair, b) - netWorth(pair, a));
  const evidence = evidenceOf(pair, candidates);
  const selection: Selection = { kept: [], dropped: [] };
  for (const piece of candidates) {
    const match = matchOf(pair, piece);
    const reason = reasonToDrop(pair, piece, match, evidence(piece), selection.kept);
    if (reason === undefined) selection.kept.push(piece);
    else if (match.matchedWords >= LISTED_WORDS_MIN) selection.dropped.push({ match, reason });
  }
  return selection;
}

function reasonToDrop(
  pair: Pair,
  piece: Piece,
  match: Match,
  evidence: number,
  kept: readonly Piece[],
): DropReason | undefined {
  const taken = kept.reduce((words, better) => words + overlap(better.query, piece.query), 0);
  if (taken > TAKEN_SHARE_MAX * rangeLength(piece.query)) return "duplicate";
  if (kept.some((better) => meets(better, piece))) return "duplicate";
  if (
    evidence < 0 ||
    match.matchedWords - foundFigures(pair, piece) < MATCHED_WORDS_MIN ||
    uncommonFound(pair, piece) < UNCOMMON_WORDS_MIN
  ) {
    return taken > 0 ? "remainder_too_short" : "too_short";
  }
  return isSetPhrase(pair.query.shingleMarks, equalRows(pair, piece)) ? "set_phrase" : undefined;
}

/** A row of words that are common in the language, or in the corpus, is nobody's. */
const UNCOMMON_WORDS_MIN = 2;

function uncommonFound({ query }: Pair, { query: range, queryScores }: Piece): number {
  let uncommon = 0;
  for (let i = 0; i < queryScores.length; i++) {
    if ((queryScores[i] ?? 0) > 0 && (query.shares[query.ids[range.start + i] ?? 0] ?? 0) < COMMON_SHARE_MIN)
      uncommon += 1;
  }
  return uncommon;
}

/** Figures are no words: a line of a table has many of them. */
function foundFigures({ query }: Pair, { query: range, queryScores }: Piece): number {
  let figures = 0;
  for (let i = 0; i < queryScores.length; i++) {
    const word = query.text.tokens.words[range.start + i] ?? "";
    if ((queryScores[i] ?? 0) > 0 && FIGURE.test(word)) figures += 1;
  }
  return figures;
}

const FIGURE = /^\p{N}+$/u;

const TAKEN_SHARE_MAX = 1 / 2;

function meets(a: Box, b: Box): boolean {
  return overlap(a.query, b.query) > 0 && overlap(a.source, b.source) > 0;
}
