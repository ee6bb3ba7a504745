// Generated from the engine's OpenAPI document by scripts/generate-client.ts. Do not edit.

import type { RequestOptions, Transport } from "../transport.ts";
import type {
  Check,
  CheckList,
  CheckStats,
  CorpusDocument,
  CorpusDocumentList,
  CorpusDocumentWithText,
  GetPassagesCsvQuery,
  GetReportHtmlQuery,
  GetReportQuery,
  GetSourceTextQuery,
  ListChecksQuery,
  ListDocumentsQuery,
  RenameCheckBody,
  Report,
  SourceText,
  SubmitCheckBody,
  SubmittedCheck,
  UploadCheckForm,
  UploadDocumentForm,
} from "./engine-types.ts";

/** Each operation of the engine as a function. Failures are thrown as ProblemError or UnreachableError. */
export function engineOperations(transport: Transport) {
  return {
    /**
     * Submit a text
     *
     * `POST /v1/checks`
     *
     * Accepts a text and checks it in the background. Follow the check at `progress_url`, or poll `status_url`; once it is
     * complete, `report_url` has the result. The check waits for documents that were uploaded to the corpus before it, for each
     * up to a minute after its upload.
     *
     * The text is kept exactly as sent. It has 1 to 500,000 characters, none of them U+0000, and the whole body is at most 8 MiB.
     * Unknown members are ignored, and `null` is the same as leaving out an optional member.
     *
     * With an `Idempotency-Key`, repeating the same request within 24 hours returns the first check instead of creating another.
     * A key can't be reused for a different request (409). It is deleted with its check.
     *
     * When too many checks are waiting, the answer is 503 with `Retry-After`, and nothing is accepted.
     */
    submitCheck: (
      body: SubmitCheckBody,
      options: RequestOptions & {
        /** Makes a retry safe: within 24 hours the same key and request give the same check. */
        readonly idempotencyKey?: string | undefined;
      } = {},
    ): Promise<SubmittedCheck> =>
      transport.json({
        method: "POST",
        path: "/v1/checks",
        body,
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /**
     * List the checks
     *
     * `GET /v1/checks`
     *
     * All checks, newest first, page by page. A row is the check's metadata and the first 120 characters of its text. With `title` or `status`, only checks whose title contains that text or that have that status are listed and counted in `total`. The search ignores case and has no wildcards.
     */
    listChecks: (query: ListChecksQuery = {}, options: RequestOptions = {}): Promise<CheckList> =>
      transport.json({ method: "GET", path: "/v1/checks", query, options }),

    /**
     * Submit a file
     *
     * `POST /v1/checks/upload`
     *
     * Reads the text of a PDF, DOCX or TXT file of at most 10 MiB and checks it as `POST /v1/checks` does.
     *
     * The content decides the type of a file, not its name. TXT is UTF-8, UTF-16 with a byte-order mark, or else windows-1252.
     * The text is kept as it is, with its line ends; only a byte-order mark is removed, and U+0000 becomes U+FFFD. Without a
     * `title`, the title is the file's name, cut to 200 characters. Texts and files share their `Idempotency-Key`s.
     */
    submitUpload: (
      file: Blob,
      fields: Omit<UploadCheckForm, "file"> = {},
      options: RequestOptions & {
        /** Makes a retry safe: within 24 hours the same key and request give the same check. */
        readonly idempotencyKey?: string | undefined;
      } = {},
    ): Promise<SubmittedCheck> =>
      transport.json({
        method: "POST",
        path: "/v1/checks/upload",
        form: { ...fields, file },
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /**
     * Aggregates over all checks
     *
     * `GET /v1/checks/stats`
     *
     * Counts of checks, words and corpus documents, and the mean similarity of the last checks to complete (at most 100).
     */
    getCheckStats: (options: RequestOptions = {}): Promise<CheckStats> =>
      transport.json({ method: "GET", path: "/v1/checks/stats", options }),

    /**
     * Get a check
     *
     * `GET /v1/checks/{check_id}`
     *
     * The check's metadata. Its `status` moves from `pending` to `running` and ends as `complete` or `failed`; while it
     * runs, `stage` is its current stage. The `error_message` of a failed check says what to do.
     */
    getCheck: (checkId: string, options: RequestOptions = {}): Promise<Check> =>
      transport.json({ method: "GET", path: `/v1/checks/${encodeURIComponent(checkId)}`, options }),

    /**
     * Rename a check
     *
     * `PATCH /v1/checks/{check_id}`
     *
     * Sets a title of 1 to 200 characters, or removes it with `null`. Nothing else can be changed.
     */
    renameCheck: (checkId: string, body: RenameCheckBody, options: RequestOptions = {}): Promise<Check> =>
      transport.json({ method: "PATCH", path: `/v1/checks/${encodeURIComponent(checkId)}`, body, options }),

    /**
     * Delete a check
     *
     * `DELETE /v1/checks/{check_id}`
     *
     * Permanently deletes the check with its text, its report and its idempotency key. A running check stops.
     */
    deleteCheck: (checkId: string, options: RequestOptions = {}): Promise<void> =>
      transport.nothing({ method: "DELETE", path: `/v1/checks/${encodeURIComponent(checkId)}`, options }),

    /**
     * Follow a check
     *
     * `GET /v1/checks/{check_id}/progress`
     *
     * A stream of server-sent events: the current state, each change, and a final event, after which the server closes the stream.
     * Progress events have no name; the final one is `complete` or `failed`. A check that has ended sends only its final
     * event, and a check that is deleted sends `failed` with the status `deleted`. No stage is skipped and `chunks_done`
     * never decreases. While a check waits for uploads, its stage is `fingerprinting`.
     *
     *     data: {"stage":"retrieving","chunks_done":16,"chunks_total":40}
     *
     *     event: complete
     *     data: {"check_id":"01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf","status":"complete","overall_similarity_pct":65.79,…}
     *
     * A comment line every 15 seconds keeps the connection open. If the connection breaks, connect again: only intermediate
     * events are lost.
     */
    followCheck: (checkId: string, options: RequestOptions = {}): Promise<Response> =>
      transport.open({ method: "GET", path: `/v1/checks/${encodeURIComponent(checkId)}/progress`, options }),

    /**
     * Read a report
     *
     * `GET /v1/checks/{check_id}/report`
     *
     * The result of a complete check: the share of the text that also appears in the corpus, the shared passages, and the
     * documents in which they appear. `unique_passages` are the places to highlight in `query_text`; each `passage` of a
     * source lies inside one of them. Offsets are half-open, `[start, end)`, and count code points unless `offset_unit` says
     * otherwise: ask for `utf16` to slice JavaScript strings.
     *
     * Filters apply to this answer only; the stored report does not change. All figures of a filtered report are recomputed from
     * the passages that remain, excluded text does not count towards the length either, and `filters` says what was applied.
     *
     * With `explain=true`, each passage has an `explanation` with its evidence, each source one with the chunks by which it was
     * found and its dropped matches, and the report one with the documents that came close and the passages that the filters
     * excluded. Explanations are recorded during the check; nothing is searched again.
     *
     * With `coverage: "partial"` the check ran out of time before the whole text was searched. All matches found are
     * reported, but the remaining chunks (`total_chunks` less `checked_chunks`) may match too. A check waits for documents
     * uploaded before it; `documents_pending` counts those that could not be compared. When a source is deleted from the
     * corpus, its row is removed and the totals stay as they were.
     */
    getReport: (checkId: string, query: GetReportQuery = {}, options: RequestOptions = {}): Promise<Report> =>
      transport.json({
        method: "GET",
        path: `/v1/checks/${encodeURIComponent(checkId)}/report`,
        query,
        options,
      }),

    /**
     * Read the text of a source
     *
     * `GET /v1/checks/{check_id}/sources/{source_document_id}/text`
     *
     * A part of the extracted text of a source of the report, for reading a passage beside its source. A passage lies at its
     * `source_document_start` and `source_document_end`. This also works for platform documents, which can't be read in any
     * other way, but only for documents that are sources of the report.
     *
     * An answer holds at most 100,000 characters: `start` and `end` are the offsets of its text, and the next part begins at
     * `end`. No character is split: a UTF-16 offset inside a surrogate pair counts as the start of the pair.
     */
    getSourceText: (
      checkId: string,
      sourceDocumentId: string,
      query: GetSourceTextQuery = {},
      options: RequestOptions = {},
    ): Promise<SourceText> =>
      transport.json({
        method: "GET",
        path: `/v1/checks/${encodeURIComponent(checkId)}/sources/${encodeURIComponent(sourceDocumentId)}/text`,
        query,
        options,
      }),

    /**
     * Download the passages as a table
     *
     * `GET /v1/checks/{check_id}/passages.csv`
     *
     * The passages of the report as CSV (RFC 4180, UTF-8, CRLF), one row each, in the order of the report: sources by rank, and
     * the passages of each by `query_start`. Filters and `offset_unit` are those of the report.
     *
     * `query_text` is the part of the submitted text that the passage covers. If it is longer than 32,767 UTF-16 units, the
     * limit of a spreadsheet cell, it is cut and ends in "…". A text that a spreadsheet would take for a formula is prefixed
     * with an apostrophe.
     */
    getPassagesCsv: (
      checkId: string,
      query: GetPassagesCsvQuery = {},
      options: RequestOptions = {},
    ): Promise<string> =>
      transport.text({
        method: "GET",
        path: `/v1/checks/${encodeURIComponent(checkId)}/passages.csv`,
        query,
        options,
      }),

    /**
     * Download the report as a document
     *
     * `GET /v1/checks/{check_id}/report.html`
     *
     * The report for reading, printing and archiving: a single HTML file without scripts or external resources. It contains the
     * score, the coverage, signs of disguised text made visible, the sources, the submitted text with its passages in the colours
     * of their sources, and each passage beside the text of its source, at most 1,500 UTF-16 units of it. Filters are those
     * of the report; the document names them and gives the unfiltered score.
     *
     * All text is escaped. The Content-Security-Policy, which is also in the file, allows only the document's own style.
     */
    getReportHtml: (
      checkId: string,
      query: GetReportHtmlQuery = {},
      options: RequestOptions = {},
    ): Promise<string> =>
      transport.text({
        method: "GET",
        path: `/v1/checks/${encodeURIComponent(checkId)}/report.html`,
        query,
        options,
      }),

    /**
     * Add a document
     *
     * `POST /v1/corpus/documents`
     *
     * Extracts the text of a PDF, DOCX, TXT or Markdown file and adds it to the corpus. The content determines the file type, not
     * the name. A new document is `pending` while it is fingerprinted in the background, and matchable once it is
     * `fingerprinted`.
     *
     * A file may have at most 10 MiB, unless the operator has set another limit, and at most 20 million characters. If the same
     * bytes were uploaded before, the answer is 200 with the existing document.
     */
    uploadDocument: (
      file: Blob,
      fields: Omit<UploadDocumentForm, "file"> = {},
      options: RequestOptions = {},
    ): Promise<CorpusDocument> =>
      transport.json({ method: "POST", path: "/v1/corpus/documents", form: { ...fields, file }, options }),

    /**
     * List the uploaded documents
     *
     * `GET /v1/corpus/documents`
     *
     * Metadata of the documents that were uploaded through the API, newest first. The sample corpus and bulk loads are compared with but not listed. `title` restricts the list and `total` to documents whose title or file name contains it, ignoring case; no character has a special meaning.
     */
    listDocuments: (
      query: ListDocumentsQuery = {},
      options: RequestOptions = {},
    ): Promise<CorpusDocumentList> =>
      transport.json({ method: "GET", path: "/v1/corpus/documents", query, options }),

    /**
     * Read a document
     *
     * `GET /v1/corpus/documents/{document_id}`
     *
     * The metadata of an uploaded document with its full extracted text.
     */
    getDocument: (documentId: string, options: RequestOptions = {}): Promise<CorpusDocumentWithText> =>
      transport.json({
        method: "GET",
        path: `/v1/corpus/documents/${encodeURIComponent(documentId)}`,
        options,
      }),

    /**
     * Delete a document
     *
     * `DELETE /v1/corpus/documents/{document_id}`
     *
     * Permanently deletes an uploaded document and its chunks. From the answer on no check matches it, including checks that are running. Earlier reports lose its row and keep their totals.
     */
    deleteDocument: (documentId: string, options: RequestOptions = {}): Promise<void> =>
      transport.nothing({
        method: "DELETE",
        path: `/v1/corpus/documents/${encodeURIComponent(documentId)}`,
        options,
      }),

    /**
     * Is the process alive?
     *
     * `GET /health`
     *
     * Answers without calling a store, so it suits a liveness probe.
     */
    getHealth: (
      options: RequestOptions = {},
    ): Promise<{
      readonly status: "ok";
    }> => transport.json({ method: "GET", path: "/health", options }),

    /**
     * Can the service do its work?
     *
     * `GET /ready`
     *
     * 200 when the stores answer and the schema is current, else 503. It suits a readiness probe.
     */
    getReadiness: (
      options: RequestOptions = {},
    ): Promise<{
      /** Whether every part answers. */
      readonly ready: boolean;
      /** Maps each part to `ok` or to its fault. */
      readonly checks: { readonly [name: string]: string };
    }> => transport.json({ method: "GET", path: "/ready", also: [503], options }),

    /**
     * Counters and durations
     *
     * `GET /metrics`
     *
     * The metrics of the process since its start, in the Prometheus text format.
     */
    getMetrics: (options: RequestOptions = {}): Promise<string> =>
      transport.text({ method: "GET", path: "/metrics", options }),
  };
}
