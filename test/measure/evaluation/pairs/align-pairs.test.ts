import { rm } from "node:fs/promises";
import { expect } from "chai";
import { alignPairs, alignTimes } from "../../../../measure/evaluation/pairs/align-pairs.ts";
import { evaluatePairs } from "../../../../measure/evaluation/scoring/evaluate-pairs.ts";
import { writePanFolder } from "../../../../measure/evaluation/support/pan-folder.ts";
import { readPanCorpus } from "../../../../measure/evaluation/texts/pan-corpus.ts";
import { prose } from "../../../support/work/prose.ts";

/** Two UTF-16 units each, so that offsets in the wrong unit miss the passage. */
const EMOJI = "😀".repeat(400);

describe("aligning listed pairs", () => {
  const copied = prose(1, 80);
  const queryStart = `${EMOJI} ${prose(2, 150)}\n\n`;
  const sourceStart = `${prose(3, 90)} ${EMOJI}\n\n`;
  const passage = [length(queryStart), length(copied), length(sourceStart), length(copied)] as const;
  let folder: string;

  before(async () => {
    folder = await writePanFolder({
      queries: { "susp1.txt": `${queryStart}${copied}\n\n${prose(4, 100)}`, "susp2.txt": prose(5, 200) },
      sources: { "src1.txt": `${sourceStart}${copied}\n\n${prose(6, 100)}`, "src2.txt": prose(7, 300) },
      pairs: [
        { className: "01-clean", queryName: "susp1.txt", sourceName: "src2.txt", passages: [] },
        { className: "01-clean", queryName: "susp2.txt", sourceName: "src1.txt", passages: [] },
        { className: "02-copied", queryName: "susp1.txt", sourceName: "src1.txt", passages: [passage] },
      ],
    });
  });

  after(() => rm(folder, { recursive: true }));

  it("finds a planted copy, in code points, and keeps the order of the pairs", async () => {
    const corpus = await readPanCorpus(folder);
    const done: number[] = [];
    const aligned = await alignPairs(corpus.folder, corpus.pairs, {
      threads: 2,
      signal: new AbortController().signal,

      onDone: (pairs) => done.push(pairs),
    });
    expect(done.at(-1)).to.equal(3);
    expect(aligned.map(({ queryName, sourceName }) => [queryName, sourceName])).to.deep.equal(
      corpus.pairs.map(({ queryName, sourceName }) => [queryName, sourceName]),
    );
    const { classes } = evaluatePairs(aligned);
    expect(classes.at(-1)).to.include({ cleanPairs: 2, flaggedPairs: 0 });
    expect(classes.at(-1)?.score).to.include({ cases: 1, detections: 1 });
    expect(classes.at(-1)?.score.plagdet).to.be.greaterThan(0.97);
  });
});

describe("the times of alignments", () => {
  it("are summarised by mean, median, 99th percentile and the texts of the worst pair", () => {
    const pairs = Array.from({ length: 200 }, (_, at) => ({
      className: "01-clean",
      queryName: "susp.txt",
      sourceName: "src.txt",
      cases: [],
      detections: [],
      alignMs: at,
      prepareMs: 2,
      queryChars: at * 10,
      sourceChars: at * 20,
    }));
    expect(alignTimes(pairs)).to.deep.equal({
      mean: 99.5,
      median: 100,
      p99: 198,
      worst: 199,
      worstQueryChars: 1990,
      worstSourceChars: 3980,
      prepareMean: 2,
    });
  });
});

function length(text: string): number {
  return [...text].length;
}
