import {
  CheckStore,
  createFollowCheck,
  createRunCheck,
  createSubmitCheck,
  createSubmitUpload,
  createViewChecks,
  IdempotencyStore,
  ProgressHub,
  RetrievalStore,
} from "./checks/index.ts";
import {
  ChunkIndex,
  createDeleteDocument,
  createFingerprintDocuments,
  createIngestDocument,
  createSampleCorpusLoader,
  createUploadDocument,
  DocumentStore,
  type FingerprintDocuments,
  type IngestDocument,
  type SampleCorpusLoader,
} from "./corpus/index.ts";
import { engineRouters } from "./engine-api.ts";
import { createApp } from "./http/app.ts";
import { createHttpMetrics } from "./http/http-metrics.ts";
import type { Readiness } from "./http/probes.ts";
import { type Listener, listen } from "./http/server.ts";
import type { Config } from "./platform/config.ts";
import { createExtractor } from "./platform/extract/extractor.ts";
import type { Logger } from "./platform/logger.ts";
import { createMetrics } from "./platform/metrics.ts";
import { connectOpenSearch } from "./platform/opensearch/opensearch.ts";
import { Database } from "./platform/postgres/database.ts";
import { migrate, schemaIsCurrent } from "./platform/postgres/migrate.ts";
import { JobQueue } from "./platform/queue/job-queue.ts";
import { ComputePool } from "./platform/workers/compute-pool.ts";
import { createReadReport, ReportStore } from "./reports/index.ts";

/** Documents that are fingerprinted at once, and checks beside them: two keep two cores busy while one waits for a store. */
const FINGERPRINTING_CONCURRENCY = 2;

/** What a stop waits for running requests and work before it cuts them off. */
const STOP_GRACE_MS = 10_000;

export type ServiceOptions = Pick<
  Config,
  | "host"
  | "enginePort"
  | "opensearchIndexPrefix"
  | "roles"
  | "checkTimeBudgetMs"
  | "checkConcurrency"
  | "corpusUploadLimitBytes"
> & { readonly databaseUrl: string; readonly opensearchNodes: readonly string[] };

export type Service = {
  /** Where the engine listens; undefined in a process without that role. */
  readonly engine: Listener | undefined;
  readonly sampleCorpus: SampleCorpusLoader;
  readonly ingestDocument: IngestDocument;
  readonly fingerprintDocuments: FingerprintDocuments;
  /** Takes no new work, hands running work back, ends streams, closes the connections. Safe to call twice. */
  stop(): Promise<void>;
};

/**
 * Connects to the stores, brings their schemas up to date, wires the parts and starts the roles.
 * @throws when a store can't be reached or a port is taken; what was opened until then is closed.
 */
