import { expect } from "chai";
import { v7 as uuidv7 } from "uuid";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { countChunksOf } from "../../src/corpus/index/document-chunks.ts";
import type { WireDocument } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { PARAGRAPHS } from "../support/work/paragraphs.ts";
import { prose } from "../support/work/prose.ts";

const DOCUMENTS = "/v1/corpus/documents";

describe("the language of an uploaded document", () => {
  const engine = useEngine();
  const correct = (id: string, body: unknown) => engine.client.json("PATCH", `${DOCUMENTS}/${id}`, body);

  const indexOf = (alias: "read" | "write") => `${engine.options.opensearchIndexPrefix}chunks-${alias}`;
  const chunksOf = async (id: string) =>
    (await countChunksOf(engine.opensearch, indexOf("read"), [id])).get(id);

  async function corrected(id: string, language: string): Promise<WireDocument> {
    const response = await correct(id, { language });
    expect(response.status).to.equal(200);
    return DocumentMetadata.parse(await response.json());
  }

  it("is detected, or the stated one", async () => {
    const detected = await engine.client.addDocument("detected.txt", PARAGRAPHS.fr);
    expect(detected).to.include({ language: "fr", language_origin: "detected" });
    const stated = await engine.client.addDocument("stated.txt", PARAGRAPHS.es, { language: "pt" });
    expect(stated).to.include({ language: "pt", language_origin: "stated" });
    const short = await engine.client.addDocument("short.txt", "Guten Tag.");
    expect(short).to.include({ language: "en", language_origin: "default" });
  });

  it("can be corrected: the document is pending, and then matchable again by all of its text", async () => {
    const text = `${PARAGRAPHS.de}\n\n${prose(1, 2_000)}`;
    const { document_id: id, chunk_count: before } = await engine.client.addDocument("mixed.txt", text);
    const pending = await corrected(id, "de");
    expect(pending).to.include({
      language: "de",
      language_origin: "stated",
      fingerprint_status: "pending",
      semantic_status: "pending",
      chunk_count: 0,
    });
    const report = await engine.client.checked(text);
    expect(report.overall_similarity_pct).to.equal(100);
    const after = await engine.client.fingerprinted(id);
    expect(after).to.include({ language: "de", chunk_count: before });
    expect(await chunksOf(id)).to.equal(after.chunk_count);
  });

  it("leaves no chunk behind that the document no longer has", async () => {
    const { document_id: id, chunk_count } = await engine.client.addDocument("fewer.txt", prose(2, 300));
    const index = indexOf("write");
    const { body: chunk } = await engine.opensearch.get({ index, id: `${id}:0`, routing: id });
    await engine.opensearch.index({ index, id: `${id}:99`, routing: id, body: chunk._source ?? {} });
    expect(await chunksOf(id)).to.equal(chunk_count + 1);
    await corrected(id, "fr");
    await engine.client.fingerprinted(id);
    expect(await chunksOf(id)).to.equal(chunk_count);
  });

  it("stays matchable when the detected language is confirmed", async () => {
    const { document_id: id } = await engine.client.addDocument("confirmed.txt", PARAGRAPHS.pl);
    expect(await corrected(id, "PL")).to.include({
      language: "pl",
      language_origin: "stated",
      fingerprint_status: "fingerprinted",
    });
  });

  it("can't be corrected while the document is pending: 409", async () => {
    const { document_id: id } = await engine.client.addDocument("again.txt", prose(3, 300));
    await engine.database.query("delete from document_chunks where document_id = $1", [id]);
    await expectProblem(await correct(id, { language: "it" }), 409, "document-not-ready");
    const response = await engine.client.request(`${DOCUMENTS}/${id}`);
    expect(DocumentMetadata.parse(await response.json()).language).to.equal("en");
  });

  it("is 404 for an unknown document and one of the platform, and 422 for another body", async () => {
    await expectProblem(await correct(uuidv7(), { language: "de" }), 404, "document-not-found");
    const { document_id: id } = await engine.client.addDocument("body.txt", prose(4, 60));
    for (const body of [{}, { language: null }, { language: "german" }])
      await expectProblem(await correct(id, body), 422, "invalid-input", ["language"]);
  });
});
