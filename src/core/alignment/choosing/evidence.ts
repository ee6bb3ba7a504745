import { NONE } from "../pair/gram-index.ts";
import type { Pair } from "../pair/pair.ts";
import { rangeLength } from "../pair/word-range.ts";
import { foundShare, netWorth, type Piece } from "../pieces/piece.ts";
import { runningWords } from "./running-words.ts";

/** Says of each piece of a pair the log-odds that a reader would call it reuse; above 0 it is reported. */
export type Evidence = (piece: Piece) => number;

/**
 * Weighs the pieces of one pair, all of which must be in `pieces`.
 * A logistic regression on what the tuning parts of PAN13 (without summaries) and of the mixed benchmark give near the
 * threshold: 707 right and 247 wrong pieces, of which it tells 93% apart. The wrong ones are mostly of pages on one matter
 * that say the same; so what counts beside worth and likeness is how much vocabulary the two texts share elsewhere (the
 * more, the longer must a passage be), and whether its phrases stand elsewhere in the query too.
 *
 * Pairs in which nothing was planted showed what it lacked (half of 1,000 encyclopedia articles, each against the others): long
 * names, lists and figures weigh less than running text, a common topic never speaks for reuse, and the more sources are
 * compared, the more is asked of weak passages. About 20 of those 488 articles had a passage that is no reuse; 4 still have one.
 */
export function evidenceOf(pair: Pair, pieces: readonly Piece[]): Evidence {
  const { covered } = pair.query.scratch;
  for (const { query } of pieces) covered.fill(1, query.start, query.end);
  const topic = sharedTopic(pair, pieces);
  const repeated = pieces.map((piece) => repeatedShare(pair, piece));
  for (const { query } of pieces) covered.fill(0, query.start, query.end);
  const evidence = new Map(pieces.map((piece, i) => [piece, weigh(pair, piece, topic, repeated[i] ?? 0)]));
  return (piece) => evidence.get(piece) ?? Number.NEGATIVE_INFINITY;
}

/** Words of both sides at which the topic counts in full; longer passages are believed in spite of it. */
const USUAL_WORDS = 40;

/** The bias is .2 below the regression's: PAN13's precision against the shortest passages of the mixed benchmark. */
const WEIGHTS = {
  bias: -3.5,
  netWorth: 0.0129,
  topic: -10.47,
  topicByLength: 9.01,
  found: 9.75,
  repeated: -13.7,
  lopsided: -1.98,
  namesOnly: -5,
} as const;

/** Three uncommon words: with so many of running text a passage is no mere name or list. With 12 PAN13's random class loses .002. */
const WORTH_OF_A_FEW = 8;

function weigh(pair: Pair, piece: Piece, topic: number, repeated: number): number {
  const query = rangeLength(piece.query);
  const source = rangeLength(piece.source);
  const { running, names } = foundWorth(pair, piece);
  return (
    WEIGHTS.bias +
    WEIGHTS.netWorth * netWorth(pair, piece) +
    topicWeight(topic, query + source) +
    WEIGHTS.found * foundShare(piece.queryScores) +
    WEIGHTS.repeated * repeated +
    WEIGHTS.lopsided * Math.abs(Math.log(query / source)) +
    WEIGHTS.namesOnly * namesOnly(running, names) -
    askedPerSource(netWorth(pair, piece) - names) * Math.log(pair.query.pairsCompared)
  );
}

/** From 0 to 1, how far it is that nothing but a name and figures speaks for a passage. */
function namesOnly(running: number, names: number): number {
  const isName = Math.min(1, names / WORTH_OF_A_FEW) * Math.min(1, Math.max(0, 2 - names / WORTH_OF_A_NAME));
  return isName * Math.max(0, 1 - running / WORTH_OF_A_FEW);
}

/** A dozen words, as the longest names have. Longer rows of names are lists, and those are copied like other text. */
const WORTH_OF_A_NAME = 30;

