import { Readable } from "node:stream";
import type { Context } from "koa";
import { z } from "zod";
import { clientGone } from "../../http/client-gone.ts";
import { downloadName, nameFile, sendCsv } from "../../http/download.ts";
import { textsIn } from "../../http/languages/catalogues.ts";
import { documentLanguage } from "../../http/languages/document-language.ts";
import type { Language } from "../../http/languages/languages.ts";
import type { PendingAnswers } from "../../http/pending-answers.ts";
import { BODY_ERRORS, type Route, routesFor } from "../../http/routing/route.ts";
import { withoutFileEnding } from "../../text/file-ending.ts";
import { type ComparePairs, comparedPairs } from "../exports/compared-pairs.ts";
import { type Exclusions, exclusionsOf } from "../exports/exclusions.ts";
import { REPORT_POLICY, reportHtml } from "../exports/html/report-html.ts";
import { passagesCsv } from "../exports/passages-csv.ts";
import type { MakePdf } from "../exports/pdf/report-pdf.ts";
import { numberedPassages } from "../exports/text-pieces.ts";
import type { NoteUseCases } from "../passage-notes.ts";
import { Report, type WireReport } from "../presented-report.ts";
import { READING_BYTES, type ReadReport } from "../read-report.ts";
import type { ReadSourceText } from "../read-source-text.ts";
import examples from "./examples.json" with { type: "json" };
import { passageReference, presentReport, presentSourceText } from "./presenter.ts";
import {
  NoteBody,
  PassageNote,
  PassageParams,
  ReportDocumentQuery,
  ReportParams,
  ReportQuery,
  ReportSelectionQuery,
  SourceText,
  SourceTextParams,
  SourceTextQuery,
} from "./schema.ts";

export type ReportRouteParts = {
  readonly readReport: ReadReport;
  readonly readSourceText: ReadSourceText;
  readonly passageNotes: NoteUseCases;
  readonly comparePassages: ComparePairs;
  readonly makePdf: MakePdf;
  readonly pendingAnswers: PendingAnswers;
};

/** A report of the longest text from which an export is made. */
const REPORT_BYTES = 8 * 1024 * 1024;

/** Some 100 pages; the report as HTML has all of them. */
export const PRINTED_PAIRS_MAX = 300;

const ERRORS = ["check_not_found", "check_not_complete", "invalid_input", "store_unavailable"] as const;

const route = routesFor<ReportRouteParts>();

