import { overlapLength, type Span, spanLength, widenedSpan } from "../../text/span.ts";

import { LIMITS, type Model } from "./model.ts";
import { chanceInBag, foundScore, improveSpan } from "./scorer.ts";
import { blockSeeds, type SegmentPair } from "./seeds.ts";
import type { TextPair } from "./text-pair.ts";

/** A segment pair that may be a passage or a part of one, with the log-odds that speak for it. */
export type Candidate = SegmentPair & {
  /** The part of the source between barriers in which it lies. */
  readonly section: Span;
  /** The log-odds of each word of the two spans. */
  readonly queryScores: Float64Array;
  readonly sourceScores: Float64Array;
  /** The sum of all word scores and of the priors of the four boundaries. */
  readonly logOdds: number;
  /** How many candidates were merged into it. */
  readonly parts: number;
};

/** A candidate with its log-odds computed. */
export function candidateOf(pair: TextPair, candidate: Omit<Candidate, "logOdds">): Candidate {
  const logOdds = boundaryLogOdds(pair, candidate) + sum(candidate.queryScores) + sum(candidate.sourceScores);
  return { ...candidate, logOdds };
}

/** The log-odds that a passage begins and ends at the four ends of a segment pair. */
export function boundaryLogOdds({ query, sourceSide }: TextPair, segments: SegmentPair): number {
  return (
    (query.boundaryPriors[segments.query.start] ?? 0) +
    (query.boundaryPriors[segments.query.end] ?? 0) +
    (sourceSide.boundaryPriors[segments.source.start] ?? 0) +
    (sourceSide.boundaryPriors[segments.source.end] ?? 0)
  );
}

/** The score of a candidate: its log-odds beyond the threshold, less a price for each merged part. */
export function scoreOf({ threshold, query }: TextPair, { logOdds, parts }: Candidate): number {
  return logOdds - threshold - query.model.merging.partPrice * (parts - 1);
}

/** The share of words with a positive score: those that the other side has as well. */
export function foundShare(scores: Float64Array): number {
  let found = 0;
  for (const score of scores) if (score > 0) found++;
  return scores.length === 0 ? 0 : found / scores.length;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Exact matches and results of the ascent from block seeds, best first. None lies mostly inside a better one. */
export function findCandidates(pair: TextPair, matches: readonly SegmentPair[]): Candidate[] {
  const { candidate, shares } = pair.query.model;
  const isLikely = ({ logOdds }: Candidate) => logOdds >= shares.half * candidate.threshold;
  const candidates = matches.map((match) => exactCandidate(pair, match)).filter(isLikely);
  for (const candidate of ascents(pair)) {
    if (isLikely(candidate) && !candidates.some((other) => areSame(other, candidate)))
      candidates.push(candidate);
  }
  const bestFirst = candidates.sort((a, b) => b.logOdds - a.logOdds);
  return withoutCovered(pair, bestFirst.slice(0, triedMax(pair)));
}

/** How many block seeds are tried, and how many candidates kept: more in longer texts. */
function triedMax({ query, sourceSide }: TextPair): number {
  const { tried, perWords } = query.model.seeds;
  return tried + Math.floor(Math.sqrt(query.ids.length * sourceSide.ids.length) / perWords);
}

/** Leaves out what lies inside a better candidate: most of it on one side and half on the other. */
export function withoutCovered(pair: TextPair, bestFirst: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of bestFirst) {
    if (!kept.some((better) => covers(pair, better, candidate))) kept.push(candidate);
  }
  return kept;
}

function covers(pair: TextPair, better: SegmentPair, candidate: SegmentPair): boolean {
  const query = overlapLength(better.query, candidate.query) / spanLength(candidate.query);
  const source = overlapLength(better.source, candidate.source) / spanLength(candidate.source);
  const { most, half } = pair.query.model.shares;
  return Math.max(query, source) >= most && Math.min(query, source) >= half;
}

/** An exact match as a candidate, from its first word to its last. */
export function exactCandidate(pair: TextPair, match: SegmentPair): Candidate {
  const scores = scoreExact(pair, match);
  const section = pair.sections.findLast(({ start }) => start <= match.source.start) ?? match.source;
  return candidateOf(pair, { ...match, section, queryScores: scores, sourceScores: scores, parts: 1 });
}

/** Words of an exact match are scored as found in a bag of few words, because their place is known. */
function scoreExact(pair: TextPair, match: SegmentPair): Float64Array {
  const { query, sourceSide } = pair;
  const excluded = 2 * spanLength(match.query);
  const { seeds, scoring } = query.model;
  return query.bags.lendFilled(query.ids, match.query, (inside) => {
    inside.add(sourceSide.ids, match.source);
    const scores = new Float64Array(spanLength(match.query));
    for (let i = 0; i < scores.length; i++) {
      const id = query.ids[match.query.start + i] ?? 0;
      scores[i] = foundScore(
        chanceInBag(pair, id, inside.count(id), excluded, seeds.gramWords),
        scoring.kept,
      );
    }
    return scores;
  });
}

/** Ascends from the block seeds, best first; a seed whose centre lies in an earlier seed or its result is skipped. */
function* ascents(pair: TextPair): Generator<Candidate> {
  const { query, sourceSide } = pair;
  let left = triedMax(pair);
  const visited: SegmentPair[] = [];
  const seeds = blockSeeds(
    query.blocks,
    pair.searchedParts,
    query.ids.length,
    sourceSide.ids,
    pair.sections,
    query.common,
    seedWordScores(pair),
    query.model.seeds.scoreMin,
  );
  for (const seed of seeds) {
    if (left === 0) return;
    if (visited.some((segments) => holdsCentre(segments, seed))) continue;
    left -= 1;
    visited.push(seed);
    const candidate = ascend(pair, seed, seed.section);
    if (candidate === undefined) continue;
    visited.push(candidate);
    const parts = queryParts(pair, candidate);
    if (parts.length === 1) yield candidate;
    else {
      for (const query of parts) {
        const part = ascend(pair, { query, source: candidate.source }, candidate.section, query);
        if (part !== undefined) yield part;
      }
    }
  }
}

