import type {
  AddedMembers,
  AddedToCorpus,
  AddMembersForm,
  Batch,
  BatchGraph,
  BatchList,
  BatchPairView,
  BatchReport,
  BatchWithMembers,
  ChangeCheckBody,
  Check,
  CheckList,
  CheckStats,
  CompareFilesForm,
  CompareTextsBody,
  Comparison,
  ComparisonLink,
  CorpusCollectionList,
  CorpusCoverage,
  CorpusDocument,
  CorpusDocumentList,
  CorpusDocumentWithText,
  CorrectDocumentBody,
  NoteBody,
  OcrPages,
  operations,
  PassageNote,
  RenameBatchBody,
  Report,
  SourceText,
  SubmitBatchForm,
  SubmitCheckBody,
  SubmittedBatch,
  SubmittedCheck,
  UploadCheckForm,
  UploadDocumentForm,
} from "./generated/engine-api.ts";
import { path, type RequestOptions, type Transport } from "./transport.ts";

/** The query of an operation; its members may also be undefined. */
type QueryOf<O extends keyof operations> = {
  readonly [M in keyof NonNullable<operations[O]["parameters"]["query"]>]:
    | NonNullable<operations[O]["parameters"]["query"]>[M]
    | undefined;
};

export type ListChecksQuery = QueryOf<"listChecks">;
export type AddToCorpusQuery = QueryOf<"addToCorpus">;
export type ExportChecksQuery = QueryOf<"exportChecks">;
export type GetReportQuery = QueryOf<"getReport">;
export type GetSourceTextQuery = QueryOf<"getSourceText">;
export type GetPassagesCsvQuery = QueryOf<"getPassagesCsv">;
export type GetReportHtmlQuery = QueryOf<"getReportHtml">;
export type GetReportPdfQuery = QueryOf<"getReportPdf">;
export type CompareTextsQuery = QueryOf<"compareTexts">;
export type CompareFilesQuery = QueryOf<"compareFiles">;
export type CompareFilesAsPdfQuery = QueryOf<"compareFilesAsPdf">;
export type GetComparisonQuery = QueryOf<"getComparison">;
export type GetComparisonPdfQuery = QueryOf<"getComparisonPdf">;
export type ListDocumentsQuery = QueryOf<"listDocuments">;
export type ExportDocumentsQuery = QueryOf<"exportDocuments">;
export type ListBatchesQuery = QueryOf<"listBatches">;
export type GetBatchQuery = QueryOf<"getBatch">;
export type GetBatchReportQuery = QueryOf<"getBatchReport">;
export type GetBatchGraphQuery = QueryOf<"getBatchGraph">;
export type GetBatchPairQuery = QueryOf<"getBatchPair">;
export type GetBatchPairsCsvQuery = QueryOf<"getBatchPairsCsv">;
export type GetBatchMembersCsvQuery = QueryOf<"getBatchMembersCsv">;
export type IdempotencyKeyOption = {
  /** Makes a retry safe: within 24 hours the same key and request give the same check. */
  readonly idempotencyKey?: string | undefined;
};

