import { expect } from "chai";
import type { Corpus } from "../../../src/service/connect-corpus.ts";
import { fingerprintForm } from "../../../src/text/fingerprint-form.ts";
import { sampledShingles } from "../../../src/text/sampled-shingles.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent } from "../upkeep/damaged-corpus.ts";
import { agrees, PLAIN, roles, stoppedAfter } from "../upkeep/rebuild-runs.ts";

const SHARDS = 3;

/** By chance all of them lie on one shard once in 5 million million times. */
const DOCUMENTS = 28;

/** A word of letters alone, as `wordTerms` keeps them whole, which no other document has. */
const ownWord = (number: number) =>
  `zq${String.fromCharCode(97 + (number % 26), 97 + Math.floor(number / 26))}`;

const TEXTS = Array.from({ length: DOCUMENTS }, (_, at) => `${ownWord(at)} ${prose(40 + at, 500)}`);

describe("a chunk index of several shards", function () {
  this.timeout(120_000);
  const made = useCorpus({ indexShards: SHARDS, indexReplicas: 2 });
  let documentIds: string[];

  before(async () => {
    documentIds = await addTexts(made.corpus, TEXTS);
  });

  it("is created by the settings, as are indices that an operator creates", async () => {
    const { opensearch, chunkIndex } = made.corpus;
    const byHand = `${made.options.opensearchIndexPrefix}chunks-v77`;
    await opensearch.indices.create({ index: byHand });
    for (const index of [chunkIndex.readAlias, byHand]) {
      const { body } = await opensearch.indices.getSettings({ index, flat_settings: true });
      const [settings] = Object.values(body).map((one) => one.settings);
      expect(settings).to.include({
        "index.number_of_shards": String(SHARDS),
        "index.auto_expand_replicas": "0-2",
        "index.codec": "best_compression",
        "index.merge.policy.deletes_pct_allowed": "5",
        "index.translog.flush_threshold_size": "32mb",
      });
    }
    const { body } = await opensearch.indices.getSettings({
      index: made.corpus.memberIndex.readAlias,
      flat_settings: true,
    });
    expect(Object.values(body).map((one) => one.settings)[0]).to.include({
      "index.codec": "default",
      "index.merge.policy.deletes_pct_allowed": "20",
    });
    await opensearch.indices.delete({ index: byHand });
  });

  it("has all chunks of a document on one shard, and documents on each", async () => {
    const shards = await Promise.all(
      Array.from({ length: SHARDS }, (_, shard) => documentsOn(made.corpus, shard)),
    );
    for (const onShard of shards) expect(onShard.length).to.be.above(0);
    expect(shards.flat().toSorted()).to.deep.equal(documentIds);
  });

  it("counts each word of the corpus, on whatever shard it is, and no other", async () => {
    const words = TEXTS.map((_, at) => ownWord(at));
    const counts = await made.corpus.chunkIndex.countTerms({
      shingles: [],
      words: [...words, "nowher"],
    });
    const { chunksWith } = counts.words;
    for (const word of words) expect(chunksWith.get(word), word).to.be.oneOf([1, 1 / SHARDS]);
    expect(new Set(words.map((word) => chunksWith.get(word))).size).to.equal(2);
    expect(chunksWith.get("nowher")).to.equal(0);
  });

  it("counts the shingles of each document", async () => {
    for (const text of TEXTS.slice(0, 6)) {
      const [form = ""] = [fingerprintForm(tokenise(text.split(" ").slice(0, 60).join(" "), "en").words)];
      const shingles = sampledShingles(form);
      const counts = await made.corpus.chunkIndex.countTerms({ shingles, words: [] });
      const { chunksWith } = counts.shingles;
      for (const shingle of shingles) expect(chunksWith.get(shingle)).to.be.above(0);
    }
  });

  it("returns the normalised forms of chunks by their addresses", async () => {
    const addresses = documentIds.map((documentId) => ({ documentId, chunkIndex: 0 }));
    const forms = await made.corpus.chunkIndex.readNormalisedForms(addresses);
    for (const { form } of forms) expect(form).to.match(/^zq[a-z]{2} /);
    expect(await made.corpus.chunkIndex.readNormalisedForms([{ ...GONE, chunkIndex: 0 }])).to.deep.equal([
      { form: undefined, isRead: true },
    ]);
  });

  it("agrees with the rows, even after one document and then many were deleted", async () => {
    expect(await agrees(made.corpus)).to.equal(true);
    for (const gone of [documentIds.slice(0, 1), documentIds.slice(1, 8)]) {
      await made.corpus.database.query("delete from documents where document_id = any($1)", [gone]);
      await made.corpus.cleanUpTombstones();
      const left = new Set([...(await indexContent(made.corpus)).keys()].map((id) => id.split(":")[0]));
      expect(gone.filter((id) => left.has(id))).to.deep.equal([]);
      expect(await agrees(made.corpus)).to.equal(true);
    }
  });

  it("loses a chunk that was put on another shard, and keeps the document's own", async () => {
    const { opensearch, chunkIndex, reconcile } = made.corpus;
    const [documentId = ""] = documentIds.slice(-1);
    for (const [at, routing] of ["a", "b", "c", "d", "e", "f"].entries()) {
      const chunk = { word_count: 1, char_count: 1, fingerprint: "alpha" };
      const body = { ...chunk, document_id: GONE.documentId, chunk_index: at };
      await opensearch.index({ index: chunkIndex.names.writeAlias, id: `stray:${at}`, routing, body });
      const beyond = { ...chunk, document_id: documentId, chunk_index: 900 + at };
      await opensearch.index({
        index: chunkIndex.names.writeAlias,
        id: `beyond:${at}`,
        routing,
        body: beyond,
      });
    }
    expect(await agrees(made.corpus)).to.equal(false);
    expect(await reconcile()).to.include({ extra: 1, missing: 1, failed: 0 });
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("refuses a chunk without its document's routing", async () => {
    const { opensearch, chunkIndex } = made.corpus;
    const body = { document_id: GONE.documentId, chunk_index: 0 };
    const error = await opensearch
      .index({ index: chunkIndex.names.writeAlias, id: `${GONE.documentId}:0`, body })
      .catch((refused: Error) => refused);
    expect(String(error)).to.include("routing_missing_exception");
  });
});

describe("a chunk index with another number of shards than the settings have", function () {
  this.timeout(120_000);
  const made = useCorpus({ indexShards: 2 });
  let index: string;

  beforeEach(async () => {
    await made.corpus.database.query("truncate documents cascade");
    index = `${made.options.opensearchIndexPrefix}chunks-v1`;
    await made.corpus.opensearch.indices.delete({ index: made.corpus.chunkIndex.names.everyIndex });
  });

  it("stays in use, and a rebuild gives it the configured shards", async () => {
    await makeWithOneShard();
    const { chunkIndex, indexVersions, rebuildIndex } = made.corpus;
    await addTexts(made.corpus, TEXTS.slice(0, 9));
    expect(await chunkIndex.state()).to.equal("ok");
    expect(await indexVersions.otherShards()).to.equal(1);
    expect(await agrees(made.corpus)).to.equal(true);

    const { rebuilt } = await rebuildIndex(PLAIN);
    expect(rebuilt).to.include({ documents: 9 });
    expect(await shardsOfStanding()).to.equal(2);
    expect(await indexVersions.otherShards()).to.equal(undefined);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("is not continued when it is unfinished", async () => {
    await makeWithOneShard();
    await addTexts(made.corpus, TEXTS.slice(0, 9));
    await stoppedAfter(made.corpus, 1);
    const { next } = await roles(made.corpus);
    expect(next).to.deep.equal([2]);
    const { opensearch, chunkIndex, rebuildIndex } = made.corpus;
    const unfinished = `${made.options.opensearchIndexPrefix}chunks-v2`;
    await opensearch.indices.delete({ index: unfinished });
    const body = {
      aliases: { [chunkIndex.names.nextAlias]: {} },
      settings: { index: { number_of_shards: 1 } },
    };
    await opensearch.indices.create({ index: unfinished, body });
    const said: string[] = [];
    await rebuildIndex({ ...PLAIN, say: (line) => said.push(line) });
    expect(said.join("\n")).to.match(/Deleting \S+chunks-v2[\s\S]*Building \S+chunks-v\d \(2 shards\)/);
    expect(await shardsOfStanding()).to.equal(2);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  async function makeWithOneShard(): Promise<void> {
    const { opensearch, chunkIndex } = made.corpus;
    const { readAlias, writeAlias } = chunkIndex.names;
    const aliases = { [readAlias]: {}, [writeAlias]: { is_write_index: true } };
    const settings = { index: { number_of_shards: 1 } };
    await opensearch.indices.create({ index, body: { aliases, settings } });
  }

  async function shardsOfStanding(): Promise<number | undefined> {
    return (await made.corpus.indexVersions.list()).find(({ role }) => role === "current")?.shards;
  }
});

const GONE = { documentId: "018f3a52-6c1e-7b60-9d2a-5f0c4e8b7a11" } as const;

async function documentsOn({ opensearch, chunkIndex }: Corpus, shard: number): Promise<string[]> {
  const { body } = await opensearch.search({
    index: chunkIndex.readAlias,
    preference: `_shards:${shard}`,
    body: { size: 1_000, _source: ["document_id"] },
  });
  const ids = body.hits.hits.map(({ _source }) => String(Object(_source).document_id));
  return [...new Set(ids)];
}
