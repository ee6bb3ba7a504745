import { z } from "zod";
import type { Operation } from "../../http/docs/operation.ts";
import { reportExample } from "../examples.ts";
import { ReportParams, ReportSelectionQuery } from "../schema.ts";
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

export const exportOperations: readonly Operation[] = [passagesCsvOperation];
