import type { DroppedMatches } from "../../matching/words/dropped-matches.ts";
import { type ChunkPair, pairStrength } from "../../matching/words/found-chunks.ts";
import type { SourceRange } from "../../matching/words/source-passage.ts";

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
  readonly hits: readonly ChunkPair[];
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
const UNREPORTED_MAX = 20;

/** Documents among them whose best match is by meaning, if there are enough others: scores by meaning are nearer to 0 than scores by words. */
const UNREPORTED_BY_MEANING_MAX = 10;

/** The explanation of a report. `hits` are the hits of words by document; a document found by meaning may have no hits. Input order does not matter. */
export function explainCandidates(
  documents: readonly AlignedDocument[],
  hits: ReadonlyMap<string, readonly ChunkPair[]>,
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

function byStrength(a: ChunkPair, b: ChunkPair): number {
  return pairStrength(b) - pairStrength(a) || a.queryChunk - b.queryChunk || a.chunkIndex - b.chunkIndex;
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
  return best === undefined ? 0 : pairStrength(best);
}
