import type { Operation } from "../../http/docs/operation.ts";
import type { ProblemCode } from "../../http/problem.ts";
import {
  acceptedExamples,
  checkExamples,
  listExamples,
  progressExamples,
  renamedExamples,
  renameExamples,
  statsExamples,
  submitExamples,
  uploadExamples,
} from "./examples.ts";
import {
  CheckList,
  CheckMetadata,
  CheckParams,
  CheckStats,
  ListChecksQuery,
  ProgressEnd,
  ProgressEvent,
  RenameCheckBody,
  StreamedEvent,
  SubmitCheckBody,
  SubmitHeaders,
  Submitted,
  UploadCheckForm,
} from "./schema.ts";

const TAGS = ["Checks"] as const;

const BODY_ERRORS = [
  "malformed_body",
  "request_timeout",
  "service_busy",
  "body_too_large",
  "unsupported_media_type",
  "invalid_input",
] as const satisfies readonly ProblemCode[];

const submitCheckOperation = {
  method: "post",
  path: "/v1/checks",
  operationId: "submitCheck",
  summary: "Submit a text",
  description: `
Accepts a text and checks it in the background. Follow the check at \`progress_url\`, or ask \`status_url\` now and then;
once it is complete, \`report_url\` has the result.

The text is kept exactly as it was sent. It has 1 to 500,000 characters, none of them U+0000; the whole body is at most
8 MiB. Members that are not described here are ignored, and \`null\` is the same as leaving an optional one out.

With an \`Idempotency-Key\`, a repetition of the same request within 24 hours answers with the first check instead of
making another. The key of one request can't serve a different one (409). It is gone when its check is deleted.

When more checks wait than the service takes on, the answer is 503 with \`Retry-After\`, and nothing was accepted.
`.trim(),
  tags: TAGS,
  request: {
    headers: SubmitHeaders,
    body: { contentType: "application/json", schema: SubmitCheckBody, examples: submitExamples },
  },
  responses: {
    202: { description: "The check waits for its turn.", schema: Submitted, examples: acceptedExamples },
  },
  errors: [...BODY_ERRORS, "idempotency_key_reused", "store_unavailable"],
} as const satisfies Operation;

const submitUploadOperation = {
  method: "post",
  path: "/v1/checks/upload",
  operationId: "submitUpload",
  summary: "Submit a file",
  description: `
Reads the text of a PDF, DOCX or TXT file of at most 10 MiB and checks it as \`POST /v1/checks\` does.

The content decides what a file is, not its name. TXT is UTF-8, UTF-16 with a byte-order mark, or else windows-1252.
The text is taken as it is: line ends stay, only a byte-order mark goes, and U+0000 becomes U+FFFD. Without a \`title\` the
check is called like the file, cut to 200 characters. An \`Idempotency-Key\` works here as for texts, and over both.
`.trim(),
  tags: TAGS,
  request: {
    headers: SubmitHeaders,
    body: { contentType: "multipart/form-data", schema: UploadCheckForm, examples: uploadExamples },
  },
  responses: {
    202: { description: "The check waits for its turn.", schema: Submitted, examples: acceptedExamples },
  },
  errors: [
    ...BODY_ERRORS,
    "unsupported_file_type",
    "unreadable_file",
    "no_extractable_text",
    "text_too_long",
    "idempotency_key_reused",
    "store_unavailable",
  ],
} as const satisfies Operation;

const listChecksOperation = {
  method: "get",
  path: "/v1/checks",
  operationId: "listChecks",
  summary: "List the checks",
  description:
    "All checks, newest first, page by page. A row is the check's metadata and the first 120 characters of its text. With " +
    "`title` or `status` only the checks are listed, and counted in `total`, whose title holds that text, or that are in " +
    "that state. In a search, upper and lower case are the same, and no character has a meaning of its own.",
  tags: TAGS,
  request: { query: ListChecksQuery },
  responses: { 200: { description: "One page.", schema: CheckList, examples: listExamples } },
  errors: ["invalid_input", "store_unavailable"],
} as const satisfies Operation;

