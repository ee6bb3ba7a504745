import { expect } from "chai";
import fc from "fast-check";
import { computeFigures } from "../../../src/report/figures/figures.ts";
import { reportInUnit, unitConversion } from "../../../src/report/figures/offset-unit.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import type { OffsetUnit } from "../../../src/text/excerpt.ts";
import { spansLength } from "../../../src/text/span.ts";
import { anyReport, passageWithSource, source } from "./given-report.ts";

describe("reportInUnit", () => {
  const text = "𝐀𝐁 one 🙂 two";
  const figures = computeFigures({
    queryText: text,
    sources: [source("a", passageWithSource({ start: 5, end: 14 }, "𝐎ne two", "minor_changes"))],
  });

  it("gives every offset and length in code points", () => {
    expect(reportInUnit(text, figures, { offsets: "code_point", lengths: "code_point" })).to.deep.equal({
      offsetUnit: "code_point",
      sources: [
        {
          documentId: "a",
          matchedChars: 8,
          similarityPct: 66.67,
          exclusiveMatchedChars: 8,
          passages: [
            {
              query: { start: 3, end: 11 },
              matchType: "minor_changes",
              sourceChunkIndex: 2,
              sourceChunk: { start: 40, end: 47 },
              sourceDocument: { start: 1000, end: 1007 },
              preview: "𝐎ne two",
            },
          ],
        },
      ],
      uniquePassages: [{ start: 3, end: 11 }],
      totalMatchedChars: 8,
      charCount: 12,
      comparedChars: 12,
      overallSimilarityPct: 66.67,
      byMatchType: {
        identical: { matchedChars: 0, similarityPct: 0 },
        minor_changes: { matchedChars: 8, similarityPct: 66.67 },
        paraphrased: { matchedChars: 0, similarityPct: 0 },
        translated: { matchedChars: 0, similarityPct: 0 },
      },
    });
  });

  it("gives them in UTF-16 units, while percentages remain shares of code points", () => {
    const report = reportInUnit(text, figures, { offsets: "utf16", lengths: "utf16" });
    expect(report.offsetUnit).to.equal("utf16");
    expect(report.uniquePassages).to.deep.equal([{ start: 5, end: 14 }]);
    expect([report.totalMatchedChars, report.charCount, report.overallSimilarityPct]).to.deep.equal([
      9, 15, 66.67,
    ]);
    expect(report.sources[0]?.matchedChars).to.equal(9);
    expect(report.sources[0]?.similarityPct).to.equal(66.67);
    expect(report.sources[0]?.passages[0]?.sourceDocument).to.deep.equal({ start: 1000, end: 1008 });
    expect(report.sources[0]?.passages[0]?.sourceChunk).to.deep.equal({ start: 40, end: 48 });
  });

  it("keeps the report's laws in both units", () => {
    fc.assert(
      fc.property(anyReport(), fc.constantFrom<OffsetUnit>("code_point", "utf16"), (given, unit) => {
        const assembled = computeFigures({ queryText: given.text, sources: given.sources });
        const report = reportInUnit(given.text, assembled, { offsets: unit, lengths: unit });
        expect(report.totalMatchedChars).to.equal(spansLength(report.uniquePassages));
        const types = Object.values(report.byMatchType ?? {});
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
        expect(sum(types.map((type) => type.matchedChars))).to.equal(report.totalMatchedChars);
        expect(sum(types.map((type) => type.similarityPct))).to.be.closeTo(report.overallSimilarityPct, 1e-9);
        expect(sum(report.sources.map((one) => one.exclusiveMatchedChars))).to.equal(
          report.totalMatchedChars,
        );
        const characters = unit === "utf16" ? given.text.split("") : [...given.text];
        expect(report.charCount).to.equal(characters.length);
        const marked = report.uniquePassages.map(({ start, end }) => characters.slice(start, end).join(""));
        expect(marked).to.deep.equal(
          assembled.uniquePassages.map(({ start, end }) => given.text.slice(start, end)),
        );
        if (unit === "code_point") {
          expect(report.totalMatchedChars).to.equal(assembled.totalMatchedChars);
          expect(report.sources.map((s) => s.matchedChars)).to.deep.equal(
            assembled.sources.map((s) => s.matchedChars),
          );
        }
      }),
      { seed: 13, numRuns: 300 },
    );
  });
});

describe("unitConversion", () => {
  it("converts any offset of the text into the requested unit", () => {
    const text = "a🙂b";
    expect(unitConversion(text, "code_point").offset(3)).to.equal(2);
    expect(unitConversion(text, "code_point").offset(text.length)).to.equal(codePointLength(text));
    expect(unitConversion(text, "code_point").span({ start: 1, end: 3 })).to.deep.equal({ start: 1, end: 2 });
    expect(unitConversion(text, "utf16").span({ start: 1, end: 3 })).to.deep.equal({ start: 1, end: 3 });
  });
});
