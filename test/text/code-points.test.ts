import { expect } from "chai";
import fc from "fast-check";
import { codePointLength, codePointOffsets } from "../../src/text/code-points.ts";

const anyText = fc.string({ unit: fc.constantFrom("a", "é", "😀", "𝒳", "\ud83d", "\ude00"), maxLength: 30 });

describe("code points", () => {
  it("count a surrogate pair as one and a lone surrogate as one", () => {
    expect(codePointLength("a😀b")).to.equal(3);
    expect(codePointLength("\ud83da\ude00")).to.equal(3);
    fc.assert(
      fc.property(anyText, (text) => {
        expect(codePointLength(text)).to.equal(Array.from(text).length);
      }),
      { seed: 4 },
    );
  });

  it("convert every boundary there and back", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const offsets = codePointOffsets(text);
        let utf16 = 0;
        for (const [index, character] of Array.from(text).entries()) {
          expect(offsets.toCodePoint(utf16)).to.equal(index);
          expect(offsets.toUtf16(index)).to.equal(utf16);
          utf16 += character.length;
        }
        expect(offsets.toCodePoint(text.length)).to.equal(codePointLength(text));
        expect(offsets.toUtf16(codePointLength(text))).to.equal(text.length);
      }),
      { seed: 5 },
    );
  });

  it("treat an offset inside a pair as the pair's start", () => {
    expect(codePointOffsets("a😀b").toCodePoint(2)).to.equal(1);
  });

  it("are the same as UTF-16 offsets without pairs", () => {
    const offsets = codePointOffsets("no pairs");
    expect([offsets.toCodePoint(5), offsets.toUtf16(5)]).to.deep.equal([5, 5]);
  });
});
