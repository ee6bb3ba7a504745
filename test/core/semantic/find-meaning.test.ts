import { expect } from "chai";
import { findMeaning, type SearchedPart } from "../../../src/core/semantic/find-meaning.ts";
import { codeBytes, writeSentenceCode } from "../../../src/core/semantic/sentence-code.ts";
import { packSentences } from "../../../src/core/semantic/sentence-section.ts";

const DIMENSIONS = 64;
const model = {
  mean: new Float32Array(DIMENSIONS),
  calibration: { background: { base: 0.1, slope: 0 }, code: { scale: 0.06, offset: 0 }, marginScale: 1 },
};

describe("the places that a query's meaning may come from", () => {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(at * at * 13) / 6);
  const code = new Uint8Array(codeBytes(DIMENSIONS));
  writeSentenceCode(vector, model.mean, code, 0);
  const span = { start: 0, end: 80 };
  const documents = Array.from({ length: 20 }, (_, at) => `document ${at}`);
  const sections = new Map(
    documents.map((id) => [id, packSentences([{ span, cell: 0, background: 0.1, code }])] as const),
  );
  const sentence = { span, vector, background: 0.1, isCovered: false };
  const partAt = (first: number): SearchedPart => ({
    first,
    end: first + 1,
    places: documents.map((documentId) => ({ documentId, span, sharedTerms: 0 })),
  });
  const foundIn = (parts: number, partsOfQuery: number) =>
    findMeaning({
      model,
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
