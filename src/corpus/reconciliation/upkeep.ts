import type { Logger } from "../../platform/logger.ts";
import { Notifications } from "../../platform/postgres/notifications.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { RestoreIndex } from "../rebuild/restore-index.ts";
import type { Reconcile } from "./reconcile.ts";
import { RepeatedWork } from "./repeated-work.ts";
import type { SweepRemoved } from "./sweep-removed.ts";

/** Where the database tells of removed documents, from the transaction that removed them. */
const REMOVED_CHANNEL = "similarity_documents_removed";

/** The net beneath the notifications, what repeats a sweep that a store cut off, and what notices that the index is gone. */
const LOOK_INTERVAL_MS = 5_000;

/** A process that has just started has jobs to do that somebody waits for. */
const FIRST_PASS_AFTER_MS = 10_000;

/**
 * A pass reads the whole corpus by its identifiers: 100,000 documents take half a second, 10 million a minute, and some
 * more when nothing of it is in memory. What it mends is rare and harms no check but by what it does not find, so once an
 * hour is enough.
 */
const PASS_INTERVAL_MS = 3_600_000;

/** Passes of other workers that are due soon after one are left out: this makes two an hour at most of any number. */
const PASS_APART_MS = PASS_INTERVAL_MS / 2;

/** A pass that a store cut off has something to mend, most likely. */
const PASS_RETRY_MS = 60_000;

type Parts = {
  readonly databaseUrl: string;
  readonly chunkIndex: ChunkIndex;
  readonly sweepRemoved: SweepRemoved;
  readonly reconcile: Reconcile;
  readonly restoreIndex: RestoreIndex;
  readonly log: Logger;
};

/** Keeps the index in step with the rows in the background: removals at once, everything else by an occasional look at all. */
export class Upkeep {
  readonly #parts: Parts;
  readonly #sweeping: RepeatedWork;
  readonly #reconciling: RepeatedWork;
  readonly #notifications: Notifications;
  #timer: NodeJS.Timeout | undefined;
  #nextPassAt = performance.now() + FIRST_PASS_AFTER_MS;
  #unlessWithinMs = 0;

  constructor(parts: Parts) {
    const { databaseUrl, sweepRemoved, log } = parts;
    this.#parts = parts;
    this.#sweeping = new RepeatedWork(
      async (signal) => void (await sweepRemoved({ signal })),
      (error) => log.warn({ err: error }, "chunks of removed documents remain for now"),
    );
    this.#reconciling = new RepeatedWork(
      (signal) => this.#reconcileWhenDue(signal),
      (error) => log.warn({ err: error }, "index and rows could not be compared to the end"),
    );
    const sweep = () => this.#sweeping.wake();
    this.#notifications = new Notifications(
      databaseUrl,
      REMOVED_CHANNEL,
      { onPayload: sweep, onReconnect: sweep },
      log,
    );
  }

  /** @throws when the database can't be reached. */
  async start(): Promise<void> {
    await this.#notifications.open();
    this.#timer = setInterval(() => {
      this.#sweeping.wake();
      this.#reconciling.wake();
    }, LOOK_INTERVAL_MS);
    this.#sweeping.wake();
  }

  /** Ends a pass that is under way, and waits for a sweep. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#notifications.close();
    await Promise.all([this.#sweeping.close(), this.#reconciling.close()]);
  }

  async #reconcileWhenDue(signal: AbortSignal): Promise<void> {
    const { reconcile, restoreIndex, log } = this.#parts;
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

  /** Without it no upload becomes matchable and no check can run; a store that does not answer is no such case. */
  async #indexIsGone(): Promise<boolean> {
    return this.#parts.chunkIndex.isPresent().then(
      (isPresent) => !isPresent,
      () => false,
    );
  }
}
