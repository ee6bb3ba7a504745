import type { CleanUpTombstones, CorpusStores, Tombstones } from "../corpus/index.ts";
import { RepeatedWork } from "../platform/flow/repeated-work.ts";
import { Notifications } from "../platform/postgres/notifications.ts";
import { continueBatches, type EndBatchParts } from "./continue-batch.ts";
import type { MemberIndex } from "./member-corpus.ts";
import type { PairStore } from "./pair-store.ts";

/** The channel on which the database announces deleted members. */
const REMOVED_CHANNEL = "similarity_members_removed";

/** Catches missed notifications and repeats an interrupted cleanup. */
const POLL_INTERVAL_MS = 5_000;

/** A killed job may have written chunks after the cleanup of its members; that is rare, and only takes room. */
const PASS_INTERVAL_MS = 3_600_000;
const FIRST_PASS_AFTER_MS = 10_000;

type MemberCleanupWorkerParts = EndBatchParts &
  Pick<CorpusStores, "databaseUrl" | "opensearch" | "log"> & {
    readonly pairs: PairStore;
    readonly memberIndex: MemberIndex;
    readonly memberTombstones: Tombstones;
    readonly cleanUpMembers: CleanUpTombstones;
  };

/**
 * Removes the chunks of deleted members: immediately after a deletion, and within the hour if an interruption left them behind. Then
 * continues the batches whose last waiting member may have been deleted.
 */
export class MemberCleanupWorker {
  readonly #cleanup: RepeatedWork;
  readonly #notifications: Notifications;
  /** Whether members may have been deleted since batches were last continued; also before the start. */
  #isRemoved = true;
  #nextPassAt = performance.now() + FIRST_PASS_AFTER_MS;

  constructor(parts: MemberCleanupWorkerParts) {
    const { databaseUrl, cleanUpMembers, log } = parts;
    this.#cleanup = new RepeatedWork(
      async (signal) => {
        if (performance.now() >= this.#nextPassAt) {
          await recordOrphans(parts, signal);
          this.#nextPassAt = performance.now() + PASS_INTERVAL_MS;
        }
        await cleanUpMembers({ signal });
        if (!this.#isRemoved) return;
        this.#isRemoved = false;
        await continueBatches(parts);
      },
      (error) => log.warn({ err: error }, "chunks of deleted members remain for now"),
    );
    const wake = () => {
      this.#isRemoved = true;
      this.#cleanup.wake();
    };
    this.#notifications = new Notifications(
      databaseUrl,
      REMOVED_CHANNEL,
      { onPayload: wake, onReconnect: wake },
      log,
    );
  }

  async start(): Promise<void> {
    await this.#notifications.open();
    this.#cleanup.wakeEvery(POLL_INTERVAL_MS);
    this.#cleanup.wake();
  }

  async close(): Promise<void> {
    await this.#notifications.close();
    await this.#cleanup.close();
  }
}

/**
 * Records deleted members whose chunks are still in the index. It walks over the index in the order of identifiers, so it takes the
 * memory of one page.
 */
async function recordOrphans(
  { database, batches, memberIndex, memberTombstones }: MemberCleanupWorkerParts,
  signal: AbortSignal,
): Promise<void> {
  for (let after: string | undefined; ; ) {
    signal.throwIfAborted();
    const { counts, isLast } = await memberIndex.countAfter(after);
    const indexed = [...counts.keys()];
    const known = await batches.idsBetween(database, { after, upTo: indexed.at(-1) });
    const gone = indexed.filter((memberId) => !known.has(memberId));
    await memberTombstones.add(database, gone);
    after = indexed.at(-1);
    if (isLast) return;
  }
}
