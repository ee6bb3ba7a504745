import { ADD_MEMBERS_QUEUE, COMPARE_MEMBERS_QUEUE, READ_MEMBERS_QUEUE } from "../batches/batch.ts";
import { BatchStore } from "../batches/batch-store.ts";
import { MEMBER_INDEX_PREFIX, MemberCorpus } from "../batches/member-corpus.ts";
import { PairStore } from "../batches/pair-store.ts";
import { RUN_CHECK_QUEUES } from "../checks/check-lanes.ts";
import { createCheckMetrics } from "../checks/check-metrics.ts";
import { CheckStore, REMOVE_METRICS_QUEUE } from "../checks/index.ts";
import { FINGERPRINT_QUEUES } from "../corpus/documents/document.ts";
import { DocumentStore } from "../corpus/documents/document-store.ts";
import { MeaningStore } from "../corpus/documents/meaning-store.ts";
import { TextStore } from "../corpus/documents/text-store.ts";
import { createCleanUpTombstones, Tombstones } from "../corpus/documents/tombstones.ts";
import { ChunkIndex } from "../corpus/index/chunk-index.ts";
import { createCorpusMetrics } from "../corpus/index/corpus-stores.ts";
import { FrequentShingleStore, FrequentShingles } from "../corpus/index/frequent-shingle-store.ts";
import {
  DEFAULT_LAYOUT,
  type IndexLayout,
  IndexVersions,
  replicaSettings,
} from "../corpus/index/index-versions.ts";
import { createListFrequentShingles, createMeasureFrequencies } from "../corpus/index/measure-frequencies.ts";
import { createFingerprintDocuments } from "../corpus/ingest/fingerprint-documents.ts";
import { createIngestFolder } from "../corpus/ingest/folder/ingest-folder.ts";
import { createIngestDocuments } from "../corpus/ingest/ingest-documents.ts";
import type { IngestResult } from "../corpus/ingest/ingest-tally.ts";
import { createPipeline, type Pipeline } from "../corpus/ingest/pipeline.ts";
import {
  createIngestIndex,
  createIngestOai,
  createIngestSql,
  type IngestIndexInput,
  type IngestOaiInput,
  type IngestSqlInput,
} from "../corpus/ingest/records/ingest-sources.ts";
import { createCalibrateModel } from "../corpus/meaning/calibrate-model.ts";
import { createEncodeDocuments } from "../corpus/meaning/encode-documents.ts";
import { EncoderModels } from "../corpus/meaning/encoder-models.ts";
import { createRebuildIndex, createRestoreIndex } from "../corpus/upkeep/rebuild-index.ts";
import { createReconcile } from "../corpus/upkeep/reconcile.ts";
import { createRefreshCorpusStatistics } from "../corpus/upkeep/refresh-corpus-statistics.ts";
import { ocrSettings } from "../extract/ocr/ocr-settings.ts";
import type { PrepareEncoder } from "../matching/encoder/encoder-files.ts";
import type { Config } from "../platform/config.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/logger.ts";
import { createMetrics, createObserveStore } from "../platform/metrics.ts";
import { openTracing } from "../platform/open-tracing.ts";
import { type AccessSettings, openSearchAccess } from "../platform/opensearch/access.ts";
import { MetricsIndex } from "../platform/opensearch/metrics-index.ts";
import { connectOpenSearch } from "../platform/opensearch/opensearch.ts";
import { requireSupportedVersion } from "../platform/opensearch/supported-version.ts";
import { Database } from "../platform/postgres/database.ts";
import { JobQueue, type QueueDefinition } from "../platform/postgres/job-queue.ts";
import { databaseSetUp, migrate } from "../platform/postgres/migrate.ts";
import { createWebhookMetrics, PURGE_WEBHOOKS_QUEUE } from "../platform/webhooks/deliver-webhook.ts";
import { Webhooks, webhookTargets } from "../platform/webhooks/webhooks.ts";
import { createBacklogMetrics, registerRefreshMetric } from "./backlog-metrics.ts";
import { openComputePool, type ServicePool } from "./compute-pool.ts";
import { encodersOf, shippedModel } from "./open-encoder.ts";

/** Jobs that fetch from other parties' servers are retried less often. */
const FETCH_RETRY_DELAY_MAX_SECONDS = 30;

export const DELETE_OLD_CHECKS_QUEUE = "delete-old-checks";
export const REFRESH_STATISTICS_QUEUE = "refresh-statistics";

