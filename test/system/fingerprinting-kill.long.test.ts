import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { readStoredChunks } from "../../src/corpus/upkeep/compare-document.ts";
import type { CorpusOptions } from "../../src/service/connect-corpus.ts";
import { openCorpus } from "../../src/service/connect-corpus.ts";
import { dockerAnswers } from "../../tools/stores/compose.ts";
import { verifyAll } from "../corpus/upkeep/damaged-corpus.ts";
import { StoreLink } from "../support/faults/store-link.ts";
import { OwnStores, type Store } from "../support/processes/own-stores.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";
import type { StepOnTheWay } from "../support/work/step-watch.ts";

const BULK = "chunks-write/_bulk";
const REFRESH = "chunks-write/_refresh";
const MARK = "insert into document_chunks";

const STEPS: readonly (readonly [string, Store, StepOnTheWay])[] = [
  ["before the bulk write", "opensearch", { request: BULK, held: "request" }],
  ["after the bulk write, before its answer", "opensearch", { request: BULK, held: "answer" }],
  ["before the refresh", "opensearch", { request: REFRESH, held: "request" }],
  ["after the refresh", "opensearch", { request: REFRESH, held: "answer" }],
  ["before the mark", "postgres", { request: MARK, held: "request" }],
  ["before the commit", "postgres", { request: "commit", after: MARK, held: "request" }],
  ["after the commit", "postgres", { request: "commit", after: MARK, held: "answer" }],
];

/**
 * Scenarios that run at once, each with a service and stores of its own: most of their time they wait until the job
 * queue misses the heartbeat of a job that was cut off.
 */
const AT_ONCE = 4;

/** Long enough for a service to notice, and to fail once or twice. */
const CUT_MS = 500;

const TEXT = prose(1, 900);

describe("decisions, Engine: corpus: an upload becomes matchable whatever is cut off at whichever step", () => {
  const outcomes = new Map<string, Promise<void>>();
  let storesOutcome: Promise<void> | undefined;

  before(async function () {
    this.timeout(240_000);
    await testStores();
    if (await storesAreEmbedded()) {
      storesOutcome = storesKilled();
      storesOutcome.catch(() => undefined);
    }
    const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
    const scenarios = STEPS.flatMap(([name, store, step]) => [
      { title: killTitle(name), run: () => killedAt(store, step) },
      { title: cutTitle(name, store), run: () => cutOffAt(store, step) },
    ]);
    for (const [position, { title, run }] of scenarios.entries()) {
      const lane = position % AT_ONCE;
      const outcome = (lanes[lane] ?? Promise.resolve()).then(run);
      outcomes.set(title, outcome);
      // Its own test reports a failure; the next scenario of the lane goes on.
      lanes[lane] = outcome.catch(() => undefined);
    }
  });

  for (const [name, store] of STEPS) {
    it(killTitle(name), () => outcomes.get(killTitle(name)));
    it(cutTitle(name, store), () => outcomes.get(cutTitle(name, store)));
  }

  it("when OpenSearch is killed after the refresh, and PostgreSQL with the commit on its way", async function () {
    if (storesOutcome === undefined) {
      console.log(
        "    skipped: the stores of this run are not embedded ones, which alone are the test's to kill",
      );
      this.skip();
    }
    await storesOutcome;
  });
}).timeout(180_000);

/** Where they are, more of them can be started here. */
async function storesAreEmbedded(): Promise<boolean> {
  const { TEST_DATABASE_URL, TEST_OPENSEARCH_URL } = process.env;
  return TEST_DATABASE_URL === undefined && TEST_OPENSEARCH_URL === undefined && !(await dockerAnswers());
}

function killTitle(step: string): string {
  return `when the service is killed ${step}, and started again`;
}

function cutTitle(step: string, store: Store): string {
  return `when its connections to ${store === "postgres" ? "PostgreSQL" : "OpenSearch"} are lost ${step}, without a restart`;
}

async function freshOptions(): Promise<CorpusOptions> {
  const { opensearchNodes } = await testStores();
  return {
    databaseUrl: await freshDatabase(),
    opensearchNodes,
    opensearchIndexPrefix: freshPrefix(),
  };
}

