import { expect } from "chai";
import { countChunksOf } from "../../../src/corpus/index/document-chunks.ts";
import { createPipeline, type PipelineDocument } from "../../../src/corpus/ingest/pipeline.ts";
import {
  addedUntilNow,
  type BulkSelection,
  listBulkCollections,
  pagesOfBulkDocuments,
  removeBulkDocuments,
} from "../../../src/corpus/upkeep/bulk-documents.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";

describe("documents of bulk loads", () => {
  const made = useCorpus();
  const { signal } = new AbortController();
  const say = () => undefined;

  beforeEach(async () => {
    await made.corpus.database.query("delete from documents");
    await made.corpus.cleanUpTombstones();
  });

  let texts = 0;
  async function load(documents: readonly Partial<PipelineDocument>[]): Promise<string[]> {
    const inputs = documents.map((document) => ({
      ...{ collection: "program", path: `${texts}.txt`, title: "A title", text: prose(texts++, 30) },
      ...document,
    }));
    const ingested = await createPipeline(made.corpus).ingestDocuments(inputs);
    return ingested.map(({ document }) => document.documentId);
  }

  /** As an ingest of a folder names them. */
  async function loadFolder(folder: string, paths: readonly string[]): Promise<void> {
    const ids = await load(paths.map((path) => ({ path })));
    await made.corpus.database.query(
      "update documents set collection = 'folder:' || $1 where document_id = any($2)",
      [folder, ids],
    );
  }

  async function selected(selection: BulkSelection): Promise<string[]> {
    const found: string[] = [];
    for (const { collection, documents } of await listBulkCollections(made.corpus, selection, signal)) {
      const before = found.length;
      for await (const page of pagesOfBulkDocuments(made.corpus.database, selection, collection))
        found.push(...page.map(({ path }) => path));
      expect(found.length - before, "as counted").to.equal(documents);
    }
    return found;
  }

  async function remove(
    selection: BulkSelection,
    more: { signal?: AbortSignal; onRemoved?: () => void } = {},
  ) {
    const collections = await listBulkCollections(made.corpus, selection, signal);
    return removeBulkDocuments(made.corpus, { selection, collections, say, ...more });
  }

  it("are listed by collection, with their chunks and days; uploaded ones are not", async () => {
    const ids = await load([{ path: "a" }, { path: "b" }, { collection: "other", path: "a" }]);
    await made.corpus.fingerprintDocuments(ids.slice(0, 2));
    await made.corpus.database.query(
      "update documents set tenant = 'default', collection = null, path = null where document_id = $1",
      await load([{}]),
    );
    const listed = await listBulkCollections(made.corpus, {}, signal);
    expect(listed.map(({ collection, documents, chunks }) => [collection, documents, chunks])).to.deep.equal([
      ["other", 1, 0],
      ["program", 2, 2],
    ]);
    expect(listed[0]?.firstAdded).to.deep.equal(listed[0]?.lastAdded).and.to.be.instanceOf(Date);
  });

  it("are selected by their collection, address, language and time, and only if they meet all", async () => {
    await load([
      { path: "a", language: "de", sourceUrl: "https://example.org/x/1" },
      { path: "b", language: "fr", sourceUrl: "https://example.org/y/2" },
      { path: "c", collection: "other", language: "de", sourceUrl: "https://example.org/x/3" },
    ]);
    await made.corpus.database.query(
      "update documents set created_at = '2020-05-05 12:00Z' where path = 'b'",
    );
    expect(await selected({})).to.deep.equal(["c", "a", "b"]);
    expect(await selected({ collection: "program" })).to.deep.equal(["a", "b"]);
    expect(await selected({ source: "https://example.org/x" })).to.deep.equal(["c", "a"]);
    expect(await selected({ languages: ["fr", "it"] })).to.deep.equal(["b"]);
    expect(await selected({ addedSince: new Date("2020-05-05T12:00:00.001Z") })).to.deep.equal(["c", "a"]);
    expect(
      await selected({ addedSince: new Date("2020-05-05T12:00Z"), addedBefore: new Date("2021-01-01") }),
    ).to.deep.equal(["b"]);
    expect(await selected({ collection: "other", languages: ["fr"] })).to.deep.equal([]);
  });

  it("are selected by a folder: the one that was loaded, one above it, or one in it", async () => {
    await loadFolder("/srv/texts", ["a.txt", "old/b.txt", "older/c.txt"]);
    await loadFolder("/srv/texts-2", ["d.txt"]);
    await loadFolder("named", ["srv/texts/e.txt"]);
    expect(await selected({ folder: "/srv/texts" })).to.deep.equal(["a.txt", "old/b.txt", "older/c.txt"]);
    expect(await selected({ folder: "/srv" })).to.have.members([
      "a.txt",
      "old/b.txt",
      "older/c.txt",
      "d.txt",
    ]);
    expect(await selected({ folder: "/srv/texts/old" })).to.deep.equal(["old/b.txt"]);
    expect(await selected({ folder: "/srv/text_" })).to.deep.equal([]);
  });

  it("are removed with their chunks, and all others stay", async () => {
    const gone = await load(Array.from({ length: 1_200 }, () => ({ collection: "wrong" })));
    const [kept = ""] = await load([{}]);
    await made.corpus.fingerprintDocuments([...gone.slice(0, 20), kept]);
    expect(await remove({ collection: "wrong" })).to.equal(1_200);
    expect(await made.corpus.documents.findMatchable(made.corpus.database, [...gone, kept])).to.have.length(
      1,
    );
    await made.corpus.cleanUpTombstones();
    const { opensearch, chunkIndex } = made.corpus;
    const chunks = await countChunksOf(opensearch, chunkIndex.readAlias, [...gone, kept]);
    expect([...chunks.keys()]).to.deep.equal([kept]);
    expect(await selected({})).to.have.length(1);
  }).timeout(120_000);

  it("are removed group by group: a removal that is stopped goes on where it stopped", async () => {
    await load(Array.from({ length: 1_200 }, () => ({ collection: "wrong" })));
    const stopping = new AbortController();
    let told = 0;
    const onRemoved = () => {
      if (++told === 2) stopping.abort(new Error("enough"));
    };
    const stopped = await remove({ collection: "wrong" }, { signal: stopping.signal, onRemoved }).catch(
      (error: unknown) => error,
    );
    expect(stopped).to.have.property("message", "enough");
    expect(await selected({})).to.have.length(200);
    expect(await remove({ collection: "wrong" })).to.equal(200);
  }).timeout(120_000);

  it("that are added after the count are not removed with the counted ones", async () => {
    await load([{ path: "a" }]);
    const counted = await addedUntilNow(made.corpus.database, { collection: "program" });
    await load([{ path: "b" }]);
    expect(await remove(counted)).to.equal(1);
    expect(await selected({})).to.deep.equal(["b"]);
    const past = { addedBefore: new Date("2020-01-01") };
    expect(await addedUntilNow(made.corpus.database, past)).to.deep.equal(past);
  });
});
