import { expect } from "chai";
import { align } from "../../../src/core/alignment/align.ts";
import { prepareQuery } from "../../../src/core/alignment/text-pair.ts";
import { newWords, passageTexts, tokenised } from "./sample-texts.ts";

function passagesOf(queryText: string, sourceText: string): [string, string][] {
  const [query, source] = [tokenised(queryText), tokenised(sourceText)];
  return align(prepareQuery(query), source).kept.map((passage) => passageTexts(query, source, passage));
}

describe("the edges of a passage", () => {
  const copy = newWords("w", 9);

  it("take in the punctuation that directly precedes and follows it on both sides", () => {
    expect(passagesOf(`q (“${copy}.”) q`, `s (“${copy}.”) s`)).to.deep.equal([
      [`(“${copy}.”)`, `(“${copy}.”)`],
    ]);
  });

  it("stop where the two sides disagree, and at white space", () => {
    expect(passagesOf(`q [“${copy}!” q`, `s (“${copy}?” s`)).to.deep.equal([[`“${copy}`, `“${copy}`]]);
    expect(passagesOf(`q “ ${copy} . q`, `s “ ${copy} . s`)).to.deep.equal([[copy, copy]]);
  });

  it("never cut a character of two code units", () => {
    expect(passagesOf(`q 😀😁${copy}😀😁`, `s 😂😁${copy}😀😂`)).to.deep.equal([
      [`😁${copy}😀`, `😁${copy}😀`],
    ]);
  });

  it("leave punctuation between two passages that touch to the first of them", () => {
    const [a, b] = [newWords("a", 9), newWords("b", 9)];
    expect(passagesOf(`${a})(${b}`, `(${b} ${newWords("s", 60)} ${a})(s`)).to.deep.equal([
      [`${a})(`, `${a})(`],
      [b, b],
    ]);
  });
});
