import { expect } from "chai";
import fc from "fast-check";
import { packText, unpackSection, unpackText } from "../../src/platform/packed-text.ts";
import { prose } from "../support/work/prose.ts";

describe("packed text", () => {
  it("unpacks to the same text, whatever its characters and length", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.constantFrom("𝒳".repeat(40_000), "a".repeat(65_535), prose(1, 5_000), "\r\n", "漢字".repeat(20_000)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const text = pieces.join("").toWellFormed();
        expect(unpackText(packText(text).toReversed()) === text).to.equal(true);
      }),
      { seed: 4, numRuns: 40 },
    );
  });

  it("has consecutive sections that never split a character", () => {
    const text = `x${"𝒳".repeat(100_000)}`;
    const sections = packText(text);
    expect(sections.length).to.be.greaterThan(2);
    let at = 0;
    for (const section of sections) {
      expect(section.start).to.equal(at);
      const part = unpackSection(section);
      expect(part.isWellFormed()).to.equal(true);
      expect(part.length).to.equal(section.length);
      at += section.length;
    }
    expect(at).to.equal(text.length);
  });

  it("takes less than half the size of prose, and leaves incompressible text as it is", () => {
    const text = prose(2, 2_000);
    const size = packText(text).reduce((sum, { body }) => sum + body.length, 0);
    expect(size).to.be.lessThan(text.length / 2);
    expect(packText("ab")).to.deep.equal([
      { start: 0, length: 2, encoding: "utf8", body: Buffer.from("ab") },
    ]);
    expect(packText("")).to.deep.equal([]);
  });
});
