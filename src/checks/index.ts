export { checkOperations, streamedSchemas } from "./api/operations.ts";
export { checkRouter } from "./api/routes.ts";
export { createCheckMetrics, createNoteCheck, REMOVE_METRICS_QUEUE } from "./check-metrics.ts";
export { CheckStore } from "./check-store.ts";
export { createFollowCheck, ProgressHub } from "./follow-check.ts";
export { createDeleteOldChecks, createManageChecks } from "./manage-checks.ts";
export { RetrievalStore } from "./retrieval-store.ts";
export { createRunCheck } from "./run-check.ts";
export {
  createSubmitCheck,
  createSubmitUpload,
  IdempotencyStore,
  RUN_CHECK_QUEUE,
} from "./submit-check.ts";
