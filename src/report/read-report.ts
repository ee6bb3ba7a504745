import type { CorpusStores } from "../corpus/index.ts";
import type { Compute } from "../platform/compute-pool.ts";
import { DomainError } from "../platform/domain-error.ts";
import { withHiddenText } from "../text/hidden-text.ts";
import { appliedFilters, type KeptFilters, namesFilter, toFilters } from "./asked-filters.ts";
import type { ReportUnits } from "./figures/offset-unit.ts";
import type { ReadFigures } from "./figures/read-figures.ts";
import type { StandingExclusions } from "./figures/standing-exclusions.ts";
import type { BatchMatches, PassageNote, ReportStore, StoredReport } from "./report-store.ts";
import type * as tasks from "./tasks.ts";

/** A report while it is read and filtered. Four keep the threads busy; with 32, the main thread was blocked for seconds. */
export const READING_BYTES = 64 * 1024 * 1024;

export type ReportView = {
  /** With the review only if it was asked for. */
  readonly stored: StoredReport;
  /** The filters in effect, under their wire names; undefined if there are none. */
  readonly applied: Readonly<Record<string, unknown>> | undefined;
  readonly figures: ReadFigures;
  /** What is left out of all reports, also where this one has it. */
  readonly standing: StandingExclusions | undefined;
  /** Also of passages that the filters leave out, and of deleted sources. */
  readonly notes: readonly PassageNote[];
  /** The titles of documents that appear only in the explanation. */
  readonly candidateTitles: ReadonlyMap<string, string>;
  /** Of a member of a batch. */
  readonly batch: BatchMatches | undefined;
};

type ReadingOptions = {
  readonly units: ReportUnits;
  readonly asked: KeptFilters;
  /** Whether the kept filters are applied unless the request names filters, and the review is shown. */
  readonly withReview: boolean;
  readonly explain: boolean;
};

/** A report, with filters and explanations if requested. @throws DomainError `check_not_found`; `check_not_complete`. */
export type ReadReport = (checkId: string, options: ReadingOptions) => Promise<ReportView>;

type ReadReportParts = Pick<CorpusStores, "database"> & {
  readonly compute: Compute<typeof tasks>;
  readonly reports: ReportStore;
  readonly standingExclusions?: StandingExclusions | undefined;
};

export function createReadReport({
  database,
  reports,
  compute,
  standingExclusions,
}: ReadReportParts): ReadReport {
  return async (checkId, { units, asked, withReview, explain }) => {
    const found = await reports.find(database, checkId);
    if (found === undefined) return refuseReport(await reports.findStatus(database, checkId));
    const stored = withReview ? found : { ...found, review: null };
    const wanted = namesFilter(asked) ? asked : (stored.review?.filters ?? {});
    const applied = appliedFilters(wanted);
    const isStanding = wanted.standing_exclusions !== false;
    const notes = await reports.listNotes(database, checkId);
    const recorded = explain ? await reports.findExplanation(database, checkId) : undefined;
    // Deleted since its report was read.
    if (explain && recorded === undefined) throw checkNotFound();
    const figures = await compute.run("readFigures", {
      queryText: stored.queryText,
      language: stored.language,
      sources: stored.sources,
      uniquePassages: stored.uniquePassages,
      totalMatchedChars: stored.totalMatchedChars,
      byMatchType: stored.byMatchType,
      filters: applied && toFilters(wanted),
      standing: isStanding ? leavesOut(standingExclusions, stored) : undefined,
      units,
      flags: withHiddenText(stored.integrityFlags, stored.hiddenText),
      pageMargins: stored.pageMargins,
      explanation: recorded?.explanation,
    });
    const batch = await reports.findBatchMatches(database, checkId);
    const candidateTitles = recorded?.titles ?? new Map();
    return { stored, applied, figures, notes, candidateTitles, batch, standing: standingExclusions };
  };
}

/** The standing exclusions with the sources of the report that are in a collection to leave out. */
function leavesOut(standing: StandingExclusions | undefined, { sources }: StoredReport) {
  if (standing === undefined) return undefined;
  const collected = sources.filter(
    ({ collection }) => collection !== null && standing.collections.includes(collection),
  );
  return { ...standing, sources: [...standing.sources, ...collected.map(({ documentId }) => documentId)] };
}

/** Says why there is no report. @throws DomainError `check_not_found` for an undefined status, else `check_not_complete`. */
export function refuseReport(status: string | undefined): never {
  if (status === undefined) throw checkNotFound();
  throw new DomainError(
    "check_not_complete",
    status === "failed"
      ? "The check has failed and has no report. See its error_message."
      : `The check is ${status}. Its report is available once it is complete; follow its progress stream.`,
  );
}

export function checkNotFound(checkId = "with this identifier"): DomainError {
  return new DomainError("check_not_found", `There is no check ${checkId}.`);
}
