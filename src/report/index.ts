export {
  presentMatchTypes,
  presentMemberPassage,
  presentPassageOfTwo,
} from "./presented-passages.ts";
export { IntegrityFlag, MatchTypeShares, MemberPassage, UnitsQuery } from "./presented-report.ts";
export { checkNotFound, type ReadReport, refuseReport } from "./read-report.ts";
export { ReportStore } from "./report-store.ts";
export {
  presentReview,
  REVIEW_STATUSES,
  type Review,
  ReviewChanges,
  type ReviewStatus,
  ShownReview,
} from "./review.ts";
