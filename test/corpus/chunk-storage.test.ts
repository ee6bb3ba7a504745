import { expect } from "chai";
import { z } from "zod";
import { fingerprintForm } from "../../src/core/fingerprint/fingerprint-form.ts";
import { tokenise } from "../../src/core/text/tokenise.ts";
import { EngineClient } from "../support/client.ts";
import { prose } from "../support/prose.ts";
import { startTestService, type TestService } from "../support/service.ts";

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
  let service: TestService;
  let client: EngineClient;
  let index: string;
  const text = `😀 ${prose(1, 400)}\r\n\r\n𝒳 ${prose(2, 700)}`;

  before(async function () {
    this.timeout(180_000);
    service = await startTestService();
    client = new EngineClient(service.base);
    index = `${service.options.opensearchNodes[0]}/${service.options.opensearchIndexPrefix}chunks-read`;
  });

  after(() => service?.stop());

  it("each document is split into chunks, numbered from 0, whose texts make up the document", async () => {
    const document = await client.addDocument("a.txt", text);
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
    const { document_id } = await client.addDocument("b.txt", `${prose(3, 500)}\r\nDon’t – STOP!`);
    for (const chunk of await chunksOf(document_id)) {
      expect(chunk.scope).to.equal("uploaded");
      expect(chunk.fingerprint).to.equal(fingerprintForm(tokenise(chunk.text, "en").words));
    }
  });

  it("takes about 1.5 to 2 times the plain-text size after indexing", async () => {
    const before = await storedBytes();
    const content = prose(4, 250_000);
    await client.addDocument("book.txt", content);
    const ratio = ((await storedBytes()) - before) / content.length;
    expect(ratio, "bytes of index per byte of text").to.be.within(1, 2);
  });

  async function chunksOf(documentId: string): Promise<z.output<typeof StoredChunk>[]> {
    const answer = await fetch(`${index}/_search?size=100&sort=chunk_index&q=document_id:${documentId}`);
    return Hits.parse(await answer.json()).hits.hits.map(({ _source }) => _source);
  }

  /**
   * The size of what a merge leaves. The index's statistics are up to ten seconds old, and count the segments twice
   * that a merge has just replaced; only the new one is committed.
   */
  async function storedBytes(): Promise<number> {
    await fetch(`${index}/_forcemerge?max_num_segments=1&flush=true`, { method: "POST" });
    const { opensearchNodes, opensearchIndexPrefix } = service.options;
    const url = `${opensearchNodes[0]}/_cat/segments/${opensearchIndexPrefix}chunks-v1?format=json&bytes=b`;
    const segments = Segments.parse(await (await fetch(url)).json());
    return segments.reduce((sum, { committed, size }) => sum + (committed === "true" ? Number(size) : 0), 0);
  }
});