/** What uncommon words the passage's sides share: words of running text apart from names and figures. */
function foundWorth(pair: Pair, piece: Piece): { readonly running: number; readonly names: number } {
  const isRunning = runningWords(pair, piece);
  let running = 0;
  let names = 0;
  for (const [i, score] of piece.queryScores.entries()) {
    if (score <= 0 || pair.query.common[pair.query.ids[piece.query.start + i] ?? 0] === 1) continue;
    if (isRunning[i] === 1) running += score;
    else names += score;
  }
  return { running, names };
}

/** Never above 0: without that long paragraphs on one matter, such as a city's climate, would count as reuse for it. */
function topicWeight(topic: number, words: number): number {
  return Math.min(0, topic * (WEIGHTS.topic + WEIGHTS.topicByLength * Math.log(words / USUAL_WORDS)));
}

/**
 * What each e-fold of the number of sources adds to what is asked, the more the less a passage is worth without its names.
 * With 15 sources it costs PAN13 .003 and the mixed benchmark .005 on listed pairs, mostly of their shortest passages;
 * every second wrong passage of the articles goes.
 */
function askedPerSource(worth: number): number {
  return PER_SOURCE + PER_SOURCE_OF_WEAK * Math.max(0, 1 - worth / WORTH_ENOUGH);
}

const PER_SOURCE = 0.25;
const PER_SOURCE_OF_WEAK = 0.3;
const WORTH_ENOUGH = 20;

/** Before the texts say anything: a quarter, as if 20 words had been looked at. */
const TOPIC_PRIOR_WORDS = 20;
const TOPIC_PRIOR_SHARED = 5;

/** The share of the source's words outside the pieces that the query has outside them too; common words left out. */
function sharedTopic({ query, sourceSide }: Pair, pieces: readonly Piece[]): number {
  const { own } = query.scratch;
  const inPiece = new Uint8Array(sourceSide.ids.length);
  for (const piece of pieces) {
    inPiece.fill(1, piece.source.start, piece.source.end);
    for (let i = piece.query.start; i < piece.query.end; i++) {
      const id = query.ids[i] ?? 0;
      own[id] = (own[id] ?? 0) + 1;
    }
  }
  let words = TOPIC_PRIOR_WORDS;
  let shared = TOPIC_PRIOR_SHARED;
  for (const [i, id] of sourceSide.ids.entries()) {
    if (inPiece[i] === 1 || (id >= 0 && query.common[id] === 1)) continue;
    words += 1;
    if (id >= 0 && (query.counts[id] ?? 0) > (own[id] ?? 0)) shared += 1;
  }
  for (const piece of pieces) {
    for (let i = piece.query.start; i < piece.query.end; i++) own[query.ids[i] ?? 0] = 0;
  }
  return shared / words;
}

/** Pieces of more worth are reported whatever they repeat. */
const REPETITION_WORTH_MAX = 80;

/** Further places of a phrase that are looked at, so that a text of one phrase stays linear. */
const PLACES_MAX = 16;

/** The share of the piece's rows of three words that the query has outside all pieces too. */
function repeatedShare(pair: Pair, piece: Piece): number {
  const { query } = pair;
  const { start, end } = piece.query;
  const rows = end - start - query.gramWords + 1;
  if (rows <= 0 || netWorth(pair, piece) >= REPETITION_WORTH_MAX) return 0;
  const { covered } = query.scratch;
  const isOutside = (at: number): boolean =>
    covered[at] !== 1 && covered[at + query.gramWords - 1] !== 1 && covered[at + 1] !== 1;
  let repeated = 0;
  for (let i = start; i < start + rows; i++) {
    let place = query.gramAt[i] ?? NONE;
    for (let tried = 0; place !== NONE && tried < PLACES_MAX; tried++) {
      if (isOutside(place)) {
        repeated += 1;
        break;
      }
      place = query.nextSame[place] ?? NONE;
    }
  }
  return repeated / rows;
}
