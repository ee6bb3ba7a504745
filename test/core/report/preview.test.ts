import { expect } from "chai";
import fc from "fast-check";
import { overlapTextPreview, PREVIEW_CHARS_MAX } from "../../../src/core/report/preview.ts";
import { cpuTimeMs } from "../../support/cpu-time.ts";

const GRAPHEMES = new Intl.Segmenter("und", { granularity: "grapheme" });

function codePoints(text: string): number {
  return [...text].length;
}

describe("overlapTextPreview", () => {
  it("is the text itself, its white space collapsed, when that is short enough", () => {
    expect(overlapTextPreview("  All\tis \r\n\n well.\u00a0 ")).to.equal("All is well.");
    expect(overlapTextPreview("")).to.equal("");
    expect(overlapTextPreview(" \n ")).to.equal("");
    const longest = `${"ab ".repeat(66)}ab`;
    expect(codePoints(longest)).to.equal(PREVIEW_CHARS_MAX);
    expect(overlapTextPreview(longest)).to.equal(longest);
  });

  it("is cut at a word border, and says so", () => {
    const preview = overlapTextPreview("word ".repeat(50));
    expect(preview).to.equal(`${"word ".repeat(39)}word…`);
    expect(codePoints(preview)).to.equal(PREVIEW_CHARS_MAX);
    expect(overlapTextPreview(`${"word ".repeat(39)}longword`)).to.equal(`${"word ".repeat(39).trimEnd()}…`);
  });

  it("counts code points", () => {
    const pairs = "𝐀𝐁 ".repeat(66);
    expect(overlapTextPreview(pairs)).to.equal(pairs.trimEnd());
    expect(overlapTextPreview("𝐀𝐁 ".repeat(68))).to.equal(`${"𝐀𝐁 ".repeat(66).trimEnd()}…`);
  });

  it("cuts a text without spaces between its words", () => {
    const preview = overlapTextPreview("今天天气很好我们去公园散步".repeat(40));
    expect(codePoints(preview)).to.be.within(PREVIEW_CHARS_MAX - 5, PREVIEW_CHARS_MAX);
  });

  it("cuts a first word that is too long by itself between letters, not between a letter and its marks", () => {
    expect(overlapTextPreview("a".repeat(300))).to.equal(`${"a".repeat(199)}…`);
    expect(overlapTextPreview("e\u0301".repeat(300))).to.equal(`${"e\u0301".repeat(99)}…`);
    expect(overlapTextPreview("𝐀".repeat(300))).to.equal(`${"𝐀".repeat(199)}…`);
    expect(overlapTextPreview(`a${"\u0301".repeat(500)}`)).to.equal("…");
  });

  it("does not look at all of a long passage", () => {
    expect(overlapTextPreview(`Well,${" ".repeat(5_000)}yes`)).to.equal("Well…");
    const passage = "word and word, ".repeat(40_000);
    const start = cpuTimeMs();
    for (let i = 0; i < 100; i++) overlapTextPreview(passage);
    expect(cpuTimeMs() - start).to.be.below(1_000);
  });

  it("is within its limit, and begins as the text does, graphemes whole, whatever the text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom(" ", "\n\t", "e\u0301", "👩‍👩‍👧", "한국어 ", "ไทย", "word ", "\u0300", "𝐀", "नमस्ते "),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        const text = pieces.join("");
        const collapsed = text.replace(/\s+/gu, " ").trim();
        const preview = overlapTextPreview(text);
        expect(codePoints(preview)).to.be.at.most(PREVIEW_CHARS_MAX);
        if (codePoints(collapsed) <= PREVIEW_CHARS_MAX) {
          expect(preview).to.equal(collapsed);
          return;
        }
        const kept = preview.slice(0, -1);
        expect(preview.endsWith("…")).to.equal(true);
        expect(collapsed.startsWith(kept)).to.equal(true);
        const borders = new Set(Array.from(GRAPHEMES.segment(collapsed), ({ index }) => index));
        expect(borders.has(kept.length) || kept.length === collapsed.length).to.equal(true);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