const checkStatsOperation = {
  method: "get",
  path: "/v1/checks/stats",
  operationId: "getCheckStats",
  summary: "Figures over all checks",
  description:
    "Counts of checks, words and corpus documents, and the mean similarity of the checks completed last (100 at most).",
  tags: TAGS,
  responses: { 200: { description: "The figures.", schema: CheckStats, examples: statsExamples } },
  errors: ["store_unavailable"],
} as const satisfies Operation;

const getCheckOperation = {
  method: "get",
  path: "/v1/checks/:check_id",
  operationId: "getCheck",
  summary: "Look at a check",
  description: `
The check's metadata. Its \`status\` moves from \`pending\` to \`running\` and ends as \`complete\` or \`failed\`; while it
runs, \`stage\` says what it is at. A failed check says in \`error_message\` what to do.
`.trim(),
  tags: TAGS,
  request: { params: CheckParams },
  responses: { 200: { description: "The metadata.", schema: CheckMetadata, examples: checkExamples } },
  errors: ["check_not_found", "store_unavailable"],
} as const satisfies Operation;

const followCheckOperation = {
  method: "get",
  path: "/v1/checks/:check_id/progress",
  operationId: "followCheck",
  summary: "Follow a check",
  description: `
A stream of server-sent events: first the present state, then each change, then one end, after which the server closes.
The events on the way have no name; the last one is \`complete\` or \`failed\`. A check that has ended gives its end alone,
and one that is deleted ends as \`failed\` with the status \`deleted\`. No stage is skipped and \`chunks_done\` never falls.

    data: {"stage":"retrieving","chunks_done":16,"chunks_total":40}

    event: complete
    data: {"check_id":"01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf","status":"complete","overall_similarity_pct":65.79,…}

A comment line every 15 seconds keeps the connection open. When it breaks all the same, connect again: nothing is lost
but steps on the way.
`.trim(),
  tags: TAGS,
  request: { params: CheckParams },
  responses: {
    200: {
      description: "The stream. The schema and the examples are those of one event.",
      contentType: "text/event-stream",
      schema: StreamedEvent,
      examples: progressExamples,
      headers: {
        "Cache-Control": "`no-store`: a stream is nobody's to keep.",
        "X-Accel-Buffering": "`no`: asks a proxy to pass each event on at once.",
      },
    },
  },
  errors: ["check_not_found", "store_unavailable"],
} as const satisfies Operation;

const renameCheckOperation = {
  method: "patch",
  path: "/v1/checks/:check_id",
  operationId: "renameCheck",
  summary: "Rename a check",
  description:
    "Gives the check another title of 1 to 200 characters, or none with `null`. Nothing else can be changed.",
  tags: TAGS,
  request: {
    params: CheckParams,
    body: { contentType: "application/json", schema: RenameCheckBody, examples: renameExamples },
  },
  responses: {
    200: { description: "The metadata as it is now.", schema: CheckMetadata, examples: renamedExamples },
  },
  errors: ["check_not_found", ...BODY_ERRORS, "store_unavailable"],
} as const satisfies Operation;

const deleteCheckOperation = {
  method: "delete",
  path: "/v1/checks/:check_id",
  operationId: "deleteCheck",
  summary: "Delete a check",
  description:
    "Removes the check with its text, its report and its idempotency key for good. One that is running stops.",
  tags: TAGS,
  request: { params: CheckParams },
  responses: { 204: { description: "The check is gone." } },
  errors: ["check_not_found", "store_unavailable"],
} as const satisfies Operation;

export const checkOperations: readonly Operation[] = [
  submitCheckOperation,
  submitUploadOperation,
  listChecksOperation,
  checkStatsOperation,
  getCheckOperation,
  followCheckOperation,
  renameCheckOperation,
  deleteCheckOperation,
];

/** The JSON inside the events of the progress stream. */
export const streamedSchemas = { ProgressEvent, ProgressEnd };
