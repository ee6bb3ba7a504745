import { SHINGLE_WORDS } from "../../text/fingerprint-form.ts";
import { overlapLength, type Span, spanLength } from "../../text/span.ts";
import { endsSentence } from "./boundaries.ts";
import { type Candidate, exactCandidate, foundShare, scoreOf } from "./candidates.ts";
import { findGram, NONE, type SegmentPair } from "./seeds.ts";
import { FREQUENT_SHINGLE, RARE_SHINGLE, type TextPair } from "./text-pair.ts";

/**
 * Why a candidate is not reported. `too_short`: too little evidence; `duplicate`: a better passage of the source covers its
 * query text; `remainder_too_short`: too little remains beside better passages; `set_phrase`: boilerplate of the corpus.
 */
export const WORD_DROP_REASONS = ["too_short", "duplicate", "remainder_too_short", "set_phrase"] as const;
export type WordDropReason = (typeof WORD_DROP_REASONS)[number];

/** A candidate that is not reported, and why. */
export type DroppedCandidate = { readonly candidate: Candidate; readonly reason: WordDropReason };

export type Decision = { readonly kept: Candidate[]; readonly dropped: DroppedCandidate[] };

/**
 * Decides which candidates are reported, the best first. None has most of its query words in a better one or overlaps one on
 * both sides. Source text that the query uses twice is two passages; query text that the source has twice is one.
 */
export function decide(pair: TextPair, candidates: readonly Candidate[]): Decision {
  const likely = candidates
    .filter((candidate) => scoreOf(pair, candidate) >= pair.model.selectedScoreMin)
    .sort((a, b) => scoreOf(pair, b) - scoreOf(pair, a));
  const scores = decisionScores(pair, likely);
  const decision: Decision = { kept: [], dropped: [] };
  for (const [i, candidate] of likely.entries()) {
    const matched = matchedWords(pair, candidate);
    const reason = reasonToDrop(pair, candidate, matched, scores[i] ?? 0, decision.kept);
    if (reason === undefined) decision.kept.push(candidate);
    else if (matched >= pair.model.listedWordsMin) decision.dropped.push({ candidate, reason });
  }
  return decision;
}

/** The words that both sides of a segment pair have, counted one to one. */
export function matchedWords({ query, sourceSide }: TextPair, segments: SegmentPair): number {
  return query.bags.lendFilled(sourceSide.ids, segments.source, (bag) => {
    let matched = 0;
    for (let i = segments.query.start; i < segments.query.end; i++) {
      if (bag.take(query.ids[i] ?? -1)) matched += 1;
    }
    return matched;
  });
}

function reasonToDrop(
  pair: TextPair,
  candidate: Candidate,
  matched: number,
  decisionScore: number,
  kept: readonly Candidate[],
): WordDropReason | undefined {
  const { rules, takenShareMax, oneSubjectWordMin, matchedWordsMin, reportedUncommonMin } = pair.model;
  const taken = kept.reduce((words, { query }) => words + overlapLength(query, candidate.query), 0);
  if (taken > takenShareMax * spanLength(candidate.query)) return "duplicate";
  if (rules.duplicatesOnBothSides && kept.some((better) => overlapOnBothSides(better, candidate)))
    return "duplicate";
  const isWeak =
    (rules.decisionScore ? decisionScore : scoreOf(pair, candidate)) < 0 ||
    (pair.query.isOneSubject && candidate.logOdds < oneSubjectWordMin * matched) ||
    matched - (rules.figuresAreNoWords ? foundFigures(pair, candidate) : 0) < matchedWordsMin ||
    foundUncommon(pair, candidate) < reportedUncommonMin;
  if (isWeak) return taken > 0 ? "remainder_too_short" : "too_short";
  return isBoilerplate(pair.query.shingleMarks, equalWords(pair, candidate)) ? "set_phrase" : undefined;
}

function overlapOnBothSides(a: SegmentPair, b: SegmentPair): boolean {
  return overlapLength(a.query, b.query) > 0 && overlapLength(a.source, b.source) > 0;
}

function foundUncommon({ query, model }: TextPair, candidate: Candidate): number {
  return countFound(candidate, (word) => (query.shares[query.ids[word] ?? 0] ?? 0) < model.commonShareMin);
}

/** Figures are not words: a line of a table has many of them. */
function foundFigures({ query }: TextPair, candidate: Candidate): number {
  return countFound(candidate, (word) => FIGURE.test(query.text.tokens.words[word] ?? ""));
}

