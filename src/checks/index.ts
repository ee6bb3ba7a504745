export { RUN_CHECK_QUEUES, workOnChecks } from "./check-lanes.ts";
export { createCheckMetrics, createNoteCheck, REMOVE_METRICS_QUEUE } from "./check-metrics.ts";
export { CheckStore } from "./check-store.ts";
export { createFollowCheck, ProgressHub } from "./follow-check.ts";
export { IdempotencyStore } from "./idempotency-store.ts";
export { createDeleteOldChecks, createManageChecks } from "./manage-checks.ts";
export { createReadOriginal } from "./read-original.ts";
export { RetrievalStore } from "./retrieval-store.ts";
export { createRunCheck, withMeaning } from "./run-check.ts";
export { alignHits } from "./stages/aligning.ts";
export { compareMeaning, indexedTexts, isCovered, type SearchedTexts } from "./stages/comparing-meaning.ts";
export {
  type EncodedQuery,
  type EncodedSentence,
  encodeQuery,
  encodeSentences,
  openedSoon,
  SENTENCES_AT_ONCE,
} from "./stages/encoding-queries.ts";
export { retrieve, TimeBudget } from "./stages/retrieving.ts";
export { createFindByWords, QueryCounts } from "./stages/word-candidates.ts";
export {
  ACCEPTED_TYPES,
  createSubmitCheck,
  createSubmitUpload,
  QUERY_TEXT_CHARS_MAX,
} from "./submit-check.ts";
