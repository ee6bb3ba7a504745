import { expect } from "chai";
import fc from "fast-check";
import {
  cutExcerpt,
  landmarksAround,
  overlapTextPreview,
  PREVIEW_CHARS_MAX,
} from "../../src/text/excerpt.ts";
import { cpuTimeMs } from "../support/cpu-time.ts";

const TEXT = "Wir 👩‍👩‍👧‍👦 fahren 🚀 früh e\u0301 «ذَهَبَ الوَلَدُ» 𠮷野家 nach Rom 🏛️ und zurück";

describe("an excerpt of a text", () => {
  const offset = fc.nat({ max: TEXT.length + 5 });

  it("is the text between its offsets in code points, with any landmarks around it", () => {
    const characters = [...TEXT];
    const span = fc.tuple(fc.nat({ max: characters.length }), fc.nat({ max: characters.length }));
    fc.assert(
      fc.property(span, fc.uniqueArray(fc.nat({ max: characters.length })), (pair, places) => {
        const [start = 0, end = 0] = pair.toSorted((a, b) => a - b);
        const codePoints = [...new Set([0, ...places, characters.length])].toSorted((a, b) => a - b);
        const utf16 = codePoints.map((place) => characters.slice(0, place).join("").length);
        const { before, after } = landmarksAround({ utf16, codePoints }, "code_point", { start, end });
        const part = TEXT.slice(before.utf16, after.utf16);
        const excerpt = cutExcerpt(part, before, "code_point", { start, end });
        expect(excerpt).to.deep.equal({ start, end, text: characters.slice(start, end).join("") });
      }),
      { seed: 11 },
    );
  });

  it("never splits a surrogate pair, and adjacent excerpts together give the text of both", () => {
    fc.assert(
      fc.property(fc.array(offset, { minLength: 2, maxLength: 6 }), (offsets) => {
        const places = offsets.map((place) => Math.min(place, TEXT.length)).toSorted((a, b) => a - b);
        const before = { utf16: 0, codePoint: 0 };
        const excerpts = places
          .slice(1)
          .map((end, at) => cutExcerpt(TEXT, before, "utf16", { start: places[at] ?? 0, end }));
        for (const { text, start, end } of excerpts) {
          expect(text.isWellFormed(), text).to.equal(true);
          expect(text).to.equal(TEXT.slice(start, end));
        }
        const whole = cutExcerpt(TEXT, before, "utf16", { start: places[0] ?? 0, end: places.at(-1) ?? 0 });
        expect(excerpts.map(({ text }) => text).join("")).to.equal(whole.text);
      }),
      { seed: 12 },
    );
  });

  it("needs only the text between the nearest landmarks", () => {
    const landmarks = { utf16: [0, 12, 24, 36, 48], codePoints: [0, 10, 20, 30, 40] };
    const around = (start: number, end: number) => landmarksAround(landmarks, "code_point", { start, end });
    expect(around(11, 19)).to.deep.equal({
      before: { utf16: 12, codePoint: 10 },
      after: { utf16: 24, codePoint: 20 },
    });
    expect(around(10, 20).before.codePoint).to.equal(10);
    expect(around(0, 40).after.codePoint).to.equal(40);
    expect(landmarksAround(landmarks, "utf16", { start: 13, end: 25 }).after.utf16).to.equal(36);
  });
});

const GRAPHEMES = new Intl.Segmenter("und", { granularity: "grapheme" });

function codePoints(text: string): number {
  return [...text].length;
}

describe("overlapTextPreview", () => {
  it("is the text itself with collapsed white space if that is short enough", () => {
    expect(overlapTextPreview("  All\tis \r\n\n well.\u00a0 ")).to.equal("All is well.");
    expect(overlapTextPreview("")).to.equal("");
    expect(overlapTextPreview(" \n ")).to.equal("");
    const longest = `${"ab ".repeat(66)}ab`;
    expect(codePoints(longest)).to.equal(PREVIEW_CHARS_MAX);
    expect(overlapTextPreview(longest)).to.equal(longest);
  });

  it("is cut at a word border and ends with an ellipsis", () => {
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

  it("cuts a long first word between letters, not between a letter and its marks", () => {
    expect(overlapTextPreview("a".repeat(300))).to.equal(`${"a".repeat(199)}…`);
    expect(overlapTextPreview("e\u0301".repeat(300))).to.equal(`${"e\u0301".repeat(99)}…`);
    expect(overlapTextPreview("𝐀".repeat(300))).to.equal(`${"𝐀".repeat(199)}…`);
    expect(overlapTextPreview(`a${"\u0301".repeat(500)}`)).to.equal("…");
  });

  it("does not read a long passage to its end", () => {
    expect(overlapTextPreview(`Well,${" ".repeat(5_000)}yes`)).to.equal("Well…");
    const passage = "word and word, ".repeat(40_000);
    const start = cpuTimeMs();
    for (let i = 0; i < 2_000; i++) overlapTextPreview(passage);
    expect(cpuTimeMs() - start).to.be.below(10_000);
  });

  it("stays within its limit and begins like the text, with whole graphemes, for any text", () => {
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
