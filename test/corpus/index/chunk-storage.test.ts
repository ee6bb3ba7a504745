import { expect } from "chai";
import { z } from "zod";
import { TextStore } from "../../../src/corpus/documents/text-store.ts";
import { unpackText } from "../../../src/platform/packed-text.ts";
import { fingerprintForm } from "../../../src/text/fingerprint-form.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const StoredChunk = z.looseObject({
  document_id: z.string(),
  chunk_index: z.int(),
  scope: z.string(),
  word_count: z.int(),
  char_count: z.int(),
  fingerprint: z.string(),
});
const Borders = z.object({ borders: z.array(z.int()), code_point_borders: z.array(z.int()).nullable() });
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
    const { borders, code_point_borders } = await bordersOf(document.document_id);
    expect(chunks.length).to.be.greaterThan(4);
    expect(chunks.map(({ chunk_index }) => chunk_index)).to.deep.equal([...Array(borders.length - 1).keys()]);
    expect([borders[0], borders.at(-1)]).to.deep.equal([0, text.length]);
    expect(code_point_borders?.at(-1)).to.equal([...text].length);
    for (const [index, chunk] of chunks.entries()) {
      const chunkText = text.slice(borders[index], borders[index + 1]);
      expect([...text].slice(code_point_borders?.[index]).join("").startsWith(chunkText)).to.equal(true);
      expect(chunk.char_count).to.equal([...chunkText].length);
      expect(chunk.fingerprint).to.equal(fingerprintForm(tokenise(chunkText, "en").words));
    }
  });

  it("chunk text is stored twice: the normalised form that retrieval scans, and the text that aligner and previews read", async () => {
    const content = `${prose(3, 500)}\r\nDon’t – STOP!`;
    const { document_id } = await engine.client.addDocument("b.txt", content);
    const chunks = await chunksOf(document_id);
    expect(chunks.map(({ scope }) => scope)).to.deep.equal(chunks.map(() => "uploaded"));
    expect(chunks.map(({ fingerprint }) => fingerprint).join(" ")).to.equal(
      fingerprintForm(tokenise(content, "en").words),
    );
    const sections = await new TextStore().findAll(engine.database, [document_id]);
    expect(unpackText(sections.get(document_id) ?? [])).to.equal(content);
  });

  it("reads only the needed sections of a long text", async () => {
    const content = `${"𝒳".repeat(40_000)} ${prose(5, 30_000)}`;
    const { document_id: documentId } = await engine.client.addDocument("long.txt", content);
    const texts = new TextStore();
    const all = (await texts.findAll(engine.database, [documentId])).get(documentId) ?? [];
    expect(all.length).to.be.greaterThan(3);
    for (const { start, length } of all) {
      const ranges = [{ documentId, start: start + 1, end: start + length }];
      const found = (await texts.findRanges(engine.database, ranges)).get(documentId);
      expect(found?.map((section) => section.start)).to.deep.equal([start]);
    }
    const across = { documentId, start: (all[1]?.start ?? 0) - 1, end: (all[1]?.start ?? 0) + 1 };
    const found = await texts.findRanges(engine.database, [across, across]);
    expect(found.get(documentId)?.map(({ start }) => start)).to.deep.equal([all[0]?.start, all[1]?.start]);
  });

  it("takes about 1.5 to 2 times the plain-text size after indexing, at most", async () => {
    const before = await storedBytes();
    const content = prose(4, 250_000);
    await engine.client.addDocument("book.txt", content);
    const ratio = ((await storedBytes()) - before) / content.length;
    expect(ratio, "bytes of both stores per byte of text").to.be.within(0.5, 2);
  });

  async function bordersOf(documentId: string): Promise<z.output<typeof Borders>> {
    const [row] = await engine.database.query(
      "select borders, code_point_borders from document_chunks where document_id = $1",
      [documentId],
    );
    return Borders.parse(row);
  }

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
    const [tables] = await engine.database.query<{ bytes: number }>(
      `select sum(pg_total_relation_size(name::regclass))::bigint as bytes
         from unnest(array['documents', 'document_chunks', 'text_sections']) as tables (name)`,
    );
    return Segments.parse(body).reduce(
      (sum, { committed, size }) => sum + (committed === "true" ? Number(size) : 0),
      tables?.bytes ?? 0,
    );
  }
});
