import { enclosingSpan, overlapLength, type Span, spanLength } from "../../text/span.ts";
import { endsParagraph, endsSentence } from "./boundaries.ts";
import { areSame, type Candidate, candidateOf, exactCandidate, sum } from "./candidates.ts";
import type { AlignmentModel } from "./model.ts";
import type { SegmentPair } from "./seeds.ts";
import type { Side, TextPair } from "./text-pair.ts";

/** Trims words that the other side lacks from a copy's ends, which priors would extend to the sentence end. */
export function trimCopy(pair: TextPair, candidate: Candidate): Candidate {
  const { roundsMax } = pair.model.trim;
  let segments: SegmentPair = candidate;
  for (let round = 0; round < roundsMax; round++) {
    const query = trimSide(pair, pair.query, segments.query, pair.sourceSide, segments.source);
    const source = trimSide(pair, pair.sourceSide, segments.source, pair.query, query);
    if (areSame({ query, source }, segments)) break;
    segments = { query, source };
  }
  if (areSame(segments, candidate)) return candidate;
  const { query, source } = segments;
  return {
    ...candidate,
    query,
    source,
    queryScores: part(candidate.queryScores, candidate.query, query),
    sourceScores: part(candidate.sourceScores, candidate.source, source),
  };
}

function trimSide(pair: TextPair, own: Side, span: Span, other: Side, bagSpan: Span): Span {
  const isFound = pair.query.bags.lendFilled(other.ids, bagSpan, (bag) =>
    own.ids.subarray(span.start, span.end).map((id) => Number(bag.take(id))),
  );
  const first = isFound.indexOf(1);
  const inner = first < 0 ? isFound : isFound.subarray(first, isFound.lastIndexOf(1) + 1);
  if (sum(inner) < pair.model.trim.foundShareMin * inner.length) return span;
  const start = span.start + Math.max(0, first);
  return { start, end: start + inner.length };
}

function part(scores: Float64Array, span: Span, within: Span): Float64Array {
  return scores.subarray(within.start - span.start, within.end - span.start);
}

/**
 * The candidate without sentences of the query at its ends in which the source has no word: priors draw a passage to the end of a text
 * or a paragraph, over a short sentence that has nothing to do with it. Those inside stay: divided there, PAN13 loses .02 by
 * passages in two parts.
 */
export function withoutUnmatchedEnds(pair: TextPair, candidate: Candidate): Candidate {
  const { query, sourceSide } = pair;
  const { start, end } = candidate.query;
  const isFound = query.bags.lendFilled(sourceSide.ids, candidate.source, (bag) =>
    query.ids.subarray(start, end).map((id) => Number(bag.count(id) > 0)),
  );
  const [first, last] = [isFound.indexOf(1), isFound.lastIndexOf(1)];
  if (first < 0) return candidate;
  let from = start + first;
  while (from > start && !endsSentence(query.boundaries[from] ?? 0)) from--;
  let to = start + last + 1;
  while (to < end && !endsSentence(query.boundaries[to] ?? 0)) to++;
  return from === start && to === end ? candidate : cutTo(candidate, from - start, to - start);
}

/** Adds a mean omission at the end of a condensed passage's source. (Without it condensed passages of mixed lose .017.) */
export function withOmittedTail(pair: TextPair, candidate: Candidate): Candidate {
  const { omittedTail } = pair.model;
  const { source, section, sourceScores } = candidate;
  if (spanLength(source) < omittedTail.ratioMin * spanLength(candidate.query)) return candidate;
  const wanted = Math.round(omittedTail.share * meanOmission(pair, sourceScores));
  if (wanted === 0) return candidate;
  const last = Math.min(section.end, source.end + Math.round(omittedTail.stretchMax * wanted));
  let end = Math.min(section.end, source.end + wanted);
  while (end < last && !endsSentence(pair.sourceSide.boundaries[end] ?? 0)) end++;
  const scores = new Float64Array(end - source.start);
  scores.set(sourceScores);
  return { ...candidate, source: { start: source.start, end }, sourceScores: scores };
}

