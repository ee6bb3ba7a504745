import { expect } from "chai";
import { type DetectedPair, evaluatePairs } from "../../../../measure/evaluation/scoring/evaluate-pairs.ts";
import type { PassagePair } from "../../../../measure/evaluation/scoring/match-passages.ts";

describe("evaluating pairs", () => {
  const short = at(0, 100);
  const long = at(1000, 3000);
  const { classes, bands } = evaluatePairs([
    pair("02-copied", [short, long], [at(0, 100), at(1000, 2000), at(2000, 3000), at(9000, 9200)]),
    pair("01-clean", [], [at(50, 90)]),
    pair("01-clean", [], []),
    pair("02-copied", [], []),
    pair("02-copied", [at(0, 1000)], []),
    pair("02-copied", [at(0, 400)], [at(100, 400)]),
  ]);
  const [clean, copied, all] = classes;

  it("lists the classes in order, followed by the total", () => {
    expect(classes.map(({ className }) => className)).to.deep.equal(["01-clean", "02-copied", "all"]);
    expect(all?.pairs).to.equal(6);
    expect(all?.score).to.include({ cases: 4, detections: 6 });
  });

  it("counts the pairs without a case, and those of them with a detection", () => {
    expect(clean).to.include({ cleanPairs: 2, flaggedPairs: 1 });
    expect(copied).to.include({ cleanPairs: 1, flaggedPairs: 0 });
    expect(all).to.include({ cleanPairs: 3, flaggedPairs: 1 });
  });

  it("divides all losses of recall and precision among their causes", () => {
    for (const { score, losses } of classes) {
      if (score.cases > 0) expect(losses.missed + losses.shortEdges).to.be.closeTo(1 - score.recall, 1e-12);
      expect(losses.falseDetections + losses.wideEdges).to.be.closeTo(1 - score.precision, 1e-12);
    }
    expect(copied?.losses.counts).to.deep.equal({ missed: 1, falseDetections: 1, split: 1, joined: 0 });
    expect(copied?.losses.missed).to.equal(1 / 4);
    expect(copied?.losses.shortEdges).to.be.closeTo(0.25 / 4, 1e-12);
  });

  it("puts each case into the band of its length, and each detection into the bands of its cases", () => {
    expect(bands.map(({ band, score }) => [band, score.cases, score.detections])).to.deep.equal([
      ["source under 120", 1, 2],
      ["source 120-250", 0, 1],
      ["source 250-500", 1, 1],
      ["source 500-1000", 0, 0],
      ["source 1000-2500", 2, 2],
      ["source from 2500", 0, 0],
    ]);
  });

  it("does not count a detection as wrong in a band because it also covers a case of another band", () => {
    const joined = evaluatePairs([pair("02-copied", [at(0, 100), at(100, 1100)], [at(0, 1100)])]);
    expect(joined.bands[0]?.score).to.include({ cases: 1, detections: 1, plagdet: 1 });
    expect(joined.bands[4]?.score).to.include({ cases: 1, detections: 1, plagdet: 1 });
  });
});

/** The same characters on both sides. */
function at(start: number, end: number): PassagePair {
  return { query: { start, end }, source: { start, end } };
}

function pair(className: string, cases: PassagePair[], detections: PassagePair[]): DetectedPair {
  const planted = cases.map((one) => ({ ...one, kind: "random" }));
  return { className, queryName: "query.txt", sourceName: "source.txt", cases: planted, detections };
}
