import type { Ablation } from "./measure-model.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** The rules of the alignment, each switched off or replaced by the simplest alternative. */
export const RULE_ABLATIONS: readonly Ablation[] = [
  rule("boundary priors", (model) => {
    model.queryBoundaryPriors = model.queryBoundaryPriors.map(() => 0);
    model.sourceBoundaryPriors = model.sourceBoundaryPriors.map(() => 0);
  }),
  rule("one-to-one counting", ({ rules }) => {
    rules.oneToOne = false;
  }),
  rule("burst of words", ({ localChance }) => {
    localChance.burst = 1;
  }),
  rule("table of common words", ({ rules }) => {
    rules.commonWordTable = false;
  }),
  rule("stemming", ({ rules }) => {
    rules.stemming = false;
  }),
  rule("threshold by size", (model) => {
    model.thresholdPerSize = 0;
  }),

  rule("candidates from exact matches", ({ rules }) => {
    rules.exactCandidates = false;
  }),
  rule("candidates from block seeds", (model) => {
    model.seedScoreMin = NEVER;
  }),
  rule("wide bags in the first rounds", (model) => {
    model.ascentSourcePadding = [];
    model.ascentQueryPadding = [];
  }),
  rule("insertions divide candidates", (model) => {
    model.insertedExcessMin = NEVER;
  }),
  rule("second use of a source passage", (model) => {
    model.doubledShareMin = NEVER;
  }),
  rule("dropping covered candidates", (model) => {
    model.coveredShareMost = NEVER;
  }),

  rule("duplicates are not merged", (model) => {
    model.duplicateShareMin = NEVER;
  }),
  rule("price of parts", (model) => {
    model.partCost = 0;
  }),
  rule("overlapping parts count once", ({ rules }) => {
    rules.overlapsCountOnce = false;
  }),
  rule("cheaper omissions", ({ omission }) => {
    omission.start = NEVER;
  }),
  rule("cheaper omissions only in the source's order", ({ rules }) => {
    rules.omissionsInOrderOnly = false;
  }),
  rule("omission price by length of the parts", ({ omission }) => {
    omission.perPartWord = 0;
  }),
  rule("extension", ({ extension }) => {
    extension.roundsMax = 0;
  }),
  rule("price of used-up words in the extension", ({ extension }) => {
    extension.surplus = 0;
  }),
  rule("padding of bags in the extension", ({ extension }) => {
    extension.paddingWords = 0;
    extension.paddingShare = 0;
  }),

  rule("decision score (by the alignment score instead)", ({ rules }) => {
    rules.decisionScore = false;
  }),
  rule("decision: alignment score", ({ decision }) => {
    decision.score = 0;
  }),
  rule("decision: shared subject", ({ decision }) => {
    decision.topic = 0;
    decision.topicByLength = 0;
  }),
  rule("decision: a shared subject never speaks for reuse", ({ decision }) => {
    decision.topicMax = NEVER;
  }),
  rule("decision: found words", ({ decision }) => {
    decision.found = 0;
    decision.bias += 6;
  }),
  rule("decision: repeated phrases", ({ decision }) => {
    decision.repeated = 0;
  }),
  rule("decision: unequal lengths", ({ decision }) => {
    decision.lopsided = 0;
  }),
  rule("decision: names", ({ decision }) => {
    decision.namesOnly = 0;
  }),
  rule("decision: number of sources", ({ decision }) => {
    decision.perSource = 0;
    decision.perSourceIfWeak = 0;
  }),
  rule("decision: weak passages of many sources", ({ decision }) => {
    decision.perSourceIfWeak = 0;
  }),
  rule("duplicates by query words", (model) => {
    model.takenShareMax = NEVER;
  }),
  rule("duplicates on both sides", ({ rules }) => {
    rules.duplicatesOnBothSides = false;
  }),
  rule("figures are not words", ({ rules }) => {
    rules.figuresAreNoWords = false;
  }),
  rule("eight words", (model) => {
    model.matchedWordsMin = 0;
  }),
  rule("two uncommon words", (model) => {
    model.reportedUncommonMin = 0;
  }),
  rule("copies below the decision score", ({ copyAlone }) => {
    copyAlone.wordsMin = NEVER;
  }),
  rule("copies below the decision score need rare words", ({ copyAlone }) => {
    copyAlone.rareWordsMin = 0;
  }),
  rule("copies below the decision score: whole sentences", ({ rules }) => {
    rules.wholeSentences = false;
  }),
  rule("copies below the decision score: many from one source", ({ copyAlone }) => {
    copyAlone.othersMin = NEVER;
  }),

  rule("trimming copies", ({ trim }) => {
    trim.roundsMax = 0;
  }),
  rule("omitted tail of the source", ({ omittedTail }) => {
    omittedTail.ratioMin = NEVER;
  }),
  rule("exact edges", ({ copy }) => {
    copy.insideShareMin = NEVER;
  }),
  rule("exact edges: single match", ({ copy }) => {
    copy.exactShareMin = NEVER;
  }),
  rule("exact edges: common words beyond a sentence", ({ copy }) => {
    copy.commonEndWordsMax = -1;
  }),
  rule("splitting copies", ({ split }) => {
    split.copyWordsMin = NEVER;
  }),
  rule("splitting copies at own text", ({ split }) => {
    split.ownFoundShareMax = -1;
  }),
  rule("splitting copies at omissions", ({ rules }) => {
    rules.splitAtOmissions = false;
  }),
  rule("splitting swapped copies", ({ rules }) => {
    rules.splitIfSwapped = false;
  }),
  rule("cutting overlaps", ({ rules }) => {
    rules.cutOverlaps = false;
  }),

  rule("summaries", ({ summary }) => {
    summary.wordsMin = NEVER;
  }),
  rule("summaries: other sections are no background", ({ rules }) => {
    rules.summariesBySection = false;
  }),
  rule("summaries: no collections of copies", ({ summary }) => {
    summary.copiedShareMin = NEVER;
  }),
  rule("summaries: usual length", ({ summaryDecision }) => {
    summaryDecision.shift = 0;
  }),
  rule("summaries: long sources", ({ summaryDecision }) => {
    summaryDecision.long = 0;
  }),
  rule("summaries: words found elsewhere in the source", ({ summaryDecision }) => {
    summaryDecision.elsewhere = 0;
  }),
  rule("summaries: share inside the local passage", ({ summaryDecision }) => {
    summaryDecision.inside = 0;
  }),
  rule("summaries: density of the local passage", ({ summaryDecision }) => {
    summaryDecision.hasLocal += 0.5 * summaryDecision.dense;
    summaryDecision.dense = 0;
  }),
];

function rule(name: string, change: Ablation["change"]): Ablation {
  return { name, change };
}
