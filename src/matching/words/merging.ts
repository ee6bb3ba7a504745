import {
  enclosingSpan,
  gapLength,
  overlapLength,
  type Span,
  spanLength,
  widenedSpan,
} from "../../text/span.ts";
import { areSame, boundaryLogOdds, type Candidate, candidateOf, insertions, scoreOf } from "./candidates.ts";
import { improveSpan, type Scoring, scoreWords, unscored } from "./scorer.ts";
import type { SegmentPair } from "./seeds.ts";
import type { TextPair } from "./text-pair.ts";

/** Agglomerative clustering while the score rises, in any order of sentences. (Without it mixed loses .134, PAN13 .002.) */
export function mergeCandidates(pair: TextPair, candidates: readonly Candidate[]): Candidate[] {
  const known = new KnownMerges();
  let groups = [...candidates];
  for (;;) {
    const best = bestMerge(pair, groups, known);
    if (best === undefined) return groups;
    groups = groups.filter((group) => !best.parts.includes(group));
    groups.push(best.merged);
  }
}

/** Two candidates merged, with all others that lie inside them. */
type Merge = {
  readonly merged: Candidate;
  readonly parts: readonly Candidate[];
  /** The score of the merged candidate less the scores of its parts. */
  readonly gain: number;
};

/** The merge that gains most. Pairs are tried by promise, `mergeTries` at a time, until one gains. */
function bestMerge(pair: TextPair, groups: readonly Candidate[], known: KnownMerges): Merge | undefined {
  let best: Merge | undefined;
  const { mergeTries } = pair.model;
  let tries = mergeTries;
  for (const { a, b } of promisingPairs(pair, groups)) {
    if (!known.has(a, b)) {
      if (tries === 0) {
        if (best !== undefined) return best;
        tries = mergeTries;
      }
      tries -= 1;
    }
    const merge = known.merge(pair, a, b, groups);
    if (merge !== undefined && merge.gain > (best?.gain ?? 0)) best = merge;
  }
  return best;
}

function promisingPairs(pair: TextPair, groups: readonly Candidate[]) {
  const pairs: { readonly a: Candidate; readonly b: Candidate; readonly promise: number }[] = [];
  const ascending = groups.toSorted((a, b) => a.query.start - b.query.start);
  for (const [i, a] of ascending.entries()) {
    for (const b of ascending.slice(i + 1)) {
      if (b.query.start - a.query.end > pair.model.mergeGapMax) break;
      if (a.section.start !== b.section.start || areDuplicates(pair, a, b)) continue;
      pairs.push({ a, b, promise: promiseOf(pair, a, b) });
    }
  }
  return pairs.sort((one, other) => other.promise - one.promise);
}

/** Whether two candidates overlap on one side only. They are not merged: a source passage used twice is two passages. */
function areDuplicates({ model }: TextPair, a: SegmentPair, b: SegmentPair): boolean {
  const query = overlapLength(a.query, b.query) / Math.min(spanLength(a.query), spanLength(b.query));
  const source = overlapLength(a.source, b.source) / Math.min(spanLength(a.source), spanLength(b.source));
  return Math.abs(query - source) > model.duplicateShareMin;
}

/** What a merge saves (a threshold and the boundaries inside), less an estimate of the price of the words between. */
function promiseOf(pair: TextPair, a: Candidate, b: Candidate): number {
  const gaps = gapLength(a.query, b.query) + gapLength(a.source, b.source);
  const lost = Math.min(0, scoreOf(pair, a)) + Math.min(0, scoreOf(pair, b));
  return (
    lost +
    pair.threshold -
    boundaryLogOdds(pair, a) -
    boundaryLogOdds(pair, b) -
    pair.model.gapWordPrice * gaps
  );
}

/** Remembers computed merges; those that gain nothing are remembered as undefined. */
class KnownMerges {
  readonly #merges = new Map<Candidate, Map<Candidate, Merge | undefined>>();

  has(a: Candidate, b: Candidate): boolean {
    return this.#merges.get(a)?.has(b) ?? false;
  }

  /** The merge of two groups if it gains. It is computed again after one of its parts was merged elsewhere. */
  merge(pair: TextPair, a: Candidate, b: Candidate, groups: readonly Candidate[]): Merge | undefined {
    const known = this.#merges.get(a) ?? new Map<Candidate, Merge | undefined>();
    this.#merges.set(a, known);
    const merge = known.get(b);
    const isStale = merge?.parts.some((part) => !groups.includes(part)) ?? !known.has(b);
    if (!isStale) return merge;
    const computed = mergeOf(pair, a, b, groups);
    const gaining = computed.gain > 0 ? computed : undefined;
    known.set(b, gaining);
    return gaining;
  }
}

/**
 * Merges two candidates of one section and those of `all` inside their span. Where parts overlap, the better score of a word
 * counts; words between are scored given the other side. The sum of the parts counts no word twice either (otherwise mixed
 * loses .025). A merge across an insertion gains nothing: candidates are split at insertions too.
 */
