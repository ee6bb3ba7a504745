import type { MeaningReason } from "../../matching/meaning/meaning-reason.ts";

/** Whether the meaning of a text was compared with all documents, with some or with none. */
export type SemanticCoverage = "full" | "partial" | "none";

/** @param documents with how many it was compared; @param reason why not with all */
export function semanticCoverage(documents: number, reason: MeaningReason | null): SemanticCoverage {
  if (reason === null) return "full";
  const isPart = reason === "not_encoded" || reason === "time_cap";
  return isPart && documents > 0 ? "partial" : "none";
}
