import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CurrentEncoder } from "../matching/encoder/sentence-encoder.ts";
import { type Matches, match } from "../matching/match.ts";
import type { SearchableSet, WordIndex } from "../matching/set.ts";
import type * as matchingTasks from "../matching/tasks.ts";
import { TimeBudget } from "../matching/time-budget.ts";
import type { MatchType } from "../matching/words/match-type.ts";
import type { Compute } from "../platform/compute-pool.ts";
import { DomainError, HandedBack } from "../platform/domain-error.ts";
import type { Logger } from "../platform/logger.ts";
import type { Database, Queryable } from "../platform/postgres/database.ts";
import type { Tracing } from "../platform/tracing.ts";
import { explainCandidates } from "../report/figures/explanation.ts";
import type * as figureTasks from "../report/figures/figures.ts";
import {
  type Coverage,
  type NewReport,
  type SemanticCoverage,
  semanticCoverage,
} from "../report/figures/report.ts";
import { blankMargins } from "../text/margins.ts";
import { type CheckScope, type CheckStage, laneOf } from "./check.ts";
import type { CheckMetrics } from "./check-metrics.ts";
import type { PendingUploads, RunKey, RunProgress, RunStore, StartedRun } from "./run-store.ts";

const FAILED_ATTEMPTS_MAX = 3;

/**
 * A check that was interrupted more often than this fails, because it may be the cause. Fewer interruptions do not count as
 * failures of the check: the work on its text runs in threads, whose failures do not end the process.
 */
const INTERRUPTIONS_MAX = 20;

/** Records an ended check and its findings for dashboards; null for a failed one. Never rejects. */
export type RecordCheckMetrics = (
  checkId: string,
  outcome: Pick<CompletedCheck, "sources" | "semanticCoverage" | "matchTypes"> | null,
) => Promise<void>;

/** The documents that a check is compared with. */
type ComparedDocuments = SearchableSet & {
  /** Their number; an estimate if there are many. */
  readonly countDocuments: () => Promise<number>;
};

