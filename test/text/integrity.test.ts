import { expect } from "chai";
import { FLAGS_MAX, integrityFlags } from "../../src/text/integrity.ts";

type Expected = readonly [kind: string, flagged: string, detail: string];

const FLAGGED: Readonly<Record<string, readonly [string, ...Expected[]]>> = {
  "a Cyrillic letter in a Latin word": ["a pаper", ["homoglyphs", "pаper", "Cyrillic а in a Latin word"]],
  "a Latin letter in a Cyrillic word": ["из сoсны", ["homoglyphs", "сoсны", "Latin o in a Cyrillic word"]],
  "a word that is mostly look-alikes": [
    "раураl account",
    ["homoglyphs", "раураl", "Cyrillic р, Cyrillic а, Cyrillic у in a Latin word"],
  ],
  "more letters than a reader needs": [
    "hеlісорtеr",
    ["homoglyphs", "hеlісорtеr", "Cyrillic е, Cyrillic і, Cyrillic с and others in a Latin word"],
  ],
  "scripts mixed beyond look-alikes": ["паrоль", ["homoglyphs", "паrоль", "Latin r in a Cyrillic word"]],
  "a Greek letter in a Latin word": ["pαper", ["homoglyphs", "pαper", "Greek α in a Latin word"]],
  "a Cherokee letter in a Latin word": ["Ꭺpple", ["homoglyphs", "Ꭺpple", "Cherokee Ꭺ in a Latin word"]],
  "look-alikes behind soft hyphens and accents": [
    "pa\u00adpér and pа\u00adpér",
    ["homoglyphs", "pа\u00adpér", "Cyrillic а in a Latin word"],
  ],
  "a zero-width space in a word": [
    "so co\u200bpied",
    ["invisible_characters", "co\u200bpied", "U+200B ZERO WIDTH SPACE"],
  ],
  "several in one word, once": [
    "c\u200bo\u2060p\u200by",
    [
      "invisible_characters",
      "c\u200bo\u2060p\u200by",
      "U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER (3 characters)",
    ],
  ],
  "many kinds in one word": [
    "a\u200bb\u2060c\u2062d\u3164",
    [
      "invisible_characters",
      "a\u200bb\u2060c\u2062d\u3164",
      "U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER, U+2062 INVISIBLE TIMES and others (4 characters)",
    ],
  ],
  "invisible characters between words": [
    "a \u200b\u200b b",
    ["invisible_characters", "\u200b\u200b", "U+200B ZERO WIDTH SPACE (2 characters)"],
  ],
  "one between Chinese characters": [
    "北京\u200b大学",
    ["invisible_characters", "\u200b", "U+200B ZERO WIDTH SPACE"],
  ],
  "a joiner in a Latin word": [
    "co\u200dpy",
    ["invisible_characters", "co\u200dpy", "U+200D ZERO WIDTH JOINER"],
  ],
  "a byte-order mark inside": [
    "a\ufeffb",
    ["invisible_characters", "a\ufeffb", "U+FEFF ZERO WIDTH NO-BREAK SPACE"],
  ],
  "variation selectors that hide data": [
    "a\ufe01b 😀\u{e0101}\u{e0102}",
    ["invisible_characters", "a\ufe01b", "U+FE01 VARIATION SELECTOR-2"],
    ["invisible_characters", "\u{e0101}\u{e0102}", "U+E0102 VARIATION SELECTOR-19"],
  ],
  "tag characters that hide data": [
    "a\u{e0041}",
    ["invisible_characters", "a\u{e0041}", "U+E0041 TAG CHARACTER"],
  ],
  "an unnamed one": ["a\ufff0", ["invisible_characters", "a\ufff0", "U+FFF0 INVISIBLE CHARACTER"]],
  "a direction override": [
    "\u202etxt.exe\u202c",
    ["bidi_controls", "\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE"],
    ["bidi_controls", "\u202c", "U+202C POP DIRECTIONAL FORMATTING"],
  ],
  "isolates in Hebrew too": ["של\u2066ום", ["bidi_controls", "\u2066", "U+2066 LEFT-TO-RIGHT ISOLATE"]],
  "a direction mark in Latin text": ["co\u200fpy", ["bidi_controls", "\u200f", "U+200F RIGHT-TO-LEFT MARK"]],
};

const CLEAN = {
  "plain text": "The quick brown fox — “jumps”, don’t you see?",
  "words wholly in one script": "сору the word Москва αβγ",
  "soft hyphens": "hy\u00adphen",
  emoji: "👩‍👩‍👧‍👦 ❤️‍🔥 🏃🏽‍♀️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "joiners in Persian and Hindi": "می‌خواهم क्‍ष ශ්‍රී",
  "zero-width spaces between Khmer and Thai words": "ភាសា\u200bខ្មែរ ไทย\u200bดี",
  "a byte-order mark at the start": "\ufeffHello",
  "East Asian mixtures": "日本語カタカナhiragana 한국어漢字 Tシャツ Linux系统 卡拉OK",
  "letters with digits": "H2O covid19 2х2 x²",
  "units and formulas": "µm µPa kΩ MΩ ΔHvap νmax αvβ3 f(αx) µmol αβ-test 5µg",
  "Latin acronyms with Russian endings, and words run together": "SMSка XIXв Яндексmap iPhone’ов Wi-Fi",
  "variation sequences": "葛󠄀 ≨︀",
  "old Hangul fillers": "\u1100\u1160\u11a8",
  "direction marks in Hebrew and Arabic": "שלום!\u200f (א)\u200e العربية\u061c",
} as const;

describe("integrity flags", () => {
  for (const [what, [text, ...expected]] of Object.entries(FLAGGED)) {
    it(`show ${what}`, () => {
      const flags = integrityFlags(text).map(({ kind, start, end, detail }) => [
        kind,
        text.slice(start, end),
        detail,
      ]);
      expect(flags).to.deep.equal(expected);
    });
  }

  for (const [what, text] of Object.entries(CLEAN)) {
    it(`leave ${what} alone`, () => {
      expect(integrityFlags(text)).to.deep.equal([]);
    });
  }

  it("ascend, whatever their kinds", () => {
    const flags = integrityFlags("\u202ea\u200bb pаper\u202c c\u200bd сoсна");
    expect(flags.map(({ kind }) => kind)).to.deep.equal([
      ...[
        "bidi_controls",
        "invisible_characters",
        "homoglyphs",
        "bidi_controls",
        "invisible_characters",
        "homoglyphs",
      ],
    ]);
  });

  it("are found in any text of one kind, however long", () => {
    for (const unit of ["\u200b", "\u202e", "a\u200b ", "pа ", "\u{e0041}", "👩‍"]) {
      expect(integrityFlags(unit.repeat(500_000 / unit.length)), unit).not.to.have.length(0);
    }
  });

  it("are at most a thousand; one flag of each kind then stands for all others", () => {
    const flags = integrityFlags(`${"раssроrt ".repeat(1_500)}pass\u200bport pass\u200bport`);
    expect(flags).to.have.lengthOf(FLAGS_MAX + 2);
    expect(flags.slice(-2)).to.deep.equal([
      { kind: "homoglyphs", start: 9_000, end: 13_499, detail: "500 more places from here on" },
      { kind: "invisible_characters", start: 13_500, end: 13_519, detail: "2 more places from here on" },
    ]);
  });
});
