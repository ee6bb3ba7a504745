import { once } from "node:events";
import { createServer } from "node:net";
import { expect } from "chai";
import { pino } from "pino";
import { createVerifyCorpus } from "../../../src/corpus/upkeep/verify-corpus.ts";
import type { CorpusOptions } from "../../../src/service/connect-corpus.ts";
import { openCorpus } from "../../../src/service/connect-corpus.ts";
import type { EngineClient } from "../../support/client.ts";
import { corpusEnvironment } from "../../support/processes/corpus-environment.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { CHECKS, findings, QUERIES, SOURCE_TEXTS, UPLOADS, Workload } from "./workload.ts";

/** The program on empty stores, at one address whatever becomes of its process, with what it found undisturbed. */
export class TriedService {
  readonly options: CorpusOptions;
  readonly undisturbed: readonly unknown[];
  /** The check of the first query. */
  readonly knownCheckId: string;
  /** How long one workload takes when nothing goes wrong. */
  readonly undisturbedMs: number;
  readonly #environment: Readonly<Record<string, string>>;
  #service: ServiceProcess;
  /** The first one was the undisturbed. */
  #workloads = 1;
  #current: Workload | undefined;

  private constructor(
    options: CorpusOptions,
    environment: Readonly<Record<string, string>>,
    service: ServiceProcess,
    known: Pick<TriedService, "undisturbed" | "undisturbedMs" | "knownCheckId">,
  ) {
    this.options = options;
    this.#environment = environment;
    this.#service = service;
    this.undisturbed = known.undisturbed;
    this.knownCheckId = known.knownCheckId;
    this.undisturbedMs = known.undisturbedMs;
  }

  static async open(
    options: CorpusOptions,
    more: Readonly<Record<string, string>> = {},
  ): Promise<TriedService> {
    const environment = {
      ...more,
      ...corpusEnvironment(options),
      ENGINE_PORT: String(await freePort()),
      ROLES: "engine,worker",
      // Texts of invented words are near in meaning by chance, and how many of them are encoded varies.
      SEMANTIC: "off",
      LOG_LEVEL: "warn",
    };
    const service = await ServiceProcess.start(environment);
    const { client } = service;
    for (const [at, text] of SOURCE_TEXTS.entries()) await client.addDocument(`source-${at}.txt`, text);
    const reports = [];
    for (const query of QUERIES) reports.push(await client.checked(query));
    for (const { coverage, sources } of reports) {
      expect(coverage).to.equal("full");
      expect(sources).to.have.lengthOf(3);
    }
    const started = performance.now();
    const workload = new Workload(client, 1);
    workload.begin();
    await workload.end();
    const undisturbedMs = performance.now() - started;
    const undisturbed = reports.map(findings);
    await workload.expectUnchanged(undisturbed);
    const knownCheckId = reports[0]?.check_id ?? "";
    return new TriedService(options, environment, service, { undisturbed, undisturbedMs, knownCheckId });
  }

  get client(): EngineClient {
    return this.#service.client;
  }

  /** What the service has printed since its last start of things that it can't mend by itself. */
  get errors(): readonly string[] {
    return this.#service.output.filter((line) => line.includes('"level":50'));
  }

  newWorkload(): Workload {
    this.#workloads += 1;
    this.#current = new Workload(this.client, this.#workloads);
    return this.#current;
  }

  async kill(): Promise<void> {
    await this.#service.end("SIGKILL");
  }

  async start(): Promise<void> {
    this.#service = await ServiceProcess.start(this.#environment);
  }

  /**
   * Nothing is there twice, nothing is left over, and the index holds what the rows say, text to text for the documents
   * of this workload.
   * @param extraChecks submitted beside the workloads.
   * @param extraDocuments of the corpus beside theirs.
   */
  async expectTidy(workload: Workload, extraChecks: number, extraDocuments = 0): Promise<void> {
    const corpus = await openCorpus(this.options, pino({ level: "silent" }));
    try {
      const [rows] = await corpus.database.query<Rows>(
        `select (select count(*) from checks) as checks, (select count(*) from checks where status <> 'complete') as unfinished,
                (select count(*) from reports) as reports, (select count(*) from documents) as documents,
                (select count(*) from pending_documents) as pending, (select count(*) from removed_documents) as removed,
                (select count(*) from check_retrievals) as retrievals,
                (select count(*) from similarity_jobs.job where state in ('created', 'retry', 'active')
                    and name in ('run-check', 'fingerprint-document')) as jobs`,
      );
      // The queries undisturbed, then each workload with the check of all of its documents.
      const checks = QUERIES.length + this.#workloads * (CHECKS + 1) + extraChecks;
      const documents = SOURCE_TEXTS.length + this.#workloads * UPLOADS + extraDocuments;
      const none = { unfinished: 0, pending: 0, removed: 0, retrievals: 0, jobs: 0 };
      expect(rows).to.deep.equal({ checks, reports: checks, documents, ...none });
      const verified = await createVerifyCorpus(corpus)({ sampleIds: workload.documentIds });
      expect(verified).to.deep.include({ agrees: true, sampled: UPLOADS, faults: [] });
      const { counts } = verified;
      expect([counts.documents, counts.indexedDocuments]).to.deep.equal([documents, documents]);
      expect(counts.indexedChunks).to.equal(counts.chunks);
    } finally {
      await corpus.close();
    }
  }

  /** Also after a test that failed in the middle of a workload. */
  async close(): Promise<void> {
    this.#current?.giveUp();
    await this.#service.end("SIGKILL");
  }
}

/**
 * Closes the service after the tests of the enclosing `describe`, and prints its last errors when one has failed. Hooks run in
 * the order they are written: an `after` that closes what the service needs stands below this call.
 */
export function closeAfterTests(opened: () => TriedService | undefined): void {
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.log(opened()?.errors.slice(-3).join("\n"));
  });
  after(() => opened()?.close());
}

type Rows = Record<
  "checks" | "unfinished" | "reports" | "documents" | "pending" | "removed" | "retrievals" | "jobs",
  number
>;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const closed = once(server, "close");
  server.close();
  await closed;
  return port;
}
