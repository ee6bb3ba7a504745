import pg from "pg";
import type { MetricsIndex } from "../../platform/opensearch/metrics-index.ts";
import { connectionOptions, type Database, rethrowUnavailable } from "../../platform/postgres/database.ts";
import type { DocumentStore } from "../document-store.ts";
import { type IndexFigures, type IndexParts, mergeSegments, readIndexFigures } from "./refresh-index.ts";

/**
 * VACUUM as well as ANALYZE: it marks the pages that a bulk load has filled as visible to all, which else the first reads
 * do, each with a write. Of 3,230 documents just loaded it took 30 ms, as ANALYZE alone did.
 */
const MAINTENANCE = "vacuum (analyze) documents, document_chunks, pending_documents, text_sections";

/** How large the corpus is, and what it takes. */
export type CorpusStatistics = IndexFigures & {
  /** All documents, as check statistics show them; beyond 100,000 the planner's estimate. */
  readonly documents: number;
  /** Those that a check is run against, which reports show as `corpus_sources`; estimated likewise. */
  readonly corpusSources: number;
  /** The plain text in UTF-8. */
  readonly textBytes: number;
  /** The documents' tables with their indexes. */
  readonly postgresBytes: number;
  /** Both stores against the plain text, copies on other nodes left out; null for an empty corpus. */
  readonly bytesPerTextByte: number | null;
  readonly seconds: number;
};

export type RefreshInput = {
  /** Whether the segments of the index are merged into as few as is good for searching. */
  readonly merge: boolean;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Brings the stores' own statistics up to date, after many documents have come or gone, and notes for dashboards how
 * large the corpus is now.
 * @throws DomainError `store_unavailable`; the signal's reason. A merge that was begun goes on in OpenSearch.
 */
export type RefreshStatistics = (input: RefreshInput) => Promise<CorpusStatistics>;

type Parts = IndexParts & {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly documents: DocumentStore;
  /** `corpus-metrics`, for dashboards. */
  readonly corpusMetricsIndex: MetricsIndex;
};

export function createRefreshStatistics(parts: Parts): RefreshStatistics {
  const { database, documents } = parts;
  return async (input) => {
    const started = performance.now();
    await parts.chunkIndex.assertPresent();
    await maintainTables(parts, input.signal);
    if (input.merge) await mergeSegments(parts, input);
    const index = await readIndexFigures(parts);
    const [corpusSources, all] = await Promise.all([
      documents.countMatchable(database),
      documents.countAll(database),
    ]);
    const { textBytes, postgresBytes } = await tableSizes(database);
    const bytesPerTextByte = textBytes === 0 ? null : (postgresBytes + index.indexBytes) / textBytes;
    const seconds = (performance.now() - started) / 1000;
    const at = new Date().toISOString();
    await parts.corpusMetricsIndex.write(at, {
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

/** On a connection of its own: it may take longer than an answer may otherwise take. */
async function maintainTables({ database, databaseUrl }: Parts, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const client = new pg.Client(connectionOptions(databaseUrl, { query_timeout: 0 }));
  client.on("error", () => undefined);
  let cancel = () => {};
  try {
    await client.connect().catch(rethrowUnavailable);
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    cancel = () => {
      database.query("select pg_cancel_backend($1)", [rows[0]?.pid]).catch(() => undefined);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    await client.query(MAINTENANCE).catch(rethrowUnavailable);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", cancel);
    await client.end().catch(() => undefined);
  }
}

/** The sum reads every row of `documents`: of a million a third of a second. */
async function tableSizes(database: Database) {
  const [row] = await database.query<{ text_bytes: number; postgres_bytes: number }>(
    `select coalesce((select sum(text_bytes) from documents), 0) as text_bytes,
            (select sum(pg_total_relation_size(name::regclass))
               from unnest(array['documents', 'document_chunks', 'pending_documents', 'text_sections']) as tables (name)) as postgres_bytes`,
  );
  return { textBytes: row?.text_bytes ?? 0, postgresBytes: row?.postgres_bytes ?? 0 };
}
