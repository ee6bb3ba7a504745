import { BYTE_ORDER_MARK, csvLines, defused } from "../../http/csv.ts";
import { codePointOffsets } from "../../text/code-points.ts";
import { spansLength } from "../../text/span.ts";
import { type Claim, exclusiveSpans } from "../figures/exclusive-spans.ts";
import type { WirePassage, WireReport } from "../presented-report.ts";

export const PASSAGE_COLUMNS = [
  "source_rank",
  "source_document_id",
  "source_title",
  "source_filename",
  "source_url",
  "match_type",
  "query_start",
  "query_end",
  "source_document_start",
  "source_document_end",
  "query_text",
  "source_text_preview",
  "source_language",
  "passage",
  "exclusive_matched_chars",
  "note",
  "match_group",
] as const;

/** A cell in Excel and LibreOffice Calc, in UTF-16 units: they spread a longer text over the next cells and lines. */
export const CELL_LENGTH_MAX = 32_767;

const ELLIPSIS = "…";

/**
 * The passages of a report as a table, line by line, in the order and with the offsets of the report: a row for each run. The exclusive
 * characters of all rows add up to the report's total; those in the rows of a match type or a source add up to its share.
 */
export function* passagesCsv(report: WireReport): Generator<string> {
  yield BYTE_ORDER_MARK;
  yield* csvLines(PASSAGE_COLUMNS, passageRows(report));
}

function* passageRows({ sources, query_text: text, offset_unit: unit }: WireReport) {
  const toUtf16 = unit === "utf16" ? (offset: number) => offset : codePointOffsets(text).toUtf16;
  const rows = sources.flatMap((source) =>
    source.passages.flatMap((passage, number) =>
      passage.runs.map((run) => ({ source, passage, number, run, ...claimOf(source, passage, run) })),
    ),
  );
  const exclusive = exclusiveSpans(rows);
  for (const row of rows) {
    const { source, passage, number, run } = row;
    yield {
      source_rank: source.number,
      source_document_id: source.source_document_id,
      source_title: source.title,
      source_filename: source.source_filename,
      source_url: source.source_url,
      match_type: run.match_type,
      query_start: run.query_start,
      query_end: run.query_end,
      source_document_start: run.source_document_start,
      source_document_end: run.source_document_end,
      query_text: cellText(text.slice(toUtf16(run.query_start), toUtf16(run.query_end))),
      source_text_preview: passage.overlap_text_preview,
      source_language: source.language,
      passage: number + 1,
      exclusive_matched_chars: spansLength(exclusive.get(row) ?? []),
      note: passage.note,
      match_group: passage.match_group,
    };
  }
}

type WireSource = WireReport["sources"][number];
function claimOf(source: WireSource, passage: WirePassage, run: WirePassage["runs"][number]): Claim {
  return {
    query: { start: run.query_start, end: run.query_end },
    matchType: run.match_type,
    documentId: source.source_document_id,
    passageLength: passage.query_end - passage.query_start,
  };
}

/** The apostrophes before formulas count. */
function cellText(passage: string): string {
  const text = defused(passage);
  if (text.length <= CELL_LENGTH_MAX) return text;
  const cut = text.slice(0, CELL_LENGTH_MAX - ELLIPSIS.length);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}${ELLIPSIS}`;
}
