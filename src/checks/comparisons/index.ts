export { comparisonOperations } from "./api/operations.ts";
export { comparisonRouter } from "./api/routes.ts";
export { createCompareTexts } from "./compare-texts.ts";
export { createCompareUploads } from "./compare-uploads.ts";
