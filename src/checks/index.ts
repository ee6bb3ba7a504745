export { checkOperations, streamedSchemas } from "./api/operations.ts";
export { checkRouter, idempotencyKeyOf, UPLOAD_BYTES_MAX } from "./api/routes.ts";
export { SubmitHeaders } from "./api/schema.ts";
export { RUN_CHECK_QUEUES, workOnChecks } from "./check-lanes.ts";
export { createCheckMetrics, createNoteCheck, REMOVE_METRICS_QUEUE } from "./check-metrics.ts";
export { CheckStore } from "./check-store.ts";
export { createFollowCheck, ProgressHub } from "./follow-check.ts";
export { createDeleteOldChecks, createManageChecks } from "./manage-checks.ts";
export { createReadOriginal } from "./read-original.ts";
export { RetrievalStore } from "./retrieval-store.ts";
export { createRunCheck } from "./run-check.ts";
export {
  ACCEPTED_TYPES,
  createSubmitCheck,
  createSubmitUpload,
  IdempotencyStore,
  QUERY_TEXT_CHARS_MAX,
} from "./submit-check.ts";
