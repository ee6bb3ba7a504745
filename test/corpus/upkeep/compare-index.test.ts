import { expect } from "chai";
import fc from "fast-check";
import { COUNT_PAGE, countChunks, countChunksOf } from "../../../src/corpus/index/document-chunks.ts";
import { type Compared, compareIndex, NOTHING_COMPARED } from "../../../src/corpus/upkeep/compare-index.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "./damaged-corpus.ts";

/** More than two pages, and not a whole number of them. */
const DOCUMENTS = 2 * COUNT_PAGE + 1_234;

/** Chunks of a document in the index and by its row; null is a document that is pending. */
type Made = { readonly indexed: number; readonly row: number | null | undefined };

describe("comparing an index with the rows", () => {
  const made = useCorpus();
  const index = () => `${made.options.opensearchIndexPrefix}chunks-v9`;

  beforeEach(async () => {
    await made.corpus.database.query("truncate documents cascade");
    await made.corpus.opensearch.indices.create({ index: index() });
  });
  afterEach(() => made.corpus.opensearch.indices.delete({ index: index() }));

  async function differences(target = index()) {
    const found = { missing: [] as string[], pending: [] as string[], extra: [] as string[] };
    let passed: Compared = NOTHING_COMPARED;
    const onCompared = (page: Compared) => {
      passed = { ...passed, documents: passed.documents + page.documents };
      passed = { ...passed, indexedChunks: passed.indexedChunks + page.indexedChunks };
    };
    for await (const { kind, documentIds } of compareIndex(made.corpus, target, { onCompared })) {
      expect(documentIds.length).to.be.within(1, COUNT_PAGE);
      found[kind].push(...documentIds);
    }
    return { ...found, documents: passed.documents, indexedChunks: passed.indexedChunks };
  }

  /** Rows and chunks that hold nothing but what is compared. */
  async function make(documents: ReadonlyMap<string, Made>): Promise<void> {
    const rows = [...documents].filter(([, { row }]) => row !== undefined);
    await made.corpus.database.query(
      `insert into documents (document_id, collection, path, filename, title, media_type, language, language_origin, size_bytes, sha256,
         char_count, word_count, text_bytes, created_at)
       select id, 'made', id::text, '', '', 'text/plain', 'en', 'stated', 0, '', 0, 0, 0, now() - interval '1 hour'
         from unnest($1::uuid[]) id`,
      [rows.map(([id]) => id)],
    );
    const cut = rows.flatMap(([id, { row }]) => (typeof row === "number" ? [{ id, row }] : []));
    await made.corpus.database.query(
      `insert into document_chunks (document_id, chunk_count, borders)
       select id, count, array_fill(0, array[count + 1]) from unnest($1::uuid[], $2::integer[]) made (id, count)`,
      [cut.map(({ id }) => id), cut.map(({ row }) => row)],
    );
    const body = [...documents].flatMap(([id, { indexed }]) =>
      Array.from({ length: indexed }, (_, position) => [
        { index: { routing: id } },
        { document_id: id, chunk_index: position },
      ]),
    );
    if (body.length > 0) await made.corpus.opensearch.bulk({ index: index(), body: body.flat() });
  }

  it("finds every difference of any two sides, once, and in order, over several pages", async () => {
    const chance: fc.Arbitrary<Made> = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom({ indexed: 1, row: 1 }, { indexed: 2, row: 2 }) },
      fc.record({ indexed: fc.nat(2), row: fc.constantFrom(undefined, null, 0, 1, 2) }),
    );
    const [sides = []] = fc.sample(fc.array(chance, { minLength: DOCUMENTS, maxLength: DOCUMENTS }), {
      numRuns: 1,
      seed: 20_261_121,
    });
    const ids = fc.sample(fc.uuid(), { numRuns: DOCUMENTS, seed: 41 });
    const documents = new Map(sides.map((side, at): [string, Made] => [ids[at] ?? "", side]));
    await make(documents);

    const named = (test: (one: Made) => boolean) =>
      [...documents].flatMap(([id, one]) => (test(one) ? [id] : [])).toSorted();
    expect(await differences()).to.deep.equal({
      missing: named(({ row, indexed }) => typeof row === "number" && row !== indexed),
      pending: named(({ row }) => row === null),
      extra: named(({ row, indexed }) => row === undefined && indexed > 0),
      documents: named(({ row }) => row !== undefined).length,
      indexedChunks: [...documents.values()].reduce((sum, { indexed }) => sum + indexed, 0),
    });
    expect(await countChunks(made.corpus.opensearch, index())).to.equal(
      [...documents.values()].reduce((sum, { indexed }) => sum + indexed, 0),
    );
  });

  it("yields all fingerprinted documents for an empty index, and all indexed ones for an empty table", async () => {
    const ids = fc.sample(fc.uuid(), { numRuns: COUNT_PAGE + 10, seed: 42 });
    await make(new Map(ids.map((id) => [id, { indexed: 0, row: 3 }])));
    expect((await differences()).missing).to.deep.equal(ids.toSorted());
    await made.corpus.database.query("truncate documents cascade");
    await make(new Map(ids.map((id) => [id, { indexed: 1, row: undefined }])));
    expect((await differences()).extra).to.deep.equal(ids.toSorted());
  });

  it("counts the current chunks of some documents", async () => {
    const [one = "", other = "", none = ""] = fc.sample(fc.uuid(), { numRuns: 3, seed: 43 });
    await make(
      new Map([
        [one, { indexed: 3, row: undefined }],
        [other, { indexed: 1, row: undefined }],
      ]),
    );
    const counts = await countChunksOf(made.corpus.opensearch, index(), [one, none]);
    expect([...counts]).to.deep.equal([[one, 3]]);
  });

  it("fails for a missing index instead of treating it as empty", async () => {
    const outcome = await differences(`${index()}9`).catch((error: Error) => error.message);
    expect(outcome).to.match(/index_not_found/);
  });

  it("ignores documents that writers are working on", async () => {
    const { corpus } = made;
    let isOver = false;
    const writing = (async () => {
      for (let round = 0; round < 12; round += 1) {
        const texts = Array.from({ length: 6 }, (_, position) => prose(100 * round + position, 250));
        const ids = await addTexts(corpus, texts);
        await corpus.database.query("delete from documents where document_id = any($1)", [ids.slice(3)]);
        await corpus.cleanUpTombstones();
        await corpus.fingerprintDocuments(ids.slice(0, 3));
      }
    })().finally(() => {
      isOver = true;
    });
    let compared = 0;
    for (; !isOver; compared += 1) {
      const { missing, pending, extra } = await differences(corpus.chunkIndex.readAlias);
      expect({ missing, pending, extra }).to.deep.equal({ missing: [], pending: [], extra: [] });
    }
    await writing;
    expect(compared).to.be.greaterThan(0);
  });
}).timeout(120_000);
