export {
  presentFlags,
  presentMatchTypes,
  presentMemberPassage,
  presentPassageOfTwo,
} from "./presented-passages.ts";
export { IntegrityFlag, MatchTypeShares, MemberPassage, UnitsQuery } from "./presented-report.ts";
export { ReportStore, type SemanticCoverage, type SemanticReason, semanticCoverage } from "./report-store.ts";
