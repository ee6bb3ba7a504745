import type { CorpusParts } from "../corpus/index.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import { presentBatchEvent } from "./api/presenter.ts";
import type { Batch } from "./batch.ts";
import type { BatchStore } from "./batch-store.ts";

type Parts = Pick<CorpusParts, "webhooks"> & { readonly batches: BatchStore };

/** Ends a batch with whose members all work is done, and records the event; undefined when it is gone or has ended already. */
export async function completeBatch(
  { batches, webhooks }: Parts,
  transaction: Queryable,
  batchId: string,
): Promise<Batch | undefined> {
  if (!(await batches.complete(transaction, batchId))) return undefined;
  const batch = await batches.find(transaction, batchId);
  if (batch !== undefined) await webhooks.record(transaction, presentBatchEvent(batch));
  return batch;
}