/** The queues of all background work. Their names are stored with the jobs. */
export const QUEUES: readonly QueueDefinition[] = [
  ...RUN_CHECK_QUEUES.map((name) => ({ name })),
  ...FINGERPRINT_QUEUES.map((name) => ({ name })),
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
      | "ocr"
      | "ocrLanguages"
      | "ocrPagesMax"
      | "ocrPageMs"
    >
  > & {
    readonly databaseUrl: string;
    readonly opensearchNodes: readonly string[];
    /** Threads that several services of one process share; without them a service starts its own. */
    readonly compute?: ServicePool;
    /** Makes the files of the built-in encoder; without it, they must be in `dataDir` already. */
    readonly prepareEncoder?: PrepareEncoder;
  };

/** Registers a part to be closed, in the reverse order of opening. */
export type Opened = <T>(part: T, close: (part: T) => Promise<unknown>) => T;

/** The stores and use cases of the corpus that the service and the corpus commands share. */
export type ConnectedCorpus = Awaited<ReturnType<typeof connectCorpus>>;

/**
 * Brings the schemas of both stores up to date and connects the corpus to them.
 * @param works whether this process runs the jobs of the queue.
 * @throws when a store can't be reached.
 */
export async function connectCorpus(options: CorpusOptions, works: boolean, log: Logger, opened: Opened) {
  const { databaseUrl, opensearchNodes, opensearchIndexPrefix } = options;
  const ocr = await ocrSettings(options);
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
  const compute = options.compute ?? opened(openComputePool(), (one) => one.close());
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
      (error) => log.warn({ reason: errorMessage(error) }, "metrics not written"),
      replicaSettings(layout),
    );
  const metricsIndices = {
    checkMetricsIndex: metricsIndex("check-metrics"),
    corpusMetricsIndex: metricsIndex("corpus-metrics"),
  };
  await Promise.all([
    queue.start(),
    chunkIndex.putTemplates(),
    memberIndex.putTemplates().then(() => memberIndex.createFirst()),
    ...Object.values(metricsIndices).map((index) => index.prepare()),
  ]);

  const frequentShingleStore = new FrequentShingleStore();
  const tables = {
    documents: new DocumentStore(),
    texts: new TextStore(),
    tombstones: new Tombstones(),
    memberTombstones: new Tombstones("removed_members"),
    memberCorpus: new MemberCorpus(),
    batches: new BatchStore(),
    pairs: new PairStore(),
    meaning: new MeaningStore(),
    frequentShingleStore,
    frequentShingles: new FrequentShingles(frequentShingleStore),
  };
  if ((await tables.documents.countMatchable(database)) === 0) await chunkIndex.createFirst();
  const indexVersions = new IndexVersions(opensearch, opensearchIndexPrefix, layout);
  await indexVersions.claim(await databaseSetUp(database));

  registerRefreshMetric(metrics.registry, database);
  createBacklogMetrics(metrics.registry, {
    backlog: async () => {
      const [queues, documentsPending, { encoded, waiting }, originalsBytes, deliveries] = await Promise.all([
        queue.backlog(database),
        tables.documents.countPending(database),
        tables.meaning.progress(database),
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

  const stores = {
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
    ...tables,
  };
  const encoderModels = opened(
    new EncoderModels({
      ...stores,
      encoders: options.semantic === true ? encodersOf(options, compute, log) : undefined,
    }),
    (one) => one.close(),
  );
  const ingestDocuments = createIngestDocuments(stores);
  const fingerprintDocuments = createFingerprintDocuments(stores);
  const cleanUpTombstones = createCleanUpTombstones(stores);
  const corpus = { ...stores, ocr, ingestDocuments, fingerprintDocuments, cleanUpTombstones };
  const rebuildIndex = createRebuildIndex(corpus);
  return {
    ...corpus,
    encoderModels,
    encodeDocuments: createEncodeDocuments(stores),
    calibrateModel: createCalibrateModel(stores, shippedModel),
    ingestFolder: createIngestFolder(corpus),
    ingestIndex: createIngestIndex(corpus, options),
    ingestSql: createIngestSql(corpus),
    ingestOai: createIngestOai(corpus),
    cleanUpMembers: createCleanUpTombstones({
      database,
      tombstones: tables.memberTombstones,
      chunkIndex: memberIndex,
    }),
    reconcile: createReconcile(corpus),
    rebuildIndex,
    restoreIndex: createRestoreIndex(stores, rebuildIndex),
    refreshStatistics: createRefreshCorpusStatistics(stores, metricsIndices.corpusMetricsIndex),
    measureFrequencies: createMeasureFrequencies(stores),
    listFrequentShingles: createListFrequentShingles(stores),
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
  /** Brings the corpus into line with a repository that answers OAI-PMH. */
  ingestOai(input: IngestOaiInput): Promise<IngestResult>;
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
    ingestOai: corpus.ingestOai,
    refreshStatistics: async () => void (await corpus.refreshStatistics()),
    close: corpus.close,
  };
}
