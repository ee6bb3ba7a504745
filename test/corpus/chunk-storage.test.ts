import { expect } from "chai";
import { z } from "zod";
import { fingerprintForm } from "../../src/core/fingerprint/fingerprint-form.ts";
import { tokenise } from "../../src/core/text/tokenise.ts";
import { prose } from "../support/prose.ts";
import { useEngine } from "../support/use-engine.ts";

const StoredChunk = z.looseObject({
  document_id: z.string(),
  chunk_index: z.int(),
  scope: z.string(),
  start_utf16: z.int(),
  start_code_point: z.int(),
  fingerprint: z.string(),
  text: z.string(),
});
const Hits = z.looseObject({
  hits: z.looseObject({ hits: z.array(z.looseObject({ _id: z.string(), _source: StoredChunk })) }),
});
const Segments = z.looseObject({ size: z.string(), committed: z.string() }).array();

describe("specification 2.3: how a document is stored", () => {
  const engine = useEngine();
  const text = `😀 ${prose(1, 400)}\r\n\r\n𝒳 ${prose(2, 700)}`;

  it("each document is split into chunks, numbered from 0, whose texts make up the document", async () => {
    const document = await engine.client.addDocument("a.txt", text);
    const chunks = await chunksOf(document.document_id);
    expect(chunks.map(({ chunk_index }) => chunk_index)).to.deep.equal([
      ...Array(document.chunk_count).keys(),
    ]);
    expect(chunks.length).to.be.greaterThan(4);
    expect(chunks.map((chunk) => chunk.text).join("")).to.equal(text);
    for (const chunk of chunks) {
      expect(text.slice(chunk.start_utf16).startsWith(chunk.text)).to.equal(true);
      expect([...text].slice(chunk.start_code_point).join("").startsWith(chunk.text)).to.equal(true);
    }
  });

  it("chunk text is stored twice: the narrow form that retrieval scans, and the text that aligner and previews read", async () => {
    const { document_id } = await engine.client.addDocument("b.txt", `${prose(3, 500)}\r\nDon’t – STOP!`);
    for (const chunk of await chunksOf(document_id)) {
      expect(chunk.scope).to.equal("uploaded");
      expect(chunk.fingerprint).to.equal(fingerprintForm(tokenise(chunk.text, "en").words));
    }
  });

  it("takes about 1.5 to 2 times the plain-text size after indexing", async () => {
    const before = await storedBytes();
    const content = prose(4, 250_000);
    await engine.client.addDocument("book.txt", content);
    const ratio = ((await storedBytes()) - before) / content.length;
    expect(ratio, "bytes of index per byte of text").to.be.within(1, 2);
  });

  async function chunksOf(documentId: string): Promise<z.output<typeof StoredChunk>[]> {
    const { body } = await engine.opensearch.search({
      index: `${engine.options.opensearchIndexPrefix}chunks-read`,
      q: `document_id:${documentId}`,
      sort: "chunk_index",
      size: 100,
    });
    return Hits.parse(body).hits.hits.map(({ _source }) => _source);
  }

  /**
   * The size of what a merge leaves. The index's statistics are up to ten seconds old, and count the segments twice
   * that a merge has just replaced; only the new one is committed.
   */
  async function storedBytes(): Promise<number> {
    const index = `${engine.options.opensearchIndexPrefix}chunks-v1`;
    await engine.opensearch.indices.forcemerge({ index, max_num_segments: 1, flush: true });
    const { body } = await engine.opensearch.cat.segments({ index, format: "json", bytes: "b" });
    return Segments.parse(body).reduce(
      (sum, { committed, size }) => sum + (committed === "true" ? Number(size) : 0),
      0,
    );
  }
});
