import { expect } from "chai";
import {
  ascend,
  betweenInsertions,
  exactCandidate,
  findCandidates,
  insertions,
  scoreOf,
  withoutCovered,
} from "../../../src/matching/words/candidates.ts";
import { ALIGNMENT } from "../../../src/matching/words/model.ts";
import { matchCandidates, newWords, pairOf, places } from "./sample-texts.ts";

/** Scores of found (`x`), used-up (`o`) and missed (`.`) words. */
function scores(picture: string): Float64Array {
  return Float64Array.from(picture, (word) => (word === "x" ? 2 : word === "o" ? 0 : -0.7));
}

const found = "x".repeat(20);
const missed = ".".repeat(20);

describe("insertions", () => {
  it("are long spans of missed words, wherever they are", () => {
    expect(insertions(ALIGNMENT, scores(found + missed + found))).to.deep.equal([{ start: 20, end: 40 }]);
    expect(insertions(ALIGNMENT, scores(missed + found + missed))).to.deep.equal([
      { start: 0, end: 20 },
      { start: 40, end: 60 },
    ]);
  });

  it("may contain a few found words, such as common ones", () => {
    expect(insertions(ALIGNMENT, scores(`${found}${"......x".repeat(6)}......${found}`))).to.deep.equal([
      { start: 20, end: 68 },
    ]);
  });

  it("are no edits: short stretches, or every other word", () => {
    for (const edited of [
      ".".repeat(14),
      "x.".repeat(40),
      "xx..".repeat(20),
      "..x".repeat(20),
      "oo....".repeat(9),
    ]) {
      expect(insertions(ALIGNMENT, scores(found + edited + found)), edited).to.deep.equal([]);
    }
  });
});

describe("betweenInsertions", () => {
  it("gives the other spans, in places of the text", () => {
    expect(betweenInsertions(ALIGNMENT, scores(found + missed + found), 100)).to.deep.equal([
      { start: 100, end: 120 },
      { start: 140, end: 160 },
    ]);
    expect(betweenInsertions(ALIGNMENT, scores(found), 7)).to.deep.equal([{ start: 7, end: 27 }]);
    expect(betweenInsertions(ALIGNMENT, scores(missed), 0)).to.deep.equal([]);
  });
});

describe("candidates", () => {
  /** A copy in which every third word was replaced and neighbours were swapped, at 40 in the query and at 60 in the source. */
  const original = newWords("copy", 60).split(" ");
  const reworded = original.map((word, at) => (at % 3 === 0 ? `new${at}` : word));
  for (let at = 1; at < 60; at += 3) reworded.splice(at, 2, original[at + 1] ?? "", original[at] ?? "");
  const pair = pairOf(
    `${newWords("q", 40)}. ${reworded.join(" ")}. ${newWords("r", 40)}`,
    `${newWords("s", 60)}. ${original.join(" ")}. ${newWords("t", 60)}`,
  );
  const section = { start: 0, end: 180 };

  it("are found in reworded text that has no exact match", () => {
    expect(matchCandidates(pair)).to.deep.equal([]);
    expect(findCandidates(pair, []).map(places)).to.deep.equal([[40, 100, 60, 120]]);
  });

  it("ascend from a rough guess to the reworded passage", () => {
    const seed = { query: { start: 48, end: 80 }, source: { start: 80, end: 112 } };
    const candidate = ascend(pair, seed, section);
    expect(candidate && places(candidate)).to.deep.equal([40, 100, 60, 120]);
    expect(candidate && scoreOf(pair, candidate)).to.be.greaterThan(0);
  });

  it("are not found where chance explains the words", () => {
    const seed = { query: { start: 0, end: 32 }, source: { start: 130, end: 162 } };
    expect(ascend(pairOf(newWords("q", 60), newWords("s", 180)), seed, section)).to.equal(undefined);
  });

  it("are two if the query uses a reworded source passage twice", () => {
    const twice = pairOf(
      `${newWords("q", 40)}. ${reworded.join(" ")}. ${reworded.join(" ")}.`,
      `${newWords("s", 60)}. ${original.join(" ")}. ${newWords("t", 60)}`,
    );
    expect(findCandidates(twice, []).map(places)).to.have.deep.members([
      [40, 100, 60, 120],
      [100, 160, 60, 120],
    ]);
  });

  it("leave out what a better candidate covers on both sides", () => {
    const wide = exactCandidate(pair, { query: { start: 0, end: 20 }, source: { start: 0, end: 20 } });
    const inside = exactCandidate(pair, { query: { start: 5, end: 15 }, source: { start: 5, end: 15 } });
    const elsewhere = exactCandidate(pair, { query: { start: 5, end: 15 }, source: { start: 50, end: 60 } });
    expect(withoutCovered(ALIGNMENT, [wide, inside, elsewhere])).to.deep.equal([wide, elsewhere]);
  });
});
