import { expect } from "chai";
import { align } from "../../../src/core/alignment/align.ts";
import { BARRIER } from "../../../src/core/alignment/boundaries.ts";
import { prepareQuery, type QueryOptions } from "../../../src/core/alignment/text-pair.ts";
import { newWords, passageTexts, tokenised, wordsText } from "./sample-texts.ts";

describe("align: what is asked of a passage", () => {
  describe("the evidence asked for", () => {
    const common = "the of and to in a is was that for it as with he on be at by";

    it("grows with the number of sources compared", () => {
      const passage = wordsText(16, (i) => (i % 2 === 0 ? `w${i}` : `q${i}`));
      const query = tokenised(`${newWords("q", 50)}. ${passage}. ${newWords("r", 50)}`);
      const source = tokenised(
        `${newWords("s", 50)}. ${wordsText(16, (i) => (i % 2 === 0 ? `w${i}` : `s${i}`))}. ${newWords("t", 50)}`,
      );
      const found = (pairsCompared: number) =>
        align(prepareQuery(query, { pairsCompared }), source).kept.length;
      expect(found(1)).to.equal(1);
      expect(found(1e9)).to.equal(0);
    });

    it("is not met by common words alone, as the language has them", () => {
      const words = common.split(" ");
      const query = tokenised(`${newWords("q", 60)} ${words.slice(0, 11).join(" ")} ${newWords("r", 60)}`);
      const source = tokenised(`${newWords("s", 60)} ${words.slice(0, 11).join(" ")} ${newWords("t", 60)}`);
      const found = (options: QueryOptions) => align(prepareQuery(query, options), source).kept.length;
      expect(found({})).to.equal(1);
      expect(found({ language: "en" })).to.equal(0);
    });

    const shownIn = (passage: string) => {
      const query = tokenised(`${newWords("q", 60)} ${passage} ${newWords("r", 60)}`);
      const source = tokenised(`${newWords("s", 60)} ${passage} ${newWords("t", 60)}`);
      const { kept } = align(prepareQuery(query, { language: "en", pairsCompared: 10 }), source);
      return kept.map((one) => passageTexts(query, source, one)[0]);
    };

    it("is not met, among ten sources, by a long name, but by as many words of running text, and by a list of names", () => {
      const name = "Alba of Brena Cerda in Dorna Elda in Fenna of Gorda Hilda";
      const list = `${name}, Ilsa, Jorna, Kelda, Lorna, Merda, Norda, Olda, Pelda`;
      expect(shownIn(name)).to.deep.equal([]);
      expect(shownIn(name.toLowerCase())).to.deep.equal([name.toLowerCase()]);
      expect(shownIn(list)).to.deep.equal([list]);
    });

    it("is not met by figures", () => {
      const line = "net rate 12 345 67 890 12 345 persons";
      expect(shownIn(line)).to.deep.equal([]);
      expect(shownIn("net rate and where such figures are from as given persons")).to.have.lengthOf(1);
    });

    it("is met by any copy of twelve words that holds something rare, also where the texts share much", () => {
      const shared = newWords("topic", 200);
      const copy = "topic1 topic5 rare0 topic9 topic2 topic30 rare1 topic4 topic8 topic7 topic77 topic90";
      const query = tokenised(`${shared.split(" ").toReversed().join(" ")} ${copy} ${newWords("q", 9)}`);
      const source = tokenised(`${shared.split(" ").toSorted().join(" ")} ${copy} ${newWords("s", 9)}`);
      const found = align(prepareQuery(query), source).kept.map((one) => passageTexts(query, source, one)[0]);
      expect(found.join(" | ")).to.include(copy);
    });
  });

  describe("a source of parts that do not follow each other", () => {
    it("has no passage across the barrier between them, however near the copies stand", () => {
      const [a, b] = [newWords("a", 12), newWords("b", 12)];
      const { text, tokens } = tokenised(`${a} | ${b}`);
      const words = [...a.split(" "), BARRIER, ...b.split(" ")];
      const starts = Int32Array.from([
        ...tokens.starts.slice(0, 12),
        a.length + 1,
        ...tokens.starts.slice(12),
      ]);
      const ends = Int32Array.from([...tokens.ends.slice(0, 12), a.length + 2, ...tokens.ends.slice(12)]);
      const query = tokenised(`${a} ${b}`);
      const source = { text, tokens: { words, starts, ends } };
      const { kept } = align(prepareQuery(query), source);
      expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([
        [a, a],
        [b, b],
      ]);
    });
  });
});
