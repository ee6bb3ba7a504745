import { expect } from "chai";
import { fingerprintForm } from "../../src/text/fingerprint-form.ts";
import { wordTerm, wordTerms } from "../../src/text/word-terms.ts";

describe("word terms", () => {
  it("are beginnings of words, so that most forms of a word have the same one", () => {
    expect(["compute", "computer", "computing", "computation"].map(wordTerm)).to.deep.equal(
      Array(4).fill("comput"),
    );
    expect(wordTerms("the reader reads")).to.deep.equal(["the", "reader", "reads"]);
  });

  it("never cut a letter outside the basic plane", () => {
    expect(wordTerm("𐐷".repeat(8))).to.equal("𐐷".repeat(6));
    expect(wordTerm("abcde𠮷𠮷")).to.equal("abcde𠮷");
  });

  it("leave out the padding of a short chunk", () => {
    expect(wordTerms(fingerprintForm(["one", "two"]))).to.deep.equal(["one", "two"]);
    expect(wordTerms("")).to.deep.equal([]);
  });
});
