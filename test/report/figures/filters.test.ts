import { expect } from "chai";
import fc from "fast-check";
import type { MatchType } from "../../../src/matching/words/match-type.ts";
import { computeFigures } from "../../../src/report/figures/figures.ts";
import {
  type FilteredFigures,
  filterReport,
  type ReportFilters,
} from "../../../src/report/figures/filters.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import { wordCount } from "../../../src/text/word-count.ts";
import { cpuTimeMs } from "../../support/cpu-time.ts";
import { anyReport, DOCUMENT_START, filtered, pairsOf, passageAt, source } from "./given-report.ts";

describe("filterReport", () => {
  it("gives the unfiltered figures without filters", () => {
    const filters: fc.Arbitrary<ReportFilters> = fc.constantFrom(
      {},
      { excludeQuotes: false, excludeBibliography: false, minWords: 0, excludeSources: [] },
      { minWords: 1, matchTypes: ["identical", "minor_changes", "paraphrased"] as const },
    );
    fc.assert(
      fc.property(anyReport(), filters, ({ text, sources }, given) => {
        const unfiltered = computeFigures({ queryText: text, sources });
        expect(filterReport({ text, language: "en" }, unfiltered.sources, given)).to.deep.equal({
          ...unfiltered,
          excluded: [],
          filteredOut: [],
        });
      }),
      { seed: 17, numRuns: 200 },
    );
  });

  describe("exclude_quotes", () => {
    it("removes quotations, marks included, from the matched and the counted text", () => {
      const text = 'Own words. "Copied words." Copied again.';
      const figures = filtered(text, [source("a", passageAt(text, 12, 39))], { excludeQuotes: true });
      expect(figures.excluded).to.deep.equal([{ start: 11, end: 26 }]);
      expect(pairsOf(figures)).to.deep.equal({ a: [[26, 40]] });
      expect([figures.totalMatchedChars, figures.countedChars]).to.deep.equal([14, 25]);
      expect(figures.overallSimilarityPct).to.equal(56);
      expect(figures.sources[0]?.similarityPct).to.equal(56);
    });

    it("splits a passage that contains a quotation", () => {
      const text = 'one two "a b cc ddd" five six';
      const figures = filtered(text, [source("a", passageAt(text, 0, text.length))], { excludeQuotes: true });
      expect(pairsOf(figures)).to.deep.equal({
        a: [
          [0, 8],
          [20, 29],
        ],
      });
      expect(figures.overallSimilarityPct).to.equal(100);
    });

    it("removes a source whose words are all quoted", () => {
      const text = 'Own words. "Copied words".\n';
      const figures = filtered(text, [source("a", passageAt(text, 12, 24))], { excludeQuotes: true });
      expect(figures.sources).to.deep.equal([]);
      expect(figures.overallSimilarityPct).to.equal(0);
    });

    it("keeps a text checked against itself at 100%", () => {
      const text = 'One. "Two", "three": four “five”.\n> six\n\nSeven "eight".\n';
      const figures = filtered(text, [source("a", passageAt(text, 0, text.length))], { excludeQuotes: true });
      expect(figures.overallSimilarityPct).to.equal(100);
      expect(figures.totalMatchedChars).to.equal(figures.countedChars);
    });

    it("gives 0 if all of the text is quoted", () => {
      const text = "“All is well.”";
      const figures = filtered(text, [source("a", passageAt(text, 1, 12))], { excludeQuotes: true });
      expect(figures).to.deep.equal({
        sources: [],
        uniquePassages: [],
        totalMatchedChars: 0,
        countedChars: 0,
        overallSimilarityPct: 0,
        byMatchType: { identical: [], minor_changes: [], paraphrased: [], translated: [] },
        excluded: [{ start: 0, end: text.length }],
        filteredOut: [
          {
            documentId: "a",
            query: { start: 0, end: text.length },
            filter: "excludeQuotes",
          },
        ],
      });
    });
  });

  describe("exclude_bibliography", () => {
    const text = "Own text here.\n\nReferences\nSmith, J. Copied. 2010.\n\n## Appendix\nMore.";

    it("also removes works that are listed without a heading", () => {
      const works = [
        "[1] Smith, J. (2010). A study. Journal of Studies, 3(2), 1-20.",
        "[2] Lee, K. (1999). Lamps. Oxford University Press.",
        "[3] Cole, A. (2004). Fog. https://example.org/fog",
      ].join("\n");
      const listed = `Own text here.\n\n${works}\n\nMore of it.`;
      const start = listed.indexOf("[1]");
      const figures = filtered(listed, [source("a", passageAt(listed, start, start + works.length))], {
        excludeBibliography: true,
      });
      expect(figures.excluded).to.deep.equal([{ start, end: start + works.length }]);
      expect([figures.totalMatchedChars, figures.countedChars]).to.deep.equal([0, 29]);
    });

    it("removes the text from its heading to the next from the matched and the counted text", () => {
      const start = text.indexOf("References");
      const end = text.indexOf("## Appendix");
      const figures = filtered(text, [source("a", passageAt(text, start, text.length))], {
        excludeBibliography: true,
      });
      expect(figures.excluded).to.deep.equal([{ start, end }]);
      expect(pairsOf(figures)).to.deep.equal({ a: [[end, text.length]] });
      expect(figures.countedChars).to.equal(text.length - (end - start));
    });

    it("can be combined with exclude_quotes", () => {
      const both = `"A quote." ${text.replace("Copied.", '"Copied."')}`;
      const figures = filtered(both, [], { excludeBibliography: true, excludeQuotes: true });
      expect(figures.excluded.length).to.equal(2);
      expect(figures.countedChars).to.equal(" Own text here.\n\n## Appendix\nMore.".length);
    });
  });

  describe("min_words", () => {
    const text = "one two three. own own. four five. own. six";
    const sources = [source("a", passageAt(text, 0, 13), passageAt(text, 24, 33), passageAt(text, 40, 43))];

    it("keeps the passages of at least that many words, while the text of the others still counts", () => {
      expect(pairsOf(filtered(text, sources, { minWords: 2 })).a?.length).to.equal(2);
      expect(pairsOf(filtered(text, sources, { minWords: 3 }))).to.deep.equal({ a: [[0, 13]] });
      expect(filtered(text, sources, { minWords: 3 }).countedChars).to.equal(text.length);
      expect(filtered(text, sources, { minWords: 4 }).sources).to.deep.equal([]);
    });

    it("counts the remaining words after clipping", () => {
      const quoting = 'one "two a bb ccc d" five six';
      const all = [source("a", passageAt(quoting, 0, quoting.length))];
      expect(pairsOf(filtered(quoting, all, { minWords: 2, excludeQuotes: true }))).to.deep.equal({
        a: [[20, 29]],
      });
    });

    it("counts the words of a long passage only as far as needed, and exactly", () => {
      for (const [words, minWords, kept] of [
        [5_000, 100, 1],
        [300, 300, 1],
        [299, 300, 0],
      ] as const) {
        const long = Array.from({ length: words }, (_, i) => `word${"x".repeat(i % 60)}`).join(" ");
        const figures = filtered(long, [source("a", passageAt(long, 0, long.length))], { minWords });
        expect(figures.sources.length, `${words} of ${minWords}`).to.equal(kept);
      }
    });
  });

  describe("exclude_sources and match_types", () => {
    const text = "one two three four";
    const sources = [
      source("a", passageAt(text, 0, 7), passageAt(text, 8, 18, "paraphrased")),
      source("b", passageAt(text, 0, 3, "minor_changes")),
    ];

    it("leave out the passages of a source, whose text still counts", () => {
      const figures = filtered(text, sources, { excludeSources: ["a", "unknown"] });
      expect(pairsOf(figures)).to.deep.equal({ b: [[0, 3]] });
      expect([figures.totalMatchedChars, figures.countedChars]).to.deep.equal([3, 18]);
    });

    it("keep only the requested match types", () => {
      expect(pairsOf(filtered(text, sources, { matchTypes: ["identical"] }))).to.deep.equal({ a: [[0, 8]] });
      expect(
        pairsOf(filtered(text, sources, { matchTypes: ["minor_changes", "paraphrased"] })),
      ).to.deep.equal({
        a: [[8, 18]],
        b: [[0, 3]],
      });
      expect(filtered(text, sources, { matchTypes: [] }).sources).to.deep.equal([]);
    });

    it("can change the order of the sources", () => {
      const figures = filtered(text, [...sources, source("c", passageAt(text, 0, 13))], {
        matchTypes: ["identical"],
      });
      expect(figures.sources.map(({ documentId }) => documentId)).to.deep.equal(["c", "a"]);
    });
  });

  it("keeps the report's laws for any passages and filters", () => {
    const filters = fc.record({
      excludeQuotes: fc.boolean(),
      excludeBibliography: fc.boolean(),
      minWords: fc.nat(4),
      matchTypes: fc.subarray<MatchType>(["identical", "minor_changes", "paraphrased"], { minLength: 1 }),
    });
    fc.assert(
      fc.property(anyReport(), filters, ({ text, sources }, given) => {
        const unfiltered = computeFigures({ queryText: text, sources });
        const figures = filterReport({ text, language: "en" }, unfiltered.sources, given);
        expectLaws(text, figures);
        for (const { matchType, query } of figures.sources.flatMap(({ passages }) => passages)) {
          expect(given.matchTypes).to.include(matchType);
          expect(wordCount(text.slice(query.start, query.end), "en")).to.be.at.least(given.minWords);
        }
        expect(figures.totalMatchedChars).to.be.at.most(unfiltered.totalMatchedChars);
      }),
      { seed: 19, numRuns: 800 },
    );
  });

  it("takes linear time on 500,000 characters", function () {
    this.timeout(120_000);
    const text = 'ab "c" '.repeat(71_428);
    const halves = [passageAt(text, 0, 250_000), passageAt(text, 250_000, 499_000)];
    const everyWord = Array.from({ length: 71_000 }, (_, i) => passageAt(text, 7 * i, 7 * i + 2));
    const sources = [
      source("a", ...halves),
      source("b", ...everyWord),
      source("c", passageAt(text, 0, 400_000)),
    ];
    const start = cpuTimeMs();
    const figures = filtered(text, sources, { excludeQuotes: true, excludeBibliography: true });
    expect(figures.overallSimilarityPct).to.be.above(99);
    const long = Array.from({ length: 300 }, (_, i) => source(`s${i}`, passageAt(text, 0, 499_000 - 7 * i)));
    expect(filtered(text, long, { minWords: 20 }).sources.length).to.equal(300);
    expect(cpuTimeMs() - start).to.be.below(15_000);
  });
});

