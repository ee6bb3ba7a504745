import { expect } from "chai";
import fc from "fast-check";
import { assertTextFits } from "../../src/extract/text/extracted-text.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { codePointLength } from "../../src/text/code-points.ts";

describe("text length", () => {
  it("counts the code points that iteration gives, lone surrogates included", () => {
    const unit = fc.constantFrom("a", "é", "\u{1F600}", "\ud83d", "\ude00");
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join("");
        expect(codePointLength(text)).to.equal([...text].length);
      }),
      { seed: 3 },
    );
  });

  it("accepts a text of exactly the limit, and refuses the next character", () => {
    for (const character of ["a", "\u{1F600}"]) {
      expect(() => assertTextFits(character.repeat(5), 5)).not.to.throw();
      expect(() => assertTextFits(character.repeat(6), 5))
        .to.throw(DomainError)
        .with.property("code", "text_too_long");
    }
  });
});
