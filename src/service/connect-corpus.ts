import {
  ADD_MEMBERS_QUEUE,
  BatchStore,
  COMPARE_MEMBERS_QUEUE,
  MEMBER_INDEX_PREFIX,
  MemberCorpus,
  PairStore,
  READ_MEMBERS_QUEUE,
} from "../batches/index.ts";
import { CheckStore, createCheckMetrics, REMOVE_METRICS_QUEUE, RUN_CHECK_QUEUES } from "../checks/index.ts";
import {
  ChunkIndex,
  createCalibrateModel,
  createCleanUpTombstones,
  createCorpusMetrics,
  createEncodeDocuments,
  createFingerprintDocuments,
  createFinishMove,
  createIngestDocuments,
  createIngestFolder,
  createIngestIndex,
  createIngestSql,
  createListFrequentShingles,
  createMeasureFrequencies,
  createMoveIndex,
  createPipeline,
  createRebuildIndex,
  createReconcile,
  createRefreshCorpusStatistics,
  createRestoreIndex,
  DEFAULT_LAYOUT,
  DocumentStore,
  FINGERPRINT_QUEUE,
  FrequentShingleStore,
  FrequentShingles,
  type IndexLayout,
  IndexVersions,
  type IngestIndexInput,
  type IngestResult,
  type IngestSqlInput,
  type Pipeline,
  replicaSettings,
  SemanticStore,
  Semantics,
  TextStore,
  Tombstones,
} from "../corpus/index.ts";
import { ComputePool } from "../matching/compute-pool.ts";
import type { PrepareEncoder } from "../matching/encoder/encoder-files.ts";
import type { Config } from "../platform/config.ts";
import { JobQueue, type QueueDefinition } from "../platform/job-queue.ts";
import type { Logger } from "../platform/logger.ts";
import { createMetrics, createObserveStore } from "../platform/metrics.ts";
import { type AccessSettings, openSearchAccess } from "../platform/opensearch/access.ts";
import { MetricsIndex } from "../platform/opensearch/metrics-index.ts";
import { connectOpenSearch } from "../platform/opensearch/opensearch.ts";
import { requireSupportedVersion } from "../platform/opensearch/supported-version.ts";
import { Database } from "../platform/postgres/database.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import { openTracing } from "../platform/tracing/open-tracing.ts";
import {
  createWebhookMetrics,
  PURGE_WEBHOOKS_QUEUE,
  Webhooks,
  webhookTargets,
} from "../platform/webhooks/index.ts";
import { createBacklogMetrics } from "./backlog-metrics.ts";
import { encodersOf, shippedModel } from "./open-encoder.ts";

/** Jobs that fetch from other parties' servers are retried less often. */
const FETCH_RETRY_DELAY_MAX_SECONDS = 30;

export const DELETE_OLD_CHECKS_QUEUE = "delete-old-checks";
export const REFRESH_STATISTICS_QUEUE = "refresh-statistics";

/** The queues of all background work. Their names are stored with the jobs. */
export const QUEUES: readonly QueueDefinition[] = [
  ...RUN_CHECK_QUEUES.map((name) => ({ name })),
  { name: FINGERPRINT_QUEUE },
  { name: REMOVE_METRICS_QUEUE },
  { name: READ_MEMBERS_QUEUE },
  { name: COMPARE_MEMBERS_QUEUE },
  { name: ADD_MEMBERS_QUEUE },
  { name: DELETE_OLD_CHECKS_QUEUE },
  { name: PURGE_WEBHOOKS_QUEUE },
  { name: REFRESH_STATISTICS_QUEUE, retryDelayMaxSeconds: FETCH_RETRY_DELAY_MAX_SECONDS },
];

/** How long a stop waits for running requests and jobs. */
export const STOP_GRACE_MS = 10_000;

export type CorpusOptions = Pick<Config, "opensearchIndexPrefix"> &
  AccessSettings &
  Partial<
    Pick<
      Config,
      | "otlpEndpoint"
      | "indexShards"
      | "indexReplicas"
      | "semantic"
      | "dataDir"
      | "embeddingsUrl"
      | "embeddingsModel"
      | "embeddingsApiKey"
      | "webhookUrls"
    >
  > & {
    readonly databaseUrl: string;
    readonly opensearchNodes: readonly string[];
    /** Threads that several services of one process share; without them a service starts its own. */
    readonly compute?: ComputePool;
    /** Makes the files of the built-in encoder; without it, they must be in `dataDir` already. */
    readonly prepareEncoder?: PrepareEncoder;
  };

/** Registers a part to be closed, in the reverse order of opening. */
export type Opened = <T>(part: T, close: (part: T) => Promise<unknown>) => T;

