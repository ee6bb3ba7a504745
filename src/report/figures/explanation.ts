import { WORD_DROP_REASONS } from "../../matching/words/decision.ts";
import type { Span } from "../../text/span.ts";
import type { FilteredOut } from "./filters.ts";
import type { UnitConversion } from "./offset-unit.ts";
import type { SourceRange } from "./report.ts";

/** A chunk of a document that retrieval found for a chunk of the query, and its evidence. */
export type DocumentHit = {
  readonly queryChunk: number;
  readonly chunkIndex: number;
  /** Sampled shingles that both chunks have. */
  readonly sharedShingles: number;
  /** Rare words of the query's chunk that the other has too. */
  readonly sharedTerms: number;
};

/** Why a match is not reported: as the alignment of words says; `weak_meaning`: sentences that resemble the source's too little. */
export const DROP_REASONS = [...WORD_DROP_REASONS, "weak_meaning"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** A match that was found by words or by meaning and that is not reported; `query` in UTF-16 units. */
export type DroppedMatch<Range = SourceRange> = {
  readonly query: Span;
  readonly sourceDocument: Range;
  readonly reason: DropReason;
  /** 0 for sentences that were compared by their meaning. */
  readonly matchedWords: number;
  /** The log-odds of reuse above the threshold; those of words and of meaning are measured in different ways. */
  readonly score: number;
  /** Names and numbers of such sentences that the source lacks there; undefined between two languages and for words. */
  readonly ownNames?: readonly string[];
};

/** The matches dropped from one document: those with the highest scores, and the number for each reason. */
export type DroppedMatches<Range = SourceRange> = {
  readonly matches: readonly DroppedMatch<Range>[];
  readonly counts: Readonly<Partial<Record<DropReason, number>>>;
};

/** A document that was compared with the query, whether or not it is reported. */
export type AlignedDocument = {
  readonly documentId: string;
  readonly passages: readonly unknown[];
  readonly dropped: DroppedMatches;
};

/** The hits of words that found a document, and its matches that are not reported. A document that was not aligned has no matches. */
export type CandidateExplanation<Range = SourceRange> = {
  readonly documentId: string;
  /** The strongest, at most `HITS_MAX`. */
  readonly hits: readonly DocumentHit[];
  readonly hitCount: number;
  readonly dropped: DroppedMatches<Range>;
};

/** The reasons for a report's content, kept beside the report. */
export type Explanation<Range = SourceRange> = {
  readonly reported: readonly CandidateExplanation<Range>[];
  /** Documents without a passage that were nearest to one, at most `UNREPORTED_MAX`. */
  readonly unreported: readonly CandidateExplanation<Range>[];
  /** All documents that words have found, and those compared by meaning that have a match. */
  readonly candidateCount: number;
};

/** Bounds of the stored data: about 0.5 KB per document, with names up to twice that, where a report's row has 1 KB. */
const HITS_MAX = 8;
/** At least as many as there are reasons. */
export const DROPPED_MAX = 5;
const UNREPORTED_MAX = 20;

/** Documents among them whose best match is by meaning, if there are enough others: scores by meaning are nearer to 0 than scores by words. */
const UNREPORTED_BY_MEANING_MAX = 10;

/** The explanation of a report. `hits` are the hits of words by document; a document found by meaning may have none. Input order does not matter. */
export function explainCandidates(
  documents: readonly AlignedDocument[],
  hits: ReadonlyMap<string, readonly DocumentHit[]>,
): Explanation {
  const aligned = new Map(documents.map((document) => [document.documentId, document]));
  const documentIds = new Set([...hits.keys(), ...aligned.keys()]);
  const explained = [...documentIds].map((documentId): CandidateExplanation => {
    const found = hits.get(documentId) ?? [];
    const dropped = aligned.get(documentId)?.dropped ?? NOTHING_DROPPED;
    const strongest = found.toSorted(byStrength).slice(0, HITS_MAX);
    return { documentId, hits: strongest, hitCount: found.length, dropped };
  });
  const isReported = ({ documentId }: CandidateExplanation) =>
    (aligned.get(documentId)?.passages.length ?? 0) > 0;
  return {
    reported: explained.filter(isReported).sort(byDocument),
    unreported: nearest(explained.filter((candidate) => !isReported(candidate))),
    candidateCount: documentIds.size,
  };
}

const NOTHING_DROPPED: DroppedMatches = { matches: [], counts: {} };

/** The candidates that came closest, best first. Half of the places are for documents found by words, if there are so many. */
function nearest(candidates: readonly CandidateExplanation[]): CandidateExplanation[] {
  const inOrder = candidates.toSorted(byNearness);
  const isByMeaning = ({ dropped }: CandidateExplanation) => dropped.matches[0]?.reason === "weak_meaning";
  const byMeaning = inOrder.filter(isByMeaning);
  const byWords = inOrder.filter((candidate) => !isByMeaning(candidate));
  return [
    ...byMeaning.slice(0, UNREPORTED_BY_MEANING_MAX),
    ...byWords,
    ...byMeaning.slice(UNREPORTED_BY_MEANING_MAX),
  ]
    .slice(0, UNREPORTED_MAX)
    .sort(byNearness);
}

/** The dropped matches of words and of meaning in one document: the best ones of both, at least one for each reason among them. */
export function joinDropped(all: readonly DroppedMatches[]): DroppedMatches {
  const counts: Partial<Record<DropReason, number>> = {};
  for (const reason of DROP_REASONS) {
    const count = all.reduce((sum, dropped) => sum + (dropped.counts[reason] ?? 0), 0);
    if (count > 0) counts[reason] = count;
  }
  const inOrder = all.flatMap((dropped) => dropped.matches).toSorted((a, b) => b.score - a.score);
  const firsts = [...Map.groupBy(inOrder, ({ reason }) => reason).values()].flatMap(([first]) => first ?? []);
  const kept = new Set([...new Set([...firsts, ...inOrder])].slice(0, DROPPED_MAX));
  return { matches: inOrder.filter((match) => kept.has(match)), counts };
}

function byStrength(a: DocumentHit, b: DocumentHit): number {
  return strength(b) - strength(a) || a.queryChunk - b.queryChunk || a.chunkIndex - b.chunkIndex;
}

function strength({ sharedShingles, sharedTerms }: DocumentHit): number {
  return sharedShingles + sharedTerms;
}

function byDocument(a: CandidateExplanation, b: CandidateExplanation): number {
  return a.documentId < b.documentId ? -1 : 1;
}

/** By the score of the best match, then by the strength of the best hit. */
function byNearness(a: CandidateExplanation, b: CandidateExplanation): number {
  const scoreOf = ({ dropped }: CandidateExplanation) => dropped.matches[0]?.score ?? NO_SCORE;
  return scoreOf(b) - scoreOf(a) || bestHit(b) - bestHit(a) || byDocument(a, b);
}

/** Below every score. A number, so that two can be compared. */
const NO_SCORE = -1e9;

function bestHit({ hits: [best] }: CandidateExplanation): number {
  return best === undefined ? 0 : strength(best);
}

export type DroppedMatchInUnit = DroppedMatch<Span>;

export type CandidateInUnit = CandidateExplanation<Span>;

export type ExplanationInUnit = {
  /** The explanation stored by the check. */
  readonly recorded: Explanation<Span>;
  /** The passages that the filters of this request leave out. */
  readonly filteredOut: readonly FilteredOut[];
};

export function explanationInUnit(
  recorded: Explanation,
  filteredOut: readonly FilteredOut[],
  conversion: UnitConversion,
): ExplanationInUnit {
  const inUnit = (candidate: CandidateExplanation) => candidateInUnit(candidate, conversion);
  return {
    recorded: {
      reported: recorded.reported.map(inUnit),
      unreported: recorded.unreported.map(inUnit),
      candidateCount: recorded.candidateCount,
    },
    filteredOut: filteredOut.map((part) => ({ ...part, query: conversion.span(part.query) })),
  };
}

function candidateInUnit(candidate: CandidateExplanation, { span, source }: UnitConversion): CandidateInUnit {
  const { matches, counts } = candidate.dropped;
  const inUnit = (match: DroppedMatch): DroppedMatchInUnit => ({
    ...match,
    query: span(match.query),
    sourceDocument: source(match.sourceDocument),
  });
  return { ...candidate, dropped: { matches: matches.map(inUnit), counts } };
}
