import type { ComputePool } from "../compute/compute-pool.ts";
import type { ReportFilters } from "../core/report/filters.ts";
import type { OffsetUnit } from "../core/report/offset-unit.ts";
import type { ReadFigures } from "../core/report/read-figures.ts";
import type { Database } from "../platform/postgres/database.ts";
import { refuseReport } from "./refuse-report.ts";
import type { ReportStore, StoredReport } from "./report-store.ts";

export type ReportView = {
  readonly stored: StoredReport;
  readonly figures: ReadFigures;
  /** Of the documents that are in its explanation alone. */
  readonly candidateTitles: ReadonlyMap<string, string>;
};

export type ReadingOptions = {
  readonly unit: OffsetUnit;
  readonly filters: ReportFilters | undefined;
  readonly explain: boolean;
};

/**
 * A report, filtered and explained where that was asked for.
 * @throws DomainError `check_not_found`; `check_not_complete` for a check that runs or has failed.
 */
export type ReadReport = (checkId: string, options: ReadingOptions) => Promise<ReportView>;

type Parts = { readonly database: Database; readonly reports: ReportStore; readonly compute: ComputePool };

export function createReadReport({ database, reports, compute }: Parts): ReadReport {
  return async (checkId, { unit, filters, explain }) => {
    const stored = await reports.find(database, checkId);
    if (stored === undefined) return refuseReport(await reports.findStatus(database, checkId));
    const recorded = explain ? await reports.findExplanation(database, checkId) : undefined;
    const figures = await compute.run("readFigures", {
      queryText: stored.queryText,
      language: stored.language,
      sources: stored.sources,
      uniquePassages: stored.uniquePassages,
      totalMatchedChars: stored.totalMatchedChars,
      filters,
      unit,
      flags: stored.integrityFlags,
      explain: explain ? { recorded: recorded?.explanation } : undefined,
    });
    return { stored, figures, candidateTitles: recorded?.titles ?? new Map() };
  };
}