/** The mean length of the spans of the source that the query lacks; 0 if there are none. Shorter spans are edits. */
function meanOmission({ model }: TextPair, scores: Float64Array): number {
  const { omissionWordsMin } = model.omittedTail;
  let omissions = 0;
  let words = 0;
  let length = 0;
  for (let i = 0; i <= scores.length; i++) {
    if (i < scores.length && (scores[i] ?? 0) <= 0) {
      length += 1;
      continue;
    }
    if (length >= omissionWordsMin) {
      omissions += 1;
      words += length;
    }
    length = 0;
  }
  return omissions === 0 ? 0 : words / omissions;
}

/** Splits a passage of several copies; one that is essentially a single exact match of `matches` gets its ends. */
export function withExactEdges(
  pair: TextPair,
  matches: readonly SegmentPair[],
  candidate: Candidate,
): Candidate[] {
  const { exactShareMin } = pair.model.copy;
  const inside = matchesIn(pair, candidate, matches);
  const copies = splitCopies(pair, candidate, inside);
  if (copies.length > 1) return copies.map((copy) => copyCandidate(pair, candidate, copy));
  const words = spanLength(candidate.query);
  const whole = inside.find((match) => spanLength(match.query) >= exactShareMin * words);
  return [whole ? exactCandidate(pair, whole) : candidate];
}

/** The exact matches that make up a candidate, ascending by query; where they overlap, the longer one. */
function matchesIn(
  { model: { copy } }: TextPair,
  candidate: SegmentPair,
  matches: readonly SegmentPair[],
): SegmentPair[] {
  const inside = matches.filter(({ query, source }) => {
    const shared = Math.min(overlapLength(query, candidate.query), overlapLength(source, candidate.source));
    return shared > copy.insideShareMin * spanLength(query);
  });
  const { query: whole } = enclosing(inside);
  const covered = new Uint8Array(spanLength(whole));
  const taken: SegmentPair[] = [];
  for (const match of inside.sort((a, b) => spanLength(b.query) - spanLength(a.query))) {
    const words = covered.subarray(match.query.start - whole.start, match.query.end - whole.start);
    if (sum(words) > copy.sharedWordsMax) continue;
    words.fill(1);
    taken.push(match);
  }
  return taken.sort((a, b) => a.query.start - b.query.start);
}

/** The match without common words at its ends that lie beyond a sentence end of both texts: the same "The" often follows a copied sentence. */
export function withoutCommonEnds(pair: TextPair, match: SegmentPair): SegmentPair {
  const { query, source } = match;
  const after = commonWordsBeyond(pair, query.end, source.end, -1);
  const before = commonWordsBeyond(pair, query.start, source.start, 1);
  if (before + after >= spanLength(query)) return match;
  return {
    query: { start: query.start + before, end: query.end - after },
    source: { start: source.start + before, end: source.end - after },
  };
}

/** How many words at an end lie beyond a sentence boundary of both texts; `step` leads inwards. */
function commonWordsBeyond(
  { query, sourceSide, model }: TextPair,
  queryEnd: number,
  sourceEnd: number,
  step: 1 | -1,
): number {
  for (let words = 0; words <= model.copy.commonEndWordsMax; words++) {
    const [own, source] = [queryEnd + step * words, sourceEnd + step * words];
    if (endsSentence(query.boundaries[own] ?? 0) && endsSentence(sourceSide.boundaries[source] ?? 0))
      return words;
    if (query.common[query.ids[step === 1 ? own : own - 1] ?? -1] !== 1) return 0;
  }
  return 0;
}

/**
 * Splits exact matches into copies that a reader sees as separate: at other text between them, or at omitted source of a line
 * and a half if a new paragraph begins or their order differs. Only for copies with few edits.
 */
