import { join } from "node:path";
import { CheckStore } from "../checks/check-store.ts";
import { IdempotencyStore } from "../checks/idempotency-store.ts";
import { createManageChecks } from "../checks/manage-checks.ts";
import { createSubmitCheck } from "../checks/submit-check.ts";
import { answerFaults, authenticate } from "../core-api/api/authenticate.ts";
import { coreApiPages } from "../core-api/api/pages.ts";
import { coreApiRoutes } from "../core-api/api/routes.ts";
import { Failure } from "../core-api/api/schema.ts";
import { FAULTS } from "../core-api/core-api-error.ts";
import { CoreApiWorker } from "../core-api/core-api-worker.ts";
import { createDeleteSubmissions, type DeleteSubmissions } from "../core-api/delete-submissions.ts";
import { AcceptanceStore, readEula } from "../core-api/eula.ts";
import { createImportSpool } from "../core-api/import-spool.ts";
import { Keys } from "../core-api/keys.ts";
import { createMakeReports, indexSubmission } from "../core-api/make-reports.ts";
import { createMeasureSimilarity } from "../core-api/measure-similarity.ts";
import { Spool } from "../core-api/spool.ts";
import { SubmissionStore } from "../core-api/submission-store.ts";
import { createSubmissions } from "../core-api/submissions.ts";
import { createViewer, type Hiding, type ShowReport } from "../core-api/viewer.ts";
import { ViewerLinks } from "../core-api/viewer-links.ts";
import { createDeliverEvents } from "../core-api/webhooks/deliver-events.ts";
import { EventStore } from "../core-api/webhooks/event-store.ts";
import { webhookHosts } from "../core-api/webhooks/webhook-hosts.ts";
import { createExtractor } from "../extract/extractor.ts";
import { createApp, type SharedParts } from "../http/app.ts";
import { docsRouter, docsRoutes } from "../http/docs/docs.ts";
import { type OpenApiDocument, openApiDocument } from "../http/docs/openapi.ts";
import { FALLBACK } from "../http/languages/languages.ts";
import { probeRoutes, type Readiness } from "../http/probes.ts";
import { operationsOf, routerOf } from "../http/routing/route.ts";
import { trustedProxies } from "../http/security/client-address.ts";
import { refuseCrossSite } from "../http/security/cross-origin.ts";
import { type Listener, listen } from "../http/server.ts";
import type { Config } from "../platform/config.ts";
import { DomainError } from "../platform/domain-error.ts";
import { RequestCounter } from "../platform/postgres/request-counter.ts";
import { RELEASE } from "../platform/release.ts";
import { presentReport } from "../report/api/presenter.ts";
import { PRINTED_PAIRS_MAX } from "../report/api/routes.ts";
import { type ComparePairs, comparedPairs, createComparePassages } from "../report/exports/compared-pairs.ts";
import { reportHtml, TOOLBAR_POLICY } from "../report/exports/html/report-html.ts";
import { createMakePdf } from "../report/exports/pdf/report-pdf.ts";
import { numberedPassages } from "../report/exports/text-pieces.ts";
import type { ReportFilters } from "../report/figures/filters.ts";
import type { ReportStore } from "../report/index.ts";
import type { WireReport } from "../report/presented-report.ts";
import { createReadReport, type ReportView } from "../report/read-report.ts";
import type { ConnectedCorpus, Opened } from "./connect-corpus.ts";

export type CoreApiSettings = Pick<
  Config,
  | "coreApiPort"
  | "standingExclusions"
  | "coreApiPublicUrl"
  | "coreApiKeysFile"
  | "coreApiWebhookHosts"
  | "coreApiEulaFile"
  | "coreApiRateLimit"
  | "coreApiRetentionDays"
>;

type CoreApiOptions = Partial<CoreApiSettings> &
  Pick<Config, "host" | "dataDir" | "trustedProxies" | "checksWaitingMax"> & {
    readonly databaseUrl: string;
    readonly stopping?: AbortSignal;
  };

type CoreApiParts = ConnectedCorpus & {
  readonly checks: CheckStore;
  readonly reports: ReportStore;
};

const WINDOW_SECONDS = 60;

/** Time for the operator to look at what clients sent and could not be imported. It holds texts of people. */
const SET_ASIDE_DAYS = 30;

const DAY_MS = 86_400_000;

