import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { UPLOAD_WAIT_MS } from "../../src/checks/run-check.ts";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { DocumentStore } from "../../src/corpus/documents/document-store.ts";
import { takeIndexWriteLock } from "../../src/corpus/index/index-write-lock.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

/** How long fingerprinting is held up: longer than the check of a short text takes. */
const HELD_UP_MS = 400;

describe("a check and the documents uploaded just before it", () => {
  const engine = useEngine();

  async function upload(text: string): Promise<string> {
    const file = { name: "just-uploaded.txt", content: text };
    const response = await engine.client.upload("/v1/corpus/documents", file);
    expect(response.status).to.equal(201);
    const document = DocumentMetadata.parse(await response.json());
    expect(document.fingerprint_status).to.equal("pending");
    return document.document_id;
  }

  /** Nothing is fingerprinted while `work` runs, nor in the moment after it. */
  function whileFingerprintingIsHeldUp<T>(work: () => Promise<T>): Promise<T> {
    return engine.database.transaction(async (transaction) => {
      await takeIndexWriteLock(transaction);
      const result = await work();
      await sleep(HELD_UP_MS);
      return result;
    });
  }

  /** An upload without a job, so that it is never fingerprinted. */
  async function uploadStuck(acceptedMsAgo: number): Promise<string> {
    const sha256 = randomBytes(32).toString("hex");
    const language = { language: "en", languageOrigin: "stated" } as const;
    const facts = { filename: "stuck.txt", title: "Stuck", ...language, sourceUrl: null, sizeBytes: 1 };
    const text = { mediaType: "text/plain", charCount: 1, wordCount: 1, textBytes: 1, sections: [] } as const;
    const [document] = await new DocumentStore().insertAll(engine.database, [
      { ...facts, ...text, sha256, origin: { scope: "uploaded" } },
    ]);
    await engine.database.query(
      "update pending_documents set accepted_at = now() - $2 * interval '1 millisecond' where document_id = $1",
      [document?.documentId, acceptedMsAgo],
    );
    return document?.documentId ?? "";
  }

  /** Waits until a check has come to the stage in which it waits for uploads. */
  async function untilFingerprinting(checkId: string): Promise<void> {
    while ((await engine.client.check(checkId)).stage !== "fingerprinting") await sleep(20);
  }

  async function remove(documentId: string): Promise<void> {
    const path = `/v1/corpus/documents/${documentId}`;
    expect((await engine.client.request(path, { method: "DELETE" })).status).to.equal(204);
  }

  it("compares it with each of them, 20 times in a row, although fingerprinting is slow", async function () {
    this.timeout(240_000);
    for (let round = 0; round < 20; round += 1) {
      const copied = prose(8_000 + round, 120);
      const checkId = await whileFingerprintingIsHeldUp(async () => {
        await upload(`${prose(9_000 + round, 300)} ${copied}`);
        return engine.client.submit(copied);
      });
      await engine.client.ended(checkId);
      const report = await engine.client.report(checkId);
      expect(report.sources, `round ${round}`).to.have.lengthOf(1);
      expect(report.overall_similarity_pct, `round ${round}`).to.equal(100);
      expect(report.documents_pending).to.equal(0);
    }
  });

  it("stays in the stage fingerprinting while it waits", async () => {
    await whileFingerprintingIsHeldUp(async () => {
      await upload(prose(8_100, 100));
      const checkId = await engine.client.submit(prose(8_101, 50));
      await untilFingerprinting(checkId);
      await sleep(HELD_UP_MS);
      const { status, stage, chunks_done } = await engine.client.check(checkId);
      expect({ status, stage, chunks_done }).to.deep.equal({
        status: "running",
        stage: "fingerprinting",
        chunks_done: 0,
      });
    });
  });

  it("doesn't wait for an upload that came after it", async () => {
    const stuck = await uploadStuck(-60_000);
    const report = await engine.client.checked(prose(8_200, 50));
    expect(report.documents_pending).to.equal(0);
    await remove(stuck);
  });

  it("doesn't wait for platform documents, however many are being loaded", async () => {
    const text = prose(8_300, 100);
    await engine.service.ingestDocuments(
      Array.from({ length: 50 }, (_, at) => ({
        origin: { scope: "platform", collection: "bulk", path: `${at}.txt` },
        ...{
          filename: `${at}.txt`,
          title: `${at}`,
          mediaType: "text/plain",
          language: "en",
          sourceUrl: null,
        },
        ...{ sizeBytes: 1, sha256: randomBytes(32).toString("hex"), text },
      })),
    );
    const report = await engine.client.checked(text);
    expect([report.sources.length, report.documents_pending]).to.deep.equal([0, 0]);
  });

  it("neither waits for an upload that it leaves out nor names it", async () => {
    const stuck = await uploadStuck(0);
    await engine.database.query(
      "update documents set owner = 'ann', collection = 'essays' where document_id = $1",
      [stuck],
    );
    for (const scope of [{ owner: "ann", leave_out: "owner" }, { collections: ["theses"] }]) {
      const report = await engine.client.checked(prose(8_350, 50), scope);
      expect([report.documents_pending, report.uncompared_documents ?? []]).to.deep.equal([0, []]);
    }
    await remove(stuck);
  });

  it("waits for an upload until that has been pending for too long, and reports that it was not compared", async () => {
    const leftMs = 1_500;
    const startedAt = performance.now();
    const stuck = await uploadStuck(UPLOAD_WAIT_MS - leftMs);
    const first = await engine.client.checked(prose(8_400, 50));
    expect(performance.now() - startedAt).to.be.greaterThan(leftMs - 100);
    expect([first.documents_pending, first.coverage]).to.deep.equal([1, "full"]);

    const named = [{ document_id: stuck, title: "Stuck" }];
    expect(first.uncompared_documents).to.deep.equal(named);

    const again = await engine.client.checked(prose(8_401, 50));
    expect(again.duration_seconds, "without another wait").to.be.lessThan(UPLOAD_WAIT_MS / 1_000);
    expect(again.documents_pending).to.equal(1);

    await remove(stuck);
    const afterwards = await engine.client.report(first.check_id);
    expect([afterwards.documents_pending, afterwards.uncompared_documents]).to.deep.equal([1, []]);
    const later = await engine.client.checked(prose(8_402, 50));
    expect(later).to.have.property("documents_pending", 0);
    expect(later).not.to.have.property("uncompared_documents");
  });

  it("does not wait until long uploads before it are fingerprinted, which have a worker of their own", async function () {
    this.timeout(120_000);
    const long = prose(8_450, 1_000).repeat(200);
    const active = async (documentIds: readonly string[]): Promise<number> => {
      const jobs = "select 1 from similarity_jobs.job where id = any($1::uuid[]) and state = 'active'";
      return (await engine.database.query(jobs, [documentIds])).length;
    };
    const uploaded = await whileFingerprintingIsHeldUp(async () => {
      const longOnes = [];
      for (const number of [1, 2, 3]) longOnes.push(await upload(`${number} ${long}`));
      const short = await upload(prose(8_451, 100));
      // Long ones would otherwise hold every worker until something can be written again.
      do {
        expect(await active(longOnes)).to.be.at.most(1);
        await sleep(50);
      } while ((await active([short])) === 0);
      return [...longOnes, short];
    });
    // The next checks would wait until all of them are fingerprinted, on a busy machine for too long.
    for (const documentId of uploaded) await remove(documentId);
  });

  it("goes on when the upload is deleted", async () => {
    const stuck = await uploadStuck(0);
    const checkId = await engine.client.submit(prose(8_500, 50));
    await untilFingerprinting(checkId);
    await remove(stuck);
    expect((await engine.client.ended(checkId)).status).to.equal("complete");
    expect((await engine.client.report(checkId)).documents_pending).to.equal(0);
  });

  it("stops waiting when it is deleted itself", async () => {
    const stuck = await uploadStuck(0);
    const waiting = [
      await engine.client.submit(prose(8_600, 50)),
      await engine.client.submit(prose(8_601, 50)),
    ];
    for (const checkId of waiting) await untilFingerprinting(checkId);
    for (const checkId of waiting) {
      await engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
    }
    await remove(stuck);
    expect((await engine.client.ended(await engine.client.submit("Next."))).status).to.equal("complete");
  });

  it("leaves its worker to a longer check that was submitted before the upload", async () => {
    const stuck = await uploadStuck(0);
    // As many as there are workers for short checks.
    const waiting = [
      await engine.client.submit(prose(8_700, 50)),
      await engine.client.submit(prose(8_701, 50)),
    ];
    for (const checkId of waiting) await untilFingerprinting(checkId);
    const longer = await engine.client.submit(prose(8_702, 3_000));
    await engine.database.query(
      "update checks set created_at = created_at - interval '10 seconds' where check_id = $1",
      [longer],
    );
    expect((await engine.client.ended(longer)).status).to.equal("complete");
    for (const checkId of waiting) expect((await engine.client.check(checkId)).status).to.equal("running");
    await remove(stuck);
    for (const checkId of waiting) expect((await engine.client.ended(checkId)).status).to.equal("complete");
  });
});
