import { RepeatedWork } from "../../platform/flow/repeated-work.ts";
import { Notifications } from "../../platform/postgres/notifications.ts";
import type { CleanUpTombstones } from "../documents/tombstones.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import type { RestoreIndex } from "./rebuild-index.ts";
import type { Reconcile } from "./reconcile.ts";

/** The channel on which the database announces deleted documents, from the transaction that deleted them. */
const REMOVED_CHANNEL = "similarity_documents_removed";

/** Catches missed notifications, repeats an interrupted cleanup, and notices a missing index. */
const POLL_INTERVAL_MS = 5_000;

/** A process that has just started has jobs for which somebody waits. */
const FIRST_PASS_AFTER_MS = 10_000;

/** A pass over 10 million documents takes a minute. The faults that it repairs are rare and only hide matches. */
const PASS_INTERVAL_MS = 3_600_000;

/** Other workers skip a pass that is due soon after one: any number of them makes two an hour at most. */
const PASS_APART_MS = PASS_INTERVAL_MS / 2;

/** A pass that a store interrupted most likely has something to repair. */
const PASS_RETRY_MS = 60_000;

type ReconciledCorpus = CorpusStores & {
  readonly cleanUpTombstones: CleanUpTombstones;
  readonly reconcile: Reconcile;
  readonly restoreIndex: RestoreIndex;
};

/** Keeps the index in line with the rows in the background: deletions at once, everything else by an hourly comparison. */
export class ReconciliationWorker {
  readonly #corpus: ReconciledCorpus;
  readonly #cleanup: RepeatedWork;
  readonly #reconciliation: RepeatedWork;
  readonly #notifications: Notifications;
  #nextPassAt = performance.now() + FIRST_PASS_AFTER_MS;
  #unlessWithinMs = 0;

  constructor(corpus: ReconciledCorpus) {
    const { databaseUrl, cleanUpTombstones, log } = corpus;
    this.#corpus = corpus;
    this.#cleanup = new RepeatedWork(
      async (signal) => void (await cleanUpTombstones({ signal })),
      (error) => log.warn({ err: error }, "chunks of deleted documents remain for now"),
    );
    this.#reconciliation = new RepeatedWork(
      (signal) => this.#reconcileWhenDue(signal),
      (error) => log.warn({ err: error }, "comparison of index and rows did not finish"),
    );
    const cleanUp = () => this.#cleanup.wake();
    this.#notifications = new Notifications(
      databaseUrl,
      REMOVED_CHANNEL,
      { onPayload: cleanUp, onReconnect: cleanUp },
      log,
    );
  }

  async start(): Promise<void> {
    await this.#notifications.open();
    this.#cleanup.wakeEvery(POLL_INTERVAL_MS);
    this.#reconciliation.wakeEvery(POLL_INTERVAL_MS);
    this.#cleanup.wake();
  }

  async close(): Promise<void> {
    await this.#notifications.close();
    await Promise.all([this.#cleanup.close(), this.#reconciliation.close()]);
  }

  async #reconcileWhenDue(signal: AbortSignal): Promise<void> {
    const { reconcile, restoreIndex, log } = this.#corpus;
    if (await this.#indexIsGone()) {
      await restoreIndex({ signal, say: (line) => log.warn(line) });
      return;
    }
    if (performance.now() < this.#nextPassAt) return;
    this.#nextPassAt = performance.now() + PASS_RETRY_MS;
    const done = await reconcile({ signal, unlessWithinMs: this.#unlessWithinMs });
    this.#nextPassAt = performance.now() + PASS_INTERVAL_MS;
    this.#unlessWithinMs = PASS_APART_MS;
    if (done === undefined) return;
    const isQuiet = done.missing + done.pending + done.extra === 0;
    log[isQuiet ? "info" : "warn"](done, isQuiet ? "index and rows agree" : "index and rows did not agree");
  }

  /** Without the index no upload becomes matchable and no check can run. A store that does not answer does not count. */
  async #indexIsGone(): Promise<boolean> {
    return this.#corpus.chunkIndex.isPresent().then(
      (isPresent) => !isPresent,
      () => false,
    );
  }
}
