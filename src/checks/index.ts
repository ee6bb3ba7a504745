// The part of checks that other features use. The service imports the files themselves.
export { CheckStore } from "./check-store.ts";
export { type IdempotencyStore, keyedRequest } from "./idempotency-store.ts";
export { REMOVE_METRICS_QUEUE } from "./record-check-metrics.ts";
export { RunStore } from "./run-store.ts";
export { extractTemplate, QUERY_TEXT_CHARS_MAX, type SubmitCheck } from "./submit-check.ts";