function expectLaws(text: string, figures: FilteredFigures): void {
  const { uniquePassages, excluded } = figures;
  const charsIn = (spans: readonly { start: number; end: number }[]) =>
    spans.reduce((sum, { start, end }) => sum + codePointLength(text.slice(start, end)), 0);
  expect(figures.totalMatchedChars).to.equal(charsIn(uniquePassages));
  expect(figures.countedChars).to.equal(codePointLength(text) - charsIn(excluded));
  expect(figures.overallSimilarityPct).to.be.within(0, 100);
  for (const [i, { start, end }] of uniquePassages.entries()) {
    expect(start).to.be.below(end);
    expect(start).to.be.above(uniquePassages[i - 1]?.end ?? -1);
    for (const hole of [...excluded]) expect(hole.end <= start || hole.start >= end).to.equal(true);
  }
  for (const { passages, similarityPct } of figures.sources) {
    expect(similarityPct).to.be.within(0, figures.overallSimilarityPct);
    for (const { query, sourceChunk, sourceDocument } of passages) {
      expect(uniquePassages.some(({ start, end }) => start <= query.start && query.end <= end)).to.equal(
        true,
      );
      const units = sourceDocument.utf16.end - sourceDocument.utf16.start;
      const codePoints = sourceDocument.codePoint.end - sourceDocument.codePoint.start;
      expect(sourceChunk.utf16.end - sourceChunk.utf16.start).to.equal(units);
      expect(sourceChunk.codePoint.end - sourceChunk.codePoint.start).to.equal(codePoints);
      expect(codePoints).to.be.above(0);
      expect(units).to.be.within(codePoints, 2 * codePoints);
      expect(sourceDocument.utf16.start).to.be.at.least(DOCUMENT_START);
    }
  }
}
