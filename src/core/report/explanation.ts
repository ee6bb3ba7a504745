import type { DropReason } from "../alignment/decision.ts";
import type { Span } from "../text/span.ts";
import type { FilteredOut } from "./filters.ts";
import type { OffsetUnit, UnitConversion } from "./offset-unit.ts";
import type { SourceRange } from "./report.ts";

/** A chunk of a document that retrieval found for a chunk of the query, and by what. 0: not by that. */
export type DocumentHit = {
  readonly queryChunk: number;
  readonly chunkIndex: number;
  /** Sampled shingles that both chunks have. */
  readonly sharedShingles: number;
  /** Rare words of the query's chunk that the other has too. */
  readonly sharedTerms: number;
};

/** A match that the aligner found and that is not reported; `query` in UTF-16 units. */
export type DroppedMatch = {
  readonly query: Span;
  readonly sourceDocument: SourceRange;
  readonly reason: DropReason;
  readonly matchedWords: number;
  readonly score: number;
};

/** What was dropped of one document: the weightiest matches, and how many there were for each reason. */
export type DroppedMatches = {
  readonly matches: readonly DroppedMatch[];
  readonly counts: Readonly<Partial<Record<DropReason, number>>>;
};

/** A document that was aligned with the query, reported or not. */
export type AlignedDocument = {
  readonly documentId: string;
  readonly passages: readonly unknown[];
  readonly dropped: DroppedMatches;
};

/** How a document came to be aligned, and what of it is not reported. */
export type CandidateExplanation = {
  readonly documentId: string;
  /** The strongest, at most `HITS_MAX`. */
  readonly hits: readonly DocumentHit[];
  readonly hitCount: number;
  readonly dropped: DroppedMatches;
};

/** Why a report says what it says, as it is kept beside the report. */
export type Explanation = {
  readonly reported: readonly CandidateExplanation[];
  /** Documents without a passage that came nearest to one, at most `UNREPORTED_MAX`. */
  readonly unreported: readonly CandidateExplanation[];
  /** All documents that were retrieved. */
  readonly candidateCount: number;
};

/** Bounds of what is kept: about 0.5 KB a document, where a report's own row of it has 1 KB. */
const HITS_MAX = 8;
export const DROPPED_MAX = 5;
const UNREPORTED_MAX = 20;

/**
 * The explanation of a report on the aligned documents. `hits`: what retrieval found of each document.
 * The same input gives the same explanation, whatever its order.
 */
export function explainCandidates(
  documents: readonly AlignedDocument[],
  hits: ReadonlyMap<string, readonly DocumentHit[]>,
): Explanation {
  const aligned = new Map(documents.map((document) => [document.documentId, document]));
  const explained = [...hits].map(([documentId, found]): CandidateExplanation => {
    const dropped = aligned.get(documentId)?.dropped ?? NOTHING_DROPPED;
    return {
      documentId,
      hits: found.toSorted(byStrength).slice(0, HITS_MAX),
      hitCount: found.length,
      dropped,
    };
  });
  const isReported = ({ documentId }: CandidateExplanation) =>
    (aligned.get(documentId)?.passages.length ?? 0) > 0;
  return {
    reported: explained.filter(isReported).sort(byDocument),
    unreported: explained
      .filter((candidate) => !isReported(candidate))
      .sort(byNearness)
      .slice(0, UNREPORTED_MAX),
    candidateCount: hits.size,
  };
}

const NOTHING_DROPPED: DroppedMatches = { matches: [], counts: {} };

function byStrength(a: DocumentHit, b: DocumentHit): number {
  return strength(b) - strength(a) || a.queryChunk - b.queryChunk || a.chunkIndex - b.chunkIndex;
}

function strength({ sharedShingles, sharedTerms }: DocumentHit): number {
  return sharedShingles + sharedTerms;
}

function byDocument(a: CandidateExplanation, b: CandidateExplanation): number {
  return a.documentId < b.documentId ? -1 : 1;
}

/** The one whose best match weighed most first, then the one that shares most with a chunk. */
function byNearness(a: CandidateExplanation, b: CandidateExplanation): number {
  return bestScore(b) - bestScore(a) || bestHit(b) - bestHit(a) || byDocument(a, b);
}

/** Below every score when nothing was found; a number, so that two of them can be compared. */
const NO_SCORE = -1e9;

function bestScore({ dropped }: CandidateExplanation): number {
  return dropped.matches[0]?.score ?? NO_SCORE;
}

function bestHit({ hits: [best] }: CandidateExplanation): number {
  return best === undefined ? 0 : strength(best);
}

export type DroppedMatchInUnit = Omit<DroppedMatch, "sourceDocument"> & { readonly sourceDocument: Span };

export type CandidateInUnit = Omit<CandidateExplanation, "dropped"> & {
  readonly dropped: {
    readonly matches: readonly DroppedMatchInUnit[];
    readonly counts: CandidateExplanation["dropped"]["counts"];
  };
};

/** An explanation with every offset in one unit. */
export type ExplanationInUnit = {
  /** What was kept when the check ran; undefined for checks of releases that kept nothing. */
  readonly recorded:
    | {
        readonly reported: readonly CandidateInUnit[];
        readonly unreported: readonly CandidateInUnit[];
        readonly candidateCount: number;
      }
    | undefined;
  /** What the filters of this reading leave out. */
  readonly filteredOut: readonly FilteredOut[];
};

/** @param span converts the UTF-16 offsets of the query text. */
export function explanationInUnit(
  recorded: Explanation | undefined,
  filteredOut: readonly FilteredOut[],
  unit: OffsetUnit,
  span: UnitConversion["span"],
): ExplanationInUnit {
  const inUnit = (candidate: CandidateExplanation) => candidateInUnit(candidate, unit, span);
  return {
    recorded: recorded && {
      reported: recorded.reported.map(inUnit),
      unreported: recorded.unreported.map(inUnit),
      candidateCount: recorded.candidateCount,
    },
    filteredOut: filteredOut.map((part) => ({ ...part, query: span(part.query) })),
  };
}

function candidateInUnit(
  candidate: CandidateExplanation,
  unit: OffsetUnit,
  span: UnitConversion["span"],
): CandidateInUnit {
  const { matches, counts } = candidate.dropped;
  const inUnit = (match: DroppedMatch): DroppedMatchInUnit => ({
    ...match,
    query: span(match.query),
    sourceDocument: unit === "utf16" ? match.sourceDocument.utf16 : match.sourceDocument.codePoint,
  });
  return { ...candidate, dropped: { matches: matches.map(inUnit), counts } };
}