/** Starts the listener for plug-ins, with its background work. @throws ConfigError when a file of the settings can't be read. */
export async function startCoreApi(
  parts: CoreApiParts,
  shared: SharedParts,
  options: CoreApiOptions,
  opened: Opened,
  readiness: () => Promise<Readiness>,
): Promise<Listener> {
  const { database, log, metrics, ingestDocuments, fingerprintDocuments } = parts;
  const { databaseUrl, coreApiPublicUrl: publicUrl = "", coreApiRateLimit: limit = 1_200 } = options;
  const onFault = (error: unknown) => log.warn({ err: error }, "keys of the core api not read");
  const keys = new Keys(options.coreApiKeysFile ?? "", onFault);
  const eula = readEula(options.coreApiEulaFile);
  const hosts = webhookHosts(options.coreApiWebhookHosts ?? []);
  const spool = await Spool.open(join(options.dataDir, "core-api-spool"), log);
  const counting = { limit, windowSeconds: WINDOW_SECONDS, databaseUrl, table: "core_api_request_counts" };
  const counter = opened(new RequestCounter(counting, log), (one) => one.close());
  const onRead: Parameters<typeof createExtractor>[1] = (outcome, seconds) =>
    metrics.extractionSeconds.observe({ outcome }, seconds);
  const extractor = opened(createExtractor({ ocr: parts.ocr }, onRead), (one) => one.close());
  const idempotencyKeys = new IdempotencyStore();
  const { checksWaitingMax } = options;
  const submitCheck = createSubmitCheck({ ...parts, idempotencyKeys, checksWaitingMax });
  const readFiltered = createReadFiltered({
    ...parts,
    standingExclusions: options.standingExclusions,
  });

  const stores = { submissions: new SubmissionStore(), acceptances: new AcceptanceStore() };
  const events = new EventStore();
  const links = new ViewerLinks();
  const used = { ...parts, ...stores, events, spool, eula, hosts, links, extractor, submitCheck };
  const measureSimilarity = createMeasureSimilarity({ database, readFiltered, ...stores });
  const deleteCheck = createDeleteCheck(parts);
  const deleteDocument = createDeleteDocument(parts);
  const deleteSubmissions = deletingSubmissions(parts);
  const worker = new CoreApiWorker({
    log,
    importSpool: createImportSpool(used),
    makeReports: createMakeReports({ ...used, measureSimilarity, deleteCheck, deleteDocument }),
    deliverEvents: createDeliverEvents(used),
    async deleteOld(signal) {
      await links.deleteExpired(database);
      const deleted = await deleteSubmissions.old(options.coreApiRetentionDays, signal);
      if (deleted > 0) log.info({ deleted }, "old submissions deleted");
      const keptDays = Math.min(options.coreApiRetentionDays ?? SET_ASIDE_DAYS, SET_ASIDE_DAYS);
      const removed = await spool.removeSetAside(Date.now() - keptDays * DAY_MS);
      if (removed > 0) log.info({ removed }, "entries of the spool that were set aside removed");
    },
  });
  const wake = () => worker.wake();
  const showReport = createShowReport(parts, readFiltered);
  const viewer = createViewer({ ...used, showReport, measureSimilarity, wake });
  const app = createApp({
    name: "core-api",
    log,
    ...shared,
    tracing: parts.tracing,
    beforeRoutes: [
      answerFaults(log),
      refuseCrossSite(trustedProxies(options.trustedProxies)),
      authenticate({ keys, counter }),
    ],
    routers: [
      routerOf(coreApiRoutes, {
        ...{ database, store: used.submissions, acceptances: used.acceptances, events, spool, eula, hosts },
        ...{ viewer, deleteSubmissions, publicUrl },
        submissions: createSubmissions({ ...used, wake }),
        indexSubmission: (submission) =>
          indexSubmission(
            { database, ...stores, ingestDocuments, deleteDocument, fingerprintDocuments },
            submission,
          ),
      }),
      coreApiPages({ viewer, eula, publicUrl, reportPolicy: TOOLBAR_POLICY }),
      routerOf(probeRoutes, readiness),
      docsRouter(coreApi(), { path: "/", label: "Core API" }),
    ],
  });
  const { host, coreApiPort: port = 0, stopping } = options;
  const listener = await listen(app, { host, port, portSetting: "CORE_API_PORT", stopping });
  opened(worker, (one) => one.close()).start();
  return listener;
}

/** Deletes submissions with all that belongs to them. */
export function deletingSubmissions(
  parts: Pick<ConnectedCorpus, "database" | "documents" | "queue">,
): DeleteSubmissions {
  return createDeleteSubmissions({
    database: parts.database,
    submissions: new SubmissionStore(),
    acceptances: new AcceptanceStore(),
    deleteCheck: createDeleteCheck(parts),
    deleteDocument: createDeleteDocument(parts),
  });
}

function createDeleteDocument({ database, documents }: Pick<ConnectedCorpus, "database" | "documents">) {
  return async (documentId: string): Promise<void> => {
    await documents.deletePlatform(database, [documentId]);
  };
}

