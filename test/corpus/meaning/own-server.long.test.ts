import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { createVerifyCorpus } from "../../../src/corpus/upkeep/verify-corpus.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
import { openCorpus } from "../../../src/service/connect-corpus.ts";
import type { ServiceOptions } from "../../../src/service/wire.ts";
import { EngineClient } from "../../support/client.ts";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { EmbeddingsDouble, inOtherLanguage } from "../../support/servers/embeddings-double.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { prose } from "../../support/work/prose.ts";
import { runCommand } from "../upkeep/rebuild-runs.ts";

const DOCUMENTS = 80;
const textOf = (document: number) => prose(document + 1, 400);

/** Some sentences of a document, and the same in the other language. */
const sentencesOf = (document: number) =>
  textOf(document)
    .split(/(?<=\.) /)
    .filter((sentence) => sentence.split(" ").length > 6)
    .slice(4, 9)
    .join(" ");

/** A service that can be started again with other settings on the same stores. */
class Restartable {
  #running: TestService | undefined;
  #database: Database | undefined;

  async start(changes: Partial<ServiceOptions>): Promise<void> {
    await this.#running?.stop();
    const { databaseUrl, opensearchIndexPrefix } = this.#running?.options ?? {};
    this.#running = await startTestService({
      semantic: true,
      ...(databaseUrl !== undefined && opensearchIndexPrefix !== undefined
        ? { databaseUrl, opensearchIndexPrefix }
        : {}),
      ...changes,
    });
    this.#database ??= new Database(this.#running.options.databaseUrl, pino({ level: "silent" }));
  }

  async stop(): Promise<void> {
    await this.#database?.close();
    await this.#running?.stop();
  }

  get running(): TestService {
    if (this.#running === undefined) throw new Error("the service is not running");
    return this.#running;
  }

  get database(): Database {
    if (this.#database === undefined) throw new Error("the service is not running");
    return this.#database;
  }

  /** Adds documents that were fingerprinted long ago, so that the calibration begins at once. */
  async load(texts: readonly string[], first = 0): Promise<void> {
    const { service } = this.running;
    const ingested = await service.ingestDocuments(
      texts.map((text, at) => ({
        origin: { scope: "platform" as const, collection: "prose", path: `${first + at}.txt` },
        filename: `${first + at}.txt`,
        title: `Text ${first + at}`,
        mediaType: "text/plain" as const,
        language: "en",
        sourceUrl: null,
        sizeBytes: text.length,
        sha256: (first + at).toString(16).padStart(64, "0"),
        text,
      })),
    );
    await service.fingerprintDocuments(ingested.map(({ document }) => document.documentId));
    await this.database.query("update document_chunks set fingerprinted_at = now() - interval '5 minutes'");
  }

  async check(text: string, language = "de") {
    const client = new EngineClient(this.running.base);
    const checkId = await client.submit(text, { language });
    await client.ended(checkId);
    const { sources, semantic_coverage, semantic_coverage_reason } = await client.report(checkId);
    return {
      titles: sources.map(({ title }) => title),
      coverage: semantic_coverage,
      reason: semantic_coverage_reason,
    };
  }

  /** The generations of fingerprints, the current one marked, with the documents that they have. */
  async generations(): Promise<{ model: string; current: boolean; documents: number }[]> {
    return this.database.query(
      `select model, is_current as current, count(document_id)::integer as documents
         from semantic_models left join semantic_documents using (generation) group by generation order by generation`,
    );
  }

  async until(isReached: () => Promise<boolean>): Promise<void> {
    while (!(await isReached())) await sleep(100);
  }

  async encoded(model: string, documents: number): Promise<void> {
    await this.until(async () => {
      const [only, ...others] = await this.generations();
      return others.length === 0 && only?.model === model && only.current && only.documents === documents;
    });
  }
}

const WORDS_OF_OTHERS = prose(999, 80);

describe("meaning by an embedding server of the user's own", function () {
  this.timeout(600_000);
  const service = new Restartable();
  const server = new EmbeddingsDouble();
  const settings = () => ({ embeddingsUrl: server.url, embeddingsModel: "words" });

  before(async function () {
    this.timeout(600_000);
    await server.start();
    await service.start(settings());
  });
  after(async () => {
    await service.stop();
    await server.stop();
  });

  it("is not compared as long as the corpus is too small to calibrate the model", async () => {
    await service.load([textOf(0)]);
    expect(await service.check(sentencesOf(0), "en")).to.deep.equal({
      titles: ["Text 0"],
      coverage: "none",
      reason: "not_encoded",
    });
    expect(await service.generations()).to.deep.equal([]);
  });

  it("is compared after a calibration by itself", async () => {
    await service.load(
      Array.from({ length: DOCUMENTS - 1 }, (_, at) => textOf(at + 1)),
      1,
    );
    await service.encoded("server:words", DOCUMENTS);
    for (const document of [0, 17, 63])
      expect(await service.check(inOtherLanguage(sentencesOf(document)))).to.deep.equal({
        titles: [`Text ${document}`],
        coverage: "full",
        reason: null,
      });
    expect((await service.check(inOtherLanguage(WORDS_OF_OTHERS))).titles).to.deep.equal([]);
  });

  it("is not compared while the server is down, but words are, and documents wait for it", async () => {
    await server.stop();
    await service.load([textOf(DOCUMENTS)], DOCUMENTS);
    expect(await service.check(sentencesOf(DOCUMENTS), "en")).to.deep.equal({
      titles: [`Text ${DOCUMENTS}`],
      coverage: "none",
      reason: "unavailable",
    });
    await server.start();
    await service.encoded("server:words", DOCUMENTS + 1);
    await service.until(async () => {
      const { coverage, titles } = await service.check(inOtherLanguage(sentencesOf(DOCUMENTS)));
      return coverage === "full" && titles[0] === `Text ${DOCUMENTS}`;
    });
  });

  it("can be calibrated anew while it is used: checks switch when all documents are encoded again", async () => {
    const { options } = service.running;
    const [before] = await service.database.query<{ generation: number }>(
      "select generation from semantic_models",
    );
    const measured = await runCommand("corpus/calibrate", ["--json"], options).ended;
    expect(`${measured.status},${measured.stderr}`).to.match(
      /^0,Calibrating server:words: encoding 2\d{3} sentences/,
    );
    const lines = measured.stdout.trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).to.include({ dimensions: 96, generation: null });
    expect(await service.generations()).to.have.length(1);
    const stored = await runCommand("corpus/calibrate", ["--replace"], options).ended;
    expect(stored.stdout).to.match(/Stored as generation \d+; workers encode the documents for it\./);
    await service.until(async () => {
      const rows = await service.database.query<{ generation: number }>(
        "select generation from semantic_models",
      );
      return rows.length === 1 && rows[0]?.generation !== before?.generation;
    });
    await service.encoded("server:words", DOCUMENTS + 1);
    expect((await service.check(inOtherLanguage(sentencesOf(17)))).titles).to.deep.equal(["Text 17"]);
  });

  it("is not calibrated by command without the server", async () => {
    const nowhere = {
      ...service.running.options,
      embeddingsUrl: "http://127.0.0.1:9/v1",
      embeddingsModel: "words",
    };
    const down = await runCommand("corpus/calibrate", [], nowhere).ended;
    expect(`${down.status},${down.stderr}`).to.match(
      /^1,.*the embedding server 127\.0\.0\.1:9 could not be reached/s,
    );
  });

  it("is not compared when the server has another model under the same name", async () => {
    server.seed = 2;
    await service.start(settings());
    const { coverage, reason } = await service.check(inOtherLanguage(sentencesOf(17)));
    expect([coverage, reason]).to.deep.equal(["none", "unavailable"]);
  });
});