/** A service with a link to each store. */
async function openScenario(options: CorpusOptions) {
  const links = {
    postgres: await StoreLink.open(options.databaseUrl),
    opensearch: await StoreLink.open(options.opensearchNodes[0] ?? ""),
  };
  const environment = {
    DATABASE_URL: links.postgres.url,
    OPENSEARCH_URL: links.opensearch.url,
    OPENSEARCH_INDEX_PREFIX: options.opensearchIndexPrefix,
    LOG_LEVEL: "warn",
  };
  const close = () => Promise.all([links.postgres.cut(), links.opensearch.cut()]);
  return { links, environment, service: await ServiceProcess.start(environment), close };
}

async function killedAt(store: Store, step: StepOnTheWay): Promise<void> {
  const options = await freshOptions();
  const { links, environment, service, close } = await openScenario(options);
  const running = [service];
  try {
    const reached = links[store].stopAt(step);
    const documentId = await upload(service);
    await reached;
    await service.end("SIGKILL");
    const restarted = await ServiceProcess.start(environment);
    running.push(restarted);
    await expectMatchable(restarted, options, [documentId]);
  } finally {
    for (const one of running) await one.end("SIGKILL");
    await close();
  }
}

async function cutOffAt(store: Store, step: StepOnTheWay): Promise<void> {
  const options = await freshOptions();
  const { links, service, close } = await openScenario(options);
  try {
    const reached = links[store].stopAt(step);
    const documentId = await upload(service);
    await reached;
    await links[store].cut();
    await sleep(CUT_MS);
    await links[store].mend();
    await expectMatchable(service, options, [documentId]);
  } finally {
    await service.end("SIGKILL");
    await close();
  }
}

/** Each store is killed in the middle of an upload, and started again where it was; the service goes on all the while. */
async function storesKilled(): Promise<void> {
  const stores = await OwnStores.open();
  try {
    const { databaseUrl, opensearchNodes } = stores;
    const options = { databaseUrl, opensearchNodes, opensearchIndexPrefix: "killed-" };
    const { links, service, close } = await openScenario(options);
    try {
      const documentIds: string[] = [];
      for (const [seed, store] of (["opensearch", "postgres"] as const).entries()) {
        const text = prose(10 + seed, 900);
        const step = STEPS.findLast(([, one]) => one === store)?.[2];
        if (step === undefined) throw new Error(`no step of fingerprinting asks ${store}`);
        const reached = links[store].stopAt(step);
        documentIds.push(await upload(service, text));
        await reached;
        await stores.kill(store);
        await stores.start(store);
        await expectMatchable(service, options, documentIds, text);
      }
    } finally {
      await service.end("SIGKILL");
      await close();
    }
  } finally {
    await stores.close();
  }
}

async function upload({ client }: ServiceProcess, text = TEXT): Promise<string> {
  const response = await client.upload("/v1/corpus/documents", { name: "a.txt", content: text });
  expect(response.status).to.equal(201);
  return DocumentMetadata.parse(await response.json()).document_id;
}

/**
 * The last of the documents is found by a check, its chunks are in the index once and as they should be, and nothing is
 * there but the documents.
 */
async function expectMatchable(
  { client }: ServiceProcess,
  options: CorpusOptions,
  documentIds: readonly string[],
  text = TEXT,
): Promise<void> {
  const documentId = documentIds.at(-1) ?? "";
  const { chunk_count } = await client.fingerprinted(documentId);
  const { sources, overall_similarity_pct } = await client.checked(text);
  expect(sources.map((source) => source.source_document_id)).to.deep.equal([documentId]);
  expect(overall_similarity_pct).to.equal(100);

  const corpus = await openCorpus(options, pino({ level: "silent" }));
  try {
    const chunks = await readStoredChunks(corpus.opensearch, corpus.chunkIndex.readAlias, documentId);
    expect(chunks.map(({ chunkIndex }) => chunkIndex)).to.deep.equal([...Array(chunk_count).keys()]);
    const { agrees, sampled, counts } = await verifyAll(corpus);
    expect({ agrees, sampled }).to.deep.equal({ agrees: true, sampled: documentIds.length });
    expect(counts).to.deep.equal({
      documents: documentIds.length,
      pending: 0,
      chunks: counts.indexedChunks,
      indexedDocuments: documentIds.length,
      indexedChunks: counts.chunks,
    });
  } finally {
    await corpus.close();
  }
}
