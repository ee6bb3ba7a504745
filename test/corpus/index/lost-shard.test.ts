import { expect } from "chai";
import { countChunksAfter } from "../../../src/corpus/index/document-chunks.ts";
import { readStoredChunks } from "../../../src/corpus/upkeep/compare-document.ts";
import { assertWhole, makeFindable } from "../../../src/platform/opensearch/whole-answer.ts";
import { expectAway } from "../../support/faults/expect-away.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { verifyAll } from "../upkeep/damaged-corpus.ts";

/** On a cluster of one node, which may hold one shard of the index. */
const HALF = { number_of_shards: 2, "routing.allocation.total_shards_per_node": 1 } as const;
const WHOLE = { "index.routing.allocation.total_shards_per_node": -1 } as const;

const DOCUMENT_ID = "018f3a52-6c1e-7b60-9d2a-5f0c4e8b7a11";

/** The chunks of so many documents lie on both shards, whatever their names. */
const ADDRESSES = Array.from({ length: 40 }, (_, at) => ({
  documentId: `${DOCUMENT_ID.slice(0, -2)}${10 + at}`,
  chunkIndex: 0,
}));

describe("an index with a missing shard", function () {
  this.timeout(120_000);
  const made = useCorpus();
  let index: string;

  before(async () => {
    const { opensearch } = made.corpus;
    const { readAlias, writeAlias } = made.corpus.chunkIndex.names;
    index = `${made.options.opensearchIndexPrefix}chunks-v1`;
    await opensearch.indices.delete({ index });
    const aliases = { [readAlias]: {}, [writeAlias]: { is_write_index: true } };
    // All that can be had is one shard: OpenSearch would wait for both.
    await opensearch.indices.create({
      index,
      wait_for_active_shards: "0",
      body: { aliases, settings: { index: HALF } },
    });
    await opensearch.cluster.health({ index, wait_for_active_shards: "1" });
    const { successful, total } = (await opensearch.count({ index })).body._shards;
    expect([successful, total]).to.deep.equal([1, 2]);
  });

  it("is searched in part, and every search says so", async () => {
    const { chunkIndex } = made.corpus;
    const found = await chunkIndex.search([["abc def"], ["ghi jkl"]], 5, 10_000);
    expect(found).to.deep.equal([PART, PART]);
    const words = ["abc", "def"].map((term) => ({ term, weight: 1 }));
    expect(await chunkIndex.searchWords([words], 5, 10_000, 0)).to.deep.equal([PART]);
    expect(await chunkIndex.usability()).to.equal("partial");
  });

  it("distinguishes deleted chunks from those that can't be read", async () => {
    const forms = await made.corpus.chunkIndex.readNormalisedForms(ADDRESSES);
    expect(forms.map(({ form }) => form)).to.deep.equal(ADDRESSES.map(() => undefined));
    expect(new Set(forms.map(({ isRead }) => isRead))).to.deep.equal(new Set([true, false]));
  });

  it("does not report a word as unknown", async () => {
    await expectAway(() => made.corpus.chunkIndex.countTerms({ shingles: [], words: ["abc", "def"] }));
  });

  it("is neither counted nor compared", async () => {
    const { opensearch } = made.corpus;
    const { body } = await opensearch.count({ index });
    expect(() => assertWhole(body)).to.throw("only a part of the index");
    await expectAway(() => countChunksAfter(opensearch, index, undefined));
    await expectAway(() => readStoredChunks(opensearch, index, DOCUMENT_ID));
  });

  it("is complete again once the shard is back", async () => {
    const { opensearch, chunkIndex } = made.corpus;
    await opensearch.indices.putSettings({ index, body: WHOLE });
    await opensearch.cluster.health({ index, wait_for_status: "green" });
    await makeFindable(opensearch, index);
    expect(await chunkIndex.search([["abc def"]], 5, 10_000)).to.deep.equal([{ hits: [], complete: true }]);
    const forms = await chunkIndex.readNormalisedForms(ADDRESSES);
    expect(forms.every(({ isRead }) => isRead)).to.equal(true);
    expect((await verifyAll(made.corpus)).agrees).to.equal(true);
  });
});

const PART = { hits: [], complete: false } as const;
