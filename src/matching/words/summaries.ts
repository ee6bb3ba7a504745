import { overlapLength, type Span, spanLength } from "../../text/span.ts";
import { endsParagraph } from "./boundaries.ts";
import { type Candidate, foundShare } from "./candidates.ts";
import { bestSpan, chanceInBag, foundScore, improveSpan, missedScore, type ScoredSpan } from "./scorer.ts";
import type { SegmentPair } from "./seeds.ts";
import { type TextPair, withOnlySection } from "./text-pair.ts";

/** Adds spans that summarise a section, without the passages in them. (Without them PAN13's summaries lose .58 and mixed gains .001.) */
export function withSummaries(
  pair: TextPair,
  matches: readonly SegmentPair[],
  kept: readonly Candidate[],
): Candidate[] {
  let passages = [...kept];
  for (const section of pair.sections) {
    const summary = summaryOf(pair, section, passages);
    if (summary === undefined || isCollectionOfCopies(pair, matches, summary.query)) continue;
    const isPart = ({ query }: Candidate) =>
      overlapLength(query, summary.query) >= pair.model.summary.partShareMin * spanLength(query);
    passages = [summary, ...passages.filter((passage) => !isPart(passage))];
  }
  return passages;
}

/** Whether a span of several paragraphs consists mostly of copied text. Sentences picked from one paragraph are a summary. */
function isCollectionOfCopies(
  { query, model }: TextPair,
  matches: readonly SegmentPair[],
  span: Span,
): boolean {
  const { copyWordsMin, copiedShareMin } = model.summary;
  if (!query.boundaries.subarray(span.start + 1, span.end).some(endsParagraph)) return false;
  const isCopied = new Uint8Array(spanLength(span));
  for (const { query: match } of matches) {
    if (spanLength(match) < copyWordsMin || overlapLength(match, span) === 0) continue;
    isCopied.fill(1, Math.max(0, match.start - span.start), match.end - span.start);
  }
  const copied = isCopied.reduce((sum, one) => sum + one, 0);
  return copied >= copiedShareMin * spanLength(span);
}

function summaryOf(pair: TextPair, section: Span, kept: readonly Candidate[]): Candidate | undefined {
  const { sourceWordsMin, scoreMin, wordsMin, sourceRatioMin } = pair.model.summary;
  const sourceWords = spanLength(section);
  if (sourceWords < sourceWordsMin) return undefined;
  const summarised = bestSummarisedSpan(pair, section);
  if (summarised === undefined || summarised.score < scoreMin) return undefined;
  const words = spanLength(summarised);
  if (words < wordsMin || sourceWords < sourceRatioMin * words) return undefined;
  if (summaryLogOdds(pair, section, summarised, mostOverlapping(summarised, kept)) < 0) return undefined;
  return {
    query: { start: summarised.start, end: summarised.end },
    source: section,
    section,
    queryScores: new Float64Array(words),
    sourceScores: new Float64Array(sourceWords),
    logOdds: summarised.score + pair.threshold,
    parts: 1,
  };
}

/** A span of the query, its score, and how many of its words the source has: in fact, and by chance. */
type SummarisedSpan = ScoredSpan & { readonly found: number; readonly expected: number };

/**
 * The query span that the section explains best. (156 of 160 summaries of PAN13's tuning part get their exact paragraph.) Other
 * sections of the source don't count as background, because a summary of the source repeats their words as well (otherwise
 * PAN13's summaries lose .007 through the API, where sources may have gaps between their hits).
 */
export function bestSummarisedSpan(whole: TextPair, section: Span): SummarisedSpan | undefined {
  const { summary, summaryChance: chance, rules } = whole.model;
  const pair = rules.summariesBySection ? withOnlySection(whole, section) : whole;
  let first: ScoredSpan | undefined;
  for (const { from, scores } of scoredParts(pair, section)) {
    const span = bestSpan(pair.query.boundaryPriors, from, scores);
    if (first === undefined || span.score > first.score) first = span;
  }
  if (first === undefined || first.score < 0) return undefined;
  const { query: own, sourceSide: other } = pair;
  const scoring = { own, other, core: first, bag: section, kept: summary.kept, chance };
  const best = improveSpan(pair, scoring, { start: 0, end: own.ids.length });
  return { ...best, ...countFound(pair, section, best, first) };
}

