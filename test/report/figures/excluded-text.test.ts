import { expect } from "chai";
import fc from "fast-check";
import type { MatchedSource } from "../../../src/matching/words/source-passage.ts";
import { computeFigures } from "../../../src/report/figures/figures.ts";
import { filterReport, type ReportFilters } from "../../../src/report/figures/filters.ts";
import { bibliography } from "../../../src/text/bibliography.ts";
import { quotations } from "../../../src/text/quotations.ts";
import { joinSpans, subtractSpans } from "../../../src/text/span.ts";
import { anyReport, passageAt, source } from "./given-report.ts";

describe("excluded text", () => {
  it("is ascending, disjoint and inside the text, whatever the text", () => {
    fc.assert(
      fc.property(anyReport(), ({ text }) => {
        for (const spans of [quotations(text), bibliography(text)])
          for (const [i, { start, end }] of spans.entries()) {
            expect(start).to.be.below(end);
            expect(end).to.be.at.most(text.length);
            expect(start).to.be.at.least(spans[i - 1]?.end ?? 0);
          }
      }),
      { seed: 23, numRuns: 500 },
    );
  });

  it("holds no quoted title or word inside a passage, but all quoted words beside it and longer quotations", () => {
    const text =
      'One "two three four" five. "Six" seven "eight nine ten eleven" twelve.\n\nReferences\n\nIt.\n\n[^1]: A note on seven.\n';
    const excluded = (from: string, to: string, filters: ReportFilters) =>
      filterReport(
        { text, language: "en" },
        [source("a", passageAt(text, text.indexOf(from), text.indexOf(to) + to.length))],
        filters,
      ).excluded.map(({ start, end }) => text.slice(start, end));
    expect(excluded("One", "twelve", { excludeQuotes: true })).to.deep.equal(['"eight nine ten eleven"']);
    expect(excluded("five", "twelve", { excludeQuotes: true })).to.deep.equal([
      '"two three four"',
      '"eight nine ten eleven"',
    ]);
    expect(excluded('"Six', "seven", { excludeQuotes: true })[1]).to.equal('"Six"');
    expect(excluded("One", "twelve", { excludeBibliography: true })).to.deep.equal([
      "References\n\nIt.\n\n",
      "\n",
    ]);
  });

  describe("the list of filtered passages", () => {
    const text =
      'One two "three four six nine" five six. Seven eight.\n\nReferences\n\nNine "Ten of the best" 2010.';

    function leftOut(filters: ReportFilters, sources: readonly MatchedSource[]): string[] {
      return filterReport({ text, language: "en" }, sources, filters).filteredOut.map(
        ({ documentId, query, filter }) => `${documentId} ${filter}: ${text.slice(query.start, query.end)}`,
      );
    }

    const whole = source("a", passageAt(text, 0, text.length));
    const short = source("b", passageAt(text, 0, 7), passageAt(text, 40, 51, "paraphrased"));

    it("names each passage with the filter that left it out", () => {
      expect(leftOut({ excludeSources: ["a"], minWords: 1 }, [whole, short])).to.deep.equal([
        `a excludeSources: ${text}`,
      ]);
      expect(leftOut({ matchTypes: ["identical"], minWords: 3 }, [whole, short])).to.deep.equal([
        "b minWords: One two",
        "b matchTypes: Seven eight",
      ]);
    });

    it("names each part of a clipped passage once", () => {
      expect(leftOut({ excludeQuotes: true, excludeBibliography: true }, [whole, short])).to.deep.equal([
        'a excludeQuotes: "three four six nine"',
        'a excludeQuotes: "Ten of the best"',
        "a excludeBibliography: References\n\nNine ",
        "a excludeBibliography:  2010.",
      ]);
      expect(leftOut({ excludeQuotes: true, minWords: 4 }, [whole])).to.deep.equal([
        'a excludeQuotes: "three four six nine"',
        'a excludeQuotes: "Ten of the best"',
        "a minWords: One two ",
        "a minWords:  2010.",
      ]);
    });

    it("makes up all passages together with the kept ones", () => {
      const filters: fc.Arbitrary<ReportFilters> = fc.record({
        excludeQuotes: fc.boolean(),
        excludeBibliography: fc.boolean(),
        minWords: fc.nat(5),
      });
      fc.assert(
        fc.property(anyReport(), filters, (given, asked) => {
          const unfiltered = computeFigures({ queryText: given.text, sources: given.sources });
          const report = filterReport({ text: given.text, language: "en" }, unfiltered.sources, asked);
          for (const { documentId, passages } of unfiltered.sources) {
            const kept = report.sources.find((one) => one.documentId === documentId)?.passages ?? [];
            const out = report.filteredOut.filter((part) => part.documentId === documentId);
            const accounted = joinSpans([...kept, ...out].map(({ query }) => query));
            const all = joinSpans(passages.map(({ query }) => query));
            const missing = all.flatMap((span) => subtractSpans(span, accounted));
            for (const { start, end } of missing)
              expect(given.text.slice(start, end)).not.to.match(/[\p{L}\p{N}]/u);
            for (const span of accounted) expect(subtractSpans(span, all)).to.deep.equal([]);
          }
        }),
        { seed: 23, numRuns: 200 },
      );
    });
  });
});
