import { codePointOffsets } from "../../core/text/code-points.ts";
import { csvLines, defused } from "../../http/csv.ts";
import type { WireReport } from "../api/schema.ts";

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
] as const;

/** A cell in Excel and LibreOffice Calc, in UTF-16 units: they spread a longer text over the next cells and lines. */
export const CELL_LENGTH_MAX = 32_767;

const ELLIPSIS = "…";

/** The passages of a report as a table, line by line, in the order and with the offsets of the report. */
export function passagesCsv(report: WireReport): Generator<string> {
  return csvLines(PASSAGE_COLUMNS, passageRows(report));
}

function* passageRows({ sources, query_text: text, offset_unit: unit }: WireReport) {
  const toUtf16 = unit === "utf16" ? (offset: number) => offset : codePointOffsets(text).toUtf16;
  for (const [at, source] of sources.entries()) {
    for (const passage of source.passages) {
      yield {
        source_rank: at + 1,
        source_document_id: source.source_document_id,
        source_title: source.title,
        source_filename: source.source_filename,
        source_url: source.source_url,
        match_type: passage.match_type,
        query_start: passage.query_start,
        query_end: passage.query_end,
        source_document_start: passage.source_document_start,
        source_document_end: passage.source_document_end,
        query_text: cellText(text.slice(toUtf16(passage.query_start), toUtf16(passage.query_end))),
        source_text_preview: passage.overlap_text_preview,
        source_language: source.language,
      };
    }
  }
}

/** The apostrophes before formulas count. */
function cellText(passage: string): string {
  const text = defused(passage);
  if (text.length <= CELL_LENGTH_MAX) return text;
  const cut = text.slice(0, CELL_LENGTH_MAX - ELLIPSIS.length);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}${ELLIPSIS}`;
}
