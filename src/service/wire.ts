import { setTimeout as sleep } from "node:timers/promises";
import { presentBatchEvent } from "../batches/api/presenter.ts";
import { ADD_MEMBERS_QUEUE, COMPARE_MEMBERS_QUEUE, READ_MEMBERS_QUEUE } from "../batches/batch.ts";
import { createReadBatchReport } from "../batches/batch-report.ts";
import { createCompareMembers } from "../batches/compare-members.ts";
import { createBatchHub, createFollowBatch } from "../batches/follow-batch.ts";
import { createAddToCorpus, createDeleteOldBatches, createManageBatches } from "../batches/manage-batches.ts";
import { MemberCleanupWorker } from "../batches/member-cleanup-worker.ts";
import { createReadMembers } from "../batches/read-members.ts";
import { createAddMembers, createSubmitBatch } from "../batches/submit-batch.ts";
import { createWithUnpacked } from "../batches/unpack-files.ts";
import { createAddToCorpus as createAddCheckToCorpus } from "../checks/add-to-corpus.ts";
import { presentCheckEvent, presentReviewEvent } from "../checks/api/presenter.ts";
import { workOnChecks } from "../checks/check-lanes.ts";
import { CheckStore } from "../checks/check-store.ts";
import { createCompareTexts, createCompareUploads } from "../checks/comparisons/compare-texts.ts";
import { createComparisonLinks, createDeleteOldComparisons } from "../checks/comparisons/comparison-links.ts";
import { createFollowCheck, createProgressHub } from "../checks/follow-check.ts";
import { IdempotencyStore } from "../checks/idempotency-store.ts";
import { createDeleteOldChecks, createManageChecks } from "../checks/manage-checks.ts";
import { createReadOriginal } from "../checks/read-original.ts";
import { createRecordCheckMetrics, REMOVE_METRICS_QUEUE } from "../checks/record-check-metrics.ts";
import { createReviewCheck } from "../checks/review-check.ts";
import { createRunCheck } from "../checks/run-check.ts";
import { RunStore } from "../checks/run-store.ts";
import { createSubmitCheck, createSubmitUpload } from "../checks/submit-check.ts";
import { corpusSet } from "../corpus/corpus-set.ts";
import { FINGERPRINT_QUEUE, LONG_FINGERPRINT_QUEUE } from "../corpus/documents/document.ts";
import type { CleanUpTombstones } from "../corpus/documents/tombstones.ts";
import { type ChunkIndex, OUTDATED_INDEX } from "../corpus/index/chunk-index.ts";
import type { FingerprintDocuments } from "../corpus/ingest/fingerprint-documents.ts";
import type { IngestDocuments } from "../corpus/ingest/ingest-documents.ts";
import { MeaningWorker } from "../corpus/meaning/meaning-worker.ts";
import { createReadCoverage } from "../corpus/meaning/read-coverage.ts";
import { createReadCollections } from "../corpus/read-collections.ts";
import { createReadExcerpt } from "../corpus/read-excerpt.ts";
import {
  createSampleCorpusLoader,
  type SampleCorpusLoader,
} from "../corpus/sample-corpus/load-sample-corpus.ts";
import { ReconciliationWorker } from "../corpus/upkeep/reconciliation-worker.ts";
import {
  createCorrectLanguage,
  createDeleteDocument,
  createReadDocument,
  createUploadDocument,
} from "../corpus/uploaded-documents.ts";
import { createExtractor } from "../extract/extractor.ts";
import { createApp, type SharedParts } from "../http/app.ts";
import { readBuiltPages } from "../http/built-files.ts";
import { createHttpMetrics } from "../http/observation.ts";
import { PendingAnswers } from "../http/pending-answers.ts";
import { metricsRoutes, probeRoutes, type Readiness, untilStopping } from "../http/probes.ts";
import { routerOf } from "../http/routing/route.ts";
import { trustedProxies } from "../http/security/client-address.ts";
import { refuseCrossSite } from "../http/security/cross-origin.ts";
import { hostRule, isLoopback } from "../http/security/host-rule.ts";
import { type Listener, listen } from "../http/server.ts";
import type { CurrentEncoder } from "../matching/encoder/sentence-encoder.ts";
import type { Config } from "../platform/config.ts";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { JobHandler } from "../platform/postgres/job-queue.ts";
import { schemaIsCurrent } from "../platform/postgres/migrate.ts";
import {
  createDeliverWebhook,
  createPurgeWebhooks,
  DELIVERY_CONCURRENCY,
  PURGE_WEBHOOKS_QUEUE,
} from "../platform/webhooks/deliver-webhook.ts";
import { createComparePassages } from "../report/exports/compared-pairs.ts";
import { createMakePdf } from "../report/exports/pdf/report-pdf.ts";
import { ReportStore } from "../report/index.ts";
import { createPassageNotes } from "../report/passage-notes.ts";
import { createReadReport } from "../report/read-report.ts";
import { createReadSourceText } from "../report/read-source-text.ts";
import {
  type ConnectedCorpus,
  type CorpusOptions,
  collectOpened,
  connectCorpus,
  DELETE_OLD_CHECKS_QUEUE,
  type Opened,
  STOP_GRACE_MS,
} from "./connect-corpus.ts";
import { type CoreApiSettings, startCoreApi } from "./core-api.ts";
import { engineRouters } from "./engine-api.ts";
import {
  type RefreshServiceOptions,
  type StatisticsOptions,
  shareStatistics,
  startStatistics,
  startStatisticsRefresh,
} from "./statistics-service.ts";

