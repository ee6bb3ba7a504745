import { expect } from "chai";
import { align } from "../../../src/core/alignment/align.ts";
import { prepareQuery } from "../../../src/core/alignment/text-pair.ts";
import { newWords, passageTexts, tokenised } from "./sample-texts.ts";

function aligned(queryText: string, sourceText: string) {
  const [query, source] = [tokenised(queryText), tokenised(sourceText)];
  const { kept, dropped } = align(prepareQuery(query), source);
  return {
    kept: kept.map((passage) => passageTexts(query, source, passage)),
    places: kept.map((passage) => passage.source.start),
    dropped: dropped.map(({ reason, passage }) => [reason, passageTexts(query, source, passage)[0]]),
    source,
  };
}

describe("the selection of passages", () => {
  const copy = newWords("copy", 12);

  it("reports query text that the source has twice once, and the second place as a duplicate", () => {
    const { places, dropped } = aligned(
      `${newWords("q", 20)} ${copy}`,
      `${copy} ${newWords("s", 20)} ${copy}`,
    );
    expect(places).to.deep.equal([0]);
    expect(dropped).to.deep.equal([["duplicate", copy]]);
  });

  it("reports source text that the query uses twice as two passages, also when side by side", () => {
    for (const between of [" ", ` ${newWords("q", 20)} `]) {
      const { kept } = aligned(`${copy}${between}${copy}`, `${newWords("s", 20)} ${copy}`);
      expect(kept).to.deep.equal([
        [copy, copy],
        [copy, copy],
      ]);
    }
  });

  it("reports passages of the query in its order, wherever the source has them", () => {
    const [a, b] = [newWords("a", 30), newWords("b", 20)];
    const { kept } = aligned(`${b} ${newWords("q", 40)} ${a}`, `${a} ${newWords("s", 40)} ${b}`);
    expect(kept).to.deep.equal([
      [b, b],
      [a, a],
    ]);
  });

  it("gives each word of the query to one passage at most, also where two passages have it", () => {
    const [a, b, c] = [newWords("a", 30), newWords("b", 8), newWords("c", 15)];
    const { kept } = aligned(`${a} ${b} ${c}`, `${b} ${c} ${newWords("s", 90)} ${a} ${b}`);
    expect(kept).to.deep.equal([
      [`${a} ${b}`, `${a} ${b}`],
      [c, c],
    ]);
  });

  it("says that a match is too short", () => {
    const short = newWords("copy", 6);
    const { kept, dropped } = aligned(
      `${newWords("q", 20)} ${short} ${newWords("r", 20)}`,
      `${newWords("s", 20)} ${short} ${newWords("t", 20)}`,
    );
    expect(kept).to.deep.equal([]);
    expect(dropped).to.deep.equal([["too_short", short]]);
  });
});
