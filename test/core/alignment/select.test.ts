import { expect } from "chai";
import { align, prepareQuery } from "../../../src/core/alignment/align.ts";
import { type Chain, chainOf } from "../../../src/core/alignment/run.ts";
import { selectChains } from "../../../src/core/alignment/select.ts";
import { newWords, passageTexts, tokenised } from "./sample-texts.ts";

/** The chain of runs given as [query word, source word, words]. */
function chain(...runs: readonly (readonly [number, number, number])[]): Chain {
  const made = chainOf(runs.map(([queryWord, sourceWord, words]) => ({ queryWord, sourceWord, words })));
  if (made === undefined) throw new Error("a chain has at least one run");
  return made;
}

describe("selectChains", () => {
  const query = prepareQuery(tokenised(newWords("q", 200)));

  it("keeps chains that don't meet, in the order of the query", () => {
    const [long, short] = [chain([100, 0, 50]), chain([0, 300, 10])];
    expect(selectChains(query, [long, short])).to.deep.equal({ kept: [short, long], dropped: [] });
  });

  it("trims the shorter of two that overlap, on the source side in step", () => {
    const { kept, dropped } = selectChains(query, [
      chain([0, 500, 30]),
      chain([20, 900, 40]),
      chain([50, 0, 20]),
    ]);
    expect(kept).to.deep.equal([chain([0, 500, 20]), chain([20, 900, 40]), chain([60, 10, 10])]);
    expect(dropped).to.deep.equal([]);
  });

  it("cuts a chain in two around a better one in its middle", () => {
    const outer = chain([0, 0, 20], [65, 65, 20]);
    const inner = chain([20, 500, 45]);
    expect(selectChains(query, [outer, inner]).kept).to.deep.equal([
      chain([0, 0, 20]),
      inner,
      chain([65, 65, 20]),
    ]);
  });

  it("gives each part of a trimmed chain its turn by the words it has left", () => {
    const chains = [chain([0, 0, 100]), chain([50, 500, 90]), chain([95, 800, 60])];
    expect(selectChains(query, chains).kept).to.deep.equal([chain([0, 0, 100]), chain([100, 805, 55])]);
  });

  it("says why it drops: duplicate, too_short, remainder_too_short", () => {
    const best = chain([0, 0, 40]);
    const duplicate = chain([5, 90, 20]);
    const tooShort = chain([60, 70, 6]);
    const { kept, dropped } = selectChains(query, [best, duplicate, tooShort, chain([35, 300, 12])]);
    expect(kept).to.deep.equal([best]);
    expect(dropped).to.deep.equal([
      { chain: duplicate, reason: "duplicate" },
      { chain: chain([40, 305, 7]), reason: "remainder_too_short" },
      { chain: tooShort, reason: "too_short" },
    ]);
  });

  it("reports query text that the source has twice once, and the second place as a duplicate", () => {
    const copy = newWords("copy", 12);
    const source = tokenised(`${copy} ${newWords("s", 20)} ${copy}`);
    const { kept, dropped } = align(prepareQuery(tokenised(`${newWords("q", 20)} ${copy}`)), source);
    expect(kept.map(({ source: { start } }) => start)).to.deep.equal([0]);
    expect(dropped.map(({ reason, passage }) => [reason, passage.source.end])).to.deep.equal([
      ["duplicate", source.text.length],
    ]);
  });

  it("reports source text that the query uses twice as two passages, also when side by side", () => {
    const copy = newWords("copy", 12);
    const source = tokenised(`${newWords("s", 20)} ${copy}`);
    for (const between of [" ", ` ${newWords("q", 20)} `]) {
      const twice = tokenised(`${copy}${between}${copy}`);
      const { kept } = align(prepareQuery(twice), source);
      expect(kept.map((passage) => passageTexts(twice, source, passage))).to.deep.equal([
        [copy, copy],
        [copy, copy],
      ]);
    }
  });
});
