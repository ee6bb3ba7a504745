import { createHash } from "node:crypto";
import { REMOVE_METRICS_QUEUE } from "../checks/index.ts";
import type { CorpusStores, IngestDocuments } from "../corpus/index.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import {
  type Batch,
  batchNotFound,
  COMPARE_MEMBERS_QUEUE,
  type Member,
  READ_MEMBERS_QUEUE,
} from "./batch.ts";
import type { BatchStore } from "./batch-store.ts";
import type { MemberCorpus } from "./member-corpus.ts";

type ManageBatchesParts = Pick<CorpusStores, "database" | "queue"> & { readonly batches: BatchStore };

type Page = { readonly limit: number; readonly offset: number };

export type ManageBatches = ReturnType<typeof createManageBatches>;

/** Reading, renaming and deleting batches. An unknown batch is a DomainError `batch_not_found`. */
export function createManageBatches(parts: ManageBatchesParts) {
  const { database, batches } = parts;
  const find = async (batchId: string): Promise<Batch> => {
    const batch = await batches.find(database, batchId);
    if (batch === undefined) throw batchNotFound();
    return batch;
  };
  return {
    list: (page: Page & { readonly title: string | undefined }) => batches.list(database, page),

    async find(batchId: string, page: Page): Promise<{ batch: Batch; members: Member[] }> {
      const batch = await find(batchId);
      return { batch, members: await batches.members(database, batchId, page) };
    },

    async rename(batchId: string, title: string | null): Promise<Batch> {
      if (!(await batches.rename(database, batchId, title))) throw batchNotFound();
      return find(batchId);
    },

    async delete(batchId: string): Promise<void> {
      const deleted = await database.transaction((transaction) => deleteBatch(parts, transaction, batchId));
      if (!deleted) throw batchNotFound();
    },
  };
}

/** Deletes a batch with everything that belongs to it. A database trigger notes its chunks; running jobs stop at their next step. */
async function deleteBatch(
  { batches, queue }: ManageBatchesParts,
  transaction: Queryable,
  batchId: string,
): Promise<boolean> {
  const partIds = await batches.partIds(transaction, batchId);
  const deleted = await batches.delete(transaction, batchId);
  if (deleted === undefined) return false;
  await queue.forget([READ_MEMBERS_QUEUE, COMPARE_MEMBERS_QUEUE], partIds, transaction);
  for (const checkId of deleted.recordedChecks)
    await queue.enqueue(REMOVE_METRICS_QUEUE, checkId, transaction);
  return true;
}

const DAY_MS = 86_400_000;

type RetentionParts = ManageBatchesParts & {
  readonly log: CorpusStores["log"];
  readonly retentionDays: number;
  readonly now?: () => Date;
};

/** Deletes the batches that ended before the retention of checks, and returns their number. */
export function createDeleteOldBatches(parts: RetentionParts) {
  const { database, batches, log, retentionDays, now = () => new Date() } = parts;
  return async (signal: AbortSignal): Promise<number> => {
    const moment = new Date(now().getTime() - retentionDays * DAY_MS);
    for (let deleted = 0; ; ) {
      signal.throwIfAborted();
      const [batchId] = await batches.endedBefore(database, moment, 1);
      if (batchId === undefined) {
        if (deleted > 0) log.info({ deleted, retentionDays }, "old batches deleted");
        return deleted;
      }
      await database.transaction((transaction) => deleteBatch(parts, transaction, batchId));
      deleted += 1;
    }
  };
}

type AddParts = ManageBatchesParts & {
  readonly memberCorpus: MemberCorpus;
  readonly ingestDocuments: IngestDocuments;
};

/** Members that are added to the corpus in one transaction. */
const ADDED_TOGETHER = 50;

/**
 * Adds the members of a complete batch to the corpus, without their templates. Not earlier: each would find itself there. Safe to
 * repeat, as the corpus has equal bytes once.
 */
export function createAddToCorpus({ database, batches, memberCorpus, ingestDocuments }: AddParts) {
  return async (batchId: string, signal: AbortSignal): Promise<void> => {
    for (let offset = 0; ; offset += ADDED_TOGETHER) {
      signal.throwIfAborted();
      const members = await batches.members(database, batchId, { limit: ADDED_TOGETHER, offset });
      if (members.length === 0) return;
      const texts = await memberCorpus.comparedTexts(
        database,
        members.map(({ memberId }) => memberId),
      );
      await ingestDocuments(
        members.flatMap(({ memberId, name }) => {
          const found = texts.get(memberId);
          if (found === undefined) return [];
          const { text, language, properties, pageNotes } = found;
          const bytes = Buffer.from(text);
          return [
            {
              origin: { scope: "uploaded" },
              ...{ filename: name, language, text, sourceUrl: null, sizeBytes: bytes.length },
              title: properties.title ?? name,
              author: properties.author,
              pageNotes,
              mediaType: "text/plain",
              sha256: createHash("sha256").update(bytes).digest("hex"),
            },
          ];
        }),
      );
    }
  };
}
