import { expect } from "chai";
import type { WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { expectReportLaws, textAt } from "./report-laws.ts";

/** A paragraph of the known document; what stands before and after it there is other text. */
const COPIED = [
  "The harbour clock had stopped during the storm of 1911, and nobody on the council could agree who should pay for it.",
  "Merchants said that the town owned the tower, while the mayor's clerks produced a letter which seemed to prove that the",
  "fishermen's guild had built it. For nineteen years the hands pointed to a quarter past four. Children learned to laugh at",
  "the question of what time it was, and captains set their watches by the church instead. When a retired watchmaker from",
  "Bergen finally climbed the stairs with his tools, he found that a single brass pin was missing; he replaced it with a",
  "hairpin of his wife's, and the bells rang before he had reached the street.",
].join(" ");

const QUOTES_AND_DASHES = { "'": "ʼ", ",": "‚", ".": "․", ";": ";", "-": "‑" } as const;

const SENTENCES = COPIED.split(/(?<=\.) /);

type Evasion = {
  readonly apply: (text: string) => string;
  /** The kind of flag that gives it away; none for what is no evasion by itself. */
  readonly flag?: WireReport["integrity_flags"][number]["kind"];
};

const EVASIONS: Readonly<Record<string, Evasion>> = {
  "a homoglyph in every word that has one": { apply: (text) => homoglyphs(text, 1), flag: "homoglyphs" },
  "all homoglyphs there are": {
    apply: (text) => homoglyphs(text, Number.POSITIVE_INFINITY),
    flag: "homoglyphs",
  },
  "zero-width spaces between all letters": {
    apply: (text) => betweenLetters(text, "\u200b"),
    flag: "invisible_characters",
  },
  "invisible operators and joiners": {
    apply: (text) => betweenLetters(text, "\u2062\u200d"),
    flag: "invisible_characters",
  },
  "annotation characters between letters": {
    apply: (text) => betweenLetters(text, "\ufff9"),
    flag: "invisible_characters",
  },
  "control characters between letters": {
    apply: (text) => betweenLetters(text, "\u0080\u007f"),
    flag: "invisible_characters",
  },
  "control characters around words": {
    apply: (text) => text.replace(/(?<=\p{L}) (?=\p{L})/gu, "\u009f \ufffa"),
    flag: "invisible_characters",
  },
  "hair spaces inside words": {
    apply: (text) => betweenLetters(text, "\u200a"),
    flag: "invisible_characters",
  },
  "Cherokee capitals": { apply: (text) => capitals(text, CHEROKEE), flag: "homoglyphs" },
  "Lisu capitals": { apply: (text) => capitals(text, LISU), flag: "homoglyphs" },
  "Georgian letters inside words": {
    apply: (text) => text.replace(/(?<=\p{L})[oy](?=\p{L})/gu, (letter) => (letter === "o" ? "ჿ" : "ყ")),
    flag: "homoglyphs",
  },
  "direction overrides around letters": {
    apply: (text) => text.replace(/(\p{L})(\p{L})/gu, "$1\u202d$2\u202c"),
    flag: "bidi_controls",
  },
  "direction marks": { apply: (text) => betweenLetters(text, "\u200e"), flag: "bidi_controls" },
  "soft hyphens": { apply: (text) => betweenLetters(text, "\u00ad") },
  "every character spaced out": { apply: (text) => Array.from(text).join(" "), flag: "spaced_letters" },
  "no-break spaces between letters": {
    apply: (text) => spacedWords(text, "\u00a0", 1, "\u00a0\u00a0"),
    flag: "spaced_letters",
  },
  "thin spaces between letters": {
    apply: (text) => spacedWords(text, "\u2009", 1, "  "),
    flag: "spaced_letters",
  },
  "dots between letters": { apply: (text) => spacedWords(text, "."), flag: "spaced_letters" },
  "hyphens between letters": { apply: (text) => spacedWords(text, "-"), flag: "spaced_letters" },
  "underscores between letters": { apply: (text) => spacedWords(text, "_"), flag: "spaced_letters" },
  "every third word spaced out": { apply: (text) => spacedWords(text, " ", 3), flag: "spaced_letters" },
  "spaced letters with zero-width spaces and homoglyphs among them": {
    apply: (text) => betweenLetters(Array.from(homoglyphs(text, 1)).join(" "), "\u200b"),
    flag: "spaced_letters",
  },
  "look-alike punctuation": {
    apply: (text) =>
      text.replace(/[',.;-]/g, (mark) => new Map(Object.entries(QUOTES_AND_DASHES)).get(mark) ?? mark),
  },
  "other punctuation": { apply: (text) => text.replace(/[.,;]/g, "!?") },
  capitals: { apply: (text) => text.toUpperCase() },
  "capitals at random": {
    apply: (text) => text.replace(/\p{L}\p{L}/gu, (two) => two.charAt(0) + two.charAt(1).toUpperCase()),
  },
  "full-width letters": {
    apply: (text) =>
      text.replace(/[!-~]/g, (one) => String.fromCodePoint(0xfee0 + (one.codePointAt(0) ?? 0))),
  },
  "accents on vowels": { apply: (text) => text.replace(/[aeou]/g, "$&\u0301") },
  "sentences in another order": { apply: () => SENTENCES.toReversed().join(" ") },
  "a paragraph for each sentence": { apply: () => SENTENCES.join("\n\n") },
  "line breaks after every third word": {
    apply: (text) => text.replace(/((?:\S+ ){3})/g, (words) => `${words.trimEnd()}\r\n`),
  },
  "wide white space": { apply: (text) => text.replaceAll(" ", " \t\u3000 ") },
  "soft hyphens and capitals in another order": {
    apply: () => betweenLetters(SENTENCES.toReversed().join("\n\n").toUpperCase(), "\u00ad"),
  },
};

/** What of the copy has to be marked, and how far what is marked may go beyond it. */
const FOUND_MIN = 0.95;
const BEYOND_MAX_CHARS = 12;

describe("reports: evasion", () => {
  const engine = useEngine();
  before(async () => {
    await engine.client.addDocument("harbour.txt", `${prose(11, 260)}\n\n${COPIED}\n\n${prose(12, 260)}`);
  });

  for (const [name, { apply, flag }] of Object.entries(EVASIONS)) {
    it(`finds the paragraph behind ${name}, and ${flag === undefined ? "flags nothing" : `flags ${flag}`}`, async () => {
      const copy = apply(COPIED);
      expect(copy).to.not.equal(COPIED);
      const before = `${prose(13, 120)} 🎻\n\n`;
      const report = await engine.client.checked(`${before}${copy}\n\n${prose(14, 120)}`);
      expectReportLaws(report);
      const copyStart = Array.from(before).length;
      const copyEnd = copyStart + Array.from(copy).length;
      const inside = overlap(report, copyStart, copyEnd);
      expect(inside / (copyEnd - copyStart), "found").to.be.at.least(FOUND_MIN);
      expect(report.total_matched_chars - inside, "beyond the copy").to.be.at.most(BEYOND_MAX_CHARS);

      const kinds = new Set(report.integrity_flags.map(({ kind }) => kind));
      if (flag === undefined) expect(kinds).to.deep.equal(new Set());
      else expect(kinds).to.include(flag);
      for (const { start, end } of report.integrity_flags) {
        expect(start, "flags lie in the copy").to.be.at.least(copyStart);
        expect(end).to.be.at.most(copyEnd);
      }
    });
  }

  it("begins and ends with the words that stand in a source, whatever is between their letters", async () => {
    const sentence = SENTENCES[2] ?? "";
    const copy = Array.from(sentence).join(" ");
    const report = await engine.client.checked(`A word before this one. ${copy} And something after it.`);
    const [[start, end] = [0, 0]] = report.unique_passages;
    const marked = textAt("code_point", report.query_text, start ?? 0, end ?? 0);
    expect(marked.replace(/[^\p{L}]/gu, "")).to.equal(sentence.replace(/[^\p{L}]/gu, ""));
    expect(report.sources[0]?.passages[0]?.match_type).to.equal("identical");
  });

  it("sees a source that is spaced out behind a plain copy", async () => {
    const spaced = prose(15, 60);
    await engine.client.addDocument("spaced.txt", `${prose(16, 40)}\n\n${Array.from(spaced).join(" ")}`);
    const report = await engine.client.checked(`${prose(17, 40)}\n\n${spaced}`);
    expect(report.total_matched_chars).to.be.at.least(FOUND_MIN * spaced.length);
    expect(report.integrity_flags).to.deep.equal([]);
  });
});

const LOOK_ALIKES = new Map(
  Object.entries({ a: "а", c: "с", e: "е", o: "о", p: "р", x: "х", y: "у", i: "і" }),
);

/** At most `most` look-alikes in each word, and one letter at least left as it is. */
function homoglyphs(text: string, most: number): string {
  return text.replace(/\p{L}+/gu, (word) => {
    let replaced = 0;
    const disguised = word.replace(/[aceopxyi]/g, (letter) => {
      replaced++;
      return replaced <= most ? (LOOK_ALIKES.get(letter) ?? letter) : letter;
    });
    return /[A-Za-z]/.test(disguised) ? disguised : word;
  });
}

const CHEROKEE = {
  A: "Ꭺ",
  B: "Ᏼ",
  C: "Ꮯ",
  D: "Ꭰ",
  E: "Ꭼ",
  G: "Ꮐ",
  H: "Ꮋ",
  L: "Ꮮ",
  M: "Ꮇ",
  P: "Ꮲ",
  R: "Ꭱ",
  S: "Ꮪ",
  T: "Ꭲ",
  W: "Ꮃ",
};
const LISU = {
  A: "ꓮ",
  B: "ꓐ",
  C: "ꓚ",
  D: "ꓓ",
  E: "ꓰ",
  F: "ꓝ",
  G: "ꓖ",
  H: "ꓧ",
  I: "ꓲ",
  L: "ꓡ",
  M: "ꓟ",
  N: "ꓠ",
  O: "ꓳ",
  P: "ꓑ",
  R: "ꓣ",
  S: "ꓢ",
  T: "ꓔ",
  U: "ꓴ",
  V: "ꓦ",
  W: "ꓪ",
  Y: "ꓬ",
};

/** In capitals, with each letter that has a look-alike replaced. */
function capitals(text: string, lookAlikes: Readonly<Record<string, string>>): string {
  return text.toUpperCase().replace(/[A-Z]/g, (letter) => lookAlikes[letter] ?? letter);
}

function betweenLetters(text: string, inserted: string): string {
  return text.replace(/(?<=\p{L})(?=\p{L})/gu, inserted);
}

/** Every `every`th word with `gap` between its letters; words are parted by `space`. */
function spacedWords(text: string, gap: string, every = 1, space = " "): string {
  return text
    .split(" ")
    .map((word, at) => (at % every === 0 ? word.replace(/(?<=[\p{L}\p{Nd}])(?=[\p{L}\p{Nd}])/gu, gap) : word))
    .join(space);
}

function overlap(report: WireReport, from: number, to: number): number {
  return report.unique_passages.reduce(
    (sum, [start = 0, end = 0]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)),
    0,
  );
}
