import { expect } from "chai";
import fc from "fast-check";
import {
  type ComparisonToPrint,
  comparisonContent,
} from "../../../src/report/exports/pdf/comparison-content.ts";

type Passage = ComparisonToPrint["comparison"]["passages"][number];

type Pair = { readonly query: readonly [number, number]; readonly source: readonly [number, number] };

function passageOf({ query, source }: Pair): Passage {
  const place = {
    query_start: query[0],
    query_end: query[1],
    source_document_start: source[0],
    source_document_end: source[1],
    match_type: "identical",
  } as const;
  return { ...place, runs: [place], meaning: null };
}

function contentOf(
  queryText: string,
  sourceText: string,
  pairs: readonly Pair[],
  [queryLanguage, sourceLanguage] = ["en", "en"],
) {
  const side = (text: string, language: string) => ({
    ...{ text, language },
    filename: null,
    language_origin: "default" as const,
    char_count: text.length,
    word_count: 10,
    overall_similarity_pct: 50,
    integrity_flags: [],
    page_margins: [],
  });
  return comparisonContent({
    comparison: {
      query: side(queryText, queryLanguage),
      source: side(sourceText, sourceLanguage),
      passages: pairs.toSorted((a, b) => a.query[0] - b.query[0]).map(passageOf),
      coverage: "full",
      semantic_coverage: "full",
      semantic_coverage_reason: null,
    },
    language: "en",
  });
}

type Content = ReturnType<typeof contentOf>;

/** The text of a side line by line, as it is printed. */
function linesOf({ rows }: Content, side: 0 | 1): string[] {
  return rows.flatMap((sides) =>
    (sides[side]?.lines ?? []).map(({ pieces }) =>
      pieces.map((piece) => ("first" in piece ? (piece.first ?? "") : "") + piece.text.join("")).join(""),
    ),
  );
}

/** The numbers of the passages that begin in a row, on one side. */
function numbersIn(row: Content["rows"][number], side: 0 | 1): (string | number | undefined)[] {
  return (row[side]?.lines ?? []).flatMap(({ pieces }) =>
    pieces.flatMap((piece) => ("labels" in piece ? (piece.labels ?? []).map(([number]) => number) : [])),
  );
}

const QUERY = ["a own words", "b first copy", "c own again", "d second copy", "e end"].join("\n");
const SOURCE = ["v first copy", "w foreign", "x foreign", "y foreign", "z second copy"].join("\n");
const span = (text: string, part: string) => {
  const start = text.indexOf(part);
  return [start, start + part.length] as const;
};
const pair = (part: string): Pair => ({ query: span(QUERY, part), source: span(SOURCE, part) });

describe("the content of a comparison as a PDF", () => {
  it("puts passages level that come in the same order in both texts", () => {
    const { rows } = contentOf(QUERY, SOURCE, [pair("first copy"), pair("second copy")]);
    const firstLines = rows.map((sides) =>
      ([0, 1] as const).map((side) => linesOf({ rows: [sides] } as unknown as Content, side)[0]?.[0]),
    );
    expect(firstLines).to.deep.equal([
      ["a", undefined],
      ["b", "v"],
      ["d", "z"],
    ]);
  });

  it("begins a row at the line that holds a passage's beginning, at the next one after a line end, and at the last at the end", () => {
    const query = "one\r\ntwo\r\nthree\r\n";
    const lineOf = (place: number) => {
      const { rows } = contentOf(query, "zero\nsource", [{ query: [place, place], source: [5, 11] }]);
      return linesOf({ ...contentOf("", "", []), rows: rows.slice(0, -1) }, 0).length;
    };
    expect([0, 2, 3, 4, 5, 7, 8, 10, 14, 15, 17].map(lineOf)).to.deep.equal([
      0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3,
    ]);
  });

  it("sets each text in the fonts of its own language", () => {
    const { rows } = contentOf(QUERY, SOURCE, [pair("first copy")], ["de", "ja"]);
    for (const [query, source] of rows) {
      expect([query?.language, query?.["asian-fonts"][0]]).to.deep.equal(["de", "Noto Sans S Chinese"]);
      expect([source?.language, source?.["asian-fonts"][0]]).to.deep.equal(["ja", "Noto Sans Japanese"]);
    }
  });

  it("keeps the order of both texts where passages cross, and puts the longer one level", () => {
    const source = ["z second copy", "w foreign", "v first copy which is longer"].join("\n");
    const query = ["b first copy which is longer", "c own", "d second copy"].join("\n");
    const content = contentOf(query, source, [
      {
        query: span(query, "first copy which is longer"),
        source: span(source, "first copy which is longer"),
      },
      { query: span(query, "second copy"), source: span(source, "second copy") },
    ]);
    expect(linesOf(content, 0)).to.deep.equal(query.split("\n"));
    expect(linesOf(content, 1)).to.deep.equal(source.split("\n"));
    const level = content.rows.find((row) => numbersIn(row, 0).includes(1));
    expect(level && numbersIn(level, 1)).to.include(1);
  });

  it("has both texts whole, whatever the passages are, and each passage's number once on each side", () => {
    const text = fc
      .array(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 }), {
        minLength: 1,
        maxLength: 12,
      })
      .map((lines) => lines.join("\n"));
    const place = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(text, text, fc.array(fc.tuple(place, place), { maxLength: 8 }), (query, source, places) => {
        const within = ({ length }: string, [start, size]: readonly [number, number]) => {
          const first = start % length;
          return [first, Math.min(length, first + size)] as const;
        };
        const pairs = places.map(([q, s]) => ({ query: within(query, q), source: within(source, s) }));
        const content = contentOf(query, source, pairs);
        for (const [side, whole] of [
          [0, query],
          [1, source],
        ] as const) {
          expect(linesOf(content, side)).to.deep.equal(whole.split("\n"));
          const numbers = content.rows.flatMap((row) => numbersIn(row, side));
          expect(new Set(numbers).size).to.equal(numbers.length);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("stays quick with thousands of passages in thousands of lines", () => {
    const lines = Array.from({ length: 8_000 }, (_, at) => `line ${at} of a long text`);
    const long = lines.join("\n");
    const pairs = lines
      .slice(0, 4_000)
      .map((line) => ({ query: span(long, line), source: span(long, line) }));
    const before = process.cpuUsage();
    const { rows } = contentOf(long, long, pairs);
    const { user } = process.cpuUsage(before);
    expect(rows.length).to.be.above(900);
    expect(user / 1e6).to.be.below(10);
  });
});
