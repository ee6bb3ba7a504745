import type { MeaningCoverage } from "../matching/compare-meaning.ts";
import type { MatchType } from "../matching/words/match-type.ts";
import type { MatchedSource } from "../matching/words/source-passage.ts";
import type { Database, Queryable } from "../platform/postgres/database.ts";
import type { Explanation } from "../report/figures/explanation.ts";
import type { NewReport } from "../report/figures/new-report.ts";
import { COUNTED_DOCUMENTS_MAX, type ReportFigures } from "../report/figures/report.ts";
import { type SemanticCoverage, semanticCoverage } from "../report/figures/semantic-coverage.ts";
import type { IntegrityFlag } from "../text/integrity.ts";
import type { Coverage } from "./check.ts";
import type { CheckStore, RunKey } from "./check-store.ts";
import type { RetrievalStore } from "./retrieval-store.ts";

export type CompleteCheckInput = {
  readonly run: RunKey;
  readonly sources: readonly MatchedSource[];
  readonly computeFigures: (sources: readonly MatchedSource[]) => Promise<ReportFigures>;
  readonly explanation: Explanation;
  readonly integrityFlags: readonly IntegrityFlag[];
  readonly checkedChunks: number;
  readonly totalChunks: number;
  readonly meaning: MeaningCoverage;
  /** Runs in the transaction that ends the check. */
  readonly onEnd: (transaction: Queryable) => Promise<void>;
};

export type CompleteCheckParts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly retrievals: RetrievalStore;
  readonly reports: { insert(transaction: Queryable, checkId: string, report: NewReport): Promise<void> };
  /** The documents of the corpus. */
  readonly documents: {
    /** Counts beyond `exactMax` are estimates. */
    countMatchable(db: Queryable, exactMax: number): Promise<number>;
    /** Which of them exist; none of these can be deleted until the transaction ends. */
    holdExisting(transaction: Queryable, documentIds: readonly string[]): Promise<ReadonlySet<string>>;
  };
};

/**
 * Writes the report and ends the check in one transaction. Sources deleted since they were aligned are left out; the others
 * can't be deleted before the report is written.
 * @returns whether the corpus was searched for the whole text, and the findings.
 * @throws RunLost when the run no longer owns the check; nothing is written then.
 */
export async function completeCheck(
  { database, checks, retrievals, reports, documents }: CompleteCheckParts,
  {
    run,
    computeFigures,
    explanation,
    integrityFlags,
    checkedChunks,
    totalChunks,
    meaning,
    onEnd,
    ...input
  }: CompleteCheckInput,
): Promise<CompletedCheck> {
  const coverage = checkedChunks < totalChunks ? "partial" : "full";
  const counted = documents.countMatchable(database, COUNTED_DOCUMENTS_MAX);
  for (let sources = input.sources; ; ) {
    // Outside the transaction, which must not hold rows and a connection while it waits for a thread.
    const [figures, corpusSources] = await Promise.all([computeFigures(sources), counted]);
    const ids = sources.map((source) => source.documentId);
    const existing = await database.transaction(async (transaction) => {
      const held = await documents.holdExisting(transaction, ids);
      if (held.size < ids.length) return held;
      const { checkId } = run;
      const owned = await checks.complete(transaction, run, figures.totalMatchedChars, coverage);
      if (!owned) throw new RunLost();
      await retrievals.drop(transaction, checkId);
      const facts = { integrityFlags, checkedChunks, totalChunks, corpusSources };
      const report = {
        figures,
        explanation,
        ...facts,
        semanticDocuments: meaning.documents,
        semanticReason: meaning.reason,
      };
      await reports.insert(transaction, checkId, report);
      await onEnd(transaction);
      return held;
    });
    if (existing.size === ids.length) {
      const { documents: compared, reason } = meaning;
      const found = sources.flatMap(({ passages }) => passages.map(({ matchType }) => matchType));
      return {
        coverage,
        semanticCoverage: semanticCoverage(compared, reason),
        sources: ids.length,
        matchTypes: [...new Set(found)],
      };
    }
    sources = sources.filter((source) => existing.has(source.documentId));
  }
}

export type CompletedCheck = {
  readonly coverage: Coverage;
  readonly semanticCoverage: SemanticCoverage;
  readonly sources: number;
  /** The kinds of passages that were found, each once. */
  readonly matchTypes: readonly MatchType[];
};

/** The check was deleted or taken over by a later run, so the results of this run are useless. */
export class RunLost extends Error {
  override readonly name = "RunLost";
}