/** The parts on the two stores that the service and the corpus commands share. */
export type ConnectedCorpus = Awaited<ReturnType<typeof connectCorpus>>;

/**
 * Brings the schemas of both stores up to date and connects the parts of the corpus.
 * @param works whether this process runs the jobs of the queue.
 * @throws when a store can't be reached.
 */
export async function connectCorpus(options: CorpusOptions, works: boolean, log: Logger, opened: Opened) {
  const { databaseUrl, opensearchNodes, opensearchIndexPrefix } = options;
  await migrate(databaseUrl, log);
  const shared = createMetrics();
  const targets = webhookTargets(options.webhookUrls ?? []);
  const metrics = {
    ...shared,
    ...createCheckMetrics(shared.registry),
    ...createCorpusMetrics(shared.registry),
    ...createWebhookMetrics(shared.registry, targets),
  };
  const tracing = opened(await openTracing(options.otlpEndpoint, log), (one) => one.close());
  const [observePostgres, observeOpenSearch] = [
    createObserveStore("postgresql", { metrics, tracing }),
    createObserveStore("opensearch", { metrics, tracing }),
  ];
  const database = opened(new Database(databaseUrl, log, undefined, observePostgres), (one) => one.close());
  const opensearch = opened(
    connectOpenSearch(opensearchNodes, openSearchAccess(options), observeOpenSearch),
    (one) => one.close(),
  );
  await requireSupportedVersion(opensearch, opensearchNodes, log);
  const compute = options.compute ?? opened(new ComputePool(), (one) => one.close());
  const queue = opened(
    new JobQueue(databaseUrl, {
      ...{ queues: [...QUEUES, ...targets.map(({ queue }) => queue)], works, log, tracing },
      onAttempt: (queue, outcome, seconds) => metrics.jobSeconds.observe({ queue, outcome }, seconds),
    }),
    (one) => one.stop(STOP_GRACE_MS),
  );
  const webhooks = new Webhooks(targets, queue);
  const layout = {
    shards: options.indexShards ?? DEFAULT_LAYOUT.shards,
    replicas: options.indexReplicas ?? DEFAULT_LAYOUT.replicas,
  };
  const onBulkRetry = (reason: string) => metrics.bulkRetries.inc({ reason });
  const chunkIndexOf = (prefix: string, ofIndex: IndexLayout) =>
    new ChunkIndex(
      opensearch,
      prefix,
      onBulkRetry,
      (reason) => metrics.incompleteSearches.inc({ reason }),
      ofIndex,
    );
  const chunkIndex = chunkIndexOf(opensearchIndexPrefix, layout);
  // Under another prefix, so that searches, rebuilds and reconciliation of the corpus never see members of batches.
  const memberIndex = chunkIndexOf(`${opensearchIndexPrefix}${MEMBER_INDEX_PREFIX}`, {
    ...layout,
    isShortLived: true,
  });
  const metricsIndex = (name: string) =>
    new MetricsIndex(
      opensearch,
      opensearchIndexPrefix,
      name,
      (error) =>
        log.warn({ reason: error instanceof Error ? error.message : String(error) }, "metrics not written"),
      replicaSettings(layout),
    );
  const metricsIndices = {
    checkMetricsIndex: metricsIndex("check-metrics"),
    corpusMetricsIndex: metricsIndex("corpus-metrics"),
  };
  await Promise.all([
    queue.start(),
    chunkIndex.putTemplates().then(() => chunkIndex.updateIndices()),
    memberIndex
      .putTemplates()
      .then(() => memberIndex.updateIndices())
      .then(() => memberIndex.createFirst()),
    ...Object.values(metricsIndices).map((index) => index.prepare()),
  ]);

  const frequentShingleStore = new FrequentShingleStore();
  const stores = {
    documents: new DocumentStore(),
    texts: new TextStore(),
    tombstones: new Tombstones(),
    memberTombstones: new Tombstones("removed_members"),
    memberCorpus: new MemberCorpus(),
    batches: new BatchStore(),
    pairs: new PairStore(),
    semantics: new SemanticStore(),
    frequentShingleStore,
    frequentShingles: new FrequentShingles(frequentShingleStore),
  };
  if ((await stores.documents.countMatchable(database)) === 0) await chunkIndex.createFirst();

  createBacklogMetrics(metrics.registry, {
    backlog: async () => {
      const [queues, documentsPending, { encoded, waiting }, originalsBytes, deliveries] = await Promise.all([
        queue.backlog(database),
        stores.documents.countPending(database),
        stores.semantics.progress(database),
        new CheckStore().originalsSize(database),
        webhooks.backlog(database),
      ]);
      return {
        queues,
        documentsPending,
        documentsEncoded: encoded,
        documentsToEncode: waiting,
        originalsBytes,
        deliveries,
      };
    },
    load: () => ({ connections: database.connections(), computeTasks: compute.waiting }),
  });

  const indexVersions = new IndexVersions(opensearch, opensearchIndexPrefix, layout);
  const parts = {
    databaseUrl,
    log,
    metrics,
    tracing,
    database,
    opensearch,
    compute,
    queue,
    webhooks,
    chunkIndex,
    memberIndex,
    indexVersions,
    ...metricsIndices,
    ...stores,
  };
  const meaning = opened(
    new Semantics({
      ...parts,
      encoders: options.semantic === true ? encodersOf(options, compute, log) : undefined,
    }),
    (one) => one.close(),
  );
  const fingerprintDocuments = createFingerprintDocuments(parts);
  const ingestDocuments = createIngestDocuments(parts);
  const cleanUpTombstones = createCleanUpTombstones(parts);
  const cleanUpMembers = createCleanUpTombstones({
    database,
    tombstones: stores.memberTombstones,
    chunkIndex: memberIndex,
  });
  const reconcile = createReconcile({ ...parts, fingerprintDocuments, cleanUpTombstones });
  const rebuildIndex = createRebuildIndex({ ...parts, cleanUpTombstones });
  return {
    ...parts,
    meaning,
    encodeDocuments: createEncodeDocuments(parts),
    calibrateModel: createCalibrateModel({ ...parts, shippedModel }),
    ingestDocuments,
    ingestFolder: createIngestFolder({ ...parts, ingestDocuments, fingerprintDocuments }),
    ingestIndex: createIngestIndex({ ...parts, ingestDocuments, fingerprintDocuments, access: options }),
    ingestSql: createIngestSql({ ...parts, ingestDocuments, fingerprintDocuments }),
    fingerprintDocuments,
    cleanUpTombstones,
    cleanUpMembers,
    reconcile,
    rebuildIndex,
    moveIndex: createMoveIndex({
      ...parts,
      ...{ access: options, prefix: opensearchIndexPrefix, layout, onBulkRetry },
    }),
    finishMove: createFinishMove({ ...parts, fingerprintDocuments }),
    restoreIndex: createRestoreIndex({ ...parts, rebuildIndex }),
    refreshStatistics: createRefreshCorpusStatistics(parts),
    measureFrequencies: createMeasureFrequencies(parts),
    listFrequentShingles: createListFrequentShingles(parts),
  };
}

