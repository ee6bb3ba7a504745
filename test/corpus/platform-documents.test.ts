import { createHash } from "node:crypto";
import { expect } from "chai";
import { DocumentList } from "../../src/corpus/api/schema.ts";
import type { SourceDocument } from "../../src/corpus/documents/document.ts";
import type { Ingested } from "../../src/corpus/ingest/ingest-documents.ts";
import { onlySource } from "../checks/reports/report-laws.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const DOCUMENTS = "/v1/corpus/documents";

/** A document as a bulk pipeline hands it over. */
function bulkDocument(path: string, text: string): SourceDocument {
  const bytes = Buffer.from(text);
  return {
    origin: { scope: "platform", collection: "library", path },
    filename: path.split("/").at(-1) ?? path,
    title: `Title of ${path}`,
    mediaType: "text/plain",
    language: "en",
    sourceUrl: `https://library.example/${path}`,
    sizeBytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    text,
  };
}

describe("specification 1: corpus scopes", () => {
  const engine = useEngine();

  async function ingest(path: string, text: string): Promise<Ingested> {
    const [ingested] = await engine.service.ingestDocuments([bulkDocument(path, text)]);
    if (ingested === undefined) throw new Error("nothing was ingested");
    return ingested;
  }

  async function addBulk(path: string, text: string): Promise<string> {
    const { document } = await ingest(path, text);
    await engine.service.fingerprintDocuments([document.documentId]);
    return document.documentId;
  }

  it("a pair of functions ingests and fingerprints for bulk pipelines; the document is matchable when they return", async () => {
    const text = prose(1, 60);
    const documentId = await addBulk("shelf/one.txt", text);
    const report = await engine.client.checked(`${prose(2, 40)} ${text} ${prose(3, 40)}`);
    expect(onlySource(report)).to.deep.include({
      source_document_id: documentId,
      source_filename: "one.txt",
      title: "Title of shelf/one.txt",
      source_url: "https://library.example/shelf/one.txt",
      // The API does not list it, so there is nothing to link to.
      document_url: null,
      matched_chars: text.length,
    });
  });

  it("platform documents are never listed by the API, and GET and DELETE answer 404", async () => {
    const documentId = await addBulk("shelf/two.txt", prose(4, 40));
    const list = DocumentList.parse(await (await engine.client.request(`${DOCUMENTS}?limit=100`)).json());
    expect(list).to.deep.include({ items: [], total: 0 });
    for (const method of ["GET", "DELETE"]) {
      await expectProblem(
        await engine.client.request(`${DOCUMENTS}/${documentId}`, { method }),
        404,
        "document-not-found",
      );
    }
    const report = await engine.client.checked(prose(4, 40));
    expect(onlySource(report).source_document_id).to.equal(documentId);
  });

  it("checks match against both scopes", async () => {
    const text = prose(5, 50);
    const bulk = await addBulk("shelf/three.txt", text);
    const own = await engine.client.addDocument("three.txt", text);
    const report = await engine.client.checked(text);
    expect(report.sources.map(({ source_document_id }) => source_document_id).toSorted()).to.deep.equal(
      [bulk, own.document_id].toSorted(),
    );
    for (const { similarity_pct } of report.sources) expect(similarity_pct).to.equal(100);
    expect(report.corpus_sources).to.be.at.least(3);
  });

  it("decisions, Engine: corpus: byte-identical is over the uploaded documents only", async () => {
    const text = prose(6, 30);
    await addBulk("shelf/four.txt", text);
    const first = await engine.client.upload(DOCUMENTS, { name: "four.txt", content: text });
    expect(first.status).to.equal(201);
    const second = await engine.client.upload(DOCUMENTS, { name: "four.txt", content: text });
    expect(second.status).to.equal(200);
    await addBulk("shelf/five.txt", text);
  });

  it("a bulk document is known by its path: ingesting it again adds nothing", async () => {
    const first = await ingest("shelf/six.txt", prose(7, 30));
    const again = await ingest("shelf/six.txt", prose(7, 30));
    expect([first.outcome, again.outcome]).to.deep.equal(["added", "unchanged"]);
    expect(again.document.documentId).to.equal(first.document.documentId);
    expect((await ingest("shelf/seven.txt", prose(7, 30))).outcome).to.equal("added");
  });

  it("a bulk document whose bytes have changed replaces the one at its path, which is matched no more", async () => {
    const [before, after] = [prose(71, 60), prose(72, 60)];
    const first = await addBulk("shelf/nine.txt", before);
    const replaced = await ingest("shelf/nine.txt", after);
    expect(replaced.outcome).to.equal("replaced");
    await engine.service.fingerprintDocuments([replaced.document.documentId]);
    expect((await engine.client.checked(before)).sources).to.deep.equal([]);
    expect(onlySource(await engine.client.checked(after)).source_document_id).to.not.equal(first);
  });

  it("documents are ingested in batches, all of them or none, and answered in their order", async () => {
    const batch = [3, 1, 2].map((number) => bulkDocument(`batch/${number}.txt`, prose(80 + number, 30)));
    const ingested = await engine.service.ingestDocuments(batch);
    expect(ingested.map(({ document }) => document.title)).to.deep.equal(batch.map(({ title }) => title));
    const broken = { ...bulkDocument("batch/5.txt", prose(85, 30)), sizeBytes: Number.NaN };
    const failed = engine.service.ingestDocuments([bulkDocument("batch/4.txt", prose(84, 30)), broken]);
    expect(await failed.catch(() => "refused")).to.equal("refused");
    expect((await ingest("batch/4.txt", prose(84, 30))).outcome).to.equal("added");
  });

  it("twenty ingests of one path at the same moment add one document", async () => {
    const document = bulkDocument("shelf/eight.txt", prose(8, 30));
    const results = await Promise.all(
      Array.from({ length: 20 }, () => engine.service.ingestDocuments([document])),
    );
    const ingested = results.flat();
    expect(ingested.filter(({ outcome }) => outcome === "added")).to.have.lengthOf(1);
    expect(new Set(ingested.map((one) => one.document.documentId)).size).to.equal(1);
  });

  it("the sample corpus belongs to the platform, is loaded once, and names each article's source", async () => {
    const text = prose(9, 80);
    const article = {
      title: "An article",
      filename: "an-article.txt",
      text,
      sourceUrl: "https://wiki.example/1",
    };
    const { sampleCorpus } = engine.service;
    expect(await sampleCorpus.isLoaded()).to.equal(false);
    const said: string[] = [];
    await sampleCorpus.load([article], (message) => said.push(message));
    await sampleCorpus.load([article], () => {});
    expect(await sampleCorpus.isLoaded()).to.equal(true);
    expect(said).to.not.have.lengthOf(0);
    expect(onlySource(await engine.client.checked(text))).to.deep.include({
      title: "An article",
      source_filename: "an-article.txt",
      source_url: "https://wiki.example/1",
    });
    const list = await (await engine.client.request(`${DOCUMENTS}?limit=100`)).text();
    expect(list).to.not.include("an-article.txt");
  });
});
