import { allOrEach, groupItems } from "../../platform/flow/concurrency.ts";
import { isStoreUnavailable } from "../../platform/flow/retry-policy.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import type { CleanUpTombstones } from "../documents/tombstones.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import { removeSurplusChunks } from "../index/document-chunks.ts";
import type { FingerprintDocuments } from "../ingest/fingerprint-documents.ts";
import { type Compared, compareIndex, type DifferenceKind, isUuid } from "./compare-index.ts";

/** Identifies the lock among the database's advisory locks; the number is arbitrary but fixed. */
export const RECONCILE_KEY = 7_305_811_202;

const MILESTONE = "corpus-reconciled";

/** One bulk request and one refresh. Texts and normalised forms take about 10 bytes of memory per character. */
const BATCH = { countMax: 100, sizeMax: 4_000_000 } as const;

/** The findings and repairs of a pass, in documents. */
type Reconciled = Readonly<Record<DifferenceKind, number>> & {
  readonly checked: number;
  readonly mended: number;
  /** Documents that can't be fingerprinted. */
  readonly failed: number;
};

/** Undefined when another process reconciles, or when a pass ended within `unlessWithinMs` in any process. */
export type Reconcile = (options?: {
  readonly signal?: AbortSignal | undefined;
  readonly unlessWithinMs?: number;
}) => Promise<Reconciled | undefined>;

/** The corpus with the two use cases that repair its index. */
export type MendableCorpus = CorpusStores & {
  readonly fingerprintDocuments: FingerprintDocuments;
  readonly cleanUpTombstones: CleanUpTombstones;
};

/** Brings the index that checks search in line with the rows. It may be interrupted; the next pass finds the rest. */
export function createReconcile(corpus: MendableCorpus): Reconcile {
  const { database, chunkIndex, cleanUpTombstones, metrics } = corpus;
  const repairDocuments = createRepairDocuments(corpus);

  return ({ signal, unlessWithinMs = 0 } = {}) =>
    database.transaction(async (lock) => {
      if (!(await takeLock(lock)) || (await hasEndedWithin(lock, unlessWithinMs))) return undefined;
      await chunkIndex.assertPresent();
      const tally = { checked: 0, missing: 0, pending: 0, extra: 0, mended: 0, failed: 0 };
      const onCompared = ({ documents }: Compared) => {
        tally.checked += documents;
      };
      const differences = compareIndex(corpus, chunkIndex.readAlias, { signal, onCompared });
      for await (const { kind, documentIds } of differences) {
        const { mended, failed } = await repair(kind, documentIds, signal);
        tally[kind] += documentIds.length;
        tally.mended += mended;
        tally.failed += failed;
        metrics.documentsMended.inc({ kind }, mended);
      }
      await noteEnd(database, tally);
      return tally;
    });

  async function repair(
    kind: DifferenceKind,
    documentIds: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Repaired> {
    if (kind !== "extra") return repairDocuments(documentIds, signal);
    await removeExtraChunks(corpus, documentIds, () => cleanUpTombstones({ signal }));
    return { mended: documentIds.length, failed: 0 };
  }
}

/** The lock lasts until the transaction ends; the database releases it when the process that holds it is killed. */
async function takeLock(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [
    RECONCILE_KEY,
  ]);
  return row?.taken === true;
}

async function hasEndedWithin(db: Queryable, withinMs: number): Promise<boolean> {
  const rows = await db.query(
    // A time in the future is from before the clock was set back.
    "select 1 from milestones where name = $1 and reached_at between now() - $2 * interval '1 millisecond' and now() + interval '1 minute'",
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

/** In documents. `failed`: the document itself prevents the repair, not a store that is down. */
export type Repaired = { readonly mended: number; readonly failed: number };

/**
 * Makes the index hold exactly the chunks of some documents. Deleted ones are not counted. A document's own chunks are
 * written before others are removed, so that it stays matchable. One that fails is logged.
 */
export function createRepairDocuments(corpus: MendableCorpus) {
  const { database, opensearch, documents, chunkIndex, fingerprintDocuments, log } = corpus;

  return async (documentIds: readonly string[], signal?: AbortSignal): Promise<Repaired> => {
    const found = await documents.findAll(database, documentIds);
    let failed = 0;
    for await (const group of groupItems(found, { ...BATCH, sizeOf: ({ charCount }) => charCount })) {
      signal?.throwIfAborted();
      await allOrEach(
        group.map(({ documentId }) => documentId),
        {
          work: repair,
          rethrowFatal: (error) => {
            if (isStoreUnavailable(error)) throw error;
          },
          onFailed: (documentId, err) => {
            log.error({ documentId, err }, "cannot fingerprint a document");
            failed += 1;
          },
        },
      );
    }
    return { mended: found.length - failed, failed };
  };

  async function repair(group: readonly string[]): Promise<void> {
    await fingerprintDocuments(group);
    await removeSurplusChunks(opensearch, chunkIndex.readAlias, await documents.findAll(database, group));
  }
}

/** Removes chunks whose document has no row: its deletion went unnoticed, or another program wrote them. */
export async function removeExtraChunks(
  { database, tombstones, chunkIndex }: CorpusStores,
  documentIds: readonly string[],
  cleanUp: () => Promise<unknown>,
): Promise<void> {
  await tombstones.add(database, documentIds.filter(isUuid));
  await cleanUp();
  // Foreign chunks may lie on any shard, and their keys need not be UUIDs, as tombstones require.
  await chunkIndex.remove(documentIds, false);
}
