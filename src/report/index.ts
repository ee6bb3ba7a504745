export {
  presentMatchTypes,
  presentMemberPassage,
  presentPassageOfTwo,
} from "./presented-passages.ts";
export { IntegrityFlag, MatchTypeShares, MemberPassage, UnitsQuery } from "./presented-report.ts";
export { checkNotFound, refuseReport } from "./read-report.ts";
export { ReportStore } from "./report-store.ts";
