import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { pino } from "pino";
import { DomainError, type OpenPipeline, openPipeline, type PipelineDocument } from "../../../src/index.ts";
import { onlySource } from "../../checks/reports/report-laws.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

describe("the ingest functions for custom pipelines (specification 1)", () => {
  const engine = useEngine();
  let pipeline: OpenPipeline;

  before(async () => {
    pipeline = await openPipeline(engine.options, pino({ level: "silent" }));
  });
  after(() => pipeline.close());

  const document = (path: string, text: string): PipelineDocument => ({
    collection: "crawl",
    path,
    title: `Title of ${path}`,
    text,
    sourceUrl: `https://crawl.example/${path}`,
  });

  it("stores a document, then makes it matchable, beside a running service", async () => {
    const text = prose(1, 60);
    const { document: stored, outcome } = await pipeline.ingestDocument(document("a/one", text));
    expect([outcome, stored.fingerprintStatus, stored.filename, stored.language]).to.deep.equal([
      "added",
      "pending",
      "one",
      "en",
    ]);
    expect((await engine.client.checked(text)).sources).to.deep.equal([]);
    expect(await pipeline.fingerprintDocument(stored.documentId)).to.equal(1);
    expect(onlySource(await engine.client.checked(text))).to.deep.include({
      source_document_id: stored.documentId,
      source_filename: "one",
      title: "Title of a/one",
      source_url: "https://crawl.example/a/one",
      similarity_pct: 100,
    });
  });

  it("changes nothing when given the same document twice; another text under its path replaces it", async () => {
    const first = await pipeline.ingestDocument(document("two", prose(2, 40)));
    const again = await pipeline.ingestDocument(document("two", prose(2, 40)));
    expect([again.outcome, again.document.documentId]).to.deep.equal([
      "unchanged",
      first.document.documentId,
    ]);
    const other = await pipeline.ingestDocument(document("two", prose(3, 40)));
    expect(other.outcome).to.equal("replaced");
    expect(other.document.documentId).to.not.equal(first.document.documentId);
  });

  it("works in batches, and lists the documents that an interrupted pipeline left pending", async () => {
    const batch = [4, 5, 6].map((seed) => ({
      ...document(`batch/${seed}`, prose(seed, 50)),
      collection: "batches",
    }));
    const ingested = await pipeline.ingestDocuments(batch);
    const ids = ingested.map((one) => one.document.documentId);
    expect(await pipeline.pendingDocuments("batches", 10)).to.have.members(ids);
    expect(await pipeline.fingerprintDocuments(ids)).to.equal(3);
    expect(await pipeline.pendingDocuments("batches", 10)).to.deep.equal([]);
    await pipeline.refreshStatistics();
    for (const { text } of batch)
      expect((await engine.client.checked(text)).overall_similarity_pct).to.equal(100);
  });

  it("fingerprints nothing for an unknown document", async () => {
    expect(await pipeline.fingerprintDocument("01a1fdd2-fc66-74d3-872a-6fcc3985a6fd")).to.equal(0);
  });

  const faults: readonly [string, Partial<PipelineDocument>][] = [
    ["0.text", { text: "" }],
    ["0.text", { text: "a\u0000b" }],
    ["0.text", { text: "half \ud800 a pair" }],
    ["0.path", { path: "" }],
    ["0.collection", { collection: "sample-corpus" }],
    ["0.collection", { collection: "folder:/somewhere" }],
    ["0.collection", { collection: "oai:theses.example/oai/request" }],
    ["0.language", { language: "english" }],
    ["0.sourceUrl", { sourceUrl: "ftp://crawl.example" }],
  ];
  for (const [field, change] of faults) {
    it(`names the invalid member and stores nothing: ${field} ${JSON.stringify(change)}`, async () => {
      const wrong = { ...document("wrong", prose(7, 20)), ...change };
      const error: unknown = await pipeline.ingestDocument(wrong).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(DomainError).with.property("code", "invalid_input");
      if (error instanceof DomainError) expect(error.fields.map((one) => one.field)).to.deep.equal([field]);
    });
  }

  it("has an example that can be run twice", async function () {
    this.timeout(120_000);
    const folder = await mkdtemp(join(tmpdir(), "similarity-example-"));
    try {
      const file = join(folder, "documents.jsonl");
      const texts = [prose(8, 60), prose(9, 60)];
      await writeFile(
        file,
        texts.map((text, at) => JSON.stringify({ path: `${at}`, title: "T", text })).join("\n"),
      );
      expect(await runExample(file)).to.deep.equal({ added: 2, replaced: 0, unchanged: 0 });
      expect(await runExample(file)).to.deep.equal({ added: 0, replaced: 0, unchanged: 2 });
      for (const text of texts)
        expect((await engine.client.checked(text)).overall_similarity_pct).to.equal(100);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("has an example that reports errors in one line", async () => {
    const failed = await runExample(join(tmpdir(), "similarity-example-that-is-not-there.jsonl")).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failed).to.have.property("code", 1);
    expect(failed)
      .to.have.property("stderr")
      .that.matches(/ENOENT: no such file/)
      .and.not.matches(/^ +at /m);
  });

  async function runExample(file: string): Promise<unknown> {
    const { databaseUrl, opensearchNodes, opensearchIndexPrefix } = engine.options;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(ROOT, "scripts", "examples", "load-json-lines.ts"), file],
      {
        env: {
          ...process.env,
          DATABASE_URL: databaseUrl,
          OPENSEARCH_URL: opensearchNodes.join(","),
          OPENSEARCH_INDEX_PREFIX: opensearchIndexPrefix,
        },
      },
    );
    return JSON.parse(stdout);
  }
});
