import { expect } from "chai";
import { wordCount } from "../../src/text/word-count.ts";
import { mulberry32 } from "../support/work/prose.ts";

const COUNTS: readonly (readonly [string, string, number])[] = [
  ["", "en", 0],
  [" \n* * * — 👍 !", "en", 0],
  ["One, two and three.", "en", 4],
  ["a well-known fact: don't pay 3.14 and/or 1,000 (U.S.)", "en", 9],
  ["first—second…third", "en", 3],
  ["l'homme qu'il a vu", "fr", 4],
  ["我们今天去北京大学。", "zh", 5],
  ["Linux系统 and more", "zh", 4],
  ["ภาษาไทยดื่มน้ำ", "th", 4],
  ["안녕하세요 세계", "ko", 2],
  ["नमस्ते दुनिया", "hi", 2],
];

describe("word count", () => {
  for (const [text, language, expected] of COUNTS) {
    it(`counts ${expected} in ${JSON.stringify(text)}`, () => {
      expect(wordCount(text, language)).to.equal(expected);
    });
  }

  it("counts the same number of words beside any non-ASCII characters", () => {
    const random = mulberry32(7);
    const plain = ["word", "x", "9", "-", "'", " ", "\n", "\x1f"];
    const others = [
      "\x85",
      "\xa0",
      "\u3000",
      "—",
      "…",
      "’",
      "“",
      "é",
      "e\u0301",
      "\u0301",
      "Ж",
      "²",
      "Ⅳ",
      "\u200b",
    ];
    const pieces = [...plain, ...others, "\ud83d\ude00", "\ud835\udd18", "\ud800", "한", "नम"];
    for (let round = 0; round < 3000; round++) {
      const length = 1 + Math.floor(random() * 20);
      const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("");
      expect(wordCount(text, "en"), JSON.stringify(text)).to.equal(countedByPattern(text));
    }
  });

  for (const letter of ["a", "é", "\ud835\udd18"]) {
    it(`counts a row of ${letter} that is too long for a word as several`, () => {
      for (const length of [10_000, 10_001, 10_002, 20_002, 20_003]) {
        const text = `${letter.repeat(length)} end`;
        expect(wordCount(text, "en"), `${length}`).to.equal(countedByPattern(text));
      }
    });
  }
});

/** As the words are defined, one stretch after another. */
function countedByPattern(text: string): number {
  return [...text.matchAll(/[\p{L}\p{Nd}\p{Nl}][^\s\u2014\u2015\u2026]{0,10000}/gv)].length;
}