describe("a change of the encoder", function () {
  this.timeout(600_000);
  useEncoderFiles();
  const service = new Restartable();
  const server = new EmbeddingsDouble();
  const builtIn = { dataDir: ENCODER_DATA_DIR };
  const ownServer = () => ({ ...builtIn, embeddingsUrl: server.url, embeddingsModel: "words" });

  const LIGHTHOUSE =
    "They carried whale oil up two hundred steps every evening and trimmed the wicks until dawn. In 1859 the administration replaced the oil with paraffin, which cost only half as much.";
  const LEUCHTTURM =
    "Jeden Abend trugen sie Walöl zweihundert Stufen hinauf und kürzten bis zum Morgengrauen die Dochte. Im Jahr 1859 ersetzte die Verwaltung das Öl durch Paraffin, das nur halb so viel kostete.";

  before(async function () {
    this.timeout(600_000);
    await server.start();
    await service.start(builtIn);
    await service.load([...Array.from({ length: DOCUMENTS }, (_, at) => textOf(at)), LIGHTHOUSE]);
    await service.encoded("use-multilingual-v3", DOCUMENTS + 1);
  });
  after(async () => {
    await service.stop();
    await server.stop();
  });

  it("leaves checks with the fingerprints of the earlier one until the new ones are complete", async () => {
    // So slow that the check below comes before the documents are encoded.
    server.delayMs = 300;
    await service.start(ownServer());
    await service.until(async () => (await service.generations()).length === 2);
    const [old, fresh] = await service.generations();
    expect(old).to.include({ model: "use-multilingual-v3", current: true, documents: DOCUMENTS + 1 });
    expect(fresh).to.include({ model: "server:words", current: false });
    expect(await service.check(LEUCHTTURM)).to.deep.equal({
      titles: [`Text ${DOCUMENTS}`],
      coverage: "full",
      reason: null,
    });
    expect(await service.generations()).to.have.length(2);
    server.delayMs = 0;
  });

  it("then switches, and drops the earlier ones, whose terms in the index never match", async () => {
    await service.encoded("server:words", DOCUMENTS + 1);
    const { titles, coverage } = await service.check(inOtherLanguage(sentencesOf(5)));
    expect([titles, coverage]).to.deep.equal([["Text 5"], "full"]);
    expect((await service.check(LEUCHTTURM)).titles).to.deep.equal([]);
    const corpus = await openCorpus(service.running.options, pino({ level: "silent" }));
    try {
      const rows = await service.database.query<{ document_id: string }>("select document_id from documents");
      const sampleIds = rows.slice(0, 10).map((row) => row.document_id);
      expect(await createVerifyCorpus(corpus)({ sampleIds })).to.include({ agrees: true, sampled: 10 });
    } finally {
      await corpus.close();
    }
  });

  it("goes back to the built-in one in the same way", async () => {
    await service.start(builtIn);
    await service.encoded("use-multilingual-v3", DOCUMENTS + 1);
    expect((await service.check(LEUCHTTURM)).titles).to.deep.equal([`Text ${DOCUMENTS}`]);
  });

  it("needs no calibration by command when it is the built-in one", async () => {
    const { embeddingsUrl, embeddingsModel, ...options } = service.running.options;
    const builtIn = await runCommand("corpus/calibrate", [], options).ended;
    expect(`${builtIn.status},${builtIn.stderr}`).to.match(/^1,.*needs no calibration\. Set EMBEDDINGS_URL/s);
  });
});
