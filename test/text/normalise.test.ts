import { expect } from "chai";
import fc from "fast-check";
import { normalise } from "../../src/text/normalise.ts";
import { PIECES, SAMPLES } from "./sample-texts.ts";

const anyText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "binary" })))
  .map((pieces) => pieces.join(""));

/** Given and normalised, for each thing the form sees through. */
const FORMS = {
  case: ["ΣΊΣΥΦΟΣ Straße ẞ", "σισυφοσ strasse ss"],
  width: ["ＦＵＬＬ　ｗｉｄｔｈ ｶﾞ", "full width ガ"],
  accents: ["Çà et là, e\u0301 ёлка λάμδα Łódź đ", "ca et la, e елка λαμδα lodz d"],
  ligatures: ["ﬁnal œuvre Æsir ĳ", "final oeuvre aesir ij"],
  quotes: ["“don’t” „ja‘ «oui»", '"don\'t" "ja\' "oui"'],
  dashes: ["a–b—c‑d−e", "a-b-c-d-e"],
  "soft hyphens": ["hy\u00adphen", "hyphen"],
  "line-break hyphenation": [
    "exam-\nple exam-\r\n  ple exam\u2010\nple exam\u00ad\nple",
    "example example example example",
  ],
  "invisible characters": ["a\u200bb\u2060c\ufeffd e\ufe0f", "abcd e"],
  "direction characters": ["\u202eba\u202c\u200f \u2067c\u2069", "ab c"],
  "line separators inside words": ["co\u2028py th\u2028is te\u2029xt", "copy this text"],
  "blank letters": ["copy\u3164this text\uffa0here", "copy this text here"],
  "letters that pass for punctuation": ["copyǃ thisː textꓸ", "copy! this: text."],
  "spaced letters": ["this t e x t. A  c.o.p.y", "this text. a  copy"],
  joiners: ["می‌خواهم", "ميخواهم"],
  homoglyphs: ["pаper Ρаpеr раураl Вook сoсна", "paper paper paypal book сосна"],
  "mathematical letters": ["𝐚𝑏𝖈 𝔘𝕟𝕚 ⓒⓞⓟⓨ 🅒🅞🅟🅨 🅲 ᴄᴏᴘʏ", "abc uni copy copy c copy"],
  "footnote marks": ["copied¹ text② H₂O Windows™", "copied  text  h2o windows "],
  "Arabic vowel points and stretching": ["مُحَمَّد لغـــة", "محمد لغه"],
  "Hebrew points": ["שָׁלוֹם", "שלום"],
} as const;

/** Marks that make another letter, and what looks like a thing to mend but is none. */
const KEPT = {
  "Indic vowel signs": "हिन्दी தமிழ் বাংলা",
  "Thai vowels and tones": "น้ำ ที่",
  "kana voicing": "がぎぐ パピプ",
  Hangul: "한국어",
  "a compound at a line's end": "jean-\nPaul 1914-\n18 a -\nb",
  "a paragraph's end after a hyphen": "word-\n\nnext",
  "lines, verse and lists between line separators":
    "one line\u2028and the next one\u2028Apples\u2028Pears\u2028one\u2028two",
  "lone surrogates": "a\ud800b \udc00",
} as const;

describe("normalise", () => {
  for (const [what, [given, expected]] of Object.entries(FORMS)) {
    it(`sees through ${what}`, () => {
      expect(normalise(given).text).to.equal(expected);
    });
  }

  for (const [what, given] of Object.entries(KEPT)) {
    it(`keeps ${what}`, () => {
      expect(normalise(given).text).to.equal(given.toLowerCase());
    });
  }

  it("gives the same form for both Unicode forms of a text", () => {
    for (const { text, language } of SAMPLES) {
      expect(normalise(text.normalize("NFD")).text, language).to.equal(normalise(text.normalize("NFC")).text);
    }
  });

  it("changes nothing in a normalised text", () => {
    for (const { text, language } of SAMPLES) {
      const once = normalise(text).text;
      expect(normalise(once).text, language).to.equal(once);
    }
  });

  it("keeps every letter of the fast path exactly as the slow path does", () => {
    // A mark that is dropped sends any character the slow way.
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit);
      if (/[\u0e00-\u0eff\s\p{Cs}]/u.test(character)) continue;
      const slow = normalise(`${character}\u0301`).text;
      expect(normalise(character).text, `U+${unit.toString(16)}`).to.equal(slow);
    }
  });

  it("has a map that never goes back and stays inside the text", () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const { text, map } = normalise(given);
        let previous = 0;
        for (let at = 0; at < text.length; at++) {
          const start = map.toOriginalStart(at);
          const end = map.toOriginalEnd(at + 1);
          expect(start).to.be.at.least(previous);
          expect(end).to.be.above(start);
          expect(end).to.be.at.most(given.length);
          previous = start;
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it("makes no character longer than six letters, as many as the index keeps of a word", () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      const character = String.fromCodePoint(codePoint);
      if (character.normalize("NFKD").length <= 6) continue;
      expect(normalise(character).text.length, codePoint.toString(16)).to.be.at.most(6);
    }
    expect(normalise("\ufdfa").text).to.equal("صليالل");
  });

  it("never makes a text longer by lower case", () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      const character = String.fromCodePoint(codePoint);
      if (character.toLowerCase().length === character.length) continue;
      expect(normalise(character).text.length, codePoint.toString(16)).to.be.at.most(character.length);
    }
  });
});
