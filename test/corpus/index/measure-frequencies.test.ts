import { expect } from "chai";
import type { MeasuredFrequencies } from "../../../src/corpus/index/measure-frequencies.ts";
import { connectOpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import type { Corpus } from "../../../src/service/connect-corpus.ts";
import { placedShingles, sampledShingles } from "../../../src/text/sampled-shingles.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, LICENCE, NOTICE, ownText } from "./boilerplate-corpus.ts";

/** 30 documents: the licence ends the first 15, the notice begins the last 12. */
const TEXTS = [...Array(30).keys()].map((number) => {
  if (number < 15) return `${ownText(number)} ${LICENCE}`;
  return number < 18 ? ownText(number) : `${NOTICE} ${ownText(number)}`;
});

const shinglesOf = (text: string) => placedShingles(tokenise(text, "en").words).map(({ shingle }) => shingle);

function measure(corpus: Corpus, documentsMin: number, more: { sampleChunks?: number; seed?: number } = {}) {
  return corpus.measureFrequencies({ documentsMin, say: () => {}, ...more });
}

async function tableOf(corpus: Corpus) {
  return corpus.frequentShingleStore.listMostFrequent(corpus.database, 1_000);
}

describe("measuring frequencies", () => {
  const one = useCorpus();
  const two = useCorpus();
  let measured: MeasuredFrequencies;

  before(async function () {
    this.timeout(120_000);
    await onTwoShards();
    await addTexts(one.corpus, TEXTS);
    await addTexts(two.corpus, TEXTS);
    measured = await measure(one.corpus, 10);
  });

  /** The index of `two`, made anew with two shards before anything is in it. */
  async function onTwoShards(): Promise<void> {
    const client = connectOpenSearch(two.options.opensearchNodes);
    const { readAlias, writeAlias } = two.corpus.chunkIndex.names;
    const { body } = await client.indices.getAlias({ name: readAlias });
    const [index = ""] = Object.keys(body);
    await client.indices.delete({ index });
    await client.indices.create({
      index,
      body: {
        settings: { index: { number_of_shards: 2 } },
        aliases: { [readAlias]: {}, [writeAlias]: { is_write_index: true } },
      },
    });
    await client.close();
  }

  it("finds only shingles of many documents, with their numbers of chunks and documents", async () => {
    const table = await tableOf(one.corpus);
    const frequent = new Map(table.map(({ term, documents }) => [term, documents]));
    for (const shingle of shinglesOf(LICENCE)) expect(frequent.get(shingle)).to.equal(15);
    for (const shingle of shinglesOf(NOTICE)) expect(frequent.get(shingle)).to.equal(12);
    for (const text of [ownText(1), ownText(20)]) {
      for (const shingle of shinglesOf(text)) expect(frequent.has(shingle)).to.equal(false);
    }
    expect(measured).to.deep.include({
      version: 1,
      sampledChunks: 30,
      chunks: 30,
      chunksMin: 10,
      documentsMin: 10,
    });
    expect(measured.terms).to.equal(table.length);
  });

  it("ignores shingles of fewer documents than the limit, or that repeat within one", async () => {
    const refrain = prose(902, 20);
    const [song] = await addTexts(one.corpus, [
      [...Array(13).keys()].map(() => `${refrain} ${prose(903, 190)}`).join(" "),
    ]);
    expect(song).to.be.a("string");
    await measure(one.corpus, 13);
    const terms = new Set((await tableOf(one.corpus)).map(({ term }) => term));
    for (const shingle of shinglesOf(LICENCE)) expect(terms).to.include(shingle);
    for (const shingle of [...shinglesOf(NOTICE), ...shinglesOf(refrain)])
      expect(terms).to.not.include(shingle);
  });

  it("gives the same table on two shards", async () => {
    await measure(one.corpus, 10);
    const settings = await two.corpus.opensearch.indices.getSettings({
      index: two.corpus.chunkIndex.readAlias,
    });
    expect(JSON.stringify(settings.body)).to.include('"number_of_shards":"2"');
    await measure(two.corpus, 10);
    expect(await tableOf(two.corpus)).to.deep.equal(await tableOf(one.corpus));
  });

  it("samples about as many chunks as requested, and finds the same in them", async () => {
    const draw = (seed: number) => measure(two.corpus, 10, { sampleChunks: 15, seed });
    let sampled = 0;
    for (let seed = 0; seed < 10; seed++) sampled += (await draw(seed)).sampledChunks;
    // 150 are expected, with a standard deviation of 9.
    expect(sampled).to.be.within(110, 190);
    const [half, drawn] = [await draw(4), await draw(4)];
    expect(drawn.sampledChunks).to.equal(half.sampledChunks);
    const all = await measure(two.corpus, 10);
    expect([half.terms, all.sampledChunks]).to.deep.equal([all.terms, 30]);
  });

  it("counts no chunk of a document that was deleted, also before its index entries are merged away", async () => {
    const more = [...Array(9).keys()].map((number) => `${ownText(100 + number)} ${NOTICE}`);
    const documentIds = await addTexts(two.corpus, more);
    const terms = shinglesOf(NOTICE);
    const countOf = async () => {
      await measure(two.corpus, 10);
      const rows = await tableOf(two.corpus);
      return rows.filter(({ term }) => terms.includes(term)).map(({ documents }) => documents);
    };
    expect(await countOf()).to.deep.equal(terms.map(() => 21));
    await two.corpus.database.query("delete from documents where document_id = any($1)", [documentIds]);
    await two.corpus.cleanUpTombstones();
    expect(await countOf()).to.deep.equal(terms.map(() => 12));
  });

  it("shows the words of a shingle", async () => {
    await measure(two.corpus, 10);
    const shown = await two.corpus.listFrequentShingles(5);
    expect(shown).to.have.lengthOf(5);
    for (const { term, example, chunks, share } of shown) {
      expect(sampledShingles(example)).to.deep.equal([term]);
      expect(tokenise(LICENCE, "en").words.join(" ")).to.include(example);
      expect([chunks, share]).to.deep.equal([15, 0.5]);
    }
  });
});

describe("measuring the frequencies of an empty corpus", () => {
  const empty = useCorpus();

  it("empties the table when the corpus is empty", async () => {
    const { corpus } = empty;
    const measured = await measure(corpus, 1);
    expect(measured).to.deep.include({ version: 1, sampledChunks: 0, chunks: 0, terms: 0 });
    expect(await corpus.listFrequentShingles(10)).to.deep.equal([]);
  });

  it("leaves the table unchanged when it is stopped", async () => {
    const { corpus } = empty;
    await addTexts(corpus, TEXTS.slice(0, 12));
    const before = await measure(corpus, 10);
    const signal = AbortSignal.abort(new Error("stopped"));
    const stopped = corpus.measureFrequencies({ documentsMin: 1, say: () => {}, signal });
    expect(await stopped.catch((error: Error) => error.message)).to.equal("stopped");
    const { seconds, ...table } = before;
    expect(seconds).to.be.greaterThan(0);
    expect(await corpus.frequentShingleStore.find(corpus.database)).to.deep.equal(table);
    expect(await tableOf(corpus)).to.have.lengthOf(before.terms);
  });
});