const FIGURE = /^\p{N}+$/u;

/** How many of the candidate's found query words meet a condition, given their places in the query. */
function countFound({ query, queryScores }: Candidate, holds: (word: number) => boolean): number {
  let count = 0;
  for (const [i, score] of queryScores.entries()) if (score > 0 && holds(query.start + i)) count += 1;
  return count;
}

/**
 * The decision score of each candidate: the log-odds that a reader would call it reuse; below 0 it is not reported.
 * A logistic regression on 707 right and 247 wrong candidates near the threshold, from the tuning parts of PAN13 (without
 * summaries) and of mixed; it tells 93% apart. Most wrong ones are from texts on one subject that say the same, so the
 * vocabulary that two texts share elsewhere counts (the more, the longer a passage has to be), and whether the passage's phrases
 * occur elsewhere in the query.
 *
 * Pairs without planted reuse (half of 1,000 encyclopedia articles, each against the others) added three rules: long names,
 * lists and figures weigh less than running text; a shared subject never speaks for reuse; and the more sources are compared,
 * the more a weak passage needs. They reduced the articles with a wrong passage from about 20 of 488 to 4.
 */
function decisionScores(pair: TextPair, candidates: readonly Candidate[]): number[] {
  const { decision, topic: subject } = pair.model;
  const covered = coveredWords(pair, candidates);
  const topic = sharedTopic(pair, candidates);
  return candidates.map((candidate) => {
    const score = scoreOf(pair, candidate);
    const [query, source] = [spanLength(candidate.query), spanLength(candidate.source)];
    const { running, names } = foundLogOdds(pair, candidate);
    const topicWeight =
      decision.topic + decision.topicByLength * Math.log((query + source) / subject.usualWords);
    return (
      decision.bias +
      decision.score * score +
      Math.min(decision.topicMax, topic * topicWeight) +
      decision.found * foundShare(candidate.queryScores) +
      decision.repeated * repeatedShare(pair, candidate, score, covered) +
      decision.lopsided * Math.abs(Math.log(query / source)) +
      decision.namesOnly * namesOnly(pair, running, names) -
      (decision.perSource +
        decision.perSourceIfWeak * Math.max(0, 1 - (score - names) / decision.strongScore)) *
        Math.log(pair.query.sourcesCompared)
    );
  });
}

/** 1 for each query word that a candidate covers. */
function coveredWords({ query }: TextPair, candidates: readonly SegmentPair[]): Uint8Array {
  const covered = new Uint8Array(query.ids.length);
  for (const { query } of candidates) covered.fill(1, query.start, query.end);
  return covered;
}

/** The share of the source's uncommon words outside the candidates that the query has outside them as well. */
function sharedTopic({ query, sourceSide, model }: TextPair, candidates: readonly SegmentPair[]): number {
  const inCandidate = new Uint8Array(sourceSide.ids.length);
  return query.bags.lend((covered) => {
    for (const candidate of candidates) {
      inCandidate.fill(1, candidate.source.start, candidate.source.end);
      covered.add(query.ids, candidate.query);
    }
    let words = model.topic.priorWords;
    let shared = model.topic.priorShared;
    for (const [i, id] of sourceSide.ids.entries()) {
      if (inCandidate[i] === 1 || (id >= 0 && query.common[id] === 1)) continue;
      words += 1;
      if (id >= 0 && (query.counts[id] ?? 0) > covered.count(id)) shared += 1;
    }
    return shared / words;
  });
}

/** The log-odds of the uncommon words found: those of running text, and those of names and figures. */
function foundLogOdds(pair: TextPair, candidate: Candidate) {
  const isRunning = runningWords(pair, candidate);
  let running = 0;
  let names = 0;
  for (const [i, score] of candidate.queryScores.entries()) {
    if (score <= 0 || pair.query.common[pair.query.ids[candidate.query.start + i] ?? 0] === 1) continue;
    if (isRunning[i] === 1) running += score;
    else names += score;
  }
  return { running, names };
}

/** 1 for each query word of running text: uncommon, and not a name or figure on both sides. */
function runningWords({ query, sourceSide }: TextPair, segments: SegmentPair): Uint8Array {
  const { start, end } = segments.source;
  const inRunningText = new Set<number>();
  for (let i = start; i < end; i++) if (sourceSide.names[i] === 0) inRunningText.add(sourceSide.ids[i] ?? -1);
  const running = new Uint8Array(spanLength(segments.query));
  for (let i = 0; i < running.length; i++) {
    const word = segments.query.start + i;
    const id = query.ids[word] ?? 0;
    if (query.common[id] === 0 && (query.names[word] === 0 || inRunningText.has(id))) running[i] = 1;
  }
  return running;
}

