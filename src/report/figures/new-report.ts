import type { MeaningReason } from "../../matching/meaning/meaning-reason.ts";
import type { IntegrityFlag } from "../../text/integrity.ts";
import type { Explanation } from "./explanation.ts";
import type { ReportFigures } from "./report.ts";

/** The result that a check stores. */
export type NewReport = {
  readonly figures: ReportFigures;
  readonly explanation: Explanation;
  readonly integrityFlags: readonly IntegrityFlag[];
  /** Chunks of the text for which the whole corpus was searched, of `totalChunks`. */
  readonly checkedChunks: number;
  readonly totalChunks: number;
  /** Documents in the corpus. */
  readonly corpusSources: number;
  /** Documents whose meaning was compared. */
  readonly semanticDocuments: number;
  /** Why not all of them. */
  readonly semanticReason: MeaningReason | null;
};
