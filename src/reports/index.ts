export { reportOperations } from "./api/operations.ts";
export { presentMemberPassage } from "./api/presenter.ts";
export { reportRouter } from "./api/routes.ts";
export { MemberPassage } from "./api/schema.ts";
export { createComparePassages } from "./exports/html/passage-pairs.ts";
export { createReadReport } from "./read-report.ts";
export { createReadSourceText } from "./read-source-text.ts";
export { ReportStore, type SemanticCoverage, type SemanticReason, semanticCoverage } from "./report-store.ts";