export async function startService(options: ServiceOptions, log: Logger): Promise<Service> {
  await migrate(options.databaseUrl, log);
  const closers: (() => Promise<unknown>)[] = [];
  const opened = <T>(part: T, close: (part: T) => Promise<unknown>): T => {
    closers.unshift(() => close(part));
    return part;
  };
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= closeAll(closers, log);
    return stopped;
  };
  try {
    const parts = await connect(options, log, opened);
    if (options.roles.includes("worker")) await startWorker(parts, options);
    const engine = options.roles.includes("engine")
      ? opened(await startEngine(parts, options, opened), (listener) => listener.close(STOP_GRACE_MS))
      : undefined;
    // The first to be closed: no new work is begun while the listener waits for its last requests.
    opened(parts.queue, (queue) => queue.stopWorking());
    const { sampleCorpus, ingestDocument, fingerprintDocuments } = parts;
    return { engine, sampleCorpus, ingestDocument, fingerprintDocuments, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Opened = <T>(part: T, close: (part: T) => Promise<unknown>) => T;
type Parts = Awaited<ReturnType<typeof connect>>;

async function connect(options: ServiceOptions, log: Logger, opened: Opened) {
  const metrics = createMetrics();
  const database = opened(new Database(options.databaseUrl, log), (one) => one.close());
  const opensearch = opened(connectOpenSearch(options.opensearchNodes), (one) => one.close());
  const compute = opened(new ComputePool(), (one) => one.close());
  const isWorker = options.roles.includes("worker");
  const queue = opened(new JobQueue(options.databaseUrl, isWorker, log), (one) => one.stop(STOP_GRACE_MS));
  const chunkIndex = new ChunkIndex(opensearch, options.opensearchIndexPrefix, (reason) =>
    metrics.bulkRetries.inc({ reason }),
  );
  await Promise.all([queue.start(), chunkIndex.prepare()]);

  const documents = new DocumentStore();
  const checks = new CheckStore();
  const retrievals = new RetrievalStore();
  const reports = new ReportStore();
  const fingerprintDocuments = createFingerprintDocuments({
    database,
    documents,
    chunkIndex,
    compute,
    metrics,
  });
  return {
    log,
    metrics,
    database,
    compute,
    queue,
    chunkIndex,
    documents,
    checks,
    retrievals,
    reports,
    fingerprintDocuments,
    ingestDocument: createIngestDocument({ database, documents, queue }),
    sampleCorpus: createSampleCorpusLoader({ database, documents, compute, fingerprintDocuments }),
  };
}

async function startWorker(parts: Parts, options: ServiceOptions): Promise<void> {
  const { queue, chunkIndex, fingerprintDocuments } = parts;
  const runCheck = createRunCheck({ ...parts, timeBudgetMs: options.checkTimeBudgetMs });
  await queue.work("run-check", options.checkConcurrency, runCheck);
  await queue.work("fingerprint-document", FINGERPRINTING_CONCURRENCY, (id) => fingerprintDocuments([id]));
  await queue.work("remove-chunks", 1, (id) => chunkIndex.remove(id));
}

async function startEngine(parts: Parts, options: ServiceOptions, opened: Opened): Promise<Listener> {
  const { database, checks, documents, queue, metrics, chunkIndex, log } = parts;
  const extractor = opened(createExtractor(), (one) => one.close());
  const hub = opened(new ProgressHub(options.databaseUrl, log), (one) => one.close());
  await hub.open();

  const submitCheck = createSubmitCheck({ ...parts, idempotencyKeys: new IdempotencyStore() });
  const app = createApp({
    name: "engine",
    log,
    metrics: createHttpMetrics(metrics.registry),
    routers: engineRouters({
      checks: {
        submitCheck,
        submitUpload: createSubmitUpload({ extractor, submitCheck }),
        followCheck: createFollowCheck({ database, checks, hub }),
        viewChecks: createViewChecks({ database, checks, documents, queue }),
      },
      reports: { readReport: createReadReport(parts) },
      corpus: {
        database,
        documents,
        uploadDocument: createUploadDocument({ ...parts, extractor }),
        deleteDocument: createDeleteDocument(parts),
        uploadBytesMax: options.corpusUploadLimitBytes,
      },
      readiness: () => readiness(database, chunkIndex),
      registry: metrics.registry,
    }),
  });
  return listen(app, { host: options.host, port: options.enginePort, portSetting: "ENGINE_PORT" });
}

async function readiness(database: Database, chunkIndex: ChunkIndex): Promise<Readiness> {
  const [postgres, opensearch] = await Promise.all([
    schemaIsCurrent(database).then((current) => (current ? "ok" : "the schema is not current"), unreachable),
    chunkIndex.isReady().then((exists) => (exists ? "ok" : "the chunk index is missing"), unreachable),
  ]);
  return { ready: postgres === "ok" && opensearch === "ok", checks: { postgres, opensearch } };
}

function unreachable(): string {
  return "does not answer";
}

/** In the reverse order of opening; one that fails to close doesn't keep the others open. */
async function closeAll(closers: readonly (() => Promise<unknown>)[], log: Logger): Promise<void> {
  for (const close of closers) {
    await close().catch((error: unknown) => log.warn({ err: error }, "a part did not close cleanly"));
  }
}
