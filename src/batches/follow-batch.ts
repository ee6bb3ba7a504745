import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import { Notifications } from "../platform/postgres/notifications.ts";
import { type Batch, batchNotFound } from "./batch.ts";
import { BATCH_CHANNEL, type BatchStore } from "./batch-store.ts";

/** A viewer gets no more than two states a second: a batch of short texts changes a hundred times, and counting 10,000 members takes 20 ms. */
const SHOWN_APART_MS = 500;

/** Receives the states of a batch, then one end. */
export type BatchViewer = {
  readonly show: (batch: Batch) => void;
  /** `batch` is undefined when it was deleted. */
  readonly end: (batch: Batch | undefined) => void;
  /** Aborted when the viewer has gone. */
  readonly closed: AbortSignal;
};

/** Shows a batch's state, then each change until it is complete. @throws `batch_not_found` before `open` is called. */
export type FollowBatch = (batchId: string, open: () => BatchViewer) => Promise<void>;

type Parts = { readonly database: Database; readonly batches: BatchStore; readonly hub: BatchHub };

/** A message only says that something has changed; the state is read from the tables, so a lost message costs nothing but time. */
export function createFollowBatch({ database, batches, hub }: Parts): FollowBatch {
  return async (batchId, open) => {
    let changed = Promise.withResolvers<void>();
    const unfollow = hub.follow(batchId, () => changed.resolve());
    try {
      let batch = await batches.find(database, batchId);
      if (batch === undefined) throw batchNotFound();
      const viewer = open();
      viewer.closed.addEventListener("abort", () => changed.resolve(), { once: true });
      while (!viewer.closed.aborted) {
        if (batch === undefined || batch.status === "complete") return viewer.end(batch);
        viewer.show(batch);
        await changed.promise;
        await sleep(SHOWN_APART_MS);
        changed = Promise.withResolvers<void>();
        if (viewer.closed.aborted) return;
        batch = await batches.find(database, batchId);
      }
    } finally {
      unfollow();
    }
  };
}

/** Tells followers in this process that a batch has changed, whichever process works on it. */
export class BatchHub {
  readonly #followers = new Map<string, Set<() => void>>();
  readonly #notifications: Notifications;

  constructor(databaseUrl: string, log: Logger) {
    this.#notifications = new Notifications(
      databaseUrl,
      BATCH_CHANNEL,
      { onPayload: (batchId) => this.#tell(batchId), onReconnect: () => this.#tellAll() },
      log,
    );
  }

  async open(): Promise<void> {
    await this.#notifications.open();
  }

  async close(): Promise<void> {
    await this.#notifications.close();
  }

  /** Calls `onChange` for each change of the batch until the returned function is called. */
  follow(batchId: string, onChange: () => void): () => void {
    const followers = this.#followers.get(batchId) ?? new Set();
    followers.add(onChange);
    this.#followers.set(batchId, followers);
    return () => {
      followers.delete(onChange);
      if (followers.size === 0) this.#followers.delete(batchId);
    };
  }

  #tell(batchId: string): void {
    for (const onChange of this.#followers.get(batchId) ?? []) onChange();
  }

  #tellAll(): void {
    for (const batchId of this.#followers.keys()) this.#tell(batchId);
  }
}
