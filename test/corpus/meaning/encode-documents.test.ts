import { expect } from "chai";
import { corpusSet } from "../../../src/corpus/corpus-set.ts";
import { type NewMeaningModel, packCentroids } from "../../../src/corpus/documents/meaning-store.ts";
import { createCompareDocument } from "../../../src/corpus/upkeep/compare-document.ts";
import { compareMeaning } from "../../../src/matching/compare-meaning.ts";
import { encodeQuery } from "../../../src/matching/encode-query.ts";
import { EncoderUnavailable } from "../../../src/matching/encoder/sentence-encoder.ts";
import { meaningTerm } from "../../../src/matching/meaning/cells.ts";
import { analyseQuery } from "../../../src/matching/tasks.ts";
import { TimeBudget } from "../../../src/matching/time-budget.ts";
import { CountingEncoder, DIMENSIONS } from "../../support/counting-encoder.ts";
import { useCorpus } from "../../support/use-corpus.ts";

describe("the encoding of documents", () => {
  const opened = useCorpus();
  const signal = new AbortController().signal;
  const encoder = new CountingEncoder();

  const text = (sentences: number) =>
    Array.from(
      { length: sentences },
      (_, at) => `This is the sentence of the book with the number ${at}.`,
    ).join(" ");

  before(async () => {
    const { database } = opened.corpus;
    const centroids = packCentroids(
      Float32Array.from({ length: 7 * DIMENSIONS }, (_, at) => Math.cos(at)),
      DIMENSIONS,
    );
    const calibration = {
      background: { base: 0.1, slope: 0.7 },
      code: { scale: 0.06, offset: 0 },
      marginScale: 1,
    };
    await addModel({ model: encoder.model, dimensions: DIMENSIONS, centroids, calibration });
    expect(await opened.corpus.meaning.findCurrent(database)).to.include({ model: encoder.model });
  });

  const addModel = async (added: NewMeaningModel) => {
    const { database, meaning } = opened.corpus;
    const generation = await database.transaction((transaction) => meaning.addModel(transaction, added));
    const model = await meaning.readModel(database, generation);
    if (model === undefined) throw new Error("the model was not added");
    return model;
  };

  const ingest = async (name: string, sentences: number) => {
    const { corpus } = opened;
    const bytes = text(sentences);
    const [ingested] = await corpus.ingestDocuments([
      {
        origin: { scope: "platform", collection: "books", path: name },
        filename: name,
        title: name,
        mediaType: "text/plain",
        language: "en",
        sourceUrl: null,
        sizeBytes: bytes.length,
        sha256: Buffer.from(name.padEnd(32, "-")).toString("hex"),
        text: bytes,
      },
    ]);
    const documentId = ingested?.document.documentId ?? "";
    await corpus.fingerprintDocuments([documentId]);
    return documentId;
  };

  const endWait = () => opened.corpus.database.query("update semantic_backlog set retry_at = now()");

  const model = async () => {
    const { database, meaning } = opened.corpus;
    const current = await meaning.findCurrent(database);
    const found = await meaning.readModel(database, current?.generation ?? 0);
    if (found === undefined) throw new Error("there is no model");
    return found;
  };

  it("goes on behind the last stored section when it was interrupted, and repeats nothing else", async () => {
    const { corpus } = opened;
    const documentId = await ingest("interrupted.txt", 200);
    encoder.callsLeft = 2;
    const failure = await corpus
      .encodeDocuments(encoder, await model(), signal)
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(EncoderUnavailable);
    expect(encoder.encoded).to.have.length(128);
    expect(await corpus.meaning.progress(corpus.database)).to.deep.equal({
      encoded: 0,
      waiting: 1,
      lacking: 1,
    });

    encoder.callsLeft = Number.POSITIVE_INFINITY;
    expect(await corpus.encodeDocuments(encoder, await model(), signal), "postponed").to.equal(0);
    await endWait();
    expect(await corpus.encodeDocuments(encoder, await model(), signal)).to.equal(1);
    expect(encoder.encoded).to.have.length(200);
    expect(new Set(encoder.encoded).size).to.equal(200);
    expect(await corpus.meaning.progress(corpus.database)).to.deep.equal({
      encoded: 1,
      waiting: 0,
      lacking: 0,
    });
    expect(await termsOf(documentId)).to.have.length.above(5);
  });

  it("lets no document hold up the others that it fails on, and keeps what was encoded before", async () => {
    const { corpus } = opened;
    const [first, second, failing] = [
      await ingest("1.txt", 3),
      await ingest("2.txt", 64),
      await ingest("3.txt", 65),
    ];
    const backlog = async () =>
      (await corpus.database.query<{ document_id: string }>("select document_id from semantic_backlog")).map(
        (row) => row.document_id,
      );
    // The newest one needs two calls; the second fails.
    encoder.callsLeft = 1;
    const attempt = async () => corpus.encodeDocuments(encoder, await model(), signal);
    expect(await attempt().catch((error: unknown) => error)).to.be.instanceOf(EncoderUnavailable);
    expect(await backlog()).to.have.members([first, second, failing]);
    encoder.callsLeft = 1;
    expect(await attempt().catch((error: unknown) => error)).to.be.instanceOf(EncoderUnavailable);
    expect(await backlog(), "the second one is done").to.have.members([first, failing]);
    encoder.callsLeft = Number.POSITIVE_INFINITY;
    await endWait();
    expect(await attempt()).to.equal(2);
    expect(await backlog()).to.deep.equal([]);
  });

  it("is counted as far as asked, and estimated beyond", async () => {
    const { database, meaning } = opened.corpus;
    const { encoded } = await meaning.progress(database);
    expect(encoded).to.be.above(1);
    await database.query("analyze semantic_documents");
    const undone = new Error("the deletion is undone");
    const changed = database.transaction(async (transaction) => {
      await transaction.query(
        "delete from semantic_documents where document_id = (select document_id from semantic_documents limit 1)",
      );
      expect((await meaning.progress(transaction, encoded)).encoded).to.equal(encoded - 1);
      expect((await meaning.progress(transaction, 0)).encoded, "as of the last analysis").to.equal(encoded);
      throw undone;
    });
    expect(await changed.catch((error: unknown) => error)).to.equal(undone);
  });

  it("takes the newest documents first", async () => {
    const { corpus } = opened;
    await ingest("older.txt", 2_600);
    await ingest("newer.txt", 2_601);
    await ingest("newest.txt", 2_602);
    // Two of them fill a batch of 5,000 sentences.
    expect(await corpus.encodeDocuments(encoder, await model(), signal)).to.equal(2);
    const rows = await corpus.database.query<{ filename: string }>(
      "select filename from semantic_backlog join documents using (document_id)",
    );
    expect(rows).to.deep.equal([{ filename: "older.txt" }]);
    expect(await corpus.encodeDocuments(encoder, await model(), signal)).to.equal(1);
    expect(await corpus.encodeDocuments(encoder, await model(), signal)).to.equal(0);
  });

  it("switches to a new model and drops the fingerprints of the old one", async () => {
    const { database, meaning } = opened.corpus;
    const old = await model();
    const centroids = new Int8Array(DIMENSIONS).fill(1);
    const { calibration } = old;
    const newer = await addModel({ model: "newer-model", dimensions: DIMENSIONS, centroids, calibration });
    expect((await model()).model).to.equal("test-model");
    // Checks go on comparing all of them by the model before.
    const both = { encoded: 7, waiting: 7, lacking: 0 };
    expect(await meaning.progress(database)).to.deep.equal(both);
    expect(await meaning.progress(database, 3), "needed exactly").to.deep.equal(both);
    while ((await opened.corpus.encodeDocuments(encoder, newer, signal)) > 0);
    const switched = () =>
      database.transaction((transaction) =>
        meaning.switchTo(transaction, newer.generation, [old.generation]),
      );
    // Under way in a check: it would find nothing in the fingerprints of before, so it has to begin anew.
    const set = corpusSet(opened.corpus);
    const query = analyseQuery({ text: text(20), language: "en", withSentences: true });
    const current = { isOn: true, current: async () => ({ encoder, model: old }) };
    const encoded = await encodeQuery(query.sentences, { encoder: current, signal });
    const compared = compareMeaning(
      { ...query, text: text(20), language: "en" },
      {
        aligned: [],
        pairs: new Map(),
        counts: { ofAllWords: async () => ({ chunks: 0, chunksWith: new Map() }) },
      },
      encoded,
      {
        ...set,
        readSentences: async (...asked) => {
          await switched();
          return set.readSentences(...asked);
        },
      },
      { compute: opened.corpus.compute, budget: new TimeBudget(60_000, 0), signal },
    );
    expect(await compared.catch((error: unknown) => error)).to.include({ code: "store_unavailable" });
    expect((await model()).model).to.equal("newer-model");
    const [left] = await database.query<{ count: number }>(
      "select count(*) as count from semantic_sections where generation = $1",
      [old.generation],
    );
    expect(left?.count).to.equal(0);
  });

  it("makes documents findable by meaning before they count as encoded", async () => {
    const { corpus } = opened;
    const documentId = await ingest("findable.txt", 1);
    // OpenSearch then makes nothing findable by itself.
    const index = corpus.chunkIndex.names.writeAlias;
    await corpus.opensearch.indices.putSettings({ index, body: { refresh_interval: "-1" } });
    expect(await corpus.encodeDocuments(encoder, await model(), signal)).to.equal(1);
    const { generation } = await model();
    const search = [[[{ term: meaningTerm(generation, 0), weight: 1 }]]];
    const [found] = await corpus.chunkIndex.searchMeaning(search, 1_000, 5_000);
    expect(found?.hits.map((hit) => hit.documentId)).to.include(documentId);
  });

  it("beside a rebuild of the index loses no term, of documents encoded before it or meanwhile", async () => {
    const { corpus } = opened;
    const ids: string[] = [];
    for (let at = 0; at < 10; at++) ids.push(await ingest(`rebuilt-${at}.txt`, 5 + at));
    const current = await model();
    const before = ids.slice(0, 5);
    const { database } = corpus;
    await database.query("update semantic_backlog set retry_at = now() + interval '50 seconds'");
    await database.query("update semantic_backlog set retry_at = now() where document_id = any($1)", [
      before,
    ]);
    while ((await corpus.encodeDocuments(encoder, current, signal)) > 0);
    const first = new Map(await Promise.all(before.map(async (id) => [id, await termsOf(id)] as const)));
    await endWait();

    let encoding: Promise<void> | undefined;
    const encodeAll = async () => {
      while ((await corpus.encodeDocuments(encoder, current, signal)) > 0);
    };
    const { rebuilt } = await corpus.rebuildIndex({
      dropOld: true,
      restart: false,
      say: () => undefined,
      onProgress: () => {
        encoding ??= encodeAll();
      },
    });
    await encoding;
    expect([rebuilt === undefined, encoding === undefined]).to.deep.equal([false, false]);
    for (const id of before) expect(await termsOf(id)).to.have.members(first.get(id) ?? []);
    for (const id of ids) expect(await termsOf(id), id).to.have.length.above(0);
  }).timeout(120_000);

  async function termsOf(documentId: string): Promise<string[]> {
    const { corpus } = opened;
    const index = corpus.chunkIndex.readAlias;
    await corpus.opensearch.indices.refresh({ index });
    const { body } = await corpus.opensearch.search({
      index,
      body: { size: 100, query: { term: { document_id: { value: documentId } } } },
    });
    const hits: { _source: { semantic_terms?: string[] } }[] = JSON.parse(JSON.stringify(body)).hits.hits;
    return hits.flatMap(({ _source }) => _source.semantic_terms ?? []);
  }

  it("does not hold up the deletion of a document that is being encoded", async () => {
    const { corpus } = opened;
    const documentId = await ingest("deleted.txt", 200);
    const encoding = encoder.blocked();
    const encoded = corpus.encodeDocuments(encoder, await model(), signal);
    await encoding.begun;
    expect(
      await corpus.database.transaction((transaction) => corpus.meaning.forget(transaction, documentId)),
      "its language can't change meanwhile",
    ).to.equal(false);
    await corpus.documents.deletePlatform(corpus.database, [documentId]);
    encoding.release();
    await encoded;
    expect(await corpus.documents.findAll(corpus.database, [documentId])).to.deep.equal([]);
  });

  it("leaves a document sound while fingerprints of another generation are being made", async () => {
    const { corpus } = opened;
    const documentId = await ingest("two-generations.txt", 70);
    const first = await model();
    while ((await corpus.encodeDocuments(encoder, first, signal)) > 0);
    const { calibration, centroids } = first;
    const next = await addModel({
      model: encoder.model,
      dimensions: DIMENSIONS,
      centroids: packCentroids(centroids.values, DIMENSIONS),
      calibration,
    });
    encoder.callsLeft = 1;
    await corpus.encodeDocuments(encoder, next, signal).catch(() => undefined);
    encoder.callsLeft = Number.POSITIVE_INFINITY;
    expect(
      (await corpus.meaning.findSections(corpus.database, [documentId])).get(documentId),
    ).to.have.lengthOf(5);
    expect(await createCompareDocument(corpus)(documentId)).to.deep.equal([]);
    await corpus.database.query("delete from semantic_models where generation = $1", [next.generation]);
  });

  it("has a backlog of documents and their chunks, and a time for it at the rate of the last minutes", async () => {
    const { corpus } = opened;
    const { database, meaning } = corpus;
    await endWait();
    while ((await corpus.encodeDocuments(encoder, await model(), signal)) > 0);
    await database.query("update semantic_documents set encoded_at = '2020-01-01'");
    const lately = [await ingest("lately-1.txt", 100), await ingest("lately-2.txt", 100)];
    expect(await meaning.backlog(database)).to.include({ documents: 2, seconds: undefined });
    while ((await corpus.encodeDocuments(encoder, await model(), signal)) > 0);
    expect(await meaning.backlog(database)).to.include({ documents: 0, chunks: 0 });

    await ingest("waiting.txt", 300);
    const chunksOf = async (documentIds: readonly string[]) =>
      (await corpus.documents.findMatchable(database, documentIds)).map(
        ({ chunkOffsets }) => chunkOffsets.utf16.length - 1,
      );
    const [first = 0] = await chunksOf(lately);
    await database.query(
      "update semantic_documents set encoded_at = now() - make_interval(secs => case document_id when $1 then 20 else 10 end) where document_id = any($2)",
      [lately[0], lately],
    );
    const { documents, chunks, seconds = 0 } = await meaning.backlog(database);
    expect(documents).to.equal(1);
    expect(chunks).to.be.above(first);
    expect(seconds).to.be.closeTo((10 * chunks) / first, 0.01);
    while ((await corpus.encodeDocuments(encoder, await model(), signal)) > 0);
  });
});
