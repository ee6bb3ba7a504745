import { expect } from "chai";
import type { WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import {
  expectReportLaws,
  markedTexts,
  onlyPassage,
  queryTextOf,
  sourceTextOf,
  textAt,
} from "./report-laws.ts";

const LATIN = "aceopxyi";
const CYRILLIC = "асеорхуі";

/** The text with Cyrillic letters that look like its own in every word that has other letters too. */
function withHomoglyphs(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => {
    const disguised = word.replace(/[aceopxyi]/, (letter) => CYRILLIC[LATIN.indexOf(letter)] ?? letter);
    return /[a-zA-Z]/.test(disguised) ? disguised : word;
  });
}

function insertInWords(text: string, inserted: string): string {
  return text.replace(/(\p{L}{2})(\p{L})/gu, `$1${inserted}$2`);
}

/** How a copy may be disguised without changing what people read, and the flag that gives it away. */
const DISGUISES: readonly { name: string; apply: (text: string) => string; flag: string | undefined }[] = [
  { name: "homoglyphs", apply: withHomoglyphs, flag: "homoglyphs" },
  { name: "zero-width spaces", apply: (text) => insertInWords(text, "\u200B"), flag: "invisible_characters" },
  { name: "word joiners", apply: (text) => insertInWords(text, "\u2060"), flag: "invisible_characters" },
  {
    name: "zero-width non-joiners in Latin",
    apply: (text) => insertInWords(text, "\u200C"),
    flag: "invisible_characters",
  },
  { name: "soft hyphens", apply: (text) => insertInWords(text, "\u00AD"), flag: undefined },
  { name: "bidi controls", apply: (text) => insertInWords(text, "\u202D\u202C"), flag: "bidi_controls" },
  {
    name: "full-width letters",
    apply: (text) => text.replace(/[a-z]/g, (a) => String.fromCodePoint(0xfee0 + (a.codePointAt(0) ?? 0))),
    flag: undefined,
  },
  {
    name: "decomposed accents",
    apply: (text) => text.replace(/([aeou])(\p{L})/gu, "$1\u0301$2"),
    flag: undefined,
  },
  {
    name: "line-break hyphens",
    apply: (text) => text.replace(/(\p{Ll}{3})(\p{Ll}{3})/gu, "$1-\r\n$2"),
    flag: undefined,
  },
];

describe("decisions, Engine: checks: disguised copies and integrity flags", () => {
  const engine = useEngine();

  for (const [index, { name, apply, flag }] of DISGUISES.entries()) {
    it(`matching sees through ${name}; offsets still point into the text as submitted`, async () => {
      const copied = prose(100 + index, 60);
      const source = `${prose(200 + index, 30)} ${copied} ${prose(300 + index, 30)}`;
      await engine.client.addDocument("source.txt", source);
      const disguised = apply(copied);
      expect(disguised).to.not.equal(copied);
      const before = `${prose(400 + index, 30)} 😀 `;
      const report = await engine.client.checked(`${before}${disguised} ${prose(500 + index, 30)}`);
      expectReportLaws(report);
      expect(markedTexts(report)).to.deep.equal([disguised]);
      expect(sourceTextOf(report, source, onlyPassage(report))).to.equal(copied);
      expect(queryTextOf(report, onlyPassage(report))).to.equal(disguised);
      expect(new Set(report.integrity_flags.map(({ kind }) => kind))).to.deep.equal(
        new Set(flag === undefined ? [] : [flag]),
      );
      for (const { start, end } of report.integrity_flags) {
        expect(start, "flags lie in the disguised part")
          .to.be.at.least([...before].length)
          .and.lessThan(end);
        expect(end).to.be.at.most([...before].length + [...disguised].length);
      }
    });

    it(`matching sees through ${name} in the source as well`, async () => {
      const copied = prose(600 + index, 60);
      const source = `${prose(700 + index, 30)} 🎻 ${apply(copied)} ${prose(800 + index, 30)}`;
      await engine.client.addDocument("source.txt", source);
      const report = await engine.client.checked(
        `${prose(900 + index, 30)} ${copied} ${prose(1_000 + index, 30)}`,
      );
      expectReportLaws(report);
      expect(markedTexts(report)).to.deep.equal([copied]);
      expect(sourceTextOf(report, source, onlyPassage(report))).to.equal(apply(copied));
      expect(report.integrity_flags).to.deep.equal([]);
    });
  }

  it("homoglyphs: flags the word that mixes scripts, and says what is wrong with it", async () => {
    const report = await engine.client.checked(
      "Most people lіke the 😀 sea and the mоuntains. All else is plain text.",
    );
    expect(flagged(report, "homoglyphs").map(({ text }) => text)).to.deep.equal(["lіke", "mоuntains"]);
    for (const { detail } of report.integrity_flags) expect(detail).to.match(/\S{3}/);
  });

  it("invisible_characters: flags what can't be seen", async () => {
    const report = await engine.client.checked("He\u200Ble wal\u2060ked to the 😀 har\uFEFFbour.");
    const texts = flagged(report, "invisible_characters").map(({ text }) => text);
    for (const [index, hidden] of ["\u200B", "\u2060", "\uFEFF"].entries())
      expect(texts[index]).to.include(hidden);
    expect(texts).to.have.lengthOf(3);
  });

  it("bidi_controls: flags controls that turn the reading direction", async () => {
    const report = await engine.client.checked(
      "A line with \u202Edesrever\u202C words and \u2066isolated\u2069 ones.",
    );
    const texts = flagged(report, "bidi_controls")
      .map(({ text }) => text)
      .join("");
    for (const control of ["\u202E", "\u202C", "\u2066", "\u2069"]) expect(texts).to.include(control);
  });

  it("does not flag soft hyphens, emoji sequences, joiners in scripts that write with them, or words of one script", async () => {
    const innocent = [
      "Donau\u00ADdampf\u00ADschiff",
      "👩‍👩‍👧‍👦 and 🏳️‍🌈 and 👍🏽",
      "می\u200Cخواهم کتاب\u200Cها را بخوانم",
      "क्\u200Dष और क्\u200Cष",
      "Москва и Лондон",
      "Αθήνα and Paris",
      "日本語とEnglish",
    ];
    for (const text of innocent) {
      const report = await engine.client.checked(`${text}. And so on.`);
      expect(report.integrity_flags, text).to.deep.equal([]);
    }
  });

  it("flags ascend, each with a kind, a range inside the text and a detail", async () => {
    const report = await engine.client.checked("\u200Bone twо \u202Ethree\u202C fou\u200Br 😀 fіve\u2060");
    expect(report.integrity_flags.length).to.be.at.least(5);
    const starts = report.integrity_flags.map(({ start }) => start);
    expect(starts).to.deep.equal(starts.toSorted((a, b) => a - b));
    for (const { start, end, detail } of report.integrity_flags) {
      expect(start).to.be.lessThan(end);
      expect(end).to.be.at.most(report.char_count);
      expect(detail).to.not.equal("");
    }
  });
});

function flagged(
  report: WireReport,
  kind: WireReport["integrity_flags"][number]["kind"],
): { text: string }[] {
  return report.integrity_flags
    .filter((flag) => flag.kind === kind)
    .map(({ start, end }) => ({ text: textAt(report.offset_unit, report.query_text, start, end) }));
}