/** Scores every word of the searched parts, not one to one. The score is that of the stem, so long queries compute few of them. */
function scoredParts(
  pair: TextPair,
  section: Span,
): { readonly from: number; readonly scores: Float64Array }[] {
  const { query, sourceSide, model } = pair;
  const { kept } = model.summary;
  const bagWords = spanLength(section);
  const missed = missedScore(kept);
  const stemScores = new Float64Array(query.counts.length);
  return query.bags.lendFilled(sourceSide.ids, section, (bag) => {
    const scoreOf = (id: number) => {
      const inBag = bag.count(id);
      if (inBag === 0) return missed;
      let score = stemScores[id] ?? 0;
      if (score === 0) {
        const chance = chanceInBag(pair, id, inBag + 1, bagWords, bagWords, model.summaryChance);
        score = foundScore(chance, kept);
        stemScores[id] = score;
      }
      return score;
    };
    return pair.searchedParts.map(({ start, end }) => {
      const scores = new Float64Array(end - start);
      for (let i = 0; i < scores.length; i++) scores[i] = scoreOf(query.ids[start + i] ?? 0);
      return { from: start, scores };
    });
  });
}

/** @param core the span that the chance of a word leaves out */
function countFound(pair: TextPair, section: Span, span: Span, core: Span) {
  const { query, sourceSide, model } = pair;
  const bagWords = spanLength(section);
  const excluded = bagWords + spanLength(core);
  return query.bags.lendFilled(sourceSide.ids, section, (bag) =>
    query.bags.lendFilled(query.ids, core, (inCore) => {
      let found = 0;
      let expected = 0;
      for (let i = span.start; i < span.end; i++) {
        const id = query.ids[i] ?? 0;
        const inside = bag.count(id) + inCore.count(id);
        expected += chanceInBag(pair, id, inside, excluded, bagWords, model.summaryChance);
        if (bag.count(id) > 0) found += 1;
      }
      return { found, expected };
    }),
  );
}

function mostOverlapping(span: Span, kept: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  const shared = (candidate?: Candidate) => (candidate ? overlapLength(candidate.query, span) : 0);
  for (const candidate of kept) if (shared(candidate) > shared(best)) best = candidate;
  return best;
}

/**
 * The log-odds that a span summarises the whole section rather than the source of the passage that overlaps it most.
 * A logistic regression on 2,070 such spans of both tuning parts, 158 of them summaries; it misses 26 of these and takes
 * 22 others for one. What speaks most for a local passage is that its source has few omissions.
 */
function summaryLogOdds(
  pair: TextPair,
  section: Span,
  summarised: SummarisedSpan,
  local: Candidate | undefined,
): number {
  const words = spanLength(summarised);
  const weights = pair.model.summaryDecision;
  const { priorFound, priorWords, usualWords, longSourceWords } = weights;
  const kept =
    (summarised.found - summarised.expected + priorFound) / (words - summarised.expected + priorWords);
  const shift = Math.log(words / usualWords);
  const long = Math.max(0, Math.log(spanLength(section) / longSourceWords));
  const ofLocal =
    local === undefined
      ? 0
      : weights.hasLocal +
        (weights.inside * overlapLength(local.query, summarised)) / words +
        weights.dense * foundShare(local.sourceScores);
  return (
    weights.bias +
    weights.kept * Math.min(0.95, Math.max(0.1, kept)) +
    ofLocal +
    weights.shift * shift * shift +
    weights.long * long +
    weights.elsewhere * foundElsewhere(pair, summarised, local)
  );
}

/** The share of the span's uncommon words that the source has, but not in the local passage. */
function foundElsewhere(
  { query, sourceSide, sourceCounts }: TextPair,
  span: Span,
  local?: Candidate,
): number {
  return query.bags.lendFilled(sourceSide.ids, local?.source ?? { start: 0, end: 0 }, (inLocal) => {
    let words = 0;
    let elsewhere = 0;
    for (let i = span.start; i < span.end; i++) {
      const id = query.ids[i] ?? 0;
      if (query.common[id] === 1) continue;
      words += 1;
      if ((sourceCounts[id] ?? 0) > 0 && inLocal.count(id) === 0) elsewhere += 1;
    }
    return elsewhere / Math.max(1, words);
  });
}