/** The score of a word that two blocks share, computed once per word. */
function seedWordScores(pair: TextPair): (id: number) => number {
  const known = new Map<number, number>();
  const { blockWords } = pair.query.blocks;
  const { kept } = pair.query.model.scoring;
  return (id) => {
    let score = known.get(id);
    if (score === undefined) {
      score = foundScore(chanceInBag(pair, id, 2, 2 * blockWords, blockWords), kept);
      known.set(id, score);
    }
    return score;
  };
}

function holdsCentre(segments: SegmentPair, seed: SegmentPair): boolean {
  const holds = ({ start, end }: Span, word: number) => word >= start && word < end;
  return holds(segments.query, centre(seed.query)) && holds(segments.source, centre(seed.source));
}

function centre({ start, end }: Span): number {
  return (start + end) >> 1;
}

/**
 * Improves a segment pair by coordinate ascent, one side given the other, until neither improves. Undefined if its score
 * promises no candidate. The first bags are wider, because a seed is only a guess. The query stays within `whole`, the source
 * within `section`.
 */
export function ascend(
  pair: TextPair,
  seed: SegmentPair,
  section: Span,
  whole: Span = { start: 0, end: pair.query.ids.length },
): Candidate | undefined {
  const { query: querySide, sourceSide } = pair;
  const { kept } = querySide.model.scoring;
  let segments: SegmentPair = { query: seed.query, source: seed.source };
  for (let round = 0; ; round++) {
    const sourceBag = widenedSpan(segments.source, paddingAt(querySide.model, 2 * round), section);
    const query = improveSpan(
      pair,
      { own: querySide, other: sourceSide, core: segments.query, bag: sourceBag, kept },
      whole,
    );
    const queryBag = widenedSpan(query, paddingAt(querySide.model, 2 * round + 1), whole);
    const source = improveSpan(
      pair,
      { own: sourceSide, other: querySide, core: segments.source, bag: queryBag, kept },
      section,
    );
    if (query.score + source.score < 0) return undefined;
    const better: SegmentPair = {
      query: { start: query.start, end: query.end },
      source: { start: source.start, end: source.end },
    };
    const isSettled = round > 1 && areSame(segments, better);
    segments = better;
    if (!isSettled && round + 1 < LIMITS.rounds) continue;
    const { scores: queryScores } = query;
    return candidateOf(pair, { ...better, section, queryScores, sourceScores: source.scores, parts: 1 });
  }
}

/** The words by which the bag of a step is widened at both ends. A round has two steps, one for each side. */
function paddingAt({ seeds }: Model, step: number): number {
  return seeds.blockWords * Math.max(0, seeds.paddedSteps - step);
}

/** Whether two segment pairs cover the same words. */
export function areSame(a: SegmentPair, b: SegmentPair): boolean {
  return (
    a.query.start === b.query.start &&
    a.query.end === b.query.end &&
    a.source.start === b.source.start &&
    a.source.end === b.source.end
  );
}

/** The spans of a candidate's query side that are passages of their own. */
function queryParts(pair: TextPair, candidate: Candidate): Span[] {
  const { start, end } = candidate.query;
  if (!isDoubled(pair, candidate)) return betweenInsertions(candidate.queryScores, start, pair.query.model);
  const half = centre(candidate.query);
  return [
    { start, end: half },
    { start: half, end },
  ];
}

/** Whether the query uses the source segment twice: many of its found words occur more often than in the source segment. */
function isDoubled({ query, sourceSide }: TextPair, candidate: Candidate): boolean {
  return query.bags.lendFilled(sourceSide.ids, candidate.source, (bag) => {
    let found = 0;
    let surplus = 0;
    for (const [i, score] of candidate.queryScores.entries()) {
      const id = query.ids[candidate.query.start + i] ?? -1;
      if (score < 0 || bag.count(id) === 0) continue;
      found += 1;
      if (!bag.take(id)) surplus += 1;
    }
    return surplus > 0 && surplus >= query.model.candidate.doubledShare * found;
  });
}

/** Inserted text: long spans that the source lacks, ascending. Missed words outnumber found ones there three to one. */
export function insertions(scores: Float64Array, { words, candidate }: Model): Span[] {
  const found: Span[] = [];
  let start = 0;
  let end = 0;
  let excess = 0;
  let most = 0;
  for (let i = 0; i <= scores.length; i++) {
    const isMissed = (scores[i] ?? 0) < 0;
    if (excess === 0) start = i;
    excess = i === scores.length ? 0 : Math.max(0, excess + (isMissed ? 1 : -candidate.foundWeight));
    if (excess > most) {
      most = excess;
      end = i + 1;
    }
    if (excess > 0) continue;
    if (most >= words.line) found.push({ start, end });
    most = 0;
  }
  return found;
}

/** The spans between the insertions, in words of the query; `start` is the place of the first score. */
export function betweenInsertions(scores: Float64Array, start: number, model: Model): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const insertion of [...insertions(scores, model), { start: scores.length, end: scores.length }]) {
    if (insertion.start > from) spans.push({ start: start + from, end: start + insertion.start });
    from = insertion.end;
  }
  return spans;
}