/** To what degree, from 0 to 1, a passage is nothing but a name with figures. Longer lists of names are copied like text. */
function namesOnly({ model }: TextPair, running: number, names: number): number {
  const { fewLogOdds, nameLogOdds } = model.decision;
  const isName = Math.min(1, names / fewLogOdds) * Math.min(1, Math.max(0, 2 - names / nameLogOdds));
  return isName * Math.max(0, 1 - running / fewLogOdds);
}

/** The share of a weak candidate's grams that the query also has outside all candidates; 0 for strong ones. */
function repeatedShare(pair: TextPair, candidate: Candidate, score: number, covered: Uint8Array): number {
  const { gramWords, gramAt, nextSame } = pair.query.grams;
  const { scoreMax, placesMax } = pair.model.repeated;
  const { start } = candidate.query;
  const grams = spanLength(candidate.query) - gramWords + 1;
  if (grams <= 0 || score >= scoreMax) return 0;
  let repeated = 0;
  for (let i = start; i < start + grams; i++) {
    let place = gramAt[i] ?? NONE;
    for (let tried = 0; place !== NONE && tried < placesMax; tried++) {
      if (!covered.subarray(place, place + gramWords).includes(1)) {
        repeated += 1;
        break;
      }
      place = nextSame[place] ?? NONE;
    }
  }
  return repeated / grams;
}

/**
 * `spareWordsMax`: equal words in a row, edits left out, that no frequent shingle covers. Of 400 stretches of
 * boilerplate each of 15, 30, 50 and 300 words, 1.8%, 0.3%, 0.3% and none are still reported; with 12 it would be 1.8%, 1.8%,
 * 2.3% and none. Of as many copies that follow 30 words of boilerplate with 20 words of which every seventh was edited, none is
 * lost; with 20 6.8%. `spareShareMax`: the same as a share of a long match, because long boilerplate has longer gaps.
 */
const BOILERPLATE = { spareWordsMax: 16, spareShareMax: 0.25 } as const;

/**
 * Whether runs of equal words are boilerplate: at least one sampled shingle that many documents of the corpus have, none that
 * is rare (except where two phrases meet), and no long row of equal words beside them, since an edited copy may have no sampled
 * shingle.
 * @param shingleMarks see `markShingles`
 * @param runs ascending spans of the query
 */
export function isBoilerplate(shingleMarks: Uint8Array | undefined, runs: readonly Span[]): boolean {
  if (shingleMarks === undefined) return false;
  const words = runs.reduce((sum, run) => sum + spanLength(run), 0);
  const spareMax = Math.max(BOILERPLATE.spareWordsMax, BOILERPLATE.spareShareMax * words);
  let hasFrequent = false;
  let spare = 0;
  for (const { start, end } of runs) {
    let frequentEnd = NONE;
    let hasRare = false;
    for (let at = start; at + SHINGLE_WORDS <= end; at++) {
      if (shingleMarks[at] === RARE_SHINGLE) hasRare = true;
      if (shingleMarks[at] !== FREQUENT_SHINGLE) continue;
      if (hasRare && (frequentEnd === NONE || at - frequentEnd > BOILERPLATE.spareWordsMax)) return false;
      if (spare + at - Math.max(start, frequentEnd) > spareMax) return false;
      hasFrequent = true;
      hasRare = false;
      spare = 0;
      frequentEnd = at + SHINGLE_WORDS;
    }
    if (hasRare) return false;
    spare += end - Math.max(start, frequentEnd);
  }
  return hasFrequent && spare <= spareMax;
}

/** The spans of a segment pair's query side whose grams the source side has, wherever it has them. */
function equalWords({ query, sourceSide }: TextPair, segments: SegmentPair): Span[] {
  const { gramWords, gramAt } = query.grams;
  const grams = new Set<number>();
  for (let at = segments.source.start; at + gramWords <= segments.source.end; at++) {
    grams.add(findGram(query.grams, query.ids, sourceSide.ids, at));
  }
  const spans: Span[] = [];
  for (let at = segments.query.start; at + gramWords <= segments.query.end; at++) {
    if (!grams.has(gramAt[at] ?? NONE)) continue;
    const last = spans.at(-1);
    if (last === undefined || at >= last.end) spans.push({ start: at, end: at + gramWords });
    else spans[spans.length - 1] = { start: last.start, end: at + gramWords };
  }
  return spans;
}

