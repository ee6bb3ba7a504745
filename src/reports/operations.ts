import type { Operation } from "../http/docs/operation.ts";
import { reportExamples } from "./examples.ts";
import { exportOperations } from "./exports/operations.ts";
import { Report, ReportParams, ReportQuery } from "./schema.ts";
import { sourceTextOperation } from "./source-text/operation.ts";

const getReportOperation = {
  method: "get",
  path: "/v1/checks/:check_id/report",
  operationId: "getReport",
  summary: "Read a report",
  description: `
What a complete check has found: the share of the text that stands in the corpus too, the passages that are shared, and
the documents that they are from. \`unique_passages\` are the places to highlight in \`query_text\`; each \`passage\` of a
source lies inside one of them. Offsets are half-open, \`[start, end)\`, and count what \`offset_unit\` says: ask for
\`utf16\` to cut JavaScript strings with them.

Filters are applied at reading and change nothing that is stored. A filtered report counts all its figures anew from the
passages that are kept, leaves excluded text out of the length as well, and says so in \`filters\`.

\`explain=true\` says why. Each passage gets an \`explanation\` with the evidence for it, each source one with what it was found by
and which of its matches were dropped, the report one with the documents that came near but are not in it, and with
what the filters of the request left out. It tells what the check itself weighed; nothing is searched again.

With \`coverage: "partial"\` the check's time ended before the whole text was searched for: what was found is there, but
the rest of the chunks (\`total_chunks\` less \`checked_chunks\`) may match too. When a source is deleted from the corpus,
its row goes, and the totals stay as they were.
`.trim(),
  tags: ["Reports"],
  request: { params: ReportParams, query: ReportQuery },
  responses: { 200: { description: "The report.", schema: Report, examples: reportExamples } },
  errors: ["check_not_found", "check_not_complete", "invalid_input", "store_unavailable"],
} as const satisfies Operation;

export const reportOperations: readonly Operation[] = [
  getReportOperation,
  sourceTextOperation,
  ...exportOperations,
];
