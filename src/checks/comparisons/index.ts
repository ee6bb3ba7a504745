export { createCompareTexts } from "./compare-texts.ts";
export { createCompareUploads } from "./compare-uploads.ts";