/**
 * Exact matches that no passage covers, with `copyAlone.wordsMin` words and rare words, a whole sentence or many other copies
 * of the source. Users want to see them even where the decision score is low.
 */
export function uncoveredCopies(
  pair: TextPair,
  matches: readonly SegmentPair[],
  reported: readonly SegmentPair[],
): Candidate[] {
  const { copyAlone, rules } = pair.model;
  const covered = coveredWords(pair, reported);
  const copies: Candidate[] = [];
  for (const match of matches.toSorted((a, b) => spanLength(b.query) - spanLength(a.query))) {
    const free = longestFree(match, covered);
    if (spanLength(free.query) < copyAlone.wordsMin) continue;
    const isOneOfMany = reported.length + copies.length >= copyAlone.othersMin;
    const isTelling =
      isOneOfMany || holdsRareWords(pair, free) || (rules.wholeSentences && holdsSentence(pair, free));
    if (!isTelling) continue;
    if (isBoilerplate(pair.query.shingleMarks, [free.query])) continue;
    copies.push(exactCandidate(pair, free));
    covered.fill(1, free.query.start, free.query.end);
  }
  return copies;
}

/** The longest part of a match whose query words are all free. */
function longestFree({ query, source }: SegmentPair, covered: Uint8Array): SegmentPair {
  let best: Span = { start: query.start, end: query.start };
  let start = query.start;
  for (let at = query.start; at <= query.end; at++) {
    if (at < query.end && covered[at] !== 1) continue;
    if (at - start > spanLength(best)) best = { start, end: at };
    start = at + 1;
  }
  const shift = source.start - query.start;
  return { query: best, source: { start: best.start + shift, end: best.end + shift } };
}

/** Whether some uncommon words of a match occur nowhere else in either text. Names and figures count only in long rows: a list. */
function holdsRareWords(pair: TextPair, match: SegmentPair): boolean {
  const { query, sourceCounts, model } = pair;
  const { start, end } = match.query;
  const isList = spanLength(match.query) >= model.copyAlone.listWordsMin;
  const running = runningWords(pair, match);
  return query.bags.lendFilled(query.ids, match.query, (inside) => {
    let rare = 0;
    for (let i = start; i < end; i++) {
      const id = query.ids[i] ?? 0;
      const isEligible = isList ? query.common[id] === 0 : running[i - start] === 1;
      const count = inside.count(id);
      if (isEligible && query.counts[id] === count && sourceCounts[id] === count) rare += 1;
    }
    return rare >= model.copyAlone.rareWordsMin;
  });
}

/** Whether a match contains whole sentences of both texts, long enough for a copy and not only of common words. */
function holdsSentence({ query, sourceSide, model }: TextPair, match: SegmentPair): boolean {
  const isBoundary = (word: number) =>
    endsSentence(query.boundaries[match.query.start + word] ?? 0) &&
    endsSentence(sourceSide.boundaries[match.source.start + word] ?? 0);
  let start = 0;
  let end = spanLength(match.query);
  while (start < end && !isBoundary(start)) start++;
  while (end > start && !isBoundary(end)) end--;
  const words = query.ids.subarray(match.query.start + start, match.query.start + end);
  const uncommon = words.filter((id) => query.common[id] !== 1).length;
  return words.length >= model.copyAlone.wordsMin && uncommon >= model.reportedUncommonMin;
}

/** The exact matches that neither a reported passage nor a dropped candidate contains, with the reason. */
export function unreportedMatches(
  pair: TextPair,
  matches: readonly SegmentPair[],
  reported: readonly SegmentPair[],
  dropped: readonly DroppedCandidate[],
): DroppedCandidate[] {
  const unreported: DroppedCandidate[] = [];
  for (const match of matches) {
    if (spanLength(match.query) < pair.model.listedWordsMin) continue;
    if (reported.some((passage) => overlapOnBothSides(passage, match))) continue;
    if (dropped.some(({ candidate }) => overlapOnBothSides(candidate, match))) continue;
    const isTaken = reported.some(({ query }) => overlapLength(query, match.query) > 0);
    unreported.push({
      candidate: exactCandidate(pair, match),
      reason: isTaken ? "duplicate" : "too_short",
    });
  }
  return unreported;
}
