import { expect } from "chai";
import { chooseCandidates, type WeighedChunk } from "../../../src/core/retrieval/reuse-evidence.ts";

const weighed = (documentId: string, evidence: number, chunkIndex = 0): WeighedChunk => ({
  ...{ documentId, chunkIndex },
  ...{ sharedTerms: 3, evidence },
});

const many = Array.from({ length: 60 }, (_, at) => weighed(`d${String(at).padStart(2, "0")}`, 20 + at));

describe("choosing candidates", () => {
  it("leaves out what has too little evidence", () => {
    expect(chooseCandidates([weighed("strong", 30), weighed("weak", 3)], 10)).to.deep.equal([
      weighed("strong", 30),
    ]);
  });

  it("takes the documents with most of it, so many of a long text's chunk and more of a short text's", () => {
    const ofLong = chooseCandidates(many, 100).map(({ documentId }) => documentId);
    expect(ofLong).to.have.lengthOf(9);
    expect(ofLong[0]).to.equal("d59");
    expect(chooseCandidates(many, 1)).to.have.lengthOf(24);
  });

  it("takes all chunks of a document that it takes", () => {
    const chunks = [weighed("a", 90, 4), weighed("a", 15, 5), weighed("a", 14, 6)];
    expect(
      chooseCandidates([...many, ...chunks], 100).filter(({ documentId }) => documentId === "a"),
    ).to.deep.equal(chunks);
  });

  it("gives the same whatever the order of what was found", () => {
    const alike = [...many, ...many.map((one) => ({ ...one, chunkIndex: 1 })), weighed("e", 79)];
    expect(chooseCandidates(alike.toReversed(), 100)).to.deep.equal(chooseCandidates(alike, 100));
  });
});
