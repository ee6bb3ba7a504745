import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import { Followers, type Viewer } from "../platform/postgres/followers.ts";
import { type Batch, batchNotFound } from "./batch.ts";
import { BATCH_CHANNEL, type BatchStore } from "./batch-store.ts";

/** A viewer gets no more than two states a second: a batch of short texts changes a hundred times, and counting 10,000 members takes 20 ms. */
const SHOWN_APART_MS = 500;

/**
 * Shows a batch's state, then each change, then its end with the complete batch, or undefined if it was deleted.
 * @throws `batch_not_found` before `open` is called.
 */
export type FollowBatch = (batchId: string, open: () => Viewer<Batch, Batch | undefined>) => Promise<void>;

type FollowBatchParts = { readonly database: Database; readonly batches: BatchStore; readonly hub: BatchHub };

/** A message only says that something has changed; the state is read from the tables, so a lost message costs nothing but time. */
export function createFollowBatch({ database, batches, hub }: FollowBatchParts): FollowBatch {
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

type BatchHub = Followers<void>;

/** Tells followers in this process that a batch has changed, whichever process works on it. */
export function createBatchHub(databaseUrl: string, log: Logger): BatchHub {
  const read = (batchId: string) => ({ id: batchId, message: undefined });
  return new Followers<void>(databaseUrl, { channel: BATCH_CHANNEL, read, missed: undefined }, log);
}