function splitCopies(
  pair: TextPair,
  candidate: SegmentPair,
  matches: readonly SegmentPair[],
): SegmentPair[][] {
  const { source } = enclosing(matches);
  const heldBefore = countHeld(matches, source);
  let counted: ReadonlyMap<number, number> | undefined;
  const free = () => {
    counted ??= countFree(pair, candidate, matches);
    return counted;
  };
  const copies: SegmentPair[][] = [];
  for (const match of matches) {
    const copy = copies.at(-1);
    const before = copy?.at(-1);
    if (copy === undefined || before === undefined) copies.push([match]);
    else if (isSplit(pair, free, before, match, omittedWords(heldBefore, source.start, before, match)))
      copies.push([match]);
    else copy.push(match);
  }
  return isMostlyMatched(pair, candidate, matches) && copies.every((copy) => isCopy(pair, copy))
    ? copies
    : [[...matches]];
}

/** Whether little of a candidate lies before its first match and behind its last. */
function isMostlyMatched(
  { model }: TextPair,
  candidate: SegmentPair,
  matches: readonly SegmentPair[],
): boolean {
  const outside = spanLength(candidate.query) - overlapLength(candidate.query, enclosing(matches).query);
  return outside <= (1 - model.copy.shareMin) * lengthOf(matches);
}

function isCopy({ model }: TextPair, copy: readonly SegmentPair[]): boolean {
  const matched = lengthOf(copy);
  return (
    matched >= model.split.copyWordsMin && matched >= model.copy.shareMin * spanLength(enclosing(copy).query)
  );
}

function lengthOf(matches: readonly SegmentPair[]): number {
  return matches.reduce((words, { query }) => words + spanLength(query), 0);
}

function isSplit(
  pair: TextPair,
  free: () => ReadonlyMap<number, number>,
  before: SegmentPair,
  match: SegmentPair,
  omitted: number,
): boolean {
  const { split, rules } = pair.model;
  const between: Span = { start: before.query.end, end: match.query.start };
  const own = Math.max(0, spanLength(between));
  if (own >= split.gapWordsMin && isOwnText(pair, free(), between)) return true;
  if (!rules.splitAtOmissions || omitted - own < split.gapWordsMin) return false;
  return (
    holdsParagraphEnd(pair.query.boundaries, between) ||
    (rules.splitIfSwapped && areLongAndSwapped(pair, before, match))
  );
}

/** For each place of a source span, the number of words before it that some match holds. */
function countHeld(matches: readonly SegmentPair[], { start, end }: Span): Int32Array {
  const isHeld = new Uint8Array(end - start);
  for (const { source } of matches) isHeld.fill(1, source.start - start, source.end - start);
  const heldBefore = new Int32Array(isHeld.length + 1);
  for (const [at, held] of isHeld.entries()) heldBefore[at + 1] = (heldBefore[at] ?? 0) + held;
  return heldBefore;
}

/** The source words between two matches that no other match of the passage holds. */
function omittedWords(heldBefore: Int32Array, from: number, a: SegmentPair, b: SegmentPair): number {
  const [first, second] = a.source.start < b.source.start ? [a.source, b.source] : [b.source, a.source];
  if (second.start <= first.end) return 0;
  const held = (heldBefore[second.start - from] ?? 0) - (heldBefore[first.end - from] ?? 0);
  return second.start - first.end - held;
}

function areLongAndSwapped({ model }: TextPair, before: SegmentPair, match: SegmentPair): boolean {
  const words = Math.min(spanLength(before.query), spanLength(match.query));
  return match.source.start < before.source.start && words >= model.split.gapWordsMin;
}

function holdsParagraphEnd(boundaries: Uint8Array, { start, end }: Span): boolean {
  for (let at = Math.min(start, end); at <= end; at++) if (endsParagraph(boundaries[at] ?? 0)) return true;
  return false;
}

/** How often each word occurs in the source of the passage outside the matches. */
function countFree(
  { sourceSide }: TextPair,
  candidate: SegmentPair,
  matches: readonly SegmentPair[],
): Map<number, number> {
  const free = new Map<number, number>();
  let at = candidate.source.start;
  for (const { source } of matches.toSorted((x, y) => x.source.start - y.source.start)) {
    countWords(free, sourceSide.ids.subarray(at, Math.max(at, source.start)));
    at = Math.max(at, source.end);
  }
  countWords(free, sourceSide.ids.subarray(at, Math.max(at, candidate.source.end)));
  return free;
}

