import { expect } from "chai";
import { assemble } from "../../../src/core/report/assemble.ts";
import { type ReadFiguresInput, readFigures } from "../../../src/core/report/read-figures.ts";
import { passageAt, source } from "./given-report.ts";

describe("readFigures", () => {
  const queryText = '🙂 one two "three four" five';
  const all = [
    source("a", passageAt(queryText, 3, 10)),
    source("b", passageAt(queryText, 12, queryText.length, "minor_changes")),
  ];
  const stored = assemble(queryText, all);
  const input: ReadFiguresInput = {
    queryText,
    language: "en",
    sources: stored.sources,
    uniquePassages: stored.uniquePassages,
    totalMatchedChars: stored.totalMatchedChars,
    filters: undefined,
    unit: "utf16",
    flags: [{ start: 0, end: 2 }],
  };

  it("shows a stored report as it was assembled", () => {
    const { report, unfilteredSimilarityPct } = readFigures(input);
    expect(report.uniquePassages).to.deep.equal(stored.uniquePassages);
    expect(report.overallSimilarityPct).to.equal(stored.overallSimilarityPct);
    expect(unfilteredSimilarityPct).to.equal(stored.overallSimilarityPct);
    expect(report.sources.map(({ documentId }) => documentId)).to.deep.equal(["b", "a"]);
  });

  it("keeps the totals of a report whose sources were deleted since", () => {
    const { report } = readFigures({ ...input, sources: stored.sources.slice(1) });
    expect(report.sources.map(({ documentId }) => documentId)).to.deep.equal(["a"]);
    expect(report.uniquePassages).to.deep.equal(stored.uniquePassages);
    expect(report.overallSimilarityPct).to.equal(stored.overallSimilarityPct);
  });

  it("filters, and still says the unfiltered similarity", () => {
    const { report, unfilteredSimilarityPct } = readFigures({
      ...input,
      filters: { matchTypes: ["identical"] },
    });
    expect(report.sources.map(({ documentId }) => documentId)).to.deep.equal(["a"]);
    expect(report.overallSimilarityPct).to.be.below(unfilteredSimilarityPct);
    expect(unfilteredSimilarityPct).to.equal(stored.overallSimilarityPct);
  });

  it("says the places of the integrity flags in the unit asked for", () => {
    expect(readFigures(input).flags).to.deep.equal([{ start: 0, end: 2 }]);
    expect(readFigures({ ...input, unit: "code_point" }).flags).to.deep.equal([{ start: 0, end: 1 }]);
  });
});
