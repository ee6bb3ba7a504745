import { expect } from "chai";
import { IndexedWords } from "../../../src/corpus/corpus-set.ts";
import { createFindByWords } from "../../../src/matching/find-by-words.ts";
import { QueryCounts } from "../../../src/matching/query-counts.ts";
import type { ChunkHit } from "../../../src/matching/set.ts";
import { SHINGLE_EVIDENCE } from "../../../src/matching/words/reuse-evidence.ts";
import { searchWindows } from "../../../src/matching/words/search-terms.ts";
import { openComputePool } from "../../../src/service/compute-pool.ts";
import { fingerprintText } from "../../../src/text/fingerprint-text.ts";
import { wordTerms } from "../../../src/text/word-terms.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "../index/boilerplate-corpus.ts";

const minutes = () => 60_000;

/** A third of the words replaced, and the halves of each run of ten words changed over: no five words in a row are left. */
function reworded(text: string): string {
  const replacements = prose(9_999, 5_000).split(" ");
  const words = text.split(" ").map((word, at) => (at % 3 === 0 ? (replacements[at] ?? word) : word));
  const runs = Array.from({ length: Math.ceil(words.length / 10) }, (_, at) =>
    words.slice(10 * at, 10 * at + 10),
  );
  return runs.flatMap((run) => [...run.slice(5), ...run.slice(0, 5)]).join(" ");
}

function byAddress(a: ChunkHit, b: ChunkHit): number {
  return a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.chunkIndex - b.chunkIndex;
}

