export {
  presentMatchTypes,
  presentMemberPassage,
  presentPassageOfTwo,
} from "./presented-passages.ts";
export { MatchTypeShares, MemberPassage, TextFindings, UnitsQuery } from "./presented-report.ts";
export { checkNotFound, type ReadReport, refuseReport } from "./read-report.ts";
export { ReportStore } from "./report-store.ts";
export {
  presentReview,
  type Review,
  ReviewChanges,
  ShownReview,
} from "./review.ts";
