import { z } from "zod";
import { BODY_ERRORS, type Operation } from "../../http/docs/operation.ts";
import { passagesCsv } from "../exports/passages-csv.ts";
import {
  noteBodyExamples,
  noteExamples,
  reportExample,
  reportExamples,
  sourceTextExamples,
} from "./examples.ts";
import { ReportFiltersQuery, ReportParams, ReportQuery, ReportSelectionQuery } from "./report-query.ts";
import { NoteBody, PassageNote, PassageParams, Report } from "./schema.ts";
import { SourceText, SourceTextParams, SourceTextQuery } from "./source-text-schema.ts";

const ERRORS = ["check_not_found", "check_not_complete", "invalid_input", "store_unavailable"] as const;

export const reportOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/v1/checks/:check_id/report",
    operationId: "getReport",
    summary: "Read a report",
    description: `
The result of a complete check: the share of the text that also appears in the corpus, the shared passages, and the
documents in which they appear. \`unique_passages\` are the places to highlight in \`query_text\`; each \`passage\` of a
source lies inside one of them. Offsets are half-open, \`[start, end)\`, and count code points unless \`offset_unit\` says
otherwise: ask for \`utf16\` to slice JavaScript strings.

Filters apply to this answer only; the stored report does not change. All figures of a filtered report are recomputed from
the passages that remain, excluded text does not count towards the length either, and \`filters\` says what was applied.

With \`explain=true\`, each passage has an \`explanation\` with its evidence, each source one with the chunks by which it was
found and its dropped matches, and the report one with the documents that came close and the passages that the filters
excluded. Explanations are recorded during the check; nothing is searched again.

With \`coverage: "partial"\` the check ran out of time before the whole text was searched. All matches found are
reported, but the remaining chunks (\`total_chunks\` less \`checked_chunks\`) may match too. A check waits for documents
uploaded before it; \`documents_pending\` counts those that could not be compared. When a source is deleted from the
corpus, its row is removed and the totals stay as they were.
`.trim(),
    tags: ["Reports"],
    request: { params: ReportParams, query: ReportQuery },
    responses: { 200: { description: "The report.", schema: Report, examples: reportExamples } },
    errors: [...ERRORS, "service_busy"],
  },
  {
    method: "get",
    path: "/v1/checks/:check_id/sources/:source_document_id/text",
    operationId: "getSourceText",
    summary: "Read the text of a source",
    description: `
A part of the extracted text of a source of the report, for reading a passage beside its source. A passage lies at its
\`source_document_start\` and \`source_document_end\`. This also works for platform documents, which can't be read in any
other way, but only for documents that are sources of the report.

An answer holds at most 100,000 characters: \`start\` and \`end\` are the offsets of its text, and the next part begins at
\`end\`. No character is split: a UTF-16 offset inside a surrogate pair counts as the start of the pair.
`.trim(),
    tags: ["Reports"],
    request: { params: SourceTextParams, query: SourceTextQuery },
    responses: {
      200: { description: "The part of the text.", schema: SourceText, examples: sourceTextExamples },
    },
    errors: ["source_not_found", ...ERRORS],
  },
  {
    method: "put",
    path: "/v1/checks/:check_id/notes/:passage",
    operationId: "setNote",
    summary: "Write a note on a passage",
    description: `
Sets the note of a passage in place of an earlier one; an empty text removes it. Notes are plain text and belong to the check: they
appear in its report and in all exports, also beside passages that filters exclude, and are deleted with it.
`.trim(),
    tags: ["Reports"],
    request: {
      params: PassageParams,
      body: { contentType: "application/json", schema: NoteBody, examples: noteBodyExamples },
    },
    responses: {
      200: { description: "The note as it is now.", schema: PassageNote, examples: noteExamples },
    },
    errors: [
      "passage_not_found",
      "check_not_found",
      "check_not_complete",
      ...BODY_ERRORS,
      "store_unavailable",
    ],
  },
  {
    method: "delete",
    path: "/v1/checks/:check_id/notes/:passage",
    operationId: "deleteNote",
    summary: "Delete a note",
    description:
      "Removes the note of a passage, if it has one. This also works after its source was deleted.",
    tags: ["Reports"],
    request: { params: PassageParams },
    responses: { 204: { description: "The passage has no note." } },
    errors: ["passage_not_found", "check_not_found", "check_not_complete", "store_unavailable"],
  },
  {
    method: "get",
    path: "/v1/checks/:check_id/passages.csv",
    operationId: "getPassagesCsv",
    summary: "Download the passages as a table",
    description: `
The passages of the report as CSV (RFC 4180, UTF-8 with a byte order mark, CRLF), in the order of the report: sources by rank, and
the passages of each by \`query_start\`. A passage has a row for each of its runs; \`passage\` numbers it within its source.
\`exclusive_matched_chars\` counts each character once, for the row that explains it best: added up by match type or by source, they are
the figures of the report. Filters and \`offset_unit\` are those of the report.

\`query_text\` is the part of the submitted text that the run covers. If it is longer than 32,767 UTF-16 units, the
limit of a spreadsheet cell, it is cut and ends in "…". A text that a spreadsheet would take for a formula is prefixed
with an apostrophe.
`.trim(),
    tags: ["Reports"],
    request: { params: ReportParams, query: ReportSelectionQuery },
    responses: {
      200: {
        description: "The table. `Content-Disposition` names the file after the check's title.",
        contentType: "text/csv",
        schema: z.string(),
        examples: { table: { summary: "One passage", value: [...passagesCsv(reportExample)].join("") } },
        headers: { "Content-Disposition": "`attachment`, with a name for the file (RFC 6266)." },
      },
    },
    errors: [...ERRORS, "service_busy"],
  },
  {
    method: "get",
    path: "/v1/checks/:check_id/report.html",
    operationId: "getReportHtml",
    summary: "Download the report as a document",
    description: `
The report for reading, printing and archiving: a single HTML file without scripts or external resources. It contains the
score, the coverage, signs of disguised text made visible, the sources, the submitted text with its passages in the colours
of their sources, and each passage beside the text of its source, at most 1,500 UTF-16 units of it. Filters are those
of the report; the document names them and gives the unfiltered score.

All text is escaped. The Content-Security-Policy, which is also in the file, allows only the document's own style.
`.trim(),
    tags: ["Reports"],
    request: { params: ReportParams, query: ReportFiltersQuery },
    responses: {
      200: {
        description: "The document. `Content-Disposition` names the file after the check's title.",
        contentType: "text/html",
        schema: z.string(),
        examples: { beginning: { summary: "The beginning", value: '<!doctype html>\n<html lang="en">' } },
        headers: {
          "Content-Disposition": "`inline`, with a name for the file (RFC 6266).",
          "Content-Security-Policy": "Allows the document's own style and nothing else.",
        },
      },
    },
    errors: [...ERRORS, "service_busy"],
  },
  {
    method: "get",
    path: "/v1/checks/:check_id/report.pdf",
    operationId: "getReportPdf",
    summary: "Download the report as a PDF",
    description: `
The report for filing: a cover with the score by kind, the sources, the submitted text with its passages in the colours and with the
numbers of their sources, the notes, and what the filters excluded. Filters are those of the report. The PDF is tagged, its
text can be searched and copied, and the same report gives the same bytes.

Making it takes about a second, a few for the longest texts. PDFs are made one at a time.
`.trim(),
    tags: ["Reports"],
    request: { params: ReportParams, query: ReportFiltersQuery },
    responses: {
      200: {
        description: "The document. `Content-Disposition` names the file after the check's title.",
        contentType: "application/pdf",
        schema: z.string().meta({ format: "binary" }),
        examples: { beginning: { summary: "The beginning", value: "%PDF-1.7" } },
        headers: { "Content-Disposition": "`attachment`, with a name for the file (RFC 6266)." },
      },
    },
    errors: [...ERRORS, "service_busy", "pdf_unavailable", "pdf_too_large"],
  },
];