describe("finding reworded text by its rare words", () => {
  const made = useCorpus();
  const compute = openComputePool(1);
  const texts = Array.from({ length: 60 }, (_, at) => prose(3_000 + at, 420));
  let documentIds: string[] = [];

  before(async function () {
    this.timeout(120_000);
    documentIds = await addTexts(made.corpus, texts);
  });
  after(() => compute.close());

  async function finder(forms: readonly string[]) {
    const index = new IndexedWords(made.corpus.chunkIndex);
    const counts = new QueryCounts(index.countTerms, { shingleLists: forms.map(() => []), forms });
    await counts.searchPriority([...forms.keys()]);
    return createFindByWords({ index, compute, forms, counts });
  }

  async function found(queryText: string) {
    const forms = fingerprintText(queryText, "en").map(({ form }) => form);
    const find = await finder(forms);
    return find([...forms.keys()], Promise.resolve([]), minutes);
  }

  it("finds where each part of a text comes from, and nothing for text that is its own", async () => {
    const sources = [texts[7]?.slice(300, 900), texts[31]?.slice(1_000, 1_500)].map((text) => text ?? "");
    const query = [
      prose(1, 400),
      reworded(sources[0] ?? ""),
      prose(2, 400),
      reworded(sources[1] ?? ""),
      prose(3, 400),
    ];
    const findings = await found(query.join(" "));
    expect(findings.every(({ isComplete }) => isComplete)).to.equal(true);
    const chunks = findings.flatMap(({ found }) => found);
    expect(new Set(chunks.map(({ documentId }) => documentId))).to.deep.equal(
      new Set([documentIds[7], documentIds[31]]),
    );
    for (const { sharedTerms } of chunks) expect(sharedTerms).to.be.above(3);
  });

  it("finds one copied sentence of 15 words in 2,000 others, without any shingle", async () => {
    const words = texts[20]?.split(" ").slice(200, 215) ?? [];
    const [before, after] = [prose(4, 1_000), prose(5, 1_000)];
    const findings = await found([before, words.join(" "), after].join(" "));
    const documents = findings.flatMap(({ found }) => found.map(({ documentId }) => documentId));
    expect([...new Set(documents)]).to.deep.equal([documentIds[20]]);
  });

  it("finds the same chunks with a bound as without, but for those below it", async () => {
    const index = new IndexedWords(made.corpus.chunkIndex);
    const forms = fingerprintText(`${texts[12]} ${texts[40]}`, "en").map(({ form }) => form);
    const counts = new QueryCounts(index.countTerms, { shingleLists: forms.map(() => []), forms });
    await counts.searchPriority([...forms.keys()]);
    const windows = forms.flatMap((form, at) => searchWindows(form, counts.wordsOf([at])));
    const hitsFrom = async (scoreMin: number) => {
      const words = windows.map(({ terms }) => terms);
      const searches = await index.findWords(words, 100, 60_000, scoreMin);
      return searches.map(({ hits }) =>
        hits.map((hit) => ({ ...hit, score: Number(hit.score.toFixed(2)) })).toSorted(byAddress),
      );
    };
    const all = await hitsFrom(0);
    for (const scoreMin of [5.05, 12.05, 20.05]) {
      const expected = all.map((hits) => hits.filter(({ score }) => score >= scoreMin));
      expect(expected.flat().length).to.be.within(1, all.flat().length - 1);
      expect(await hitsFrom(scoreMin)).to.deep.equal(expected);
    }
  });

  it("reads only what shares half of the evidence that is asked for, and finds the copy among it", async () => {
    const words = texts[20]?.split(" ").slice(200, 260).join(" ");
    const forms = fingerprintText([prose(4, 300), words, prose(5, 300)].join(" "), "en").map(
      (one) => one.form,
    );
    const read: number[] = [];
    const index = new IndexedWords(made.corpus.chunkIndex);
    const counts = new QueryCounts(index.countTerms, { shingleLists: forms.map(() => []), forms });
    await counts.searchPriority([...forms.keys()]);
    const recording = {
      findWords: index.findWords,
      readForms: (chunks: Parameters<typeof index.readForms>[0]) => {
        read.push(chunks.length);
        return index.readForms(chunks);
      },
    };
    const found = new Set<string>();
    for (const evidenceMin of [undefined, 27, 100_000]) {
      const bound = evidenceMin === undefined ? {} : { bounds: { hit: evidenceMin, document: evidenceMin } };
      const find = createFindByWords({ index: recording, compute, forms, counts, ...bound });
      const findings = await find([...forms.keys()], Promise.resolve([]), minutes);
      for (const finding of findings)
        for (const { documentId } of finding.found) found.add(`${evidenceMin} ${documentId}`);
    }
    const [all = 0, some = 0, ...none] = read;
    expect(some).to.be.within(1, all - 1);
    expect(none).to.deep.equal([]);
    expect(found).to.include(`27 ${documentIds[20]}`);
  });

  it("asks for more the more chunks there are: half of the evidence, or a fifth beyond what chance finds", async () => {
    const forms = fingerprintText(texts[3] ?? "", "en").map(({ form }) => form);
    const asked: string[] = [];
    for (const chunks of [10, 10_000, 1_000_000]) {
      for (const evidenceMin of [undefined, 27]) {
        const chunksWith = new Map(forms.flatMap(wordTerms).map((term) => [term, 1]));
        const find = createFindByWords({
          index: {
            findWords: async (lists, _size, _timeMs, scoreMin) => {
              asked.push(scoreMin.toFixed(2));
              return lists.map(() => ({ hits: [], complete: true }));
            },
            readForms: async () => expect.fail("there is nothing to read"),
          },
          ...{ compute, forms, counts: { wordsOf: () => ({ chunks, chunksWith }) } },
          ...(evidenceMin !== undefined && { bounds: { hit: evidenceMin, document: evidenceMin } }),
        });
        await find([...forms.keys()], Promise.resolve([]), minutes);
      }
    }
    expect(asked).to.deep.equal(["7.00", "13.50", "12.01", "14.61", "17.38", "19.22"]);
  });

  it("does not search for windows whose words together weigh too little", async () => {
    const form = "alpha beta gamma";
    let searched = 0;
    for (const [chunks, expected] of [
      [10, 1],
      [1_000_000, 0],
    ] as const) {
      // Each word is in half a percent of the chunks. Three weigh 15.9 nats among a million, where 16.6 are asked for, and enough among ten.
      const chunksWith = new Map(wordTerms(form).map((term) => [term, Math.ceil(chunks * 0.005)]));
      const find = createFindByWords({
        index: {
          findWords: async (lists) => {
            searched += lists.length;
            return lists.map(() => ({ hits: [], complete: true }));
          },
          readForms: async () => [],
        },
        ...{ compute, forms: [form], counts: { wordsOf: () => ({ chunks, chunksWith }) } },
      });
      searched = 0;
      const [finding] = await find([0], Promise.resolve([]), minutes);
      expect([searched, finding?.isComplete]).to.deep.equal([expected, true]);
    }
  });

  it("weighs what was found otherwise, and drops what nothing speaks for", async () => {
    const forms = fingerprintText(texts[3] ?? "", "en").map(({ form }) => form);
    const find = await finder(forms);
    const doubtful = [3, 4].map((at) => ({ documentId: documentIds[at] ?? "", chunkIndex: 0 }));
    const [finding] = await find([0], Promise.resolve([doubtful]), minutes);
    expect(finding?.found.map(({ documentId, chunkIndex }) => [documentId, chunkIndex])).to.deep.include([
      documentIds[3],
      0,
    ]);
    expect(finding?.found.some(({ documentId }) => documentId === documentIds[4])).to.equal(false);
  });

  it("says which chunks are reason enough to align their document, and counts a shared shingle as evidence", async () => {
    const forms = fingerprintText(texts[3] ?? "", "en").map(({ form }) => form);
    const index = new IndexedWords(made.corpus.chunkIndex);
    const counts = new QueryCounts(index.countTerms, { shingleLists: forms.map(() => []), forms });
    await counts.searchPriority([...forms.keys()]);
    const chunk = { documentId: documentIds[3] ?? "", chunkIndex: 0 };
    const findWith = async (document: number, doubtful: readonly (typeof chunk)[]) => {
      const find = createFindByWords({ index, compute, forms, counts, bounds: { hit: 14, document } });
      const [finding] = await find([0], Promise.resolve([doubtful]), minutes);
      const found = finding?.found.find((one) => one.documentId === chunk.documentId && one.chunkIndex === 0);
      return { evidence: found?.evidence ?? 0, isSufficient: found?.isSufficient };
    };
    const { evidence, isSufficient } = await findWith(21, []);
    expect(isSufficient).to.equal(true);
    expect((await findWith(evidence + 0.1, [])).isSufficient).to.equal(false);
    expect(await findWith(evidence + SHINGLE_EVIDENCE, [chunk])).to.deep.equal({
      evidence: evidence + SHINGLE_EVIDENCE,
      isSufficient: true,
    });
  });

  it("passes over a chunk that went while it was looked for", async () => {
    const forms = fingerprintText(texts[3] ?? "", "en").map(({ form }) => form);
    const find = await finder(forms);
    const gone = { documentId: "01900000-0000-7000-8000-000000000000", chunkIndex: 0 };
    const [finding] = await find([0], Promise.resolve([[gone]]), minutes);
    expect(finding?.isComplete).to.equal(true);
    expect(finding?.found).not.to.deep.include(gone);
  });
});