/** Collects opened parts; `closeAll` closes them in reverse order, also when one fails to close. */
export function collectOpened(log: Logger): {
  readonly opened: Opened;
  readonly closeAll: () => Promise<void>;
} {
  const closers: (() => Promise<unknown>)[] = [];
  let closed: Promise<void> | undefined;
  const close = async () => {
    for (const closeOne of closers) {
      await closeOne().catch((error: unknown) => log.warn({ err: error }, "a part did not close cleanly"));
    }
  };
  return {
    opened: (part, closePart) => {
      closers.unshift(() => closePart(part));
      return part;
    },
    closeAll: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** The parts of the corpus without the service, for commands. */
export type Corpus = ConnectedCorpus & {
  /** Closes the connections. Safe to call twice. */
  close(): Promise<void>;
};

/** Opens the corpus on its two stores, beside any services on them. @throws when a store can't be reached; nothing stays open. */
export async function openCorpus(options: CorpusOptions, log: Logger): Promise<Corpus> {
  const { opened, closeAll } = collectOpened(log);
  try {
    return { ...(await connectCorpus(options, false, log, opened)), close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The functions that fill the corpus from a program, with their connections. */
export type OpenPipeline = Pipeline & {
  /** Brings the corpus into line with an index, so that all its documents are matchable. */
  ingestIndex(input: IngestIndexInput): Promise<IngestResult>;
  /** Brings the corpus into line with the rows of a query to PostgreSQL. */
  ingestSql(input: IngestSqlInput): Promise<IngestResult>;
  /** Updates the statistics of the stores. Call it after a bulk load. */
  refreshStatistics(): Promise<void>;
  /** Closes the connections and ends the threads. Safe to call twice. */
  close(): Promise<void>;
};

/** Connects to the stores for a bulk load by a program. @throws when a store can't be reached. */
export async function openPipeline(options: CorpusOptions, log: Logger): Promise<OpenPipeline> {
  const corpus = await openCorpus(options, log);
  return {
    ...createPipeline(corpus),
    ingestIndex: corpus.ingestIndex,
    ingestSql: corpus.ingestSql,
    refreshStatistics: async () => void (await corpus.refreshStatistics()),
    close: corpus.close,
  };
}
