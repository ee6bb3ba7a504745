import { expect } from "chai";
import { rankMeaning, type SearchedPart } from "../../../src/matching/meaning/rank-meaning.ts";
import { packSentences } from "../../../src/matching/meaning/sentence-section.ts";
import { codeOf, MODEL, vectorOf } from "./small-model.ts";

describe("the places that a query's meaning may come from", () => {
  const span = { start: 0, end: 80 };
  const documents = Array.from({ length: 20 }, (_, at) => `document ${at}`);
  const sections = new Map(
    documents.map(
      (id) => [id, packSentences([{ span, cell: 0, background: 0.1, code: codeOf(vectorOf(1)) }])] as const,
    ),
  );
  const sentence = { span, vector: vectorOf(1), background: 0.1, isCovered: false, startsParagraph: false };
  const partAt = (first: number): SearchedPart => ({
    first,
    end: first + 1,
    places: documents.map((documentId) => ({ documentId, span, sharedTerms: 0 })),
  });
  const foundIn = (parts: number, partsOfQuery: number) =>
    rankMeaning({
      model: MODEL,
      query: Array.from({ length: parts }, () => sentence),
      parts: Array.from({ length: parts }, (_, at) => partAt(at)),
      partsOfQuery,
      sections,
    }).length;

  it("are those of three documents for each part, and of twelve for a short text", () => {
    expect(foundIn(1, 1)).to.equal(12);
    expect(foundIn(2, 2)).to.equal(2 * 6);
    expect(foundIn(10, 10)).to.equal(10 * 3);
  });

  it("are as many for each part when some of the parts are compared apart from the others", () => {
    expect(foundIn(1, 2)).to.equal(6);
    expect(foundIn(5, 10)).to.equal(5 * 3);
  });
});
