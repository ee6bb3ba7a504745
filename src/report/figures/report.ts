import type { MeaningReason } from "../../matching/meaning/meaning-reason.ts";
import type { MatchType } from "../../matching/words/match-type.ts";
import type { MatchedSource } from "../../matching/words/source-passage.ts";
import type { IntegrityFlag } from "../../text/integrity.ts";
import type { Span } from "../../text/span.ts";
import type { Explanation } from "./explanation.ts";

/** As many documents of the corpus as a check counts exactly, in 2 ms. If there are more, its report has an estimate. */
export const COUNTED_DOCUMENTS_MAX = 10_000;

/** A source as a check found it. */
export type FoundSource = MatchedSource & {
  /** The query text that this source explains better than any other, in UTF-16 units. The spans of all sources are disjoint. */
  readonly exclusive: readonly Span[];
};

/** A source with its share of the query. `matchedChars`: code points in the union of its passages. */
export type ScoredSource = FoundSource & { readonly matchedChars: number; readonly similarityPct: number };

/** The query text that was reused in one way, and in no closer one, in UTF-16 units: ascending, disjoint. */
export type MatchTypeSpans = Readonly<Record<MatchType, readonly Span[]>>;

/** The figures of a report and the passages behind them. */
export type ReportFigures = {
  /** Descending by `matchedChars`, then ascending by `documentId`; the passages ascending by query start. */
  readonly sources: readonly ScoredSource[];
  /** The query text that any source matches, in UTF-16 units: ascending, disjoint, never touching. */
  readonly uniquePassages: readonly Span[];
  /** Code points in `uniquePassages`. */
  readonly totalMatchedChars: number;
  /** Code points of query text that the percentages are shares of. */
  readonly countedChars: number;
  readonly overallSimilarityPct: number;
  readonly byMatchType: MatchTypeSpans;
};

/** The result that a check stores. */
export type NewReport = {
  readonly figures: ReportFigures;
  readonly explanation: Explanation;
  readonly integrityFlags: readonly IntegrityFlag[];
  /** Chunks of the text for which the whole corpus was searched, of `totalChunks`. */
  readonly checkedChunks: number;
  readonly totalChunks: number;
  /** Documents in the corpus. */
  readonly corpusSources: number;
  /** Documents whose meaning was compared. */
  readonly semanticDocuments: number;
  /** Why not all of them. */
  readonly semanticReason: MeaningReason | null;
};

/** The documents that a check leaves out: those of its owner, or those of its group. */
export const LEAVE_OUT = ["owner", "group"] as const;

/** The part of the corpus that a text is compared with. */
export type ReportScope = {
  readonly leaveOut: (typeof LEAVE_OUT)[number] | null;
  /** The only collections of the corpus that are searched; null: all. */
  readonly collections: readonly string[] | null;
};

/** Whether the whole text was searched for in the whole corpus. */
export type Coverage = "full" | "partial";

/** Whether the meaning of a text was compared with all documents, with some or with none. */
export type SemanticCoverage = "full" | "partial" | "none";

/** @param documents with how many it was compared; @param reason why not with all */
export function semanticCoverage(documents: number, reason: MeaningReason | null): SemanticCoverage {
  if (reason === null) return "full";
  const isPart = reason === "not_encoded" || reason === "time_cap";
  return isPart && documents > 0 ? "partial" : "none";
}