/** Each operation of the engine as a function; `/docs` of the service has the details. Failures are thrown as ProblemError or UnreachableError. */
export function engineOperations({ open, json, text, nothing }: Transport) {
  return {
    /** `POST /v1/checks`: Accepts a text and checks it in the background. */
    submitCheck: (
      body: SubmitCheckBody,
      options: RequestOptions & IdempotencyKeyOption = {},
    ): Promise<SubmittedCheck> =>
      json<"submitCheck">("POST", "/v1/checks", {
        body,
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /** `GET /v1/checks`: All checks, newest first unless sorted otherwise, page by page. */
    listChecks: (query: ListChecksQuery = {}, options: RequestOptions = {}): Promise<CheckList> =>
      json<"listChecks">("GET", "/v1/checks", { query, options }),

    /**
     * `POST /v1/checks/upload`: Reads the text of a PDF, DOCX or TXT file of at most 10 MiB and checks it as `POST
     * /v1/checks` does.
     */
    submitUpload: (
      file: Blob,
      fields: Omit<UploadCheckForm, "file"> = {},
      options: RequestOptions & IdempotencyKeyOption = {},
    ): Promise<SubmittedCheck> =>
      json<"submitUpload">("POST", "/v1/checks/upload", {
        form: { ...fields, file },
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /**
     * `GET /v1/checks.csv`: The same list as a table, complete and in the same order, in UTF-8 with a byte order
     * mark.
     */
    exportChecks: (query: ExportChecksQuery = {}, options: RequestOptions = {}): Promise<string> =>
      text("GET", "/v1/checks.csv", { query, options }),

    /**
     * `GET /v1/checks/stats`: Counts of checks, words and corpus documents, and the mean similarity of the last
     * checks to complete (at most 100).
     */
    getCheckStats: (options: RequestOptions = {}): Promise<CheckStats> =>
      json<"getCheckStats">("GET", "/v1/checks/stats", { options }),

    /** `GET /v1/checks/{check_id}`: The check's metadata. */
    getCheck: (checkId: string, options: RequestOptions = {}): Promise<Check> =>
      json<"getCheck">("GET", path`/v1/checks/${checkId}`, { options }),

    /** `PATCH /v1/checks/{check_id}`: Sets or removes the title, or keeps a review of the report. */
    renameCheck: (checkId: string, body: ChangeCheckBody, options: RequestOptions = {}): Promise<Check> =>
      json<"renameCheck">("PATCH", path`/v1/checks/${checkId}`, { body, options }),

    /** `POST /v1/checks/{check_id}/document`: Adds the text of a complete check to the corpus. */
    addToCorpus: (
      checkId: string,
      query: AddToCorpusQuery = {},
      options: RequestOptions = {},
    ): Promise<AddedToCorpus> =>
      json<"addToCorpus">("POST", path`/v1/checks/${checkId}/document`, { query, options }),

    /**
     * `DELETE /v1/checks/{check_id}`: Permanently deletes the check with its text, its file, its report and its
     * idempotency key.
     */
    deleteCheck: (checkId: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/checks/${checkId}`, { options }),

    /**
     * `GET /v1/checks/{check_id}/progress`: A stream of server-sent events: the current state, each change, and a
     * final event, after which the server closes the stream.
     */
    followCheck: (checkId: string, options: RequestOptions = {}): Promise<Response> =>
      open("GET", path`/v1/checks/${checkId}/progress`, { options }),

    /** `GET /v1/checks/{check_id}/original`: The uploaded file of a check, byte for byte. */
    getOriginal: (checkId: string, options: RequestOptions = {}): Promise<Response> =>
      open("GET", path`/v1/checks/${checkId}/original`, { options }),

    /**
     * `GET /v1/checks/{check_id}/original.html`: The DOCX file of a check as an HTML fragment: headings, paragraphs,
     * lists, tables, footnotes and endnotes, bold and italic text.
     */
    getOriginalHtml: (checkId: string, options: RequestOptions = {}): Promise<string> =>
      text("GET", path`/v1/checks/${checkId}/original.html`, { options }),

    /**
     * `GET /v1/checks/{check_id}/ocr-pages`: The words of the pages of a PDF that were read by OCR, with their
     * places.
     */
    getOcrPages: (checkId: string, options: RequestOptions = {}): Promise<OcrPages> =>
      json<"getOcrPages">("GET", path`/v1/checks/${checkId}/ocr-pages`, { options }),

    /**
     * `GET /v1/checks/{check_id}/report`: The result of a complete check: the share of the text that also appears in
     * the corpus, the shared passages, and the documents in which they appear.
     */
    getReport: (checkId: string, query: GetReportQuery = {}, options: RequestOptions = {}): Promise<Report> =>
      json<"getReport">("GET", path`/v1/checks/${checkId}/report`, { query, options }),

    /**
     * `GET /v1/checks/{check_id}/sources/{source_document_id}/text`: A part of the extracted text of a source of the
     * report, for reading a passage beside its source.
     */
    getSourceText: (
      checkId: string,
      sourceDocumentId: string,
      query: GetSourceTextQuery = {},
      options: RequestOptions = {},
    ): Promise<SourceText> =>
      json<"getSourceText">("GET", path`/v1/checks/${checkId}/sources/${sourceDocumentId}/text`, {
        query,
        options,
      }),

    /**
     * `PUT /v1/checks/{check_id}/notes/{passage}`: Sets the note of a passage in place of an earlier one; an empty
     * text removes it.
     */
    setNote: (
      checkId: string,
      passage: string,
      body: NoteBody,
      options: RequestOptions = {},
    ): Promise<PassageNote> =>
      json<"setNote">("PUT", path`/v1/checks/${checkId}/notes/${passage}`, { body, options }),

    /** `DELETE /v1/checks/{check_id}/notes/{passage}`: Removes the note of a passage, if it has one. */
    deleteNote: (checkId: string, passage: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/checks/${checkId}/notes/${passage}`, { options }),

    /**
     * `GET /v1/checks/{check_id}/passages.csv`: The passages of the report as CSV (RFC 4180, UTF-8 with a byte order
     * mark, CRLF), in the order of the report: sources by rank, and the passages of each by `query_start`.
     */
    getPassagesCsv: (
      checkId: string,
      query: GetPassagesCsvQuery = {},
      options: RequestOptions = {},
    ): Promise<string> => text("GET", path`/v1/checks/${checkId}/passages.csv`, { query, options }),

    /**
     * `GET /v1/checks/{check_id}/report.html`: The report for reading, printing and archiving: a single HTML file
     * without scripts or external resources.
     */
    getReportHtml: (
      checkId: string,
      query: GetReportHtmlQuery = {},
      options: RequestOptions = {},
    ): Promise<string> => text("GET", path`/v1/checks/${checkId}/report.html`, { query, options }),

    /**
     * `GET /v1/checks/{check_id}/report.pdf`: The report for filing: a cover with the score by kind, the sources,
     * the submitted text with its passages in the colours and with the numbers of their sources, the notes, and what
     * the filters excluded.
     */
    getReportPdf: (
      checkId: string,
      query: GetReportPdfQuery = {},
      options: RequestOptions = {},
    ): Promise<Response> => open("GET", path`/v1/checks/${checkId}/report.pdf`, { query, options }),

    /**
     * `POST /v1/comparisons`: Finds the passages of a text (the query) in another one (the source), as a check with
     * that source in the corpus would, and answers with both texts and the passages.
     */
    compareTexts: (
      body: CompareTextsBody,
      query: CompareTextsQuery = {},
      options: RequestOptions = {},
    ): Promise<Comparison> => json<"compareTexts">("POST", "/v1/comparisons", { body, query, options }),

    /** `POST /v1/comparisons/upload`: Reads the texts of two files and compares them as `POST /v1/comparisons` does. */
    compareFiles: (
      form: CompareFilesForm,
      query: CompareFilesQuery = {},
      options: RequestOptions = {},
    ): Promise<Comparison> =>
      json<"compareFiles">("POST", "/v1/comparisons/upload", { form, query, options }),

    /**
     * `POST /v1/comparisons.pdf`: Compares as `POST /v1/comparisons/upload` does, and answers with both texts side by
     * side as a PDF: passages have the same number and colour on both sides, and those that come in the same order in
     * both texts are level.
     */
    compareFilesAsPdf: (
      sides: CompareFilesForm,
      query: CompareFilesAsPdfQuery = {},
      options: RequestOptions = {},
    ): Promise<Response> => open("POST", "/v1/comparisons.pdf", { ...sent(sides), query, options }),

    /**
     * `POST /v1/comparisons/links`: Compares as `POST /v1/comparisons/upload` does, stores both texts with what was
     * found, and answers with a link.
     */
    makeComparisonLink: (sides: CompareFilesForm, options: RequestOptions = {}): Promise<ComparisonLink> =>
      json<"makeComparisonLink">("POST", "/v1/comparisons/links", { ...sent(sides), options }),

    /**
     * `GET /v1/comparisons/{comparison_id}`: The comparison of a link, as `POST /v1/comparisons` answered it, with the
     * time of its deletion.
     */
    getComparison: (
      comparisonId: string,
      query: GetComparisonQuery = {},
      options: RequestOptions = {},
    ): Promise<Comparison> =>
      json<"getComparison">("GET", path`/v1/comparisons/${comparisonId}`, { query, options }),

    /**
     * `GET /v1/comparisons/{comparison_id}/comparison.pdf`: The comparison of a link as `POST /v1/comparisons.pdf`
     * prints it.
     */
    getComparisonPdf: (
      comparisonId: string,
      query: GetComparisonPdfQuery = {},
      options: RequestOptions = {},
    ): Promise<Response> =>
      open("GET", path`/v1/comparisons/${comparisonId}/comparison.pdf`, { query, options }),

    /** `DELETE /v1/comparisons/{comparison_id}`: Deletes both texts and what was found. */
    deleteComparison: (comparisonId: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/comparisons/${comparisonId}`, { options }),

    /** `POST /v1/corpus/documents`: Extracts the text of a PDF, DOCX, TXT or Markdown file and adds it to the corpus. */
    uploadDocument: (
      file: Blob,
      fields: Omit<UploadDocumentForm, "file"> = {},
      options: RequestOptions = {},
    ): Promise<CorpusDocument> =>
      json<"uploadDocument">("POST", "/v1/corpus/documents", { form: { ...fields, file }, options }),

    /**
     * `GET /v1/corpus/documents`: Metadata of the documents that were uploaded through the API, newest first unless
     * sorted otherwise.
     */
    listDocuments: (
      query: ListDocumentsQuery = {},
      options: RequestOptions = {},
    ): Promise<CorpusDocumentList> =>
      json<"listDocuments">("GET", "/v1/corpus/documents", { query, options }),

    /** `GET /v1/corpus/collections`: What checks are compared with. */
    listCollections: (options: RequestOptions = {}): Promise<CorpusCollectionList> =>
      json<"listCollections">("GET", "/v1/corpus/collections", { options }),

    /**
     * `GET /v1/corpus/documents.csv`: The same list as a table, complete and in the same order, in UTF-8 with a byte
     * order mark.
     */
    exportDocuments: (query: ExportDocumentsQuery = {}, options: RequestOptions = {}): Promise<string> =>
      text("GET", "/v1/corpus/documents.csv", { query, options }),

    /**
     * `GET /v1/corpus/coverage`: The numbers of documents that checks find by words and by meaning, and why not all
     * by meaning.
     */
    getCorpusCoverage: (options: RequestOptions = {}): Promise<CorpusCoverage> =>
      json<"getCorpusCoverage">("GET", "/v1/corpus/coverage", { options }),

    /** `GET /v1/corpus/documents/{document_id}`: The metadata of an uploaded document with its full extracted text. */
    getDocument: (documentId: string, options: RequestOptions = {}): Promise<CorpusDocumentWithText> =>
      json<"getDocument">("GET", path`/v1/corpus/documents/${documentId}`, { options }),

    /**
     * `PATCH /v1/corpus/documents/{document_id}`: States the language of an uploaded document, which may have been
     * detected wrongly.
     */
    correctDocumentLanguage: (
      documentId: string,
      body: CorrectDocumentBody,
      options: RequestOptions = {},
    ): Promise<CorpusDocument> =>
      json<"correctDocumentLanguage">("PATCH", path`/v1/corpus/documents/${documentId}`, { body, options }),

    /** `DELETE /v1/corpus/documents/{document_id}`: Permanently deletes an uploaded document and its chunks. */
    deleteDocument: (documentId: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/corpus/documents/${documentId}`, { options }),

    /**
     * `POST /v1/batches`: Accepts many texts and compares each with all others in the background: as a form with
     * files or ZIP archives (100 MiB, files of up to 10 MiB), or as JSON with texts (8 MiB).
     */
    submitBatch: (
      files: readonly Blob[],
      fields: Omit<SubmitBatchForm, "files"> = {},
      options: RequestOptions & IdempotencyKeyOption = {},
    ): Promise<SubmittedBatch> =>
      json<"submitBatch">("POST", "/v1/batches", {
        form: { ...fields, files },
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /**
     * `GET /v1/batches`: All batches, newest first, page by page; with `title`, those whose title contains this
     * text.
     */
    listBatches: (query: ListBatchesQuery = {}, options: RequestOptions = {}): Promise<BatchList> =>
      json<"listBatches">("GET", "/v1/batches", { query, options }),

    /** `POST /v1/batches/{batch_id}/members`: Adds texts or files as `POST /v1/batches` takes them. */
    addMembers: (
      batchId: string,
      files: readonly Blob[],
      fields: Omit<AddMembersForm, "files"> = {},
      options: RequestOptions & IdempotencyKeyOption = {},
    ): Promise<AddedMembers> =>
      json<"addMembers">("POST", path`/v1/batches/${batchId}/members`, {
        form: { ...fields, files },
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /** `GET /v1/batches/{batch_id}`: The batch with one page of its members, in the order of their arrival. */
    getBatch: (
      batchId: string,
      query: GetBatchQuery = {},
      options: RequestOptions = {},
    ): Promise<BatchWithMembers> => json<"getBatch">("GET", path`/v1/batches/${batchId}`, { query, options }),

    /** `PATCH /v1/batches/{batch_id}`: Sets a title of 1 to 200 characters, or removes it with `null`. */
    renameBatch: (batchId: string, body: RenameBatchBody, options: RequestOptions = {}): Promise<Batch> =>
      json<"renameBatch">("PATCH", path`/v1/batches/${batchId}`, { body, options }),

    /** `DELETE /v1/batches/{batch_id}`: Permanently deletes the batch with its members, their checks and their pairs. */
    deleteBatch: (batchId: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/batches/${batchId}`, { options }),

    /**
     * `GET /v1/batches/{batch_id}/progress`: A stream of server-sent events, as for a check: the current state,
     * changes (at most four a second), and a final event, `complete`, or `failed` with the status `deleted`.
     */
    followBatch: (batchId: string, options: RequestOptions = {}): Promise<Response> =>
      open("GET", path`/v1/batches/${batchId}/progress`, { options }),

    /**
     * `GET /v1/batches/{batch_id}/report`: Who shares text with whom: members and pairs by descending similarity,
     * page by page, clusters of connected members, the distribution of similarities, and the members that could not
     * be read.
     */
    getBatchReport: (
      batchId: string,
      query: GetBatchReportQuery = {},
      options: RequestOptions = {},
    ): Promise<BatchReport> =>
      json<"getBatchReport">("GET", path`/v1/batches/${batchId}/report`, { query, options }),

    /**
     * `GET /v1/batches/{batch_id}/graph`: All members that were read and the 50,000 most similar pairs at once, for
     * drawing a batch as a whole or for grouping it by thresholds of your own.
     */
    getBatchGraph: (
      batchId: string,
      query: GetBatchGraphQuery = {},
      options: RequestOptions = {},
    ): Promise<BatchGraph> =>
      json<"getBatchGraph">("GET", path`/v1/batches/${batchId}/graph`, { query, options }),

    /**
     * `GET /v1/batches/{batch_id}/pairs/{a}/{b}`: Both texts, and the passages that they have in common; the order
     * of the two members does not matter.
     */
    getBatchPair: (
      batchId: string,
      a: string,
      b: string,
      query: GetBatchPairQuery = {},
      options: RequestOptions = {},
    ): Promise<BatchPairView> =>
      json<"getBatchPair">("GET", path`/v1/batches/${batchId}/pairs/${a}/${b}`, { query, options }),

    /**
     * `GET /v1/batches/{batch_id}/pairs.csv`: One row for each pair of at least `min_similarity`, the most similar
     * first, in UTF-8 with a byte order mark.
     */
    getBatchPairsCsv: (
      batchId: string,
      query: GetBatchPairsCsvQuery = {},
      options: RequestOptions = {},
    ): Promise<string> => text("GET", path`/v1/batches/${batchId}/pairs.csv`, { query, options }),

    /**
     * `GET /v1/batches/{batch_id}/members.csv`: One row for each member, the most similar first, those that could
     * not be read last with the reason.
     */
    getBatchMembersCsv: (
      batchId: string,
      query: GetBatchMembersCsvQuery = {},
      options: RequestOptions = {},
    ): Promise<string> => text("GET", path`/v1/batches/${batchId}/members.csv`, { query, options }),

    /** `GET /health`: Answers without calling a store, so it suits a liveness probe. */
    getHealth: (options: RequestOptions = {}): Promise<{ readonly status: "ok" }> =>
      json<"getHealth">("GET", "/health", { options }),

    /** `GET /ready`: 200 when the stores answer and the schema is current, else 503. */
    getReadiness: (
      options: RequestOptions = {},
    ): Promise<{
      /** Whether every part answers. */
      readonly ready: boolean;
      /** Maps each part to `ok` or to its fault. */
      readonly checks: { readonly [name: string]: string };
    }> => json<"getReadiness">("GET", "/ready", { also: [503], options }),

    /** `GET /metrics`: The metrics of the process since its start, in the Prometheus text format. */
    getMetrics: (options: RequestOptions = {}): Promise<string> => text("GET", "/metrics", { options }),
  };
}

/** Two sides to compare: texts as JSON, because a form changes their line ends. */
function sent(sides: CompareFilesForm) {
  return sides.query_file === undefined && sides.source_file === undefined
    ? { body: sides }
    : { form: sides };
}
