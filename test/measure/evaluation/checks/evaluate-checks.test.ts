import { rm } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { expect } from "chai";
import { z } from "zod";
import { evaluateChecks } from "../../../../measure/evaluation/checks/evaluate-checks.ts";
import { writePanFolder } from "../../../../measure/evaluation/support/pan-folder.ts";
import { readPanCorpus } from "../../../../measure/evaluation/texts/pan-corpus.ts";
import { ProgressDisplay } from "../../../../src/platform/terminal/progress.ts";
import { prose } from "../../../support/work/prose.ts";

/** The first start of the stores on a new machine fetches OpenSearch. */
const START_TIMEOUT_MS = 300_000;

const Result = z.object({
  classes: z.array(
    z.object({
      className: z.string(),
      score: z.object({ plagdet: z.number(), cases: z.number(), detections: z.number() }),
      flaggedPairs: z.number(),
    }),
  ),
  recall: z.array(z.object({ className: z.string(), foundPairs: z.number(), foundCases: z.number() })),
  times: z.object({ checks: z.number(), candidates: z.number() }),
  everything: z.object({ detections: z.number() }),
  unlisted: z.array(z.object({ queryName: z.string(), sourceName: z.string() })),
});

describe("evaluating checks", () => {
  const copied = prose(11, 90);
  const unlabelled = prose(12, 60);
  const article = prose(13, 200);
  let folder: string;

  before(async () => {
    const queryStart = `${article}\n\n`;
    const sourceStart = `${prose(14, 120)}\n\n`;
    folder = await writePanFolder({
      queries: {
        "susp1.txt": `${queryStart}${copied}\n\n${unlabelled}`,
        "susp2.txt": prose(15, 150),
      },
      sources: {
        "src1.txt": `${sourceStart}${copied}\n\n${prose(16, 80)}`,
        "src2.txt": prose(17, 300),
        "src3.txt": `${prose(18, 100)}\n\n${unlabelled}`,
        "src4.txt": `${article}\n\n${prose(19, 50)}`,
      },
      pairs: [
        {
          className: "02-copied",
          queryName: "susp1.txt",
          sourceName: "src1.txt",
          passages: [[queryStart.length, copied.length, sourceStart.length, copied.length]],
        },
        { className: "01-clean", queryName: "susp2.txt", sourceName: "src2.txt", passages: [] },
      ],
    });
  });

  after(() => rm(folder, { recursive: true }));

  it("checks the texts through the service and scores the reports and the retrieval", async function () {
    this.timeout(START_TIMEOUT_MS);
    const corpus = await readPanCorpus(folder);
    const { lines, result } = await evaluateChecks(
      { name: "made", corpus, pairs: corpus.pairs },
      { limit: 10, atOnce: 2, distractors: undefined, wordsOnly: true, errors: 3, unlisted: 3 },
      new ProgressDisplay(new PassThrough(), { unit: "checks" }),
      new AbortController().signal,
    );
    const { classes, recall, times, everything, unlisted } = Result.parse(result);
    const [clean, reworded, all] = classes;
    expect(clean).to.include({ className: "01-clean", flaggedPairs: 0 });
    expect(reworded?.score).to.include({ cases: 1, detections: 1 });
    expect(all?.score.plagdet).to.be.greaterThan(0.97);

    expect(recall.at(-1)).to.deep.equal({ className: "all", foundPairs: 1, foundCases: 1 });
    expect(times.checks).to.equal(2);
    expect(times.candidates).to.be.at.least(1);

    // The article in which the passages were planted is no error; an unlabelled passage may be one.
    expect(unlisted).to.deep.equal([{ queryName: "susp1.txt", sourceName: "src3.txt" }]);
    expect(everything.detections).to.equal(2);
    expect(lines.join("\n")).to.contain(unlabelled.slice(0, 50));
  });
});
