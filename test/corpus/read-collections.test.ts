import { createHash } from "node:crypto";
import { expect } from "chai";
import { CollectionList } from "../../src/corpus/api/schema.ts";
import { createReadCollections } from "../../src/corpus/read-collections.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

describe("GET /v1/corpus/collections", () => {
  const engine = useEngine();
  const ingest = async (path: string, text: string, language: string) => {
    const [added] = await engine.service.ingestDocuments([
      {
        origin: { scope: "platform", collection: "library", path },
        ...{ filename: path, title: path, mediaType: "text/plain", language, sourceUrl: null },
        ...{ text, sizeBytes: text.length, sha256: createHash("sha256").update(text).digest("hex") },
      },
    ]);
    return added?.document.documentId ?? "";
  };

  it("counts the documents of each collection and the uploads without one, and lists no document", async () => {
    const bulk = [
      await ingest("a.txt", prose(1, 40), "en"),
      await ingest("b.txt", prose(2, 40), "de"),
      await ingest("c.txt", "Œuvre", "de"),
    ];
    await engine.service.fingerprintDocuments(bulk.slice(0, 2));
    await engine.client.addDocument("d.txt", prose(4, 20), { language: "en" });
    const last = await engine.client.addDocument("e.txt", prose(5, 20), {
      collection: "library",
      language: "en",
    });
    const response = await engine.client.request("/v1/corpus/collections");
    const { items } = CollectionList.parse(await response.json());
    const bytes = [1, 2].map((seed) => prose(seed, 40).length).reduce((a, b) => a + b) + 6;
    expect(items).to.have.lengthOf(2);
    expect(items[0]).to.deep.equal({
      collection: "library",
      documents: 4,
      uploaded_documents: 1,
      words: 101,
      text_bytes: bytes + prose(5, 20).length,
      languages: { de: 2, en: 2 },
      newest_at: last.created_at,
      fingerprinted: 3,
      encoded: 0,
    });
    expect(items[1]).to.deep.include({ collection: null, documents: 1, uploaded_documents: 1, words: 20 });
  });

  it("reads the figures again after half a minute", async () => {
    let now = 0;
    const read = createReadCollections(engine.database, () => now);
    const documents = async () => (await read()).reduce((sum, one) => sum + one.documents, 0);
    const before = await documents();
    await engine.client.addDocument("f.txt", prose(6, 20));
    expect(await documents()).to.equal(before);
    now = 31_000;
    expect(await documents()).to.equal(before + 1);
  });
});
