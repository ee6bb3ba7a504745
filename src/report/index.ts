export { appliedFilters } from "./asked-filters.ts";
export {
  presentMatchTypes,
  presentMemberPassage,
  presentPassageOfTwo,
} from "./presented-passages.ts";
export { MemberPassage, SharedSchemas } from "./presented-report.ts";
export { checkNotFound, READING_BYTES, type ReadReport, refuseReport } from "./read-report.ts";
export { ReportStore } from "./report-store.ts";
export {
  presentReview,
  type Review,
  ReviewChanges,
  ShownReview,
} from "./review.ts";