export const reportRoutes: readonly Route<ReportRouteParts>[] = [
  route(
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

Filters apply to this answer only; the stored report does not change. With \`review=true\`, the filters that were kept with
\`PATCH /v1/checks/{check_id}\` apply, unless the request names a filter itself. All figures of a filtered report are recomputed from
the passages that remain, excluded text does not count towards the length either, and \`filters\` says what was applied.

With \`explain=true\`, each passage has an \`explanation\` with its evidence, each source one with the chunks by which it was
found and its dropped matches, and the report one with the documents that came close and the passages that the filters
excluded. Explanations are recorded during the check; nothing is searched again.

With \`coverage: "partial"\` the check ran out of time before the whole text was searched. All matches found are
reported, but the remaining chunks (\`total_chunks\` less \`checked_chunks\`) may match too. A check waits for documents
uploaded before it; \`documents_pending\` counts those that could not be compared, and \`uncompared_documents\` names them. When a source is deleted from the
corpus, its row is removed and the totals stay as they were.
`.trim(),
      tags: ["Reports"],
      request: { params: ReportParams, query: ReportQuery },
      responses: { 200: { description: "The report.", schema: Report, examples: examples.report } },
      errors: [...ERRORS, "service_busy"],
    },
    async ({ ctx, params, query: { explain = false, ...selection } }, parts) => {
      const { shown } = await readView(ctx, params.check_id, { selection, explain }, parts);
      parts.pendingAnswers.sendJson(ctx, shown);
      return undefined;
    },
  ),
  route(
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
        200: { description: "The part of the text.", schema: SourceText, examples: examples.sourceText },
      },
      errors: ["source_not_found", ...ERRORS],
    },
    async ({ params, query: { start = 0, end, offset_unit: unit } }, { readSourceText }) => {
      const { check_id: checkId, source_document_id: documentId } = params;
      return presentSourceText(await readSourceText(checkId, documentId, { start, end, unit }), unit);
    },
  ),
  route(
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
        body: { contentType: "application/json", schema: NoteBody, examples: examples.noteBody },
      },
      responses: {
        200: { description: "The note as it is now.", schema: PassageNote, examples: examples.note },
      },
      errors: [
        "passage_not_found",
        "check_not_found",
        "check_not_complete",
        ...BODY_ERRORS,
        "store_unavailable",
      ],
    },
    async ({ params, body }, { passageNotes }) => {
      const { note, ...passage } = await passageNotes.write(params.check_id, params.passage, body.text);
      return { passage: passageReference(passage), note };
    },
  ),
  route(
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
    ({ params }, { passageNotes }) => passageNotes.remove(params.check_id, params.passage),
  ),
  route(
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
          examples: {
            table: {
              summary: "One passage",
              value: [...passagesCsv(Report.parse(examples.report.match.value))].join(""),
            },
          },
          headers: { "Content-Disposition": "`attachment`, with a name for the file (RFC 6266)." },
        },
      },
      errors: [...ERRORS, "service_busy"],
    },
    async ({ ctx, params, query: selection }, parts) => {
      const { shown } = await readView(ctx, params.check_id, { selection, explain: false }, parts);
      saveAs(ctx, shown, { type: "attachment", ending: " - passages.csv" });
      sendCsv(ctx, passagesCsv(shown));
    },
  ),
  route(
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
      request: { params: ReportParams, query: ReportDocumentQuery },
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
    async ({ ctx, params, query }, parts) => {
      const { shown, exclusions, language } = await readDocument(ctx, params.check_id, query, parts);
      saveAs(ctx, shown, { type: "inline", ending: ".html" });
      ctx.set("Content-Security-Policy", REPORT_POLICY);
      ctx.type = "text/html; charset=utf-8";
      ctx.body = Readable.from(reportHtml(shown, exclusions, parts.comparePassages, language));
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/checks/:check_id/report.pdf",
      operationId: "getReportPdf",
      summary: "Download the report as a PDF",
      description: `
The report for filing: a cover with the score by kind, the sources, the submitted text with its passages in the colours and with the
numbers of their sources, the notes, what the filters excluded, and passages beside their sources. Filters are those of the report. The PDF is tagged, its
text can be searched and copied, and the same report gives the same bytes.

Making it takes about a second, a few for the longest texts. PDFs are made one at a time.
`.trim(),
      tags: ["Reports"],
      request: { params: ReportParams, query: ReportDocumentQuery },
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
    async ({ ctx, params, query }, parts) => {
      const gone = clientGone(ctx);
      const { shown, exclusions, language } = await readDocument(ctx, params.check_id, query, parts);
      const passages = numberedPassages(shown).slice(0, PRINTED_PAIRS_MAX);
      const pairs = await Array.fromAsync(comparedPairs(shown, passages, parts.comparePassages));
      const bytes = Buffer.from(
        await parts.makePdf(
          { kind: "report", report: shown, exclusions, pairs, language: language.tag },
          gone,
        ),
      );
      const title = withoutFileEnding(shown.display_title);
      saveAs(
        ctx,
        { ...shown, display_title: title },
        { type: "attachment", ending: ` – ${textsIn(language.tag).say("export.fileName")}.pdf` },
      );
      parts.pendingAnswers.send(ctx, bytes, "application/pdf");
    },
  ),
];

type Selection = z.output<typeof ReportSelectionQuery>;
type AskedDocument = z.output<typeof ReportDocumentQuery>;

async function readView(
  ctx: Context,
  checkId: string,
  { selection, explain }: { readonly selection: Selection; readonly explain: boolean },
  { readReport, pendingAnswers }: ReportRouteParts,
) {
  const { offset_unit: offsets, length_unit: lengths = offsets, review = false, ...asked } = selection;
  await pendingAnswers.reserve(ctx.res, READING_BYTES);
  const view = await readReport(checkId, {
    ...{ units: { offsets, lengths }, asked, withReview: review, explain },
  });
  pendingAnswers.resize(ctx.res, REPORT_BYTES);
  return { shown: presentReport(view), sources: view.stored.sources };
}

/** The report as a document, with the exclusions of its filters. */
async function readDocument(
  ctx: Context,
  checkId: string,
  { language: tag, ...asked }: AskedDocument,
  parts: ReportRouteParts,
): Promise<{ readonly shown: WireReport; readonly exclusions: Exclusions; readonly language: Language }> {
  const selection = { ...asked, offset_unit: "utf16", length_unit: "code_point" } as const;
  const { shown, sources } = await readView(ctx, checkId, { selection, explain: true }, parts);
  const titles = new Map(sources.map(({ documentId, title }) => [documentId, title]));
  const language = documentLanguage(ctx, tag);
  return { shown, exclusions: exclusionsOf(shown, titles, textsIn(language.tag)), language };
}

/** Names the file as the check is shown. */
function saveAs(
  ctx: Context,
  { display_title: title, check_id: checkId }: Pick<WireReport, "display_title" | "check_id">,
  { type, ending }: { readonly type: "attachment" | "inline"; readonly ending: string },
): void {
  const name = downloadName(title, `Check ${checkId}`, ending);
  nameFile(ctx, name, `${checkId}${ending.slice(ending.lastIndexOf("."))}`, type);
}