/**
 * The longest wait of an upload for a process. With the 30 s for reading it, a client has its answer within 90 s. Without
 * this limit, the last of 20 files that take 30 s each waited more than 5 minutes, after which Node.js clients give up. The
 * last of 20 usual files waits a second or two.
 */
const UPLOAD_WAIT_MS = 60_000;

/** Two keep two cores busy while one waits for a store. Long documents leave a core to checks and to the other documents. */
const FINGERPRINTING_CONCURRENCY = { [FINGERPRINT_QUEUE]: 2, [LONG_FINGERPRINT_QUEUE]: 1 } as const;

export type ServiceOptions = CorpusOptions &
  Omit<StatisticsOptions, "statisticsDatabaseUrl"> &
  RefreshServiceOptions &
  Pick<
    Config,
    | "statisticsDatabaseUrl"
    | "host"
    | "allowedHosts"
    | "enginePort"
    | "metricsPort"
    | "roles"
    | "checkTimeBudgetMs"
    | "checkConcurrency"
    | "checksWaitingMax"
    | "checkRetentionDays"
    | "comparisonLinkDays"
    | "keepOriginals"
    | "standingExclusions"
    | "batchMembersMax"
    | "membersWaitingMax"
    | "corpusUploadLimitBytes"
    | "uploadsWaitingMax"
    | "webhookSecret"
  > &
  Partial<CoreApiSettings> & {
    /** Aborted when the process is told to stop: it still serves, but is no longer ready. */
    readonly stopping?: AbortSignal;
  };

export type Service = {
  /** Undefined in a process without that role, and so is `statistics`. */
  readonly engine: Listener | undefined;
  readonly statistics: Listener | undefined;
  /** For plug-ins that speak the Turnitin Core API; undefined without `coreApiPort`. */
  readonly coreApi: Listener | undefined;
  /** Serves only probes and metrics; undefined without `metricsPort`. */
  readonly monitoring: Listener | undefined;
  readonly sampleCorpus: SampleCorpusLoader;
  readonly ingestDocuments: IngestDocuments;
  readonly fingerprintDocuments: FingerprintDocuments;
  readonly cleanUpTombstones: CleanUpTombstones;
  /** Takes no new work, hands back running work, ends streams and closes the connections. Safe to call twice. */
  stop(): Promise<void>;
};

