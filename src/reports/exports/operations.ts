import { z } from "zod";
import type { Operation } from "../../http/docs/operation.ts";
import { reportExample } from "../examples.ts";
import { ReportFiltersQuery, ReportParams, ReportSelectionQuery } from "../schema.ts";
import { passagesCsv } from "./passages-csv.ts";

const passagesCsvOperation = {
  method: "get",
  path: "/v1/checks/:check_id/passages.csv",
  operationId: "getPassagesCsv",
  summary: "Take the passages along as a table",
  description: `
The passages of the report as CSV (RFC 4180, UTF-8, CRLF), a row each, in the order of the report: sources by rank, the
passages of each by \`query_start\`. Filters and \`offset_unit\` are those of the report.

\`query_text\` is what the passage marks in the submitted text; of more than 32,767 UTF-16 units, which is what a cell of a
spreadsheet holds, the beginning and "…". A text that a spreadsheet would take for a formula has an apostrophe before it.
`.trim(),
  tags: ["Reports"],
  request: { params: ReportParams, query: ReportSelectionQuery },
  responses: {
    200: {
      description: "The table. `Content-Disposition` names the file after the check's title.",
      contentType: "text/csv",
      schema: z.string(),
      examples: { table: { summary: "One passage", value: [...passagesCsv(reportExample)].join("") } },
      headers: {
        "Content-Disposition": "`attachment`, with the name to save the table under (RFC 6266).",
      },
    },
  },
  errors: ["check_not_found", "check_not_complete", "invalid_input", "store_unavailable"],
} as const satisfies Operation;

const reportHtmlOperation = {
  method: "get",
  path: "/v1/checks/:check_id/report.html",
  operationId: "getReportHtml",
  summary: "Take the report along as a document",
  description: `
The report for reading, printing and keeping: one HTML file without scripts that asks for no other file. It holds the
score, what was searched, signs of disguised text with what was hidden made visible, the sources, the submitted text with
its passages in the colours of their sources, and each passage beside the text of its source, at most 1,500 UTF-16 units
of it. Filters are those of the report; the document names them, and the score without them.

Every text in it is put in as text; its Content-Security-Policy, which is in the file too, allows nothing but its own style.
`.trim(),
  tags: ["Reports"],
  request: { params: ReportParams, query: ReportFiltersQuery },
  responses: {
    200: {
      description: "The document. `Content-Disposition` names the file after the check's title.",
      contentType: "text/html",
      schema: z.string(),
      examples: { beginning: { summary: "How it begins", value: '<!doctype html>\n<html lang="en">' } },
      headers: {
        "Content-Disposition": "`inline`, with the name to save the document under (RFC 6266).",
        "Content-Security-Policy": "Allows the document's own style and nothing else.",
      },
    },
  },
  errors: ["check_not_found", "check_not_complete", "invalid_input", "store_unavailable"],
} as const satisfies Operation;

export const exportOperations: readonly Operation[] = [passagesCsvOperation, reportHtmlOperation];
