import { expect } from "chai";
import fc from "fast-check";
import type { MatchedSource } from "../../../src/matching/words/source-passage.ts";
import { bibliography } from "../../../src/report/figures/bibliography.ts";
import { filterReport, type ReportFilters } from "../../../src/report/figures/filters.ts";
import { widenedFigures } from "../../../src/report/figures/widened-figures.ts";
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

  describe("the list of filtered passages", () => {
    const text = 'One two "three four" five six. Seven eight.\n\nReferences\n\nNine "Ten" 2010.';

    function leftOut(filters: ReportFilters, sources: readonly MatchedSource[]): string[] {
      return filterReport({ text, language: "en" }, sources, filters).filteredOut.map(
        ({ documentId, query, filter }) => `${documentId} ${filter}: ${text.slice(query.start, query.end)}`,
      );
    }

    const whole = source("a", passageAt(text, 0, text.length));
    const short = source("b", passageAt(text, 0, 7), passageAt(text, 31, 42, "paraphrased"));

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
        'a excludeQuotes: "three four"',
        'a excludeQuotes: "Ten"',
        "a excludeBibliography: References\n\nNine ",
        "a excludeBibliography:  2010.",
      ]);
      expect(leftOut({ excludeQuotes: true, minWords: 4 }, [whole])).to.deep.equal([
        'a excludeQuotes: "three four"',
        'a excludeQuotes: "Ten"',
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
          const unfiltered = widenedFigures(given.text, given.sources);
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
