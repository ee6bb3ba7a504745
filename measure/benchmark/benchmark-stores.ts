import { Client } from "@opensearch-project/opensearch";
import pg from "pg";

export type BenchmarkStores = {
  readonly environment: {
    readonly DATABASE_URL: string;
    readonly OPENSEARCH_URL: string;
    readonly OPENSEARCH_INDEX_PREFIX: string;
    readonly LOG_LEVEL: string;
  };
  readonly database: pg.Client;
  readonly opensearch: Client;
};

export type BenchmarkOptions = {
  /** Distinguishes it from other measurements on these stores at the same time. */
  readonly purpose: "bench" | "load" | "soak" | "growth" | "sources" | "batches";
  /** Whether the data of an earlier run is used and kept; otherwise it is removed before and after. */
  readonly keep?: boolean;
};

/** Runs `work` with a database and an index prefix of its own beside the installation's. */
export async function withBenchmarkStores(
  stores: { readonly databaseUrl: string; readonly opensearchNodes: readonly string[] },
  work: (stores: BenchmarkStores) => Promise<void>,
  { purpose, keep = false }: BenchmarkOptions = { purpose: "bench" },
): Promise<void> {
  const databaseName = `similarity_${purpose}`;
  const prefix = `similarity-${purpose}-`;
  const opensearch = new Client({ nodes: [...stores.opensearchNodes] });
  const admin = new pg.Client(stores.databaseUrl);
  await admin.connect();
  const remove = async () => {
    await admin.query(`drop database if exists ${databaseName} with (force)`);
    await opensearch.indices.delete({ index: `${prefix}*`, ignore_unavailable: true });
    await opensearch.indices.deleteIndexTemplate({ name: `${prefix}*` }).catch(() => undefined);
    await opensearch.cluster.deleteComponentTemplate({ name: `${prefix}*` }).catch(() => undefined);
  };
  try {
    if (!keep) await remove();
    const present = await admin.query("select from pg_database where datname = $1", [databaseName]);
    if (present.rowCount === 0) await admin.query(`create database ${databaseName}`);
    const url = new URL(stores.databaseUrl);
    url.pathname = `/${databaseName}`;
    const database = new pg.Client(url.href);
    await database.connect();
    try {
      await work({
        environment: {
          DATABASE_URL: url.href,
          OPENSEARCH_URL: stores.opensearchNodes.join(","),
          OPENSEARCH_INDEX_PREFIX: prefix,
          LOG_LEVEL: "warn",
        },
        database,
        opensearch,
      });
    } finally {
      await database.end();
    }
  } finally {
    if (!keep) await remove();
    await admin.end();
    await opensearch.close();
  }
}