type RunCheckParts = {
  readonly database: Database;
  readonly compute: Compute<typeof matchingTasks & Pick<typeof figureTasks, "computeFigures">>;
  /** The whole corpus, or a selection of its documents. */
  readonly corpusOf: (selection: ReturnType<typeof selectionOf>) => ComparedDocuments;
  readonly chunkIndex: Pick<WordIndex, "assertCurrent">;
  readonly documents: {
    /** Returns the documents that exist; they can't be deleted before the transaction ends. */
    readonly holdExisting: (transaction: Queryable, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  };
  readonly runs: RunStore;
  readonly reports: {
    readonly insert: (transaction: Queryable, checkId: string, report: NewReport) => Promise<void>;
  };
  readonly encoder: CurrentEncoder;
  /** Tells the operator's other programs that a check has ended. */
  readonly announceEnd: (transaction: Queryable, checkId: string) => Promise<void>;
  readonly log: Logger;
  readonly metrics: CheckMetrics;
  readonly tracing: Tracing;
  readonly recordCheckMetrics: RecordCheckMetrics;
  readonly timeBudgetMs: number;
};

/** Runs one check to its report; one that has ended is skipped. @throws when another run is worthwhile. */
export function createRunCheck(parts: RunCheckParts) {
  const { database, runs, log, metrics } = parts;

  return async (checkId: string, signal: AbortSignal): Promise<void> => {
    // This comes first: while the index is unavailable, a check stays as it is and no computation is wasted.
    await parts.chunkIndex.assertCurrent();
    const run: RunKey = { checkId, runId: randomUUID() };
    const started = await runs.start(database, checkId, run.runId);
    if (started === undefined) return;
    if (started.waitSeconds !== null) {
      metrics.waitSeconds.observe({ size: laneOf(started.wordCount) }, started.waitSeconds);
    }
    if (started.interruptions > INTERRUPTIONS_MAX) {
      await fail(
        run,
        started,
        `The check was interrupted ${started.interruptions} times. Submit the text again.`,
      );
      return;
    }
    const writes = new RunWrites();
    try {
      const assembled = await runStages(parts, run, started, signal, writes).finally(() =>
        // A run is settled after its last write.
        writes.ended().catch(() => undefined),
      );
      const { coverage, semanticCoverage } = assembled;
      metrics.checksFinished.inc({ status: "complete", coverage });
      metrics.checksByMeaning.inc({ coverage: semanticCoverage });
      log.info({ checkId, ...assembled }, "check complete");
      void parts.recordCheckMetrics(checkId, assembled);
    } catch (error) {
      await settle(run, started, signal, error);
    }
  };

  async function settle(
    run: RunKey,
    started: StartedRun,
    signal: AbortSignal,
    error: unknown,
  ): Promise<void> {
    if (error instanceof RunLost) {
      log.info({ checkId: run.checkId }, "run dropped: the check was deleted or taken over");
      return;
    }
    if (signal.aborted || error instanceof HandedBack) {
      await runs.release(database, run, false);
      throw error instanceof HandedBack
        ? error
        : new HandedBack("the run was asked to stop", { cause: error });
    }
    if (error instanceof DomainError && error.code === "store_unavailable") {
      // Without PostgreSQL the check can't be released; the next run takes it over.
      await runs.release(database, run, false).catch(() => undefined);
      throw error;
    }
    if (started.failedAttempts + 1 < FAILED_ATTEMPTS_MAX) {
      await runs.release(database, run, true);
      throw error;
    }
    log.error({ checkId: run.checkId, err: error }, "check failed for good");
    await fail(
      run,
      started,
      `The check failed ${FAILED_ATTEMPTS_MAX} times because of an internal error. Submit the text again; if that ` +
        `fails too, ask your administrator: the service's log has the cause under this check's identifier.`,
    );
  }

  async function fail(run: RunKey, started: StartedRun, message: string): Promise<void> {
    const failed = await database.transaction(async (transaction) => {
      if (!(await runs.fail(transaction, run, message))) return false;
      await runs.dropKept(transaction, run.checkId);
      if (!started.isMember) await parts.announceEnd(transaction, run.checkId);
      return true;
    });
    if (!failed) return;
    metrics.checksFinished.inc({ status: "failed", coverage: "none" });
    void parts.recordCheckMetrics(run.checkId, null);
  }
}

/** Runs the stages and announces each. */
async function runStages(
  parts: RunCheckParts,
  run: RunKey,
  started: StartedRun,
  signal: AbortSignal,
  writes: RunWrites,
) {
  const { database, runs, compute, encoder, metrics, tracing } = parts;
  const { language } = started;
  // Only a first run has a waiting time.
  const isFirstRun = started.waitSeconds !== null;
  // Excluded parts are blanked, so offsets do not change.
  const text = blankMargins(started.queryText, started.uncompared);
  const progress = { chunksDone: 0, chunksTotal: 0, retrievingMs: started.retrievingMs };
  let uploads: Pick<PendingUploads, "pending" | "uncompared"> = { pending: 0, uncompared: [] };

  const query = await stage("chunking", () =>
    compute.run("analyseQuery", { text, language, withSentences: encoder.isOn }),
  );
  const totalChunks = query.forms.length;
  progress.chunksTotal = totalChunks;
  // The stage waits until uploads are fingerprinted; see `CHECK_STAGES`.
  await stage("fingerprinting", async () => {
    uploads = await awaitUploads(parts, run, started.wordCount, signal);
  });

  const budget = new TimeBudget(parts.timeBudgetMs, started.retrievingMs);
  const corpus = parts.corpusOf(selectionOf(started));
  const matches = await match({ ...query, text, language }, corpus, {
    ...{ compute, encoder, budget, signal, queryKey: run.runId, stage },
    vectors: {
      find: (generation) => runs.findVectors(database, run.checkId, generation),
      keep: (generation, first, vectors) => runs.keepVectors(database, run, generation, first, vectors),
    },
    earlier: async () => (isFirstRun ? [] : runs.findRetrieved(database, run.checkId)),
    onRetrieved: async (done, batch) => {
      progress.chunksDone = done;
      progress.retrievingMs = budget.spentMs;
      writes.add(() => runs.keepRetrieved(database, run, batch));
      // Waited for, so that a lost run stops here; the end of this stage is announced by the next.
      if (done < totalChunks) await announce("retrieving");
    },
  });

  const assembled = await stage("assembling", () =>
    completeCheck(
      parts,
      run,
      started,
      { integrityFlags: query.integrityFlags, totalChunks, ...matches },
      corpus.countDocuments(),
      writes,
    ),
  );
  if (assembled.coverage === "partial") {
    const reason = matches.incompleteChunks > 0 ? "incomplete_searches" : "time_budget";
    metrics.checksPartial.inc({ reason });
  }
  return assembled;

  async function stage<T>(name: CheckStage, work: () => Promise<T>): Promise<T> {
    // Not awaited: the work of a stage begins while the stage is announced. If that fails, the next announcement throws its error.
    announce(name);
    const stopTimer = metrics.stageSeconds.startTimer({ stage: name });
    const result = await tracing.step({ name: `stage ${name}`, kind: "internal" }, work);
    stopTimer();
    return result;
  }

  /** @throws the error of an earlier write, such as RunLost, so that a lost run ends with its stage. */
  function announce(name: CheckStage): Promise<void> {
    signal.throwIfAborted();
    writes.throwIfFailed();
    const { pending: documentsPending, uncompared } = uploads;
    const state: RunProgress = { stage: name, ...progress, documentsPending, uncompared };
    return writes.add(async () => {
      if (!(await runs.advance(database, run, state))) throw new RunLost();
    });
  }
}

/** The documents of the corpus to compare with; null restricts nothing. Undefined for the whole corpus. */
function selectionOf({ group, owner, leaveOut, collections }: CheckScope) {
  if (leaveOut === null && collections === null) return undefined;
  return {
    collections,
    withoutOwner: leaveOut === "owner" ? owner : null,
    withoutGroup: leaveOut === "group" ? group : null,
  };
}

type CompletedCheck = {
  readonly coverage: Coverage;
  readonly semanticCoverage: SemanticCoverage;
  readonly sources: number;
  /** The kinds of passages that were found, each once. */
  readonly matchTypes: readonly MatchType[];
};

/**
 * Writes the report and ends the check in one transaction. Sources deleted since they were aligned are left out; the others
 * can't be deleted before the report is written.
 * @throws RunLost when the run no longer owns the check; nothing is written then.
 */
async function completeCheck(
  parts: RunCheckParts,
  run: RunKey,
  started: StartedRun,
  found: Matches & Pick<matchingTasks.AnalysedQuery, "integrityFlags"> & { readonly totalChunks: number },
  counted: Promise<number>,
  writes: RunWrites,
): Promise<CompletedCheck> {
  const { database, documents, runs, compute } = parts;
  const { integrityFlags, checkedChunks, totalChunks, meaning } = found;
  const coverage = checkedChunks < totalChunks ? "partial" : "full";
  const explanation = explainCandidates(found.sources, found.pairs);
  for (let sources = found.sources.filter(({ passages }) => passages.length > 0); ; ) {
    // Outside the transaction, which must not hold rows and a connection while it waits for a thread.
    const [figures, corpusSources] = await Promise.all([
      compute.run("computeFigures", { queryText: started.queryText, sources }),
      counted,
    ]);
    // The check can't end while a retrieval is still being written.
    await writes.ended();
    const ids = sources.map((source) => source.documentId);
    const existing = await database.transaction(async (transaction) => {
      const held = await documents.holdExisting(transaction, ids);
      // A source was deleted meanwhile: the figures are computed again without it.
      if (held.size < ids.length) return held;
      const owned = await runs.complete(transaction, run, figures.totalMatchedChars, coverage);
      if (!owned) throw new RunLost();
      await runs.dropKept(transaction, run.checkId);
      await parts.reports.insert(transaction, run.checkId, {
        ...{ figures, explanation, integrityFlags, checkedChunks, totalChunks, corpusSources },
        semanticDocuments: meaning.documents,
        semanticReason: meaning.reason,
      });
      if (!started.isMember) await parts.announceEnd(transaction, run.checkId);
      return held;
    });
    if (existing.size === ids.length) {
      const types = sources.flatMap(({ passages }) => passages.map(({ matchType }) => matchType));
      return {
        coverage,
        semanticCoverage: semanticCoverage(meaning.documents, meaning.reason),
        sources: ids.length,
        matchTypes: [...new Set(types)],
      };
    }
    sources = sources.filter((source) => existing.has(source.documentId));
  }
}

/** The check was deleted or taken over by a later run, so the results of this run are useless. */
class RunLost extends Error {
  override readonly name = "RunLost";
}

/** Runs the writes of a run one after another, and none after a failure. */
class RunWrites {
  #all: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  add(write: () => Promise<void>): Promise<void> {
    const all = this.#all.then(write);
    this.#all = all;
    all.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    return all;
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Resolves when all is written. @throws the first failure */
  ended(): Promise<void> {
    return this.#all;
  }
}

/**
 * How long a check waits for an upload, counted from the upload. An upload of 6,000 words is fingerprinted after 0.1 s and one of
 * 10 MB, which has its own worker, after some 10 s on a quiet machine; people wait no longer for a check. Because the time counts from
 * the upload and not from the check, a document whose fingerprinting never succeeds delays no check after this time.
 */
export const UPLOAD_WAIT_MS = 20_000;

/** Most uploads are fingerprinted by then. A later run first repeats the analysis of the text, which is quick for a short one. */
const WORKER_WAIT_MS = 2_000;

const FIRST_LOOK_MS = 25;
const LOOK_INTERVAL_MAX_MS = 1_000;

/**
 * Waits until the uploads that were accepted before the check are fingerprinted, deleted, or pending for too long.
 * Platform documents don't count: a bulk load may take hours, and its documents are part of the corpus once it is done.
 *
 * A short check keeps its worker for a moment and then goes back to the queue for some seconds: a longer check that was
 * submitted before the uploads may be behind it. A long check keeps its worker, as its analysis would be repeated; uploads
 * are fingerprinted by separate workers.
 * @returns the uploads that are still pending: the check is not compared with them.
 * @throws RunLost when the run no longer owns the check; HandedBack; the signal's reason.
 */
async function awaitUploads(
  { database, runs }: Pick<RunCheckParts, "database" | "runs">,
  run: RunKey,
  wordCount: number,
  signal: AbortSignal,
): Promise<PendingUploads> {
  const startedAt = performance.now();
  for (let intervalMs = FIRST_LOOK_MS; ; intervalMs = Math.min(2 * intervalMs, LOOK_INTERVAL_MAX_MS)) {
    signal.throwIfAborted();
    const uploads = await runs.countPendingUploads(database, run, UPLOAD_WAIT_MS);
    if (uploads === undefined) throw new RunLost();
    if (uploads.expected === 0) return uploads;
    if (laneOf(wordCount) === "short" && performance.now() - startedAt > WORKER_WAIT_MS)
      throw new HandedBack("uploads before the check are not fingerprinted yet");
    await sleep(intervalMs, undefined, { signal });
  }
}
