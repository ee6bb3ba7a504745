import { expect } from "chai";
import { classify } from "../../../src/core/alignment/passages.ts";
import { tokenise } from "../../../src/core/text/tokenise.ts";

function whole(text: string) {
  return { text, tokens: tokenise(text, "en") };
}

function classified(query: string, source: string) {
  const querySpan = { start: 0, end: query.length };
  return classify(whole(query), querySpan, whole(source), { start: 0, end: source.length });
}

const TEN_WORDS = "the old keeper carried whale oil up the narrow stairs";

describe("classify", () => {
  const identical: readonly [string, string][] = [
    ["the same", "the same"],
    ["The SAME,  thing", "the same thing!"],
    ["line-\nend", "lineend"],
    ["STRASSE", "straße"],
    ["ΟΔΟΣ", "οδος"],
    ["caf\u0065\u0301", "CAFÉ"],
    ["s p a c e d", "spaced"],
    ["", "…"],
  ];
  for (const [query, source] of identical) {
    it(`calls ${JSON.stringify(query)} and ${JSON.stringify(source)} identical`, () => {
      expect(classified(query, source)).to.deep.equal({ matchType: "identical", similarity: 1 });
    });
  }

  const minorChanges: readonly [string, string, number][] = [
    ["cafe", "café", 1],
    ["disguised with сyrillic", "disguised with cyrillic", 1],
    [TEN_WORDS, TEN_WORDS.replace("whale", "olive"), 0.9],
    [TEN_WORDS, TEN_WORDS.replace("whale oil", "olive juice"), 0.8],
    [TEN_WORDS, TEN_WORDS.replace("narrow ", "").replace("old ", ""), 16 / 18],
    [`${TEN_WORDS} so often`, `most often ${TEN_WORDS}`, 20 / 24],
  ];
  for (const [query, source, similarity] of minorChanges) {
    it(`calls ${JSON.stringify(query)} and ${JSON.stringify(source)} minor changes`, () => {
      expect(classified(query, source)).to.deep.equal({ matchType: "minor_changes", similarity });
      expect(classified(source, query)).to.deep.equal({ matchType: "minor_changes", similarity });
    });
  }

  const paraphrased: readonly [string, string, number][] = [
    [TEN_WORDS, TEN_WORDS.replace("old", "young").replace("whale oil", "olive juice"), 0.7],
    [TEN_WORDS, "up the narrow stairs the old keeper carried whale oil", 0.6],
    [TEN_WORDS, "an elderly man took fuel to the lamp", 2 / 18],
    ["1,000", "2,001", 0],
  ];
  for (const [query, source, similarity] of paraphrased) {
    it(`calls ${JSON.stringify(query)} and ${JSON.stringify(source)} paraphrased`, () => {
      expect(classified(query, source)).to.deep.equal({ matchType: "paraphrased", similarity });
      expect(classified(source, query)).to.deep.equal({ matchType: "paraphrased", similarity });
    });
  }

  it("looks at nothing outside the spans", () => {
    const query = whole(`Before. ${TEN_WORDS}. After.`);
    const source = whole(`Elsewhere stood “${TEN_WORDS.toUpperCase()}”`);
    const at = (text: string, words: string) => ({
      start: text.toLowerCase().indexOf(words),
      end: text.toLowerCase().indexOf(words) + words.length,
    });
    const all = classify(query, at(query.text, TEN_WORDS), source, at(source.text, TEN_WORDS));
    expect(all.matchType).to.equal("identical");
    const part = classify(query, at(query.text, "whale oil"), source, at(source.text, "oil"));
    expect(part).to.deep.equal({ matchType: "paraphrased", similarity: 2 / 3 });
  });
});
