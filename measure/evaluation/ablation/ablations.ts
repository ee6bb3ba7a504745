import type { Ablation } from "./measure-sources.ts";

/** The rules of the alignment, each switched off or replaced by the simplest alternative. */
export const RULE_ABLATIONS: readonly Ablation[] = [
  rule("boundary priors", ["boundaries", "priors[types[i] ?? 0] ?? 0", "priors[0] === undefined ? 1 : 0"]),
  rule("one-to-one counting", [
    "scorer",
    "if (!bag.take(id)) return surplus",
    "if (inBag < 0) return surplus",
  ]),
  rule("burst of words", ["model", "{ burst: 1.5, min: 0.02", "{ burst: 1, min: 0.02"]),
  rule("table of common words", ["text-pair", "RANKS.get(language)", 'RANKS.get("")']),
  rule("stemming", ["text-pair", "stemmerFor(language)", 'stemmerFor("")']),
  rule("threshold by size", [
    "text-pair",
    "THRESHOLD + THRESHOLD_PER_SIZE * Math.log(Math.max(1, places))",
    "THRESHOLD + 0 * Math.log(Math.max(1, places))",
  ]),

  rule("candidates from exact matches", [
    "candidates",
    "matches.map((match) => exactCandidate(pair, match)).filter(isLikely)",
    "matches.slice(0, 0).map((match) => exactCandidate(pair, match))",
  ]),
  rule("candidates from block seeds", ["candidates", "if (left === 0) return;", "if (left >= 0) return;"]),
  rule(
    "wide bags in the first rounds",
    ["model", "ASCENT_SOURCE_PADDING = [113, 36]", "ASCENT_SOURCE_PADDING = [0, 0]"],
    ["model", "ASCENT_QUERY_PADDING = [45]", "ASCENT_QUERY_PADDING = [0]"],
  ),
  rule("splitting candidates at insertions and second uses", [
    "candidates",
    "if (parts.length === 1) yield candidate;",
    "if (parts.length > 0) yield candidate;",
  ]),
  rule("dropping covered candidates", [
    "candidates",
    "return withoutCovered(candidates.sort((a, b) => b.logOdds - a.logOdds).slice(0, countMax));",
    "return candidates.sort((a, b) => b.logOdds - a.logOdds).slice(0, countMax);",
  ]),

  rule("duplicates are not merged", ["merging", " || areDuplicates(a, b)) continue;", ") continue;"]),
  rule("no merge across an insertion", [
    "merging",
    "gain: isDivided ?",
    "gain: isDivided && parts.length < 0 ?",
  ]),
  rule("price of parts", ["model", "PART_COST = 20", "PART_COST = 0"]),
  rule("overlapping parts count once", [
    "merging",
    "scoreOf(pair, part) - Math.max(0, twice)",
    "scoreOf(pair, part) - 0 * twice",
  ]),
  rule("cheaper omissions", [
    "merging",
    "if (areInOrder(a, b)) easeOmissions",
    "if (parts.length < 0) easeOmissions",
  ]),
  rule("cheaper omissions only in the source's order", [
    "merging",
    "if (areInOrder(a, b)) easeOmissions",
    "easeOmissions",
  ]),
  rule("omission price by length of the parts", ["model", "perPartWord: 0.16", "perPartWord: 0"]),
  rule("extension", [
    "merging",
    "let extended = candidate;",
    "if (candidate.parts > 0) return candidate;\n  let extended = candidate;",
  ]),
  rule("price of used-up words in the extension", ["model", "surplus: -0.6", "surplus: 0"]),
  rule(
    "padding of bags in the extension",
    ["model", "paddingWords: 20", "paddingWords: 0"],
    ["model", "paddingShare: 0.1", "paddingShare: 0"],
  ),

  rule("decision score (by the alignment score instead)", [
    "decision",
    "decisionScore < 0 ||",
    "scoreOf(pair, candidate) < 0 ||",
  ]),
  rule("decision: alignment score", ["decision", "DECISION.score * score +", "0 +"]),
  rule("decision: shared subject", ["decision", "Math.min(0, topic * topicWeight) +", "0 +"]),
  rule("decision: a shared subject never speaks for reuse", [
    "decision",
    "Math.min(0, topic * topicWeight) +",
    "topic * topicWeight +",
  ]),
  rule("decision: found words", ["decision", "DECISION.found * foundShare(candidate.queryScores) +", "6 +"]),
  rule("decision: repeated phrases", [
    "decision",
    "DECISION.repeated * repeatedShare(pair, candidate, score, covered) +",
    "0 +",
  ]),
  rule("decision: unequal lengths", [
    "decision",
    "DECISION.lopsided * Math.abs(Math.log(query / source)) +",
    "0 +",
  ]),
  rule("decision: names", ["decision", "DECISION.namesOnly * namesOnly(running, names) -", "0 -"]),
  rule("decision: number of sources", ["decision", "Math.log(pair.query.sourcesCompared)", "0"]),
  rule("decision: weak passages of many sources", ["model", "perSourceIfWeak: 0.3", "perSourceIfWeak: 0"]),
  rule("duplicates by query words", ["model", "TAKEN_SHARE_MAX = MOST", "TAKEN_SHARE_MAX = 2"]),
  rule("duplicates on both sides", [
    "decision",
    'if (kept.some((better) => overlapOnBothSides(better, candidate))) return "duplicate";',
    "",
  ]),
  rule("figures are not words", ["decision", "matched - foundFigures(pair, candidate) <", "matched <"]),
  rule("eight words", ["model", "MATCHED_WORDS_MIN = PHRASE_WORDS", "MATCHED_WORDS_MIN = 0"]),
  rule("two uncommon words", ["model", "REPORTED_UNCOMMON_MIN = 2", "REPORTED_UNCOMMON_MIN = 0"]),
  rule("copies below the decision score", ["model", "wordsMin: 12,", "wordsMin: Number.POSITIVE_INFINITY,"]),
  rule("copies below the decision score need rare words", [
    "decision",
    "if (!isOneOfMany && !holdsRareWords(pair, free) && !holdsSentence(pair, free)) continue;",
    "",
  ]),
  rule("copies below the decision score: whole sentences", [
    "decision",
    " && !holdsSentence(pair, free)) continue;",
    ") continue;",
  ]),
  rule("copies below the decision score: many from one source", [
    "model",
    "othersMin: 6,",
    "othersMin: Number.POSITIVE_INFINITY,",
  ]),

  rule("second use of a source passage", [
    "candidates",
    "if (!isDoubled(pair, candidate)) return",
    "if (start >= 0) return",
  ]),

  rule("trimming copies", [
    "align",
    "withOmittedTail(pair, trimCopy(pair, candidate))",
    "withOmittedTail(pair, candidate)",
  ]),
  rule("omitted tail of the source", [
    "align",
    "withOmittedTail(pair, trimCopy(pair, candidate))",
    "trimCopy(pair, candidate)",
  ]),
  rule("exact edges", [
    "align",
    "candidates.flatMap((candidate) => withExactEdges(pair, matches, candidate))",
    "[...candidates]",
  ]),
  rule("exact edges: single match", [
    "exact-edges",
    "whole ? exactCandidate(pair, whole) :",
    "whole && words < 0 ? exactCandidate(pair, whole) :",
  ]),
  rule("exact edges: common words beyond a sentence", [
    "align",
    ".map((match) => withoutCommonEnds(pair, match))",
    "",
  ]),
  rule("splitting copies", ["exact-edges", "if (copies.length > 1) return", "if (copies.length < 0) return"]),
  rule("splitting copies at own text", [
    "exact-edges",
    "if (own >= SPLIT.gapWordsMin && isOwnText(pair, free(), between)) return true;",
    "isOwnText(pair, free(), between);",
  ]),
  rule("splitting copies at omissions", [
    "exact-edges",
    "if (omitted - own < SPLIT.gapWordsMin) return false;",
    "if (omitted >= 0) return false;",
  ]),
  rule("splitting swapped copies", ["exact-edges", " || areLongAndSwapped(before, match);", ";"]),
  rule("cutting overlaps", [
    "align",
    "withoutOverlaps(complete)",
    "complete.toSorted((a, b) => a.query.start - b.query.start)",
  ]),

  rule("summaries", ["align", "withSummaries(pair, matches, found)", "found"]),
  rule("summaries: other sections are no background", [
    "summaries",
    "const pair = withOnlySection(whole, section);",
    "const pair = whole;",
  ]),
  rule("summaries: no collections of copies", [
    "summaries",
    "if (summary === undefined || isCollectionOfCopies(pair, matches, summary.query)) continue;",
    "if (summary === undefined) continue;",
  ]),
  rule("summaries: usual length", ["summaries", "SUMMARY_DECISION.shift * shift * shift +", "0 +"]),
  rule("summaries: long sources", ["summaries", "SUMMARY_DECISION.long * long +", "0 +"]),
  rule("summaries: words found elsewhere in the source", [
    "summaries",
    "SUMMARY_DECISION.elsewhere * foundElsewhere(pair, summarised, local)",
    "0",
  ]),
  rule("summaries: share inside the local passage", [
    "summaries",
    "(SUMMARY_DECISION.inside * overlapLength(local.query, summarised)) / words +",
    "0 +",
  ]),
  rule("summaries: density of the local passage", [
    "summaries",
    "SUMMARY_DECISION.dense * foundShare(local.sourceScores);",
    "SUMMARY_DECISION.dense * 0.5;",
  ]),
  rule("dropping covered candidates after the extension", [
    "align",
    "withoutCovered(bestFirst(pair, extended))",
    "bestFirst(pair, extended)",
  ]),
];

/** @param edits the name of a file of the alignment, the text to find, and its replacement */
function rule(name: string, ...edits: readonly (readonly [string, string, string])[]): Ablation {
  return {
    name,
    edits: edits.map(([file, find, replace]) => ({ file: `src/matching/words/${file}.ts`, find, replace })),
  };
}
