import { Client } from "@opensearch-project/opensearch";
import pg from "pg";

const DATABASE = "similarity_bench";
const PREFIX = "similarity-bench-";

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

/** Runs `work` with an empty database and index prefix of its own beside the installation's, removed before and after. */
export async function withBenchmarkStores(
  stores: { readonly databaseUrl: string; readonly opensearchNodes: readonly string[] },
  work: (stores: BenchmarkStores) => Promise<void>,
): Promise<void> {
  const opensearch = new Client({ nodes: [...stores.opensearchNodes] });
  const admin = new pg.Client(stores.databaseUrl);
  await admin.connect();
  const remove = async () => {
    await admin.query(`drop database if exists ${DATABASE} with (force)`);
    await opensearch.indices.delete({ index: `${PREFIX}*`, ignore_unavailable: true });
    await opensearch.indices.deleteIndexTemplate({ name: `${PREFIX}*` }).catch(() => undefined);
    await opensearch.cluster.deleteComponentTemplate({ name: `${PREFIX}*` }).catch(() => undefined);
  };
  try {
    await remove();
    await admin.query(`create database ${DATABASE}`);
    const url = new URL(stores.databaseUrl);
    url.pathname = `/${DATABASE}`;
    const database = new pg.Client(url.href);
    await database.connect();
    try {
      await work({
        environment: {
          DATABASE_URL: url.href,
          OPENSEARCH_URL: stores.opensearchNodes.join(","),
          OPENSEARCH_INDEX_PREFIX: PREFIX,
          LOG_LEVEL: "warn",
        },
        database,
        opensearch,
      });
    } finally {
      await database.end();
    }
  } finally {
    await remove();
    await admin.end();
    await opensearch.close();
  }
}
