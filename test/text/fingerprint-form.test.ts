import { expect } from "chai";
import { FORM_WORD_LENGTH_MAX, fingerprintForm } from "../../src/text/fingerprint-form.ts";

describe("fingerprint form", () => {
  it("is the words with single spaces between", () => {
    expect(fingerprintForm(["to", "be", "or", "not", "to", "be"])).to.equal("to be or not to be");
  });

  it("is padded to one shingle", () => {
    expect(fingerprintForm(["alone"])).to.equal("alone _ _ _ _");
    expect(fingerprintForm(["a", "b", "c", "d"])).to.equal("a b c d _");
  });

  it("is empty without words", () => {
    expect(fingerprintForm([])).to.equal("");
  });

  it("cuts very long words, never inside a surrogate pair", () => {
    const [plain, pairs] = fingerprintForm(["x".repeat(300), `x${"𠮷".repeat(100)}`]).split(" ");
    expect(plain).to.equal("x".repeat(FORM_WORD_LENGTH_MAX));
    expect(pairs).to.equal(`x${"𠮷".repeat(31)}`);
  });
});
