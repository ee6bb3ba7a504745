export { createComparePassages } from "./exports/html/passage-pairs.ts";
export { reportOperations } from "./operations.ts";
export { createReadReport } from "./read-report.ts";
export { ReportStore } from "./report-store.ts";
export { reportRouter } from "./routes.ts";
export { createReadSourceText } from "./source-text/read-source-text.ts";
