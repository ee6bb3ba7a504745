import { expect } from "chai";
import { rareSharedWords, sentenceWords } from "../../../src/matching/meaning/shared-words.ts";

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

describe("the names and numbers of a sentence", () => {
  const counts = { chunks: 10_000, chunksWith: new Map([["monday", 4_000]]) };
  const namesOf = (sentence: string, language: string) => [
    ...sentenceWords(sentence, language, counts).names.values(),
  ];

  it("have a digit, or a capital letter behind the first word, and are rare", () => {
    const sentence = "Keepers like Ada and I lit 30 lamps at Bell Rock each Monday in 1894a.";
    expect(namesOf(sentence, "en")).to.deep.equal(["Ada", "30", "Bell", "Rock", "1894a"]);
    expect([...sentenceWords(sentence, "en", counts).terms]).to.include.members(["keeper", "ada", "lamps"]);
  });

  it("are only the numbers where capitals say nothing", () => {
    expect(namesOf("Der Wärter sah 12 Lampen auf dem Felsen.", "de")).to.deep.equal(["12"]);
    expect(namesOf("THE KEEPER SAW 12 LAMPS ON THE ROCK", "en")).to.deep.equal(["12"]);
    expect(namesOf("灯台は12個のランプ", "ja")).to.deep.equal(["12"]);
  });
});
