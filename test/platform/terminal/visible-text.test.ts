import { expect } from "chai";
import fc from "fast-check";
import { visibleJson, visibleText } from "../../../src/platform/terminal/terminal-text.ts";

const DANGEROUS = "a\u001B[2J\u0007\u009B31m\u202Eb\u2028c\td\n";

describe("text that may stand on a terminal", () => {
  it("shows what a terminal would obey", () => {
    expect(visibleText(DANGEROUS)).to.equal("a\\u{1b}[2J\\u{7}\\u{9b}31m\\u{202e}b\\u{2028}c\\u{9}d\\u{a}");
  });

  it("leaves letters of any script, emoji and combining marks as they are", () => {
    for (const text of ["Füße – “Worte”", "متن عربی", "👩‍👩‍👧", "e\u0301"])
      expect(visibleText(text)).to.equal(text);
  });

  it("is as JSON the same value, with no character that a terminal obeys", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const json = visibleJson({ text: DANGEROUS + text });
        expect(json).not.to.match(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(JSON.parse(json)).to.deep.equal({ text: DANGEROUS + text });
      }),
      { seed: 7 },
    );
  });
});
