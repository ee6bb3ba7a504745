import type { Database, Queryable } from "../../platform/postgres/database.ts";
import type { CorpusMetrics } from "../corpus-metrics.ts";
import type { RemovedDocuments } from "../removed-documents.ts";
import { compareIndex, type DifferenceKind } from "./compare-index.ts";
import { removeExtraChunks } from "./extra-chunks.ts";
import { createMendDocuments, type Mended, type MendParts } from "./mend-documents.ts";
import type { SweepRemoved } from "./sweep-removed.ts";

/** Names the lock among all advisory locks of the database; any fixed number does. */
export const RECONCILE_KEY = 7_305_811_202;

/** The last pass of whichever process. */
const MILESTONE = "corpus-reconciled";

/** What a pass has seen and done, in documents. */
export type Reconciled = Readonly<Record<DifferenceKind, number>> & {
  readonly checked: number;
  readonly mended: number;
  /** Those that can't be fingerprinted, whatever is tried. */
  readonly failed: number;
};

export type ReconcileOptions = {
  /** Ends the pass between two batches, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Leave it when a pass ended less than this ago, in whatever process. */
  readonly unlessWithinMs?: number;
};

/** Gives undefined when there was nothing to do: another process is at it, or was a short time ago. */
export type Reconcile = (options?: ReconcileOptions) => Promise<Reconciled | undefined>;

type Parts = MendParts & {
  readonly removed: RemovedDocuments;
  readonly sweepRemoved: SweepRemoved;
  readonly metrics: CorpusMetrics;
};

/**
 * Makes the use case: the index that checks search is brought in line with the rows, whatever has happened to either. It
 * may be cut off at any point, and finds the rest the next time.
 * @throws DomainError `store_unavailable`, also while the index is missing; the signal's reason.
 */
export function createReconcile(parts: Parts): Reconcile {
  const { database, chunkIndex, sweepRemoved, metrics } = parts;
  const mendDocuments = createMendDocuments(parts);

  return ({ signal, unlessWithinMs = 0 } = {}) =>
    database.transaction(async (lock) => {
      if (!(await takeLock(lock)) || (await hasEndedWithin(lock, unlessWithinMs))) return undefined;
      await chunkIndex.assertPresent();
      const tally = { checked: 0, missing: 0, pending: 0, extra: 0, mended: 0, failed: 0 };
      const options = {
        signal,
        onCompared: ({ documents }: { readonly documents: number }) => {
          tally.checked += documents;
        },
      };
      for await (const { kind, documentIds } of compareIndex(parts, chunkIndex.readAlias, options)) {
        const { mended, failed } = await mend(kind, documentIds, signal);
        tally[kind] += documentIds.length;
        tally.mended += mended;
        tally.failed += failed.length;
        metrics.documentsMended.inc({ kind }, mended);
      }
      await noteEnd(database, tally);
      return tally;
    });

  async function mend(
    kind: DifferenceKind,
    documentIds: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Mended> {
    if (kind !== "extra") return mendDocuments(documentIds, signal);
    await removeExtraChunks(parts, documentIds, () => sweepRemoved({ signal }));
    return { mended: documentIds.length, failed: [] };
  }
}

/** Held as long as the transaction, and set free by the database itself when the process that holds it is killed. */
async function takeLock(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [
    RECONCILE_KEY,
  ]);
  return row?.taken === true;
}

async function hasEndedWithin(db: Queryable, withinMs: number): Promise<boolean> {
  const rows = await db.query(
    "select 1 from milestones where name = $1 and reached_at > now() - $2 * interval '1 millisecond'",
    [MILESTONE, withinMs],
  );
  return rows.length > 0;
}

async function noteEnd(db: Database, tally: Reconciled): Promise<void> {
  await db.query(
    `insert into milestones (name, detail, reached_at) values ($1, $2, clock_timestamp())
     on conflict (name) do update set detail = excluded.detail, reached_at = excluded.reached_at`,
    [MILESTONE, JSON.stringify(tally)],
  );
}
