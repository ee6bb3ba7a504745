import { expect } from "chai";
import {
  cellsByChunk,
  packSentences,
  type SentenceFingerprint,
  unpackSentences,
} from "../../../src/matching/meaning/sentence-section.ts";

describe("a section of sentence fingerprints", () => {
  const fingerprint = (start: number, end: number, cell: number, codeBytes = 52): SentenceFingerprint => ({
    span: { start, end },
    cell,
    background: (cell % 200) / 200,
    code: Uint8Array.from({ length: codeBytes }, (_, at) => (start + at) % 256),
  });

  it("gives back what was packed, in the order of the text", () => {
    const sentences = Array.from({ length: 150 }, (_, at) =>
      fingerprint(at * 90 + 3, at * 90 + 80, at * 1_759),
    );
    const sections = packSentences(sentences);
    expect(sections.map(({ count }) => count)).to.deep.equal([32, 32, 32, 32, 22]);
    expect(sections.every(({ count, body }) => body.length === count * 60)).to.equal(true);
    const unpacked = unpackSentences(sections.toReversed());
    expect(unpacked.map(({ span }) => span)).to.deep.equal(sentences.map(({ span }) => span));
    expect(unpacked.map(({ cell }) => cell)).to.deep.equal(sentences.map(({ cell }) => cell));
    expect(unpacked.map(({ code }) => [...code])).to.deep.equal(sentences.map(({ code }) => [...code]));
    for (const [at, { background }] of unpacked.entries())
      expect(background).to.be.closeTo(sentences[at]?.background ?? 0, 1 / 255);
  });

  it("gives the sentences alone that begin in a span", () => {
    const sentences = Array.from({ length: 150 }, (_, at) => fingerprint(at * 90 + 3, at * 90 + 80, at));
    const sections = packSentences(sentences);
    for (const [start, end] of [
      [0, 3],
      [3, 4],
      [5_700, 5_900],
      [13_000, 99_000],
    ] as const) {
      const within = unpackSentences(sections, { start, end });
      expect(within).to.deep.equal(
        unpackSentences(sections).filter(({ span }) => span.start >= start && span.start < end),
      );
    }
    expect(unpackSentences(sections, { start: 5_700, end: 5_900 })).to.have.lengthOf(2);
  });

  it("takes less room for shorter codes", () => {
    const sentences = [fingerprint(0, 50, 1, 8), fingerprint(60, 90, 2, 8)];
    const [section] = packSentences(sentences);
    expect(section?.body).to.have.length(32);
    expect(unpackSentences(packSentences(sentences)).map(({ code }) => [...code])).to.deep.equal(
      sentences.map(({ code }) => [...code]),
    );
  });

  it("begins anew behind a gap that is too wide to be written", () => {
    const far = [fingerprint(0, 50, 1), fingerprint(200_000, 200_040, 2)];
    expect(packSentences(far)).to.have.length(2);
    expect(unpackSentences(packSentences(far)).map(({ span }) => span)).to.deep.equal(
      far.map(({ span }) => span),
    );
    expect(packSentences([])).to.deep.equal([]);
  });

  it("gives each chunk the cells of the sentences that begin in it", () => {
    const sentences = [
      fingerprint(0, 90, 7),
      fingerprint(95, 140, 8),
      fingerprint(150, 190, 7),
      fingerprint(400, 420, 9),
    ];
    const cells = cellsByChunk(sentences, [0, 100, 300]);
    expect([...cells].map(([chunk, of]) => [chunk, [...of]])).to.deep.equal([
      [0, [7, 8]],
      [1, [7]],
      [2, [9]],
    ]);
  });
});
