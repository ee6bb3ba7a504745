import { expect } from "chai";
import { IndexedWords } from "../../../src/corpus/corpus-set.ts";
import { createFindByWords } from "../../../src/matching/find-by-words.ts";
import { QueryCounts } from "../../../src/matching/query-counts.ts";
import { retrieve as retrieveBoth } from "../../../src/matching/retrieve.ts";
import { TimeBudget } from "../../../src/matching/time-budget.ts";
import { openComputePool } from "../../../src/service/compute-pool.ts";
import { fingerprintText } from "../../../src/text/fingerprint-text.ts";
import { sampledShingles } from "../../../src/text/sampled-shingles.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "../index/boilerplate-corpus.ts";

describe("what a check has when its time is over", () => {
  const made = useCorpus();
  const compute = openComputePool(1);
  const texts = Array.from({ length: 8 }, (_, at) => prose(7_000 + at, 900));
  let documentIds: string[] = [];

  before(async function () {
    this.timeout(120_000);
    documentIds = await addTexts(made.corpus, texts);
  });
  after(() => compute.close());

  it("is the largest copies, wherever they stand in a long text", async () => {
    const copies = [texts[2] ?? "", texts[5] ?? ""];
    const queryText = [prose(1, 8_000), copies[0], prose(2, 6_000), copies[1], prose(3, 1_000)].join(" ");
    const forms = fingerprintText(queryText, "en").map(({ form }) => form);
    const shingleLists = forms.map(sampledShingles);
    expect(forms.length).to.be.above(80);

    const index = new IndexedWords(made.corpus.chunkIndex);
    const counts = new QueryCounts(index.countTerms, { shingleLists, forms });
    let clock = 0;
    const retrieved = await retrieveBoth({
      shingleLists,
      counts,
      index,
      findByWords: createFindByWords({ index, compute, forms, counts }),
      budget: new TimeBudget(1_000, 0, () => clock),
      // The first batch takes all of the time; the second has begun by then.
      onProgress: async () => {
        clock = 1_000;
      },
    });
    expect(retrieved.checkedChunks).to.equal(2 * 16);
    for (const copied of [2, 5]) {
      const found = retrieved.documentsToAlign.get(documentIds[copied] ?? "")?.keys();
      expect([...(found ?? [])].toSorted()).to.deep.equal([0, 1, 2, 3, 4]);
    }
  });
});
