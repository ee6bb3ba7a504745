export {
  presentMatchTypes,
  presentMemberPassage,
  presentPassageOfTwo,
} from "./presented-passages.ts";
export {
  IntegrityFlag,
  MatchTypeShares,
  MemberPassage,
  UnitsQuery,
  type WireReport,
} from "./presented-report.ts";
export { checkNotFound, type ReadReport, refuseReport } from "./read-report.ts";
export { ReportStore } from "./report-store.ts";