function createDeleteCheck({
  database,
  documents,
  queue,
}: Pick<ConnectedCorpus, "database" | "documents" | "queue">) {
  const manageChecks = createManageChecks({ database, checks: new CheckStore(), documents, queue });
  return async (checkId: string): Promise<void> => {
    await manageChecks.delete(checkId).catch((error: unknown) => {
      if (!(error instanceof DomainError && error.code === "check_not_found")) throw error;
    });
  };
}

function createReadFiltered(parts: Parameters<typeof createReadReport>[0]) {
  const readReport = createReadReport(parts);
  const units = { offsets: "utf16", lengths: "code_point" } as const;
  return (checkId: string, filters: ReportFilters = {}): Promise<ReportView> => {
    const asked = {
      exclude_quotes: filters.excludeQuotes,
      exclude_bibliography: filters.excludeBibliography,
      min_words: filters.minWords,
      exclude_sources: filters.excludeSources && [...filters.excludeSources],
    };
    return readReport(checkId, { units, asked, withReview: false, explain: false });
  };
}

const NO_EXCLUSIONS = { advice: "", groups: [] };
const UNNAMED = { title: "A submitted text", source_filename: "", source_url: null };
const NOT_SHOWN = { overlap_text_preview: "The text of this submission is not shown." };

/** For readers of plug-ins. Sources whose text is hidden are shown with the preview of the report, which says so. */
function createShowReport(
  parts: CoreApiParts,
  readFiltered: ReturnType<typeof createReadFiltered>,
): ShowReport {
  const compare = createComparePassages(parts);
  const makePdf = createMakePdf();
  return async (checkId, filters, hiding) => {
    const view = await readFiltered(checkId, filters);
    const report = forReader(presentReport(view), hiding);
    const compareShown: ComparePairs = async (passages, language) => {
      const isShown = ({ source }: (typeof passages)[number]) => !hiding.texts.has(source.documentId);
      const compared = (await compare(passages.filter(isShown), language)).values();
      return passages.map((passage) => (isShown(passage) ? compared.next().value : undefined));
    };
    return {
      sources: view.stored.sources.map(({ documentId, title }) => ({
        documentId,
        title: hiding.names.has(documentId) ? UNNAMED.title : title,
      })),
      page: (toolbar) => reportHtml(report, NO_EXCLUSIONS, compareShown, FALLBACK, toolbar),
      async pdf(signal) {
        const passages = numberedPassages(report).slice(0, PRINTED_PAIRS_MAX);
        const pairs = await Array.fromAsync(comparedPairs(report, passages, compareShown));
        return makePdf(
          { kind: "report", report, exclusions: NO_EXCLUSIONS, pairs, language: FALLBACK.tag },
          signal,
        );
      },
    };
  };
}

/** Without the names of uploads that wait, which may be of other keys. */
function forReader({ uncompared_documents: _, ...report }: WireReport, { texts, names }: Hiding): WireReport {
  const sources = report.sources.map(({ passages, ...source }) => ({
    ...source,
    ...(names.has(source.source_document_id) && UNNAMED),
    passages: texts.has(source.source_document_id)
      ? passages.map((one) => ({ ...one, ...NOT_SHOWN }))
      : passages,
  }));
  // The score without filters would count hidden documents; the toolbar names the filters.
  return { ...report, filters: null, sources };
}

const DESCRIPTION = `
For plug-ins that speak the Turnitin Core API: they are given the address of this listener and a key.

Each request has \`Authorization: Bearer KEY\`; everything of one key is invisible to another. A client announces a submission, uploads
its file (at most 100 MiB, as the body, whatever its Content-Type; \`Content-Disposition\` names it), and requests a report once its
text was read. Clients poll, or get events at an address that they set on a host that the operator lists. \`X-Turnitin-Signature\` of an
event is the HMAC-SHA256 of its body in hexadecimal, by the bytes that the secret stands for in base64.

Errors are \`{status, message}\`; where the protocol has a code, the message is the code alone. This service is independent of the maker of
that protocol.
`.trim();

/** The OpenAPI document of the listener. */
export function coreApi(): OpenApiDocument {
  const operations = operationsOf([...coreApiRoutes, ...probeRoutes, ...docsRoutes]);
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))];
  return openApiDocument({
    title: "Similarity Check: Core API",
    version: RELEASE,
    description: DESCRIPTION,
    tags: tags.map((name) => ({ name, description: "" })),
    operations,
    errorResponses: () =>
      Object.fromEntries(
        Object.entries(FAULTS).map(([fault, status]) => [
          status,
          { description: fault.replaceAll("_", " "), schema: Failure },
        ]),
      ),
  });
}