function mergeOf(pair: TextPair, a: Candidate, b: Candidate, all: readonly Candidate[]): Merge {
  const { mergeKept, rules } = pair.model;
  const segments: SegmentPair = {
    query: enclosingSpan(a.query, b.query),
    source: enclosingSpan(a.source, b.source),
  };
  const inside = all.filter((other) => other !== a && other !== b && isInside(pair, other, segments));
  const parts = [a, b, ...inside].sort((one, other) => scoreOf(pair, other) - scoreOf(pair, one));
  const queryScores = unscored(spanLength(segments.query));
  const sourceScores = unscored(spanLength(segments.source));
  let apart = 0;
  for (const part of parts) {
    const twice =
      layOver(queryScores, segments.query, part.queryScores, part.query) +
      layOver(sourceScores, segments.source, part.sourceScores, part.source);
    apart += Math.max(0, scoreOf(pair, part) - (rules.overlapsCountOnce ? Math.max(0, twice) : 0));
  }
  const { query: own, sourceSide: other } = pair;
  const { query, source } = segments;
  fillGaps(pair, { own, other, core: query, bag: source, kept: mergeKept.query }, queryScores);
  const isGap = sourceScores.map((score) => Number(Number.isNaN(score)));
  fillGaps(pair, { own: other, other: own, core: source, bag: query, kept: mergeKept.source }, sourceScores);
  if (!rules.omissionsInOrderOnly || areInOrder(a, b)) easeOmissions(pair, sourceScores, isGap, a, b);
  const merged = candidateOf(pair, {
    ...segments,
    section: a.section,
    queryScores,
    sourceScores,
    parts: parts.reduce((count, part) => count + part.parts, 0),
  });
  const isDivided = insertions(pair.model, queryScores).length > 0;
  return { merged, parts, gain: isDivided ? Number.NEGATIVE_INFINITY : scoreOf(pair, merged) - apart };
}

function isInside({ model }: TextPair, candidate: SegmentPair, segments: SegmentPair): boolean {
  const { mergedInsideShare } = model;
  return (
    overlapLength(candidate.query, segments.query) >= mergedInsideShare * spanLength(candidate.query) &&
    overlapLength(candidate.source, segments.source) >= mergedInsideShare * spanLength(candidate.source)
  );
}

/** Lays a part's scores over those of the merged span, keeping the better one; returns the sum of the lesser ones. */
function layOver(merged: Float64Array, mergedSpan: Span, scores: Float64Array, span: Span): number {
  let lesser = 0;
  const last = Math.min(span.end, mergedSpan.end);
  for (let word = Math.max(span.start, mergedSpan.start); word < last; word++) {
    const score = scores[word - span.start] ?? 0;
    const before = merged[word - mergedSpan.start] ?? 0;
    if (!Number.isNaN(before)) lesser += Math.min(before, score);
    if (Number.isNaN(before) || score > before) merged[word - mergedSpan.start] = score;
  }
  return lesser;
}

function fillGaps(pair: TextPair, scoring: Scoring, scores: Float64Array): void {
  if (scores.some(Number.isNaN)) scoreWords(pair, scoring, scoring.core.start, scores);
}

function areInOrder(a: SegmentPair, b: SegmentPair): boolean {
  const isQueryOrder = a.query.start + a.query.end < b.query.start + b.query.end;
  return isQueryOrder === a.source.start + a.source.end < b.source.start + b.source.end;
}

/**
 * Limits the cost of a source gap to the price of an omission, for parts in the order of the source: a condensed passage omits
 * spans whatever their words are. Long parts speak against a summary, which would have omitted something within them too.
 * (Without it condensed passages of mixed lose .069.)
 */
function easeOmissions(
  { model: { omission } }: TextPair,
  scores: Float64Array,
  isGap: Float64Array,
  a: Candidate,
  b: Candidate,
): void {
  const partWords = Math.min(spanLength(a.query) / a.parts, spanLength(b.query) / b.parts);
  const start = omission.start + omission.perPartWord * partWords;
  for (let from = 0; from < scores.length; from++) {
    if (isGap[from] !== 1) continue;
    let to = from;
    let sum = 0;
    while (to < scores.length && isGap[to] === 1) sum += scores[to++] ?? 0;
    const eased = -start - omission.perWord * (to - from);
    if (sum < eased) scores.fill(eased / (to - from), from, to);
    from = to;
  }
}

/** Moves the ends to their best places until they stay; words inside keep their scores. (Without it mixed loses .014.) */
export function extendCandidate(pair: TextPair, candidate: Candidate): Candidate {
  const { query: own, sourceSide: other } = pair;
  const { section } = candidate;
  const whole: Span = { start: 0, end: own.ids.length };
  const { kept, surplus, roundsMax } = pair.model.extension;
  let extended = candidate;
  for (let round = 0; round < roundsMax; round++) {
    const { query: queryCore, source: sourceCore, queryScores, sourceScores } = extended;
    const sourceBag = padded(pair, sourceCore, section);
    const query = improveSpan(
      pair,
      { own, other, core: queryCore, bag: sourceBag, kept, surplus },
      whole,
      queryScores,
    );
    const queryBag = padded(pair, query, whole);
    const source = improveSpan(
      pair,
      { own: other, other: own, core: sourceCore, bag: queryBag, kept, surplus },
      section,
      sourceScores,
    );
    const next = candidateOf(pair, {
      ...extended,
      query: { start: query.start, end: query.end },
      source: { start: source.start, end: source.end },
      queryScores: query.scores,
      sourceScores: source.scores,
    });
    if (areSame(next, extended)) return next;
    extended = next;
  }
  return extended;
}

function padded({ model: { extension } }: TextPair, span: Span, within: Span): Span {
  const words = Math.max(extension.paddingWords, Math.round(extension.paddingShare * spanLength(span)));
  return widenedSpan(span, words, within);
}
