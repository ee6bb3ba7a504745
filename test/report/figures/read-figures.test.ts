import { expect } from "chai";
import { computeFigures } from "../../../src/report/figures/figures.ts";
import { type ReadFiguresInput, readFigures } from "../../../src/report/figures/read-figures.ts";
import { passageAt, source } from "./given-report.ts";

describe("readFigures", () => {
  const queryText = '🙂 one two "three four" five';
  const all = [
    source("a", passageAt(queryText, 3, 10)),
    source("b", passageAt(queryText, 12, queryText.length, "minor_changes")),
  ];
  const stored = computeFigures({ queryText, sources: all });
  const named = stored.sources.map((one) => ({ ...one, title: "A title", filename: "a.txt" }));
  const input: ReadFiguresInput = {
    queryText,
    language: "en",
    sources: named,
    uniquePassages: stored.uniquePassages,
    totalMatchedChars: stored.totalMatchedChars,
    byMatchType: stored.byMatchType,
    filters: undefined,
    standing: undefined,
    units: { offsets: "utf16", lengths: "utf16" },
    flags: [{ kind: "invisible_characters", start: 0, end: 2, detail: "one" }],
    pageMargins: [],
    explanation: undefined,
  };

  it("shows a stored report as it was assembled", () => {
    const { report, unfilteredSimilarityPct } = readFigures(input);
    expect(report.uniquePassages).to.deep.equal(stored.uniquePassages);
    expect(report.overallSimilarityPct).to.equal(stored.overallSimilarityPct);
    expect(unfilteredSimilarityPct).to.equal(stored.overallSimilarityPct);
    expect(report.sources.map(({ documentId }) => documentId)).to.deep.equal(["b", "a"]);
  });

  it("keeps the totals of a report whose sources were deleted later", () => {
    const { report } = readFigures({ ...input, sources: named.slice(1) });
    expect(report.sources.map(({ documentId }) => documentId)).to.deep.equal(["a"]);
    expect(report.uniquePassages).to.deep.equal(stored.uniquePassages);
    expect(report.overallSimilarityPct).to.equal(stored.overallSimilarityPct);
    expect(report.byMatchType.minor_changes.matchedChars).to.be.above(0);
  });

  it("filters, and still gives the unfiltered similarity", () => {
    const { report, unfilteredSimilarityPct } = readFigures({
      ...input,
      filters: { matchTypes: ["identical"] },
    });
    expect(report.sources.map(({ documentId }) => documentId)).to.deep.equal(["a"]);
    expect(report.overallSimilarityPct).to.be.below(unfilteredSimilarityPct);
    expect(unfilteredSimilarityPct).to.equal(stored.overallSimilarityPct);
  });

  it("gives the places of the integrity flags in the requested unit", () => {
    const [flag] = input.flags;
    expect(readFigures(input).flags).to.deep.equal([flag]);
    expect(
      readFigures({ ...input, units: { offsets: "code_point", lengths: "code_point" } }).flags,
    ).to.deep.equal([{ ...flag, end: 1 }]);
  });

  describe("the explanation", () => {
    const range = { utf16: { start: 4, end: 9 }, codePoint: { start: 3, end: 8 } };
    const match = { query: { start: 3, end: 6 }, sourceDocument: range, reason: "too_short" as const };
    const candidate = {
      documentId: "a",
      hits: [{ queryChunk: 0, chunkIndex: 2, sharedShingles: 4, sharedTerms: 1 }],
      hitCount: 1,
      dropped: { matches: [{ ...match, matchedWords: 1, score: -2 }], counts: { too_short: 1 } },
    };
    const recorded = {
      reported: [candidate],
      unreported: [{ ...candidate, documentId: "c" }],
      candidateCount: 2,
    };

    it("is left out unless it is requested", () => {
      expect(readFigures(input).explanation).to.equal(undefined);
    });

    it("shows the stored explanation in the requested unit on both sides", () => {
      const inUnits = readFigures({ ...input, explanation: recorded }).explanation;
      expect(inUnits?.filteredOut).to.deep.equal([]);
      expect(inUnits?.recorded.candidateCount).to.equal(2);
      expect(inUnits?.recorded.reported[0]?.hits).to.deep.equal(candidate.hits);
      const dropped = { reason: "too_short", matchedWords: 1, score: -2 };
      expect(inUnits?.recorded.reported[0]?.dropped).to.deep.equal({
        matches: [{ ...dropped, query: { start: 3, end: 6 }, sourceDocument: range.utf16 }],
        counts: { too_short: 1 },
      });
      const inCodePoints = readFigures({
        ...input,
        units: { offsets: "code_point", lengths: "code_point" },
        explanation: recorded,
      }).explanation;
      expect(inCodePoints?.recorded.unreported[0]?.dropped.matches).to.deep.equal([
        { ...dropped, query: { start: 2, end: 5 }, sourceDocument: range.codePoint },
      ]);
    });

    it("shows the filtered passages", () => {
      const { explanation } = readFigures({
        ...input,
        units: { offsets: "code_point", lengths: "code_point" },
        filters: { matchTypes: ["identical"] },
        explanation: recorded,
      });
      expect(explanation?.filteredOut).to.deep.equal([
        { documentId: "b", query: { start: 11, end: 27 }, filter: "matchTypes" },
      ]);
    });
  });
});
