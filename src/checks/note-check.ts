import { percent } from "../core/report/percent.ts";
import type { MetricsIndex } from "../platform/opensearch/metrics-index.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { CheckStore } from "./check-store.ts";

/** Notes a check that has ended for dashboards; `sources` is null for one that failed. Never rejects. */
export type NoteCheck = (checkId: string, sources: number | null) => Promise<void>;

type Parts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly metricsIndex: MetricsIndex;
};

export function createNoteCheck({ database, checks, metricsIndex }: Parts): NoteCheck {
  return async (checkId, sources) => {
    // It may be deleted already, and a store that is away now is no fault of the check.
    const check = await checks.find(database, checkId).catch(() => undefined);
    if (check === undefined || check.completedAt === null) return;
    const { status, coverage, language, wordCount, charCount, totalMatchedChars, createdAt, completedAt } =
      check;
    if (status !== "complete" && status !== "failed") return;
    await metricsIndex.writeCheck({
      checkId,
      status,
      coverage,
      language,
      wordCount,
      charCount,
      chunkCount: check.chunksTotal,
      similarityPct: totalMatchedChars === null ? null : percent(totalMatchedChars, charCount),
      sources,
      durationMs: completedAt.getTime() - (check.startedAt ?? createdAt).getTime(),
      createdAt,
      completedAt,
    });
  };
}