/** Connects to the stores, wires the parts and starts the roles. @throws when a store or a port is missing; nothing stays open. */
export async function startService(options: ServiceOptions, log: Logger): Promise<Service> {
  const { opened, closeAll } = collectOpened(log);
  try {
    const works = options.roles.includes("worker");
    const corpus = await connectCorpus(options, works, log, opened);
    await shareStatistics(corpus.database, log);
    const shards = await corpus.indexVersions.otherShards();
    if (shards !== undefined) log.warn({ shards, wanted: corpus.indexVersions.layout.shards }, OTHER_SHARDS);
    const parts: ConnectedService = {
      ...corpus,
      encoder: corpus.encoderModels,
      checks: new CheckStore(),
      runs: new RunStore(),
      reports: new ReportStore(),
    };
    if (works) await startWorker(parts, options, opened);
    const shared = {
      metrics: createHttpMetrics(parts.metrics.registry),
      pendingAnswers: new PendingAnswers(),
      pages: servesPages(options) ? readBuiltPages() : undefined,
    };
    const close = (listener: Listener) => listener.close(STOP_GRACE_MS);
    const engine = options.roles.includes("engine")
      ? opened(await startEngine(parts, shared, options, opened), close)
      : undefined;
    const statistics = options.roles.includes("statistics")
      ? opened(await startStatistics(parts, shared, withReader(options), opened), close)
      : undefined;
    const coreApi =
      engine === undefined || options.coreApiPort === undefined
        ? undefined
        : opened(await startCoreApi(parts, shared, options, opened, () => ready(parts, options)), close);
    const { metricsPort } = options;
    const monitoring =
      metricsPort === undefined
        ? undefined
        : opened(await startMonitoring(parts, shared, { ...options, metricsPort }), close);
    // Closed first, so that no new work begins while the listeners wait for their last requests.
    opened(parts.queue, (queue) => queue.stopWorking());
    const { ingestDocuments, fingerprintDocuments, cleanUpTombstones } = corpus;
    const sampleCorpus = createSampleCorpusLoader(corpus);
    const useCases = { sampleCorpus, ingestDocuments, fingerprintDocuments, cleanUpTombstones };
    return { engine, statistics, coreApi, monitoring, ...useCases, stop: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

const OTHER_SHARDS =
  "the number of shards of the chunk index differs from INDEX_SHARDS; `npm run corpus:rebuild` applies the setting";

function servesPages({ roles }: ServiceOptions): boolean {
  return roles.includes("engine") || roles.includes("statistics");
}

/** Without their own URL, the statistics are read by the service's role. */
function withReader(options: ServiceOptions): StatisticsOptions {
  return { ...options, statisticsDatabaseUrl: options.statisticsDatabaseUrl ?? options.databaseUrl };
}

type ConnectedService = ConnectedCorpus & {
  readonly encoder: CurrentEncoder;
  readonly checks: CheckStore;
  readonly runs: RunStore;
  readonly reports: ReportStore;
};

async function startWorker(parts: ConnectedService, options: ServiceOptions, opened: Opened): Promise<void> {
  const { queue, checks, webhooks, fingerprintDocuments, checkMetricsIndex } = parts;
  const runCheck = createRunCheck({
    ...parts,
    corpusOf: (selection) => corpusSet(parts, selection),
    announceEnd: async (transaction, checkId) => {
      if (webhooks.targets.length === 0) return;
      const check = await checks.find(transaction, checkId);
      if (check !== undefined) await webhooks.record(transaction, presentCheckEvent(check));
    },
    recordCheckMetrics: createRecordCheckMetrics(parts),
    timeBudgetMs: options.checkTimeBudgetMs,
  });
  await workOnChecks(queue, options.checkConcurrency, runCheck);
  for (const [name, concurrency] of Object.entries(FINGERPRINTING_CONCURRENCY)) {
    await queue.work(name, concurrency, async (id) => {
      await fingerprintDocuments([id]);
    });
  }
  await queue.work(REMOVE_METRICS_QUEUE, 1, (checkId) => checkMetricsIndex.remove(checkId));
  await startBatches(parts, options, runCheck, opened);
  await startRetention(parts, options);
  await startWebhooks(parts, options.webhookSecret);
  await startStatisticsRefresh(parts, options, opened);
  const reconciliation = opened(new ReconciliationWorker(parts), (one) => one.close());
  await reconciliation.start();
  if (options.semantic) opened(new MeaningWorker(parts), (one) => one.close()).start();
}

/** Both queues have as many workers as each lane of checks: batches and single checks share the machine. */
async function startBatches(
  parts: ConnectedService,
  { checkConcurrency, checkTimeBudgetMs }: ServiceOptions,
  runCheck: JobHandler,
  opened: Opened,
): Promise<void> {
  const { queue, metrics } = parts;
  const extractor = opened(
    createExtractor({ ocr: parts.ocr }, (outcome, seconds) =>
      metrics.extractionSeconds.observe({ outcome }, seconds),
    ),
    (one) => one.close(),
  );
  const timeBudgetMs = checkTimeBudgetMs;
  const presentEvent = presentBatchEvent;
  await queue.work(
    READ_MEMBERS_QUEUE,
    checkConcurrency,
    createReadMembers({ ...parts, extractor, presentEvent }),
  );
  await queue.work(
    COMPARE_MEMBERS_QUEUE,
    checkConcurrency,
    createCompareMembers({ ...parts, runCheck, timeBudgetMs, presentEvent }),
  );
  await queue.work(ADD_MEMBERS_QUEUE, 1, createAddToCorpus(parts));
  await opened(new MemberCleanupWorker({ ...parts, presentEvent }), (one) => one.close()).start();
}

/** Old checks and comparisons are deleted within the hour. Minute 23 avoids the full hour, when other schedules run. */
const RETENTION_CRON = "23 * * * *";

/** All workers on the same stores should have the same setting: the last one that starts decides. */
async function startRetention(
  parts: ConnectedService,
  { checkRetentionDays: retentionDays, comparisonLinkDays: linkDays }: ServiceOptions,
): Promise<void> {
  const deleteOldComparisons = createDeleteOldComparisons({ ...parts, linkDays });
  const deleteOld =
    retentionDays === undefined
      ? []
      : [
          createDeleteOldChecks({ ...parts, retentionDays }),
          createDeleteOldBatches({ ...parts, retentionDays }),
        ];
  await parts.queue.work(DELETE_OLD_CHECKS_QUEUE, 1, async (_, signal) => {
    for (const deleteThem of deleteOld) await deleteThem(signal);
    await deleteOldComparisons(signal);
  });
  await parts.queue.schedule(DELETE_OLD_CHECKS_QUEUE, RETENTION_CRON);
}

/** Once an hour, at another minute than the retention. */
const PURGE_CRON = "41 * * * *";

/** Each target has workers of its own: one that is down holds up no other. */
async function startWebhooks(parts: ConnectedService, secrets: readonly string[]): Promise<void> {
  const { queue, webhooks } = parts;
  for (const target of webhooks.targets) {
    const deliver = createDeliverWebhook({ ...parts, secrets }, target);
    await queue.work(target.queue.name, DELIVERY_CONCURRENCY, deliver);
  }
  await queue.work(PURGE_WEBHOOKS_QUEUE, 1, createPurgeWebhooks(parts));
  await queue.schedule(PURGE_WEBHOOKS_QUEUE, PURGE_CRON);
}

async function startEngine(
  parts: ConnectedService,
  shared: SharedParts,
  options: ServiceOptions,
  opened: Opened,
): Promise<Listener> {
  const { database, checks, documents, queue, metrics, tracing, log } = parts;
  const extractor = opened(
    createExtractor(
      { waitingMax: options.uploadsWaitingMax, waitMs: UPLOAD_WAIT_MS, ocr: parts.ocr },
      (outcome, seconds) => metrics.extractionSeconds.observe({ outcome }, seconds),
    ),
    (one) => one.close(),
  );
  const hub = opened(createProgressHub(options.databaseUrl, log), (one) => one.close());
  await hub.open();

  const idempotencyKeys = new IdempotencyStore();
  const submitCheck = createSubmitCheck({
    ...parts,
    idempotencyKeys,
    checksWaitingMax: options.checksWaitingMax,
  });
  const readReport = createReadReport({ ...parts, standingExclusions: options.standingExclusions });
  const compareTexts = createCompareTexts({
    ...parts,
    corpus: corpusSet(parts),
    timeBudgetMs: options.checkTimeBudgetMs,
  });
  const makePdf = createMakePdf();
  const batchHub = opened(createBatchHub(options.databaseUrl, log), (one) => one.close());
  await batchHub.open();
  const { batchMembersMax, membersWaitingMax } = options;
  const accepted = { batchMembersMax, membersWaitingMax, idempotencyKeys };
  const { host, allowedHosts } = options;
  const app = createApp({
    name: "engine",
    log,
    ...shared,
    tracing,
    isOwnHost: hostRule(host, allowedHosts),
    beforeRoutes: [refuseCrossSite(trustedProxies(options.trustedProxies))],
    routers: engineRouters({
      checks: {
        submitCheck,
        submitUpload: createSubmitUpload({ extractor, submitCheck, keepOriginals: options.keepOriginals }),
        followCheck: createFollowCheck({ database, checks, hub }),
        manageChecks: createManageChecks({ database, checks, documents, queue }),
        readOriginal: createReadOriginal({ database, checks, extractor }),
        addToCorpus: createAddCheckToCorpus(parts),
        reviewCheck: createReviewCheck({ ...parts, readReport, presentEvent: presentReviewEvent }),
        pendingAnswers: shared.pendingAnswers,
      },
      reports: {
        readReport,
        passageNotes: createPassageNotes(parts),
        readSourceText: createReadSourceText({ ...parts, readExcerpt: createReadExcerpt(parts) }),
        comparePassages: createComparePassages(parts),
        makePdf,
        pendingAnswers: shared.pendingAnswers,
      },
      comparisons: {
        compareUploads: createCompareUploads({ extractor, compareTexts }),
        links: createComparisonLinks({ ...parts, linkDays: options.comparisonLinkDays }),
        makePdf: (print, signal) => makePdf({ kind: "comparison", ...print }, signal),
        pendingAnswers: shared.pendingAnswers,
      },
      corpus: {
        database,
        documents,
        readCoverage: createReadCoverage(parts, parts.encoderModels),
        readCollections: createReadCollections(database),
        readDocument: createReadDocument(parts),
        uploadDocument: createUploadDocument(parts, parts.ingestDocuments, extractor),
        correctLanguage: createCorrectLanguage(parts),
        deleteDocument: createDeleteDocument(parts),
        uploadBytesMax: options.corpusUploadLimitBytes,
        pendingAnswers: shared.pendingAnswers,
      },
      batches: {
        submitBatch: createSubmitBatch({ ...parts, ...accepted, extractor }),
        addMembers: createAddMembers({ ...parts, ...accepted }),
        withUnpacked: createWithUnpacked(),
        followBatch: createFollowBatch({ database, batches: parts.batches, hub: batchHub }),
        manageBatches: createManageBatches(parts),
        readBatchReport: createReadBatchReport(parts),
      },
      readiness: () => ready(parts, options),
      registry: metrics.registry,
      pages: shared.pages,
    }),
  });
  if (!isLoopback(host)) {
    log.warn({ host }, "the engine is reachable from other machines and has no authentication");
  }
  return listen(app, { ...options, port: options.enginePort, portSetting: "ENGINE_PORT" });
}

function ready(
  { database, chunkIndex }: ConnectedCorpus,
  { stopping }: Pick<ServiceOptions, "stopping">,
): Promise<Readiness> {
  return untilStopping(() => readiness(database, chunkIndex), stopping)();
}

async function readiness(database: Database, chunkIndex: ChunkIndex): Promise<Readiness> {
  const [postgres, opensearch] = await Promise.all([
    inTime(schemaIsCurrent(database)).then((current) => (current ? "ok" : SCHEMA_OLD), unreachable),
    chunkIndex.usability().then((state) => INDEX_STATES[state], unreachable),
  ]);
  return { ready: postgres === "ok" && opensearch === "ok", checks: { postgres, opensearch } };
}

const INDEX_STATES = {
  ok: "ok",
  missing: "the chunk index is missing",
  outdated: OUTDATED_INDEX,
  closed: "the chunk index is closed",
  partial: "shards of the chunk index are missing; GET _cluster/allocation/explain in OpenSearch tells why",
} as const satisfies Record<Awaited<ReturnType<ChunkIndex["usability"]>>, string>;

const SCHEMA_OLD = "the schema is not current";

/** A statement's timeout is longer than a probe may take. OpenSearch has the same limit. */
const PROBE_TIMEOUT_MS = 2_000;

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = sleep(PROBE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error("no answer in time");
  });
  return Promise.race([work, late]);
}

function unreachable(): string {
  return "does not answer";
}

/** Serves only `/health`, `/ready` and `/metrics`. A process that is only a worker has no other listener. */
async function startMonitoring(
  parts: ConnectedCorpus,
  shared: SharedParts,
  options: Pick<ServiceOptions, "host" | "allowedHosts" | "stopping"> & { readonly metricsPort: number },
): Promise<Listener> {
  const { metrics, log } = parts;
  const { host, allowedHosts, metricsPort } = options;
  const app = createApp({
    name: "monitoring",
    log,
    ...shared,
    isOwnHost: hostRule(host, allowedHosts),
    routers: [routerOf(probeRoutes, () => ready(parts, options)), routerOf(metricsRoutes, metrics.registry)],
  });
  return listen(app, { ...options, port: metricsPort, portSetting: "METRICS_PORT" });
}
