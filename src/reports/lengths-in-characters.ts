import { codePointOffsets } from "../core/text/code-points.ts";
import { joinSpans, type Span } from "../core/text/span.ts";

type Lengths = {
  readonly query_text: string;
  readonly char_count: number;
  readonly total_matched_chars: number;
  readonly unique_passages: readonly (readonly number[])[];
  readonly sources: readonly {
    readonly matched_chars: number;
    readonly passages: readonly { readonly query_start: number; readonly query_end: number }[];
  }[];
};

/** A report in UTF-16 with its lengths in code points, as people count; its offsets stay, to cut its text with. */
export function lengthsInCharacters<R extends Lengths>(report: R): R {
  const { toCodePoint } = codePointOffsets(report.query_text);
  const length = (spans: readonly Span[]) =>
    spans.reduce((sum, { start, end }) => sum + toCodePoint(end) - toCodePoint(start), 0);
  return {
    ...report,
    char_count: toCodePoint(report.query_text.length),
    total_matched_chars: length(report.unique_passages.map(([start = 0, end = 0]) => ({ start, end }))),
    sources: report.sources.map((source) => ({
      ...source,
      matched_chars: length(
        joinSpans(source.passages.map(({ query_start: start, query_end: end }) => ({ start, end }))),
      ),
    })),
  };
}
