import { overlapLength, type Span, spanLength, widenedSpan } from "../../text/span.ts";
import type { AlignmentModel } from "./model.ts";
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
export function scoreOf(pair: TextPair, { logOdds, parts }: Candidate): number {
  return logOdds - pair.threshold - pair.model.partCost * (parts - 1);
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
  const { model } = pair;
  const isLikely = ({ logOdds }: Candidate) => logOdds >= model.candidateLogOddsMin;
  const candidates = model.rules.exactCandidates
    ? matches.map((match) => exactCandidate(pair, match)).filter(isLikely)
    : [];
  for (const candidate of ascents(pair)) {
    if (isLikely(candidate) && !candidates.some((other) => areSame(other, candidate)))
      candidates.push(candidate);
  }
  const countMax = model.candidatesMax + Math.floor(pair.words / 2 / model.wordsPerCandidate);
  return withoutCovered(model, candidates.sort((a, b) => b.logOdds - a.logOdds).slice(0, countMax));
}

/** Leaves out what lies mostly inside a better candidate: three quarters of it on one side and half on the other. */
export function withoutCovered(model: AlignmentModel, bestFirst: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of bestFirst) {
    if (!kept.some((better) => covers(model, better, candidate))) kept.push(candidate);
  }
  return kept;
}

function covers(
  { coveredShareMost, coveredShareHalf }: AlignmentModel,
  better: SegmentPair,
  candidate: SegmentPair,
): boolean {
  const query = overlapLength(better.query, candidate.query) / spanLength(candidate.query);
  const source = overlapLength(better.source, candidate.source) / spanLength(candidate.source);
  return Math.max(query, source) >= coveredShareMost && Math.min(query, source) >= coveredShareHalf;
}

/** An exact match as a candidate, from its first word to its last. */
export function exactCandidate(pair: TextPair, match: SegmentPair): Candidate {
  const scores = scoreExact(pair, match);
  const section = pair.sections.findLast(({ start }) => start <= match.source.start) ?? match.source;
  return candidateOf(pair, { ...match, section, queryScores: scores, sourceScores: scores, parts: 1 });
}

/** Words of an exact match are scored as found in a bag of few words, because their place is known. */
function scoreExact(pair: TextPair, match: SegmentPair): Float64Array {
  const { query, sourceSide, model } = pair;
  const excluded = 2 * spanLength(match.query);
  return query.bags.lendFilled(query.ids, match.query, (inside) => {
    inside.add(sourceSide.ids, match.source);
    const scores = new Float64Array(spanLength(match.query));
    for (let i = 0; i < scores.length; i++) {
      const id = query.ids[match.query.start + i] ?? 0;
      scores[i] = foundScore(
        chanceInBag(pair, id, inside.count(id), excluded, model.exactBagWords),
        model.kept,
      );
    }
    return scores;
  });
}

/** Ascends from the block seeds, best first; a seed whose centre lies in an earlier seed or its result is skipped. */
function* ascents(pair: TextPair): Generator<Candidate> {
  const { query, sourceSide, model } = pair;
  const meanWords = Math.sqrt(query.ids.length * sourceSide.ids.length);
  let left = model.candidatesMax + Math.floor(meanWords / model.wordsPerCandidate);
  const visited: SegmentPair[] = [];
  const seeds = blockSeeds(query, pair.searchedParts, sourceSide.ids, pair.sections, seedWordScores(pair));
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
  const { blockWords, seedKept } = pair.model;
  const known = new Map<number, number>();
  return (id) => {
    let score = known.get(id);
    if (score === undefined) {
      score = foundScore(chanceInBag(pair, id, 2, 2 * blockWords, blockWords), seedKept);
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
 * promises no candidate. The first rounds use wider bags, because a seed is only a guess. The query stays within `whole`, the source
 * within `section`.
 */
export function ascend(
  pair: TextPair,
  seed: SegmentPair,
  section: Span,
  whole: Span = { start: 0, end: pair.query.ids.length },
): Candidate | undefined {
  const { query: querySide, sourceSide, model } = pair;
  const { kept } = model;
  let segments: SegmentPair = { query: seed.query, source: seed.source };
  for (let round = 0; ; round++) {
    const sourceBag = widenedSpan(segments.source, model.ascentSourcePadding[round] ?? 0, section);
    const query = improveSpan(
      pair,
      { own: querySide, other: sourceSide, core: segments.query, bag: sourceBag, kept },
      whole,
    );
    const queryBag = widenedSpan(query, model.ascentQueryPadding[round] ?? 0, whole);
    const source = improveSpan(
      pair,
      { own: sourceSide, other: querySide, core: segments.source, bag: queryBag, kept },
      section,
    );
    const scoreMin = model.ascentScoreMin[Math.min(round, model.ascentScoreMin.length - 1)] ?? 0;
    if (query.score + source.score < scoreMin) return undefined;
    const better: SegmentPair = {
      query: { start: query.start, end: query.end },
      source: { start: source.start, end: source.end },
    };
    const isSettled = round > 1 && areSame(segments, better);
    segments = better;
    if (!isSettled && round + 1 < model.ascentRoundsMax) continue;
    const { scores: queryScores } = query;
    return candidateOf(pair, { ...better, section, queryScores, sourceScores: source.scores, parts: 1 });
  }
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
  if (!isDoubled(pair, candidate)) return betweenInsertions(pair.model, candidate.queryScores, start);
  const half = centre(candidate.query);
  return [
    { start, end: half },
    { start: half, end },
  ];
}

/** Whether the query uses the source segment twice: many of its found words occur more often than in the source segment. */
function isDoubled({ query, sourceSide, model }: TextPair, candidate: Candidate): boolean {
  return query.bags.lendFilled(sourceSide.ids, candidate.source, (bag) => {
    let found = 0;
    let surplus = 0;
    for (const [i, score] of candidate.queryScores.entries()) {
      const id = query.ids[candidate.query.start + i] ?? -1;
      if (score < 0 || bag.count(id) === 0) continue;
      found += 1;
      if (!bag.take(id)) surplus += 1;
    }
    return surplus > 0 && surplus >= model.doubledShareMin * found;
  });
}

/** Inserted text: long spans that the source lacks, ascending. Missed words outnumber found ones there three to one. */
export function insertions(model: AlignmentModel, scores: Float64Array): Span[] {
  const { insertedExcessMin, insertedFoundWeight } = model;
  const found: Span[] = [];
  let start = 0;
  let end = 0;
  let excess = 0;
  let most = 0;
  for (let i = 0; i <= scores.length; i++) {
    const isMissed = (scores[i] ?? 0) < 0;
    if (excess === 0) start = i;
    excess = i === scores.length ? 0 : Math.max(0, excess + (isMissed ? 1 : -insertedFoundWeight));
    if (excess > most) {
      most = excess;
      end = i + 1;
    }
    if (excess > 0) continue;
    if (most >= insertedExcessMin) found.push({ start, end });
    most = 0;
  }
  return found;
}

/** The spans between the insertions, in words of the query; `start` is the place of the first score. */
export function betweenInsertions(model: AlignmentModel, scores: Float64Array, start: number): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const insertion of [...insertions(model, scores), { start: scores.length, end: scores.length }]) {
    if (insertion.start > from) spans.push({ start: start + from, end: start + insertion.start });
    from = insertion.end;
  }
  return spans;
}
