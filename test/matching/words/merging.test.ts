import { expect } from "chai";
import { type Candidate, exactCandidate, scoreOf } from "../../../src/matching/words/candidates.ts";
import { extendCandidate, mergeCandidates } from "../../../src/matching/words/merging.ts";
import { matchCandidates, newWords, pairOf, places } from "./sample-texts.ts";

describe("merging", () => {
  const sentences = ["a", "b"].map((name) => `${newWords(name, 14)}.`);
  const [a = "", b = ""] = sentences;

  it("joins the parts of an edited copy into one candidate that begins and ends with them", () => {
    const pair = pairOf(
      `${newWords("q", 30)} ${a} other words ${b} ${newWords("r", 30)}`,
      `${newWords("s", 40)} ${a} some text ${b} ${newWords("t", 40)}`,
    );
    const [merged, ...others] = mergeCandidates(pair, matchCandidates(pair));
    expect(others).to.deep.equal([]);
    expect(merged && places(merged)).to.deep.equal([30, 60, 40, 70]);
    expect(merged?.parts).to.equal(2);
  });

  it("joins sentences that the query has in another order", () => {
    const pair = pairOf(`${newWords("q", 30)} ${b} ${a}`, `${a} ${b} ${newWords("s", 30)}`);
    const merged = mergeCandidates(pair, matchCandidates(pair));
    expect(merged.map(places)).to.deep.equal([[30, 58, 0, 28]]);
  });

  it("raises the score: a merged candidate scores more than its parts together", () => {
    const pair = pairOf(`${a} other words ${b}`, `${a} some text ${b} ${newWords("t", 40)}`);
    const parts = matchCandidates(pair);
    const merged = mergeCandidates(pair, parts);
    const sum = (all: readonly Candidate[]) =>
      all.reduce((total, one) => total + Math.max(0, scoreOf(pair, one)), 0);
    expect(merged).to.have.lengthOf(1);
    expect(sum(merged)).to.be.greaterThan(sum(parts));
  });

  it("keeps two uses of the same source text apart", () => {
    const pair = pairOf(`${a} ${newWords("q", 9)} ${a}`, `${newWords("s", 30)} ${a}`);
    const merged = mergeCandidates(pair, matchCandidates(pair));
    expect(merged.map(places)).to.have.deep.members([
      [0, 14, 30, 44],
      [23, 37, 30, 44],
    ]);
  });

  it("keeps long copies apart between which the query has text of its own", () => {
    const [long = "", other = ""] = ["c", "d"].map((name) => `${newWords(name, 40)}.`);
    const pair = pairOf(`${long} ${newWords("q", 15)} ${other}`, `${long} ${other} ${newWords("s", 30)}`);
    expect(mergeCandidates(pair, matchCandidates(pair))).to.have.lengthOf(2);
  });

  it("keeps copies apart that stand far from each other", () => {
    const pair = pairOf(`${a} ${newWords("q", 200)} ${b}`, `${a} ${newWords("s", 200)} ${b}`);
    expect(mergeCandidates(pair, matchCandidates(pair))).to.have.lengthOf(2);
  });
});

describe("extension", () => {
  const copy = newWords("copy", 60).split(" ");
  const query = [...newWords("q", 20).split(" "), ...copy, ...newWords("r", 20).split(" ")].join(" ");
  const source = [...newWords("s", 30).split(" "), ...copy, ...newWords("t", 30).split(" ")].join(" ");
  const pair = pairOf(query, source);

  it("moves the ends of a candidate out to the ends of the copy that it lies in", () => {
    const inside = exactCandidate(pair, { query: { start: 40, end: 60 }, source: { start: 50, end: 70 } });
    expect(places(extendCandidate(pair, inside))).to.deep.equal([20, 80, 30, 90]);
  });

  it("leaves a candidate as it is that cannot be extended, and does so a second time", () => {
    const whole = exactCandidate(pair, { query: { start: 20, end: 80 }, source: { start: 30, end: 90 } });
    const extended = extendCandidate(pair, whole);
    expect(places(extended)).to.deep.equal(places(whole));
    expect(extendCandidate(pair, extended)).to.deep.equal(extended);
  });
});
