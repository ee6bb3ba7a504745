import { expect } from "chai";
import { wordCount } from "../../../src/core/text/word-count.ts";

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
});
