import { expect } from "chai";
import { rareSharedWords } from "../../../src/core/semantic/shared-words.ts";

describe("the words that both sides of a passage share", () => {
  it("are listed when they are rare, as the query writes them, rarest first", () => {
    const shared = rareSharedWords("The Keeper lit 1894 lamps.", "en", "In 1894 the keeper saw lamps", "en", {
      chunks: 10_000,
      chunksWith: new Map([
        ["the", 9_000],
        ["lamps", 2_000],
        ["keeper", 30],
        ["1894", 3],
      ]),
    });
    expect(shared).to.deep.equal(["1894", "Keeper"]);
  });

  it("leave out short common words, also in a corpus too small to show that they are common", () => {
    const counts = { chunks: 1, chunksWith: new Map() };
    const shared = rareSharedWords(
      "The EU paid for 12 of the 灯台.",
      "en",
      "For the EU, 灯台 12 of",
      "en",
      counts,
    );
    expect(shared).to.have.members(["EU", "12", "灯台"]);
  });
});