function countWords(counts: Map<number, number>, ids: Int32Array): void {
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** Whether the source of the passage has few of the uncommon words of a span, other than those that the matches hold. */
function isOwnText(
  { query, model }: TextPair,
  free: ReadonlyMap<number, number>,
  { start, end }: Span,
): boolean {
  const uncommon = query.ids.subarray(start, end).filter((id) => query.common[id] !== 1);
  const own = new Map<number, number>();
  countWords(own, uncommon);
  const found = own.entries().reduce((sum, [id, count]) => sum + Math.min(count, free.get(id) ?? 0), 0);
  return found <= model.split.ownFoundShareMax * uncommon.length;
}

/** One copy as a candidate of its own. Words keep their scores; words that the candidate lacks get those of the matches. */
function copyCandidate(pair: TextPair, candidate: Candidate, copy: readonly SegmentPair[]): Candidate {
  const [only] = copy;
  if (only !== undefined && copy.length === 1) return exactCandidate(pair, only);
  const { query, source } = enclosing(copy);
  const queryScores = new Float64Array(spanLength(query));
  const sourceScores = new Float64Array(spanLength(source));
  for (const scored of [...copy.map((match) => exactCandidate(pair, match)), candidate]) {
    copyScores(queryScores, query, scored.queryScores, scored.query);
    copyScores(sourceScores, source, scored.sourceScores, scored.source);
  }
  const parts = Math.min(candidate.parts, copy.length);
  return candidateOf(pair, { query, source, section: candidate.section, queryScores, sourceScores, parts });
}

function enclosing(pairs: readonly SegmentPair[]): SegmentPair {
  const empty: SegmentPair = { query: { start: 0, end: 0 }, source: { start: 0, end: 0 } };
  return pairs.reduce(
    (a, b) => ({ query: enclosingSpan(a.query, b.query), source: enclosingSpan(a.source, b.source) }),
    pairs[0] ?? empty,
  );
}

function copyScores(to: Float64Array, toSpan: Span, scores: Float64Array, span: Span): void {
  const last = Math.min(span.end, toSpan.end);
  for (let word = Math.max(span.start, toSpan.start); word < last; word++) {
    to[word - toSpan.start] = scores[word - span.start] ?? 0;
  }
}

/** Cuts query words of better candidates from each end; the source is cut too if both sides correspond word by word. */
export function withoutOverlaps(model: AlignmentModel, bestFirst: readonly Candidate[]): Candidate[] {
  if (!model.rules.cutOverlaps) return bestFirst.toSorted((a, b) => a.query.start - b.query.start);
  const apart: Candidate[] = [];
  for (const candidate of bestFirst) {
    const rest = apart.reduce<Candidate | undefined>((left, better) => left && cut(left, better), candidate);
    if (rest !== undefined) apart.push(rest);
  }
  return apart.sort((a, b) => a.query.start - b.query.start);
}

/** The longer of the two ends of a candidate that a better one leaves; undefined if it leaves none. */
function cut(candidate: Candidate, better: Candidate): Candidate | undefined {
  if (overlapLength(candidate.query, better.query) === 0) return candidate;
  const words = spanLength(candidate.query);
  const before = better.query.start - candidate.query.start;
  const after = candidate.query.end - better.query.end;
  if (Math.max(before, after) <= 0) return undefined;
  return before >= after ? cutTo(candidate, 0, before) : cutTo(candidate, words - after, words);
}

/** The words of a candidate from `from` to `to`, counted from its start. */
function cutTo(candidate: Candidate, from: number, to: number): Candidate {
  const { query, source } = candidate;
  const cutSpan = ({ start }: Span): Span => ({ start: start + from, end: start + to });
  const queryScores = candidate.queryScores.subarray(from, to);
  const isWordByWord =
    spanLength(query) === spanLength(source) && candidate.queryScores.every((score) => score > 0);
  if (!isWordByWord) return { ...candidate, query: cutSpan(query), queryScores };
  const sourceScores = candidate.sourceScores.subarray(from, to);
  return { ...candidate, query: cutSpan(query), source: cutSpan(source), queryScores, sourceScores };
}
