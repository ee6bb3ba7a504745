import type { MatchType } from "../alignment/passages.ts";
import type { Span } from "../text/span.ts";

/** A range of a source text in both units, fixed when the check runs, because the source may be deleted later. */
export type SourceRange = { readonly utf16: Span; readonly codePoint: Span };

/** A passage of one source. `query` is in UTF-16 units of the query text, and its source in both units unless `Range` says otherwise. */
export type SourcePassage<Range = SourceRange> = {
  readonly query: Span;
  readonly matchType: MatchType;
  /** The chunk in which the passage begins, counted from 0. */
  readonly sourceChunkIndex: number;
  /** From the start of that chunk; it may extend beyond the chunk's end. As long as `sourceDocument` in both units. */
  readonly sourceChunk: Range;
  /** From the start of the source document's extracted text. */
  readonly sourceDocument: Range;
  /** An excerpt of the source text, for display only. */
  readonly preview: string;
  /** Missing in reports of the first releases. */
  readonly evidence?: PassageEvidence<Range>;
};

/** Why a passage is reported. */
export type PassageEvidence<Range = SourceRange> = {
  /** Words that are equal on both sides, one by one. */
  readonly matchedWords: number;
  /** The number of parts it was merged from. */
  readonly seeds: number;
  /** The share of the words of both sides that are equal in order, from 0 to 1; four decimals. */
  readonly similarity: number;
  /** Log-odds of reuse beyond the threshold, two decimals. Verbatim copies may be below 0. */
  readonly score: number;
  /** Only of passages that were found by their meaning. */
  readonly meaning?: MeaningEvidence<Range>;
};

/** Which sentences of a passage correspond. */
export type MeaningEvidence<Range = SourceRange> = {
  /** `margin`: their cosine beyond its usual background. `source` is counted from the start of the document. */
  readonly pairs: readonly { readonly query: Span; readonly source: Range; readonly margin: number }[];
  /** Names, numbers and rare words that both sides have, as the query writes them, rarest first. */
  readonly sharedWords: readonly string[];
};

/** A source with its passages; the presenter adds its title. */
export type MatchedSource = { readonly documentId: string; readonly passages: readonly SourcePassage[] };

/** A source with its share of the query. `matchedChars`: code points in the union of its passages. */
export type ScoredSource = MatchedSource & { readonly matchedChars: number; readonly similarityPct: number };

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
};
