import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { countChunksOf } from "../../../src/corpus/index/document-chunks.ts";
import { type Corpus, type CorpusOptions, openCorpus } from "../../../src/service/connect-corpus.ts";
import { chunksInNext, rebuiltWork, roles, runCommand } from "../../corpus/rebuild/rebuild-runs.ts";
import { addTexts, indexContent } from "../../corpus/reconciliation/damaged-corpus.ts";
import { EngineClient } from "../../support/client.ts";
import { corpusEnvironment } from "../../support/processes/corpus-environment.ts";
import { OwnCluster } from "../../support/processes/own-cluster.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";
import { RepeatedWork } from "../../support/work/repeated-work.ts";
import { findings } from "../faults/workload.ts";

const BATCH = 100;

/** The command is killed when the other cluster has about as many of them. */
const CHUNKS_BEFORE_KILL = 600;

/** Longer than the margin by which a rebuild looks back from its own beginning. */
const PAUSE_MS = 65_000;

describe("a move to another cluster while the service is at work", function () {
  this.timeout(900_000);
  let cluster: OwnCluster;
  let present: CorpusOptions;
  let wanted: CorpusOptions;
  const services: ServiceProcess[] = [];
  const corpora: Corpus[] = [];
  const { texts, queries } = rebuiltWork();

  before(async () => {
    cluster = await OwnCluster.open({ nodeCount: 1 });
    const { opensearchNodes } = await testStores();
    present = {
      databaseUrl: await freshDatabase(),
      opensearchNodes,
      opensearchIndexPrefix: freshPrefix(),
    };
    wanted = { ...present, opensearchNodes: cluster.opensearchNodes };
  });
  after(async () => {
    for (const service of services) await service.end("SIGTERM");
    for (const corpus of corpora) await corpus.close();
    await cluster?.close();
  });

  const open = async (options: CorpusOptions) => {
    const corpus = await openCorpus(options, pino({ level: "silent" }));
    corpora.push(corpus);
    return corpus;
  };
  const start = async (options: CorpusOptions) => {
    // Encoding takes minutes, and reports would change with each document that is encoded.
    const environment = { ...corpusEnvironment(options), SEMANTIC: "off", LOG_LEVEL: "warn" };
    const service = await ServiceProcess.start(environment);
    services.push(service);
    return service;
  };

  it("fails no request, continues after a kill, and everything is found in the other cluster, and nothing deleted", async () => {
    const from = await open(present);
    const counts: Counts = { requests: 0, failed: [] };
    const first = await start(present);
    let client = new CountingClient(first.client.base, counts);
    // A move copies the oldest documents first: these before it is killed.
    const early = await client.addDocument("early.txt", prose(50_000, 300));
    const corrected = await client.addDocument("corrected.txt", prose(50_001, 300));
    for (let at = 0; at < texts.length; at += BATCH) await addTexts(from, texts.slice(at, at + BATCH));
    // Opened on an empty corpus, it would have an index.
    const to = await open(wanted);
    const known = await Promise.all(queries.map((text) => client.checked(text)));

    const checking = new RepeatedWork();
    let checks = 0;
    checking.repeat(async (round) => {
      const at = round % queries.length;
      const report = await client.checked(queries[at] ?? "");
      const before = known[at];
      expect(findings(report)).to.deep.equal(before && findings(before));
      checks += 1;
    });
    const uploading = new RepeatedWork();
    let uploads = 0;
    uploading.repeat(async (round) => {
      const text = prose(100_000 + round, 300);
      const { document_id } = await client.addDocument("new.txt", text);
      const [source] = (await client.checked(text)).sources;
      expect(source).to.include({ source_document_id: document_id, similarity_pct: 100 });
      await client.remove(document_id);
      expect((await client.checked(text)).sources).to.deep.equal([]);
      uploads += 1;
    });

    const move = () =>
      runCommand("corpus/rebuild", ["--to", cluster.opensearchNodes.join(","), "--json"], present);
    const killed = move();
    while (killed.child.exitCode === null && (await chunksInNext(to)) < CHUNKS_BEFORE_KILL) await sleep(20);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(await roles(to)).to.deep.equal({ next: [1] });
    const index = to.chunkIndex.names.nextAlias;
    const copied = await countChunksOf(to.opensearch, index, [early.document_id, corrected.document_id]);
    expect(copied.size, "copied before the kill").to.equal(2);
    const correction = { language: "fr" };
    const path = `/v1/corpus/documents/${corrected.document_id}`;
    await (await client.json("PATCH", path, correction)).body?.cancel();
    await client.remove(early.document_id);
    await client.fingerprinted(corrected.document_id);
    await sleep(PAUSE_MS);

    const began = performance.now();
    const { status, stdout, stderr } = await move().ended;
    const seconds = (performance.now() - began) / 1000;
    expect(status, stderr).to.equal(0);
    expect(stderr).to.match(/^Continuing with /m);
    expect(stderr).to.match(/^1\. Set OPENSEARCH_URL /m);
    expect(JSON.parse(stdout)).to.include({ index: `${present.opensearchIndexPrefix}chunks-v1` });
    await uploading.end();
    expect(await roles(to)).to.deep.equal({ current: [1] });
    expect(await roles(from)).to.deep.equal({ current: [1] });

    // Between the swap and the move of the services.
    const late = await client.addDocument("late.txt", prose(50_002, 300));
    const gone = await client.addDocument("gone.txt", prose(50_003, 300));
    await client.remove(gone.document_id);

    const second = await start(wanted);
    client = new CountingClient(second.client.base, counts);
    await sleep(2_000);
    const before = checks;
    while (checks < before + 4) await sleep(100);
    expect(await first.end("SIGTERM")).to.equal(0);
    await checking.end();
    const repair = await runCommand("corpus/verify", ["--repair"], wanted).ended;
    expect(repair.status, repair.stdout + repair.stderr).to.equal(0);

    for (const [text, source] of [
      [prose(50_001, 300), corrected],
      [prose(50_002, 300), late],
    ] as const) {
      const [found] = (await client.checked(text)).sources;
      expect(found).to.include({ source_document_id: source.document_id, similarity_pct: 100 });
    }
    for (const seed of [50_000, 50_003])
      expect((await client.checked(prose(seed, 300))).sources).to.deep.equal([]);
    const content = await indexContent(to);
    expect(content).to.deep.equal(await indexContent(from));
    for (const { document_id } of [early, gone])
      expect([...content.keys()].filter((id) => id.startsWith(document_id))).to.deep.equal([]);

    expect(counts.failed).to.deep.equal([]);
    expect(uploads).to.be.above(2);
    process.stderr.write(
      `${counts.requests} requests, none failed; ${checks} checks, ${uploads} uploads and deletions; the move took ${seconds.toFixed(1)} s after its kill\n`,
    );
  });
});

type Counts = { requests: number; readonly failed: string[] };

/** Counts requests, and those without the answer that they should have. */
class CountingClient extends EngineClient {
  readonly #counts: Counts;

  constructor(base: string, counts: Counts) {
    super(base);
    this.#counts = counts;
  }

  override async request(path: string, init: RequestInit = {}): Promise<Response> {
    const failed = (reason: unknown) =>
      void this.#counts.failed.push(`${init.method ?? "GET"} ${path}: ${reason}`);
    this.#counts.requests += 1;
    try {
      const response = await super.request(path, init);
      if (!response.ok) failed(response.status);
      return response;
    } catch (error) {
      failed(error);
      throw error;
    }
  }

  async remove(documentId: string): Promise<void> {
    await this.request(`/v1/corpus/documents/${documentId}`, { method: "DELETE" });
  }
}
