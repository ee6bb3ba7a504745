import { expect } from "chai";
import fc from "fast-check";
import { computeFigures, wordBoundaries } from "../../../src/report/figures/figures.ts";
import type { ReportFigures } from "../../../src/report/figures/report.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import { joinSpans, spansLength } from "../../../src/text/span.ts";
import { cpuTimeMs } from "../../support/cpu-time.ts";
import { anyReport, pairsOf, passageAt, source } from "./given-report.ts";

describe("the figures of widened passages", () => {
  it("reports a text checked against itself as 100% with one source and one passage", () => {
    const text = " “All is well”, she said. 🙂\n";
    const figures = computeFigures({ queryText: text, sources: [source("a", passageAt(text, 2, 24))] });
    expect(pairsOf(figures)).to.deep.equal({ a: [[0, text.length]] });
    expect(figures.uniquePassages).to.deep.equal([{ start: 0, end: text.length }]);
    expect(figures.totalMatchedChars).to.equal(codePointLength(text));
    expect(figures.countedChars).to.equal(codePointLength(text));
    expect(figures.overallSimilarityPct).to.equal(100);
    expect(figures.sources[0]?.similarityPct).to.equal(100);
  });

  it("adds white space and punctuation between neighbouring passages of a source to the first", () => {
    const text = "one two, (three) four";
    const figures = computeFigures({
      queryText: text,
      sources: [source("a", passageAt(text, 10, 15), passageAt(text, 0, 7))],
    });
    expect(pairsOf(figures)).to.deep.equal({
      a: [
        [0, 10],
        [10, 15],
      ],
    });
    expect(figures.uniquePassages).to.deep.equal([{ start: 0, end: 15 }]);
  });

  it("leaves text with a letter, digit or mark unmatched", () => {
    for (const between of [" a ", " 1 ", " 𝐀 ", "\u0301 "]) {
      const text = `one${between}two`;
      const figures = computeFigures({
        queryText: text,
        sources: [source("a", passageAt(text, 0, 3), passageAt(text, 3 + between.length, text.length))],
      });
      expect(figures.uniquePassages).to.deep.equal([
        { start: 0, end: 3 },
        { start: 3 + between.length, end: text.length },
      ]);
    }
    const text = "a. one two. b";
    expect(
      pairsOf(computeFigures({ queryText: text, sources: [source("a", passageAt(text, 3, 10))] })),
    ).to.deep.equal({
      a: [[3, 10]],
    });
  });

  it("treats all that the tokeniser skips as punctuation: emoji with their selectors, note marks, fractions", () => {
    const text = "one \u2764\ufe0f ² two ½ 🙂\ufe0f";
    const figures = computeFigures({
      queryText: text,
      sources: [source("a", passageAt(text, 0, 3), passageAt(text, 9, 12))],
    });
    expect(figures.overallSimilarityPct).to.equal(100);
  });

  it("leaves white space between passages of different sources unmatched", () => {
    const text = "one, two";
    const figures = computeFigures({
      queryText: text,
      sources: [source("a", passageAt(text, 0, 3)), source("b", passageAt(text, 5, 8))],
    });
    expect(figures.uniquePassages).to.deep.equal([
      { start: 0, end: 3 },
      { start: 5, end: 8 },
    ]);
    expect(figures.totalMatchedChars).to.equal(6);
  });

  it("widens the passage that reaches furthest when passages overlap", () => {
    const text = "one two three. four!";
    const passages = [passageAt(text, 0, 13), passageAt(text, 4, 7), passageAt(text, 15, 19)];
    expect(pairsOf(computeFigures({ queryText: text, sources: [source("a", ...passages)] }))).to.deep.equal({
      a: [
        [0, 15],
        [4, 7],
        [15, 20],
      ],
    });
  });

  it("leaves the source side as it was aligned", () => {
    const text = "“one two”";
    const passage = passageAt(text, 1, 8);
    expect(
      computeFigures({ queryText: text, sources: [source("a", passage)] }).sources[0]?.passages,
    ).to.deep.equal([{ ...passage, query: { start: 0, end: 9 } }]);
  });

  it("counts text of several passages once, in code points, and sorts the sources by them", () => {
    const text = "𝐀𝐁𝐂 one two three";
    const figures = computeFigures({
      queryText: text,
      sources: [
        source("c", passageAt(text, 7, 10)),
        source("b", passageAt(text, 0, 6)),
        source("a", passageAt(text, 7, 10), passageAt(text, 7, 14), passageAt(text, 11, 14)),
        source("d"),
      ],
    });
    expect(figures.sources.map(({ documentId, matchedChars }) => [documentId, matchedChars])).to.deep.equal([
      ["a", 7],
      ["b", 3],
      ["c", 3],
    ]);
    expect(figures.totalMatchedChars).to.equal(10);
    expect(figures.sources.map(({ similarityPct }) => similarityPct)).to.deep.equal([41.18, 17.65, 17.65]);
    expect(figures.overallSimilarityPct).to.equal(58.82);
  });

  it("is 0 without a source", () => {
    const nothing: ReportFigures = {
      sources: [],
      uniquePassages: [],
      totalMatchedChars: 0,
      countedChars: 4,
      overallSimilarityPct: 0,
      byMatchType: { identical: [], minor_changes: [], paraphrased: [], translated: [] },
    };
    expect(computeFigures({ queryText: "text", sources: [] })).to.deep.equal(nothing);
    expect(computeFigures({ queryText: "text", sources: [source("a")] })).to.deep.equal(nothing);
  });

  it("keeps the report's laws for any passages", () => {
    fc.assert(
      fc.property(anyReport(), ({ text, sources }) => {
        const figures = computeFigures({ queryText: text, sources });
        expectLaws(text, figures);
        expect(figures.sources.length).to.equal(sources.filter(({ passages }) => passages.length > 0).length);
        expect(figures).to.deep.equal(computeFigures({ queryText: text, sources }));
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it("takes linear time on 500,000 characters", () => {
    const spaces = " ".repeat(500_000);
    const words = "ab, ".repeat(125_000);
    const everyWord = Array.from({ length: 125_000 }, (_, i) => passageAt("", 4 * i, 4 * i + 2));
    const many = Array.from({ length: 500 }, (_, i) =>
      source(`s${i}`, passageAt("", 0, 2), passageAt("", 400_000, 400_002)),
    );
    const start = cpuTimeMs();
    expect(computeFigures({ queryText: spaces, sources: [] }).overallSimilarityPct).to.equal(0);
    expect(
      computeFigures({ queryText: words, sources: [source("a", ...everyWord)] }).overallSimilarityPct,
    ).to.equal(100);
    expect(computeFigures({ queryText: words, sources: many }).totalMatchedChars).to.equal(4);
    expect(cpuTimeMs() - start).to.be.below(10_000);
  });
});

function expectLaws(text: string, figures: ReportFigures): void {
  const { uniquePassages } = figures;
  const matched = uniquePassages.map(({ start, end }) => codePointLength(text.slice(start, end)));
  expect(figures.totalMatchedChars).to.equal(matched.reduce((sum, length) => sum + length, 0));
  for (const [i, { start, end }] of uniquePassages.entries()) {
    expect(start).to.be.below(end);
    expect(end).to.be.at.most(text.length);
    expect(start).to.be.above(uniquePassages[i - 1]?.end ?? -1);
  }
  expect(figures.overallSimilarityPct).to.be.within(0, 100);
  for (const parts of [
    Object.values(figures.byMatchType ?? {}).flat(),
    figures.sources.flatMap(({ exclusive }) => exclusive),
  ]) {
    expect(joinSpans(parts)).to.deep.equal(uniquePassages);
    expect(spansLength(parts)).to.equal(spansLength(uniquePassages));
  }
  for (const { passages, similarityPct, matchedChars } of figures.sources) {
    expect(similarityPct).to.be.within(0, figures.overallSimilarityPct);
    expect(matchedChars).to.be.at.most(figures.totalMatchedChars);
    for (const { query } of passages)
      expect(
        uniquePassages.filter(({ start, end }) => start <= query.start && query.end <= end).length,
      ).to.equal(1);
  }
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

describe("wordBoundaries", () => {
  it("finds letters and digits with their marks, and nothing else", () => {
    const { nextWord, previousWordEnd } = wordBoundaries(" —a e\u0301! ½ 𝐀.");
    expect([0, 2, 3, 4, 6, 7, 10, 13].map(nextWord)).to.deep.equal([2, 2, 4, 4, 10, 10, 10, 13]);
    expect([0, 2, 3, 4, 6, 8, 13].map(previousWordEnd)).to.deep.equal([0, 0, 3, 3, 6, 6, 12]);
  });

  it("agrees with a check of each character", () => {
    const text = fc.array(fc.constantFrom("a", "1", "e\u0301", " ", ",", "𝐀", "🙂\ufe0f", "中"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, (characters) => {
        const joined = characters.join("");
        const { nextWord, previousWordEnd } = wordBoundaries(joined);
        let offset = 0;
        let wordEnd = 0;
        for (const [index, character] of characters.entries()) {
          expect(previousWordEnd(offset)).to.equal(wordEnd);
          const before = characters.slice(
            0,
            characters.findIndex((c, i) => i >= index && WORD_CHARACTER.test(c)),
          );
          const hasNext = characters.slice(index).some((c) => WORD_CHARACTER.test(c));
          expect(nextWord(offset)).to.equal(hasNext ? before.join("").length : joined.length);
          offset += character.length;
          if (WORD_CHARACTER.test(character)) wordEnd = offset;
        }
        expect(nextWord(joined.length)).to.equal(joined.length);
        expect(previousWordEnd(joined.length)).to.equal(wordEnd);
      }),
      { seed: 7 },
    );
  });
});
