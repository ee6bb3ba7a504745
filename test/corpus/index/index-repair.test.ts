import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { JobQueue } from "../../../src/platform/postgres/job-queue.ts";
import { QUEUES } from "../../../src/service/connect-corpus.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

describe("the chunk index and the rows of documents", () => {
  const engine = useEngine();

  it("loses the chunks of a document that was deleted before its fingerprinting was done", async () => {
    const document = await engine.client.addDocument("gone.txt", prose(1, 500));
    await engine.database.query("delete from similarity.documents where document_id = $1", [
      document.document_id,
    ]);
    expect(await chunksOf(document.document_id)).to.be.above(0);
    await engine.service.fingerprintDocuments([document.document_id]);
    await engine.service.cleanUpTombstones();
    expect(await chunksOf(document.document_id)).to.equal(0);
  });

  it("accepts the job of a document again that was done once, although that job is still kept", async () => {
    const text = prose(2, 500);
    const { document_id, chunk_count } = await engine.client.addDocument("again.txt", text);
    await ended(document_id);
    const index = `${engine.options.opensearchIndexPrefix}chunks-read`;
    const query = { term: { document_id: { value: document_id } } };
    await engine.opensearch.deleteByQuery({ index, refresh: true, body: { query } });
    const queue = new JobQueue(engine.options.databaseUrl, {
      queues: QUEUES,
      works: false,
      log: pino({ level: "silent" }),
    });
    await queue.start();
    try {
      const enqueue = () =>
        engine.database.transaction((transaction) =>
          queue.enqueue("fingerprint-document", document_id, transaction),
        );
      await enqueue();
      await ended(document_id);
      expect(await chunksOf(document_id)).to.equal(chunk_count);
      await Promise.all([enqueue(), enqueue()]);
      await ended(document_id);
    } finally {
      await queue.stop(1_000);
    }
    expect((await engine.client.checked(text)).overall_similarity_pct).to.equal(100);
  });

  it("lets a check wait while the index is closed, and completes it in full afterwards", async function () {
    this.timeout(120_000);
    const text = prose(3, 300);
    await engine.client.addDocument("waits.txt", text);
    const index = `${engine.options.opensearchIndexPrefix}chunks-v1`;
    await engine.opensearch.indices.close({ index });
    const checkId = await engine.client.submit(text);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await engine.client.check(checkId)).status).to.be.oneOf(["pending", "running"]);
    await engine.opensearch.indices.open({ index });
    const check = await engine.client.ended(checkId);
    expect([check.status, check.coverage, check.overall_similarity_pct]).to.deep.equal([
      "complete",
      "full",
      100,
    ]);
  });

  /** Waits until the one job about a document is done, and with that gone. */
  async function ended(documentId: string): Promise<void> {
    for (;;) {
      const jobs = await engine.database.query(
        "select 1 from similarity_jobs.job where name = 'fingerprint-document' and id = $1",
        [documentId],
      );
      if (jobs.length === 0) return;
      await sleep(10);
    }
  }

  async function chunksOf(documentId: string): Promise<number> {
    await engine.opensearch.indices.refresh({ index: `${engine.options.opensearchIndexPrefix}chunks-read` });
    const { body } = await engine.opensearch.count({
      index: `${engine.options.opensearchIndexPrefix}chunks-read`,
      body: { query: { term: { document_id: { value: documentId } } } },
    });
    return body.count;
  }
});
