import type { Span } from "../../text/span.ts";
import type { MatchType } from "./match-type.ts";

/** A range of a source text in both units, fixed when the check runs, because the source may be deleted later. */
export type SourceRange = { readonly utf16: Span; readonly codePoint: Span };

/** A passage of one source. `query` is in UTF-16 units of the query text, and its source in both units unless `Range` says otherwise. */
export type SourcePassage<Range = SourceRange> = {
  readonly query: Span;
  readonly matchType: MatchType;
  /** Where the passage was reused in several ways: its parts, ascending, which cover `query`; missing where it is of one kind. */
  readonly runs?: readonly SourceRun<Range>[];
  /** The chunk in which the passage begins, counted from 0. */
  readonly sourceChunkIndex: number;
  /** From the start of that chunk; it may extend beyond the chunk's end. As long as `sourceDocument` in both units. */
  readonly sourceChunk: Range;
  /** From the start of the source document's extracted text. */
  readonly sourceDocument: Range;
  /** An excerpt of the source text, for display only. */
  readonly preview: string;
  /** Missing where a passage of a comparison is seen from the source. */
  readonly evidence?: PassageEvidence<Range>;
};

/** Where a passage lies in its source. */
export type SourcePlace = Pick<SourcePassage, "sourceChunkIndex" | "sourceChunk" | "sourceDocument">;

/** Stored figures have few decimals. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** A part of a passage that was reused in one way; `sourceDocument` is counted from the start of the document. */
export type SourceRun<Range = SourceRange> = {
  readonly query: Span;
  readonly matchType: MatchType;
  readonly sourceDocument: Range;
};

/** A passage as runs: of one kind, it is a single one. */
export function runsOf<Range>(passage: SourcePassage<Range>): readonly SourceRun<Range>[] {
  return passage.runs ?? [passage];
}

/** A passage that begins and ends elsewhere in the query; its first and last run do too. */
export function withQuery(passage: SourcePassage, query: Span): SourcePassage {
  if (passage.runs === undefined) return { ...passage, query };
  const last = passage.runs.length - 1;
  const runs = passage.runs.map((run, at) => ({
    ...run,
    query: {
      start: at === 0 ? query.start : run.query.start,
      end: at === last ? query.end : run.query.end,
    },
  }));
  return { ...passage, query, runs };
}

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
  /**
   * Names and numbers of the query that are missing at this place of the source: they speak against reuse. Undefined between two languages, and
   * seen from the source.
   */
  readonly ownNames?: readonly string[];
  /** Those of the two passages, which may differ from those of their texts. */
  readonly languages: { readonly query: string; readonly source: string };
};

/** A source with its passages; the presenter adds its title. */
export type MatchedSource = {
  readonly documentId: string;
  readonly passages: readonly SourcePassage[];
};
