import { expect } from "chai";
import type { SourcePassage } from "../../../src/matching/words/source-passage.ts";
import {
  CHUNK_START,
  DOCUMENT_START,
  filtered,
  passageAt,
  passageWithSource,
  source,
} from "./given-report.ts";

describe("clipPassage: the source side of the remaining parts", () => {
  const text = '“one two "I go by it" five six”';

  function piecesOf(passage: SourcePassage): readonly SourcePassage[] {
    return (
      filtered(text.slice(1, -1), [source("a", passage)], { excludeQuotes: true }).sources[0]?.passages ?? []
    );
  }

  it("moves by the same number of characters as the query side if the two are identical and equally long", () => {
    const query = text.slice(1, -1);
    const [before, after] = piecesOf(passageAt(query, 0, query.length));
    expect(before?.sourceDocument.utf16).to.deep.equal({ start: DOCUMENT_START, end: DOCUMENT_START + 8 });
    expect(after?.sourceDocument).to.deep.equal({
      utf16: { start: DOCUMENT_START + 20, end: DOCUMENT_START + 29 },
      codePoint: { start: DOCUMENT_START + 20, end: DOCUMENT_START + 29 },
    });
    expect(after?.sourceChunk.utf16).to.deep.equal({ start: CHUNK_START + 20, end: CHUNK_START + 29 });
    expect(after?.sourceChunkIndex).to.equal(2);
  });

  it("is that of the sentences that correspond, where the passage was found by its meaning", () => {
    const query = "First comes this. Then “one of us said it”. At last the word mill.";
    const at = (part: string) => ({ start: query.indexOf(part), end: query.indexOf(part) + part.length });
    const range = (start: number, end: number) => ({
      utf16: { start, end },
      codePoint: { start, end },
    });
    // The source has the sentences in another order.
    const pairs = [
      { query: at("First comes this."), source: range(1_030, 1_050), margin: 0.3 },
      { query: at("Then “one of us said it”."), source: range(1_050, 1_066), margin: 0.2 },
      { query: at("At last the word mill."), source: range(1_000, 1_030), margin: 0.4 },
    ];
    const words = { matchedWords: 1, seeds: 1, similarity: 0.1, score: 3 };
    const languages = { query: "en", source: "de" };
    const passage = {
      ...passageAt(query, 0, query.length, "translated"),
      evidence: { ...words, meaning: { pairs, sharedWords: ["mill", "First"], ownNames: ["At"], languages } },
    };
    const [before, after] =
      filtered(query, [source("a", passage)], { excludeQuotes: true }).sources[0]?.passages ?? [];
    expect(before?.sourceDocument).to.deep.equal(range(1_030, 1_066));
    expect(before?.evidence?.meaning?.sharedWords).to.deep.equal(["First"]);
    expect(
      before?.evidence?.meaning?.pairs.map((pair) => query.slice(pair.query.start, pair.query.end)),
    ).to.deep.equal(["First comes this.", "Then "]);
    const last = after?.evidence?.meaning?.pairs.at(-1);
    expect(last?.source).to.deep.equal(range(1_000, 1_030));
    expect(after?.evidence?.meaning?.sharedWords).to.deep.equal(["mill"]);
    const ownNames = [before, after].map((part) => part?.evidence?.meaning?.ownNames);
    expect(ownNames).to.deep.equal([[], ["At"]]);
    expect(after?.evidence).to.include(words);
  });

  it("does so after the query side was widened by any white space and punctuation", () => {
    const query = '... one two "I go by it" five six ...';
    const passage = passageAt(query, 4, 33);
    const [before, after] =
      filtered(query, [source("a", passage)], { excludeQuotes: true }).sources[0]?.passages ?? [];
    expect(before?.query).to.deep.equal({ start: 0, end: 12 });
    expect(before?.sourceDocument.utf16).to.deep.equal({ start: DOCUMENT_START, end: DOCUMENT_START + 8 });
    expect(after?.query).to.deep.equal({ start: 24, end: 37 });
    expect(after?.sourceDocument.utf16).to.deep.equal({
      start: DOCUMENT_START + 20,
      end: DOCUMENT_START + 29,
    });
  });

  it("includes the punctuation at its ends that the source side also has", () => {
    for (const [start, end, afterEnd] of [
      [0, 39, 39],
      [1, 38, 37],
      [1, 37, 36],
    ] as const) {
      const query = "«one two “I go by it” five six, seven.» ";
      const figures = filtered(query, [source("a", passageAt(query, start, end))], { excludeQuotes: true });
      expect(figures.sources, "all of it is a quotation").to.deep.equal([]);
      const unquoted = query.replace("«", "(").replace("»", ")");
      const [, after] =
        filtered(unquoted, [source("a", passageAt(unquoted, start, end))], { excludeQuotes: true }).sources[0]
          ?.passages ?? [];
      expect(after?.query).to.deep.equal({ start: 21, end: 40 });
      expect(after?.sourceDocument.utf16, `${start} to ${end}`).to.deep.equal({
        start: DOCUMENT_START + 21 - start,
        end: DOCUMENT_START + afterEnd,
      });
    }
  });

  it("moves in both units if the text has surrogate pairs", () => {
    const query = '𝐎𝐍𝐄 two "a b c d" 𝐅our';
    const passage = passageAt(query, 0, query.length);
    const [, after] =
      filtered(query, [source("a", passage)], { excludeQuotes: true }).sources[0]?.passages ?? [];
    expect(after?.sourceDocument).to.deep.equal({
      utf16: { start: DOCUMENT_START + 20, end: DOCUMENT_START + 26 },
      codePoint: { start: DOCUMENT_START + 17, end: DOCUMENT_START + 22 },
    });
  });

  it("moves in proportion if the two sides differ in length", () => {
    const query = text.slice(1, -1);
    const [before, after] = piecesOf(
      passageWithSource({ start: 0, end: query.length }, "x".repeat(58), "paraphrased"),
    );
    expect(before?.sourceDocument.utf16).to.deep.equal({ start: DOCUMENT_START, end: DOCUMENT_START + 16 });
    expect(after?.sourceDocument.codePoint).to.deep.equal({
      start: DOCUMENT_START + 40,
      end: DOCUMENT_START + 58,
    });
  });

  it("is never empty", () => {
    const query = text.slice(1, -1);
    for (const piece of piecesOf(passageWithSource({ start: 0, end: query.length }, "x", "paraphrased")))
      expect(piece.sourceDocument.utf16).to.deep.equal({ start: DOCUMENT_START, end: DOCUMENT_START + 1 });
    const short = 'a "b c d e" f';
    const [first, last] =
      filtered(
        short,
        [source("a", passageWithSource({ start: 0, end: short.length }, "xy", "paraphrased"))],
        {
          excludeQuotes: true,
        },
      ).sources[0]?.passages ?? [];
    expect(first?.sourceDocument.utf16).to.deep.equal({ start: DOCUMENT_START, end: DOCUMENT_START + 1 });
    expect(last?.sourceDocument.utf16).to.deep.equal({
      start: DOCUMENT_START + 1,
      end: DOCUMENT_START + 2,
    });
  });
});
