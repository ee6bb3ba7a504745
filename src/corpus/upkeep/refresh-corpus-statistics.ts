import { z } from "zod";
import type { MetricsIndex } from "../../platform/opensearch/metrics-index.ts";
import { askOpenSearch } from "../../platform/opensearch/opensearch.ts";
import { makeFindable } from "../../platform/opensearch/whole-answer.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { Session } from "../../platform/postgres/session.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";

const TABLES = [
  "documents",
  "document_chunks",
  "pending_documents",
  "text_sections",
  "semantic_sections",
  "semantic_documents",
  "semantic_backlog",
];

/** VACUUM marks the pages of a bulk load as visible to all. For 3,230 new documents it took 30 ms, as ANALYZE alone did. */
const MAINTENANCE = `vacuum (analyze) ${TABLES.join(", ")}`;

export type CorpusStatistics = IndexFigures & {
  /** All documents, as in the check statistics; beyond 100,000 the planner's estimate. */
  readonly documents: number;
  /** Documents that a check compares with, counted likewise. (`corpus_sources` in reports is estimated beyond 10,000.) */
  readonly corpusSources: number;
  /** The plain text in UTF-8. */
  readonly textBytes: number;
  /** The tables of the documents with their indexes. */
  readonly postgresBytes: number;
  /** Both stores relative to the plain text, without replicas; null for an empty corpus. */
  readonly bytesPerTextByte: number | null;
  readonly seconds: number;
};

/** Updates the stores' own statistics after a bulk load or deletion, and records the size of the corpus for dashboards. */
type RefreshCorpusStatistics = (signal?: AbortSignal) => Promise<CorpusStatistics>;

/** @param metricsIndex `corpus-metrics`, for dashboards. */
export function createRefreshCorpusStatistics(
  stores: CorpusStores,
  metricsIndex: MetricsIndex,
): RefreshCorpusStatistics {
  const { database, documents } = stores;
  return async (signal) => {
    const started = performance.now();
    await stores.chunkIndex.assertPresent();
    await maintainTables(stores, signal);
    const index = await readIndexFigures(stores);
    const [corpusSources, all] = await Promise.all([
      documents.countMatchable(database),
      documents.countAll(database),
    ]);
    const { textBytes, postgresBytes } = await tableSizes(database);
    const bytesPerTextByte = textBytes === 0 ? null : (postgresBytes + index.indexBytes) / textBytes;
    const seconds = (performance.now() - started) / 1000;
    const at = new Date().toISOString();
    await metricsIndex.write(at, {
      at,
      documents: all,
      chunks: index.chunks,
      text_bytes: textBytes,
      index_bytes: index.indexBytes,
      postgres_bytes: postgresBytes,
      stored_per_text_byte: bytesPerTextByte,
    });
    return { documents: all, corpusSources, textBytes, postgresBytes, bytesPerTextByte, ...index, seconds };
  };
}

/** Uses its own connection, as it may exceed the usual query timeout. */
async function maintainTables({ database, databaseUrl }: CorpusStores, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const session = await Session.open(databaseUrl, 0);
  let cancel = () => {};
  try {
    const [row] = await session.query<{ pid: number }>("select pg_backend_pid() as pid");
    cancel = () => {
      database.query("select pg_cancel_backend($1)", [row?.pid]).catch(() => undefined);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    await session.query(MAINTENANCE);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", cancel);
    await session.close();
  }
}

/** The sum reads every row of `documents`: a third of a second for a million. */
async function tableSizes(database: Database) {
  const [row] = await database.query<{ textBytes: number; postgresBytes: number }>(
    `select coalesce((select sum(text_bytes) from documents), 0) as "textBytes",
            (select sum(pg_total_relation_size(name::regclass)) from unnest($1::text[]) as tables (name)) as "postgresBytes"`,
    [TABLES],
  );
  return row ?? { textBytes: 0, postgresBytes: 0 };
}

type IndexFigures = {
  readonly chunks: number;
  readonly segments: number;
  /** The size of the primary shards. */
  readonly indexBytes: number;
  /** Including replicas. */
  readonly indexBytesWithCopies: number;
};

/** Makes all chunks of the current index findable first; sizes are up to 10 s old. */
async function readIndexFigures({ opensearch, chunkIndex }: CorpusStores): Promise<IndexFigures> {
  const index = chunkIndex.readAlias;
  await makeFindable(opensearch, index);
  const { body } = await askOpenSearch(() =>
    opensearch.indices.stats({ index, metric: ["docs", "segments", "store"], level: "cluster" }),
  );
  const { primaries, total } = Stats.parse(body)._all;
  return {
    chunks: primaries.docs.count,
    segments: primaries.segments.count,
    indexBytes: primaries.store.size_in_bytes,
    indexBytesWithCopies: total.store.size_in_bytes,
  };
}

const Stats = z.looseObject({
  _all: z.looseObject({
    primaries: z.looseObject({
      docs: z.looseObject({ count: z.int() }),
      segments: z.looseObject({ count: z.int() }),
      store: z.looseObject({ size_in_bytes: z.int() }),
    }),
    total: z.looseObject({ store: z.looseObject({ size_in_bytes: z.int() }) }),
  }),
});
