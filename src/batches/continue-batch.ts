import type { CorpusStores } from "../corpus/index.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import type { WebhookEvent } from "../platform/webhooks/webhooks.ts";
import { commonFrom } from "../report/figures/pair-figures.ts";
import { ADD_MEMBERS_QUEUE, type Batch, COMPARE_MEMBERS_QUEUE } from "./batch.ts";
import type { BatchStore } from "./batch-store.ts";
import type { PairStore } from "./pair-store.ts";

/** The parts needed to end a batch. */
export type EndBatchParts = Pick<CorpusStores, "database" | "queue" | "webhooks"> & {
  readonly batches: BatchStore;
  readonly presentEvent: (batch: Batch) => WebhookEvent;
};

/** Members among which common text is counted: the share of a fifth of them is then exact to a hundredth. */
const SAMPLED_MEMBERS_MAX = 2_000;

/** Enqueues the comparison of all parts once no member of the batch waits to be read; ends a batch without any to compare. */
export async function compareWhenRead(
  parts: EndBatchParts & { readonly pairs: PairStore },
  batchId: string,
): Promise<void> {
  const { database, batches, pairs, queue } = parts;
  await database.transaction(async (transaction) => {
    const batch = await batches.lock(transaction, batchId);
    if (batch === undefined) return;
    const toCompare = await batches.partsToCompare(transaction, batchId);
    if (toCompare === undefined) return;
    if (toCompare.length === 0) {
      await complete(parts, transaction, batchId);
      return;
    }
    await pairs.measureCommon(transaction, batchId, {
      membersMin: commonFrom(batch.commonShare, batch.members),
      sampleMax: SAMPLED_MEMBERS_MAX,
    });
    for (const partId of toCompare) await queue.enqueue(COMPARE_MEMBERS_QUEUE, partId, transaction);
  });
}

/** Continues every open batch without members that wait to be read: the last one to wait may have been deleted. */
export async function continueBatches(parts: EndBatchParts & { readonly pairs: PairStore }): Promise<void> {
  const rows = await parts.database.query<{ batch_id: string }>(
    `select batch_id from batches where completed_at is null and not exists (
       select from batch_members where batch_members.batch_id = batches.batch_id and status = 'waiting')`,
  );
  for (const { batch_id: batchId } of rows) {
    await compareWhenRead(parts, batchId);
    await parts.batches.announce(parts.database, batchId);
  }
}

/** Ends a batch once nobody is left to compare. Returns whether there is nothing more to do for it. */
export async function completeWhenCompared(parts: EndBatchParts, batchId: string): Promise<boolean> {
  const { database, batches } = parts;
  return database.transaction(async (transaction) => {
    if ((await batches.lock(transaction, batchId)) === undefined) return true;
    const left = await batches.partsToCompare(transaction, batchId);
    if (left === undefined || left.length > 0) return false;
    await complete(parts, transaction, batchId);
    return true;
  });
}

/** Ends a batch whose members are all done, and records the event; does nothing if it has ended already. */
async function complete(
  { batches, queue, webhooks, presentEvent }: EndBatchParts,
  transaction: Queryable,
  batchId: string,
): Promise<void> {
  if (!(await batches.complete(transaction, batchId))) return;
  const batch = await batches.find(transaction, batchId);
  if (batch === undefined) return;
  if (batch.addToCorpus) await queue.enqueue(ADD_MEMBERS_QUEUE, batchId, transaction);
  await webhooks.record(transaction, presentEvent(batch));
}
