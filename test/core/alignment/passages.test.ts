import { expect } from "chai";
import { align } from "../../../src/core/alignment/align.ts";
import { classify } from "../../../src/core/alignment/passages.ts";
import { prepareQuery } from "../../../src/core/alignment/text-pair.ts";
import { tokenise } from "../../../src/core/text/tokenise.ts";
import { newWords, passageTexts, tokenised } from "./sample-texts.ts";

function passagesOf(queryText: string, sourceText: string): [string, string][] {
  const [query, source] = [tokenised(queryText), tokenised(sourceText)];
  return align(prepareQuery(query), source).kept.map((passage) => passageTexts(query, source, passage));
}

describe("the text of a passage", () => {
  const copy = newWords("w", 9);

  it("includes the punctuation that directly precedes and follows it on both sides", () => {
    expect(passagesOf(`q (“${copy}.”) q`, `s (“${copy}.”) s`)).to.deep.equal([
      [`(“${copy}.”)`, `(“${copy}.”)`],
    ]);
  });

  it("ends where the two sides differ, and at white space", () => {
    expect(passagesOf(`q [“${copy}!” q`, `s (“${copy}?” s`)).to.deep.equal([[`“${copy}`, `“${copy}`]]);
    expect(passagesOf(`q “ ${copy} . q`, `s “ ${copy} . s`)).to.deep.equal([[copy, copy]]);
  });

  it("never cuts a character of two code units", () => {
    expect(passagesOf(`q 😀😁${copy}😀😁`, `s 😂😁${copy}😀😂`)).to.deep.equal([
      [`😁${copy}😀`, `😁${copy}😀`],
    ]);
  });

  it("leaves punctuation between two adjacent passages to the first of them", () => {
    const [a, b] = [newWords("a", 9), newWords("b", 9)];
    expect(passagesOf(`${a})(${b}`, `(${b} ${newWords("s", 60)} ${a})(s`)).to.deep.equal([
      [`${a})(`, `${a})(`],
      [b, b],
    ]);
  });
});

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

  it("ignores the text outside the spans", () => {
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
