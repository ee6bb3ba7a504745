import type { MatchedSource, ReportFigures } from "../../core/report/report.ts";
import type { IntegrityFlag } from "../../core/text/integrity.ts";
import type { DocumentStore } from "../../corpus/index.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ReportStore } from "../../reports/index.ts";
import type { CheckStore, RunKey } from "../check-store.ts";

export type AssembleInput = {
  readonly run: RunKey;
  readonly sources: readonly MatchedSource[];
  readonly assemble: (sources: readonly MatchedSource[]) => Promise<ReportFigures>;
  readonly integrityFlags: readonly IntegrityFlag[];
  readonly checkedChunks: number;
  readonly totalChunks: number;
};

export type AssembleParts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly reports: ReportStore;
  readonly documents: DocumentStore;
};

/**
 * Writes the report and ends the check in one transaction. Sources that were deleted since they were aligned are
 * left out; the others can't be deleted before the report stands.
 * @returns false when the run no longer owns the check; nothing is written then.
 */
export async function assembleReport(parts: AssembleParts, input: AssembleInput): Promise<boolean> {
  const { database, checks, reports, documents } = parts;
  const corpusSources = await documents.countMatchable(database);
  return database
    .transaction(async (transaction) => {
      const ids = input.sources.map((source) => source.documentId);
      const existing = await documents.holdExisting(transaction, ids);
      const figures = await input.assemble(input.sources.filter((source) => existing.has(source.documentId)));
      const coverage = input.checkedChunks < input.totalChunks ? "partial" : "full";
      const owned = await checks.complete(transaction, input.run, figures.totalMatchedChars, coverage);
      if (!owned) throw new RunLost();
      await reports.insert(transaction, input.run.checkId, {
        figures,
        integrityFlags: input.integrityFlags,
        checkedChunks: input.checkedChunks,
        totalChunks: input.totalChunks,
        corpusSources,
      });
      return true;
    })
    .catch((error: unknown) => {
      if (error instanceof RunLost) return false;
      throw error;
    });
}

/** The check was deleted or taken over by a later run; what this run has found is of no use. */
export class RunLost extends Error {
  override readonly name = "RunLost";
}
