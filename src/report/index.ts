export { reportOperations } from "./api/operations.ts";
export {
  presentFlags,
  presentMatchTypes,
  presentMemberPassage,
  presentPassageOfTwo,
} from "./api/presenter.ts";
export { UnitsQuery } from "./api/report-query.ts";
export { reportRouter } from "./api/routes.ts";
export { IntegrityFlag, MatchTypeShares, MemberPassage } from "./api/schema.ts";
export { createComparePassages } from "./exports/html/passage-pairs.ts";
export { createMakePdf } from "./exports/pdf/report-pdf.ts";
export { PassageNoteStore } from "./passage-note-store.ts";
export { createPassageNotes } from "./passage-notes.ts";
export { createReadReport } from "./read-report.ts";
export { createReadSourceText } from "./read-source-text.ts";
export { ReportStore } from "./report-store.ts";
