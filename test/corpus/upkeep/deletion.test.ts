import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { countChunksOf } from "../../../src/corpus/index/document-chunks.ts";
import { listBulkCollections, removeBulkDocuments } from "../../../src/corpus/upkeep/bulk-documents.ts";
import { type Corpus, openCorpus } from "../../../src/service/connect-corpus.ts";
import { EngineClient } from "../../support/client.ts";
import { StoreLink } from "../../support/faults/store-link.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { freshDatabase, freshPrefix, testStores } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";
import type { StepOnTheWay } from "../../support/work/step-watch.ts";
import { addTexts, verifyAll } from "./damaged-corpus.ts";

const DOCUMENTS = "/v1/corpus/documents";

describe("decisions, Engine: corpus: a deleted document is never matched again from the moment of its 204", () => {
  let postgres: StoreLink;
  let opensearch: StoreLink;
  let service: TestService;
  let corpus: Corpus;
  let client: EngineClient;

  before(async function () {
    this.timeout(180_000);
    const { opensearchNodes } = await testStores();
    const databaseUrl = await freshDatabase();
    const opensearchIndexPrefix = freshPrefix();
    postgres = await StoreLink.open(databaseUrl);
    opensearch = await StoreLink.open(opensearchNodes[0] ?? "");
    corpus = await openCorpus(
      { databaseUrl, opensearchNodes, opensearchIndexPrefix },
      pino({ level: "silent" }),
    );
    service = await startTestService({
      databaseUrl: postgres.url,
      opensearchNodes: [opensearch.url],
      opensearchIndexPrefix,
    });
    client = new EngineClient(service.base);
  });
  after(async () => {
    await service?.stop();
    await corpus?.close();
    await Promise.all([postgres?.cut(), opensearch?.cut()]);
  });

  async function remove(documentId: string): Promise<void> {
    const response = await client.request(`${DOCUMENTS}/${documentId}`, { method: "DELETE" });
    expect(response.status).to.equal(204);
  }

  /** Waits until the background has removed the chunks; the test's time limit is the bound. */
  async function chunksGone(documentIds: readonly string[]): Promise<void> {
    while ((await countChunksOf(corpus.opensearch, corpus.chunkIndex.readAlias, documentIds)).size > 0)
      await sleep(20);
  }

  const steps: readonly (readonly [string, "postgres" | "opensearch", StepOnTheWay])[] = [
    ["has been found by the search", "opensearch", { request: "_msearch", held: "answer" }],
    ["is about to be aligned with", "postgres", { request: "join text_sections", held: "request" }],
    ["has been aligned with", "postgres", { request: "order by document_id for key share", held: "request" }],
  ];
  for (const [position, [moment, store, step]] of steps.entries()) {
    it(`nor by a check that is running, when it ${moment}`, async () => {
      const text = prose(800 + position, 120);
      const kept = await client.addDocument("kept.txt", `${prose(810 + position, 30)} ${text}`);
      const { document_id } = await client.addDocument("goes.txt", text);
      const reached = (store === "postgres" ? postgres : opensearch).stopAt(step);
      const checkId = await client.submit(text);
      const release = await reached;
      await remove(document_id);
      release();
      expect((await client.ended(checkId)).status).to.equal("complete");
      const { sources, coverage } = await client.report(checkId);
      expect(coverage).to.equal("full");
      expect(sources.map((source) => source.source_document_id)).to.deep.equal([kept.document_id]);
      await chunksGone([document_id]);
    });
  }

  it("the 204 waits for a check that writes its report at the moment: that loses the source, and keeps its score", async () => {
    const text = prose(820, 120);
    const { document_id } = await client.addDocument("held.txt", text);
    const reached = postgres.stopAt({ request: "order by document_id for key share", held: "answer" });
    const checkId = await client.submit(text);
    const release = await reached;
    const removed = remove(document_id);
    release();
    await removed;
    expect((await client.ended(checkId)).overall_similarity_pct).to.equal(100);
    const report = await client.report(checkId);
    expect([report.sources, report.overall_similarity_pct]).to.deep.equal([[], 100]);
  });

  it("platform documents that are deleted by their rows: reports lose them and keep their scores, their chunks go", async () => {
    const text = prose(830, 200);
    const [documentId = ""] = await addTexts(corpus, [text]);
    const uploaded = await client.addDocument("same.txt", `${text} ${prose(831, 100)}`);
    const before = await client.checked(`${text} ${prose(832, 50)}`);
    expect(before.sources.map((source) => source.source_document_id)).to.have.members([
      documentId,
      uploaded.document_id,
    ]);

    await corpus.database.query("delete from documents where document_id = $1", [documentId]);
    await chunksGone([documentId]);
    const after = await client.report(before.check_id);
    expect(after).to.deep.equal({
      ...before,
      // Only passages of sources that are left are told apart by how they are acknowledged.
      match_groups: after.match_groups,
      sources: before.sources.filter((source) => source.source_document_id !== documentId),
    });
    const again = await client.checked(text);
    expect(again.sources.map((source) => source.source_document_id)).to.deep.equal([uploaded.document_id]);
  });

  it("documents that a bulk load has added and corpus:remove removes, from then on", async () => {
    const text = prose(850, 200);
    const [documentId = ""] = await addTexts(corpus, [text]);
    expect((await client.checked(text)).sources.map((source) => source.source_document_id)).to.deep.equal([
      documentId,
    ]);
    const collections = await listBulkCollections(corpus, {}, new AbortController().signal);
    expect(
      await removeBulkDocuments(corpus, { selection: {}, collections, say: () => undefined }),
    ).to.be.at.least(1);
    expect((await client.checked(text)).sources).to.deep.equal([]);
    await chunksGone([documentId]);
  });

  it("all documents at once, by a statement that the database runs no trigger for: the next comparison finds their chunks", async () => {
    const text = prose(840, 200);
    const ids = await addTexts(corpus, [text, prose(841, 200)]);
    await corpus.database.query("truncate documents cascade");
    expect((await client.checked(text)).sources).to.deep.equal([]);
    expect((await corpus.reconcile())?.extra).to.be.at.least(ids.length);
    await chunksGone(ids);
    expect((await verifyAll(corpus)).agrees).to.equal(true);
  });
}).timeout(120_000);
