import { expect } from "chai";
import fc from "fast-check";
import { type ComparedPiece, compareWords } from "../../../src/report/figures/compare-sides.ts";

const shown = (pieces: readonly ComparedPiece[]) =>
  pieces.map(({ text, mark }) => (mark === undefined ? text : `[${text}]`)).join("");

describe("the differences within a passage", () => {
  it("are marked word by word, adjacent ones as one", () => {
    const { query, source, equalWords, queryWords } = compareWords(
      "The ferry leaves at six in the morning, and waits for nobody.",
      "The old ferry leaves at seven o'clock in the morning; and waits for nobody.",
      "en",
    );
    expect(shown(query)).to.equal("The ferry leaves at [six] in the morning, and waits for nobody.");
    expect(shown(source)).to.equal(
      "The [old] ferry leaves at [seven o'clock] in the morning; and waits for nobody.",
    );
    expect([equalWords, queryWords]).to.deep.equal([11, 12]);
  });

  it("do not include case, punctuation or the encoding of an accent", () => {
    const { query, source } = compareWords("“STRASSE” – the Cafe\u0301!", "Straße, (the) café", "en");
    for (const side of [query, source]) expect(side.some(({ mark }) => mark !== undefined)).to.equal(false);
  });

  it("do not include the hyphens that divide words at line ends, on either side", () => {
    const divided = "An exam-\n  ple of a divi\u00ad\nded word, Jean-\nPaul said.";
    const whole = "An example of a divided word, Jean-Paul said.";
    for (const [query, source] of [
      [divided, whole],
      [whole, divided],
      [divided, divided],
    ] as const) {
      const compared = compareWords(query, source, "en");
      expect([compared.equalWords, compared.queryWords]).to.deep.equal([9, 9]);
      expect(shown(compared.query)).to.equal(query);
      expect(shown(compared.source)).to.equal(source);
    }
  });

  it("do not include a word in two parts, as files without the hyphens have it", () => {
    const compared = compareWords("an exam ple of it", "an example of it", "en");
    expect(shown(compared.query)).to.equal("an exam ple of it");
    expect([compared.equalWords, compared.queryWords]).to.deep.equal([4, 4]);
    const both = compareWords("in to the sea and into it", "in to the sea and into it", "en");
    expect([both.equalWords, both.queryWords]).to.deep.equal([7, 7]);
  });

  it("do not include a compound whose hyphen stands at a line end, but its missing part", () => {
    const compound = compareWords("a well-\nknown ferry", "a well-known ferry", "en");
    expect(shown(compound.query)).to.equal("a well-\nknown ferry");
    const missing = compareWords("a divi-\nded word", "a divi word", "en");
    expect(shown(missing.query)).to.equal("a [divi-\nded] word");
    expect(shown(missing.source)).to.equal("a [divi] word");
  });

  it("are found in scripts without spaces, in Arabic and between emoji", () => {
    const chinese = compareWords("我们今天去学校看书", "我们昨天去学校看书", "zh");
    expect(shown(chinese.query)).to.include("[今天]");
    expect(shown(chinese.source)).to.include("[昨天]");
    const arabic = compareWords("ذهب الولد إلى المدرسة", "ذهبت البنت إلى المدرسة", "ar");
    expect(shown(arabic.query)).to.equal("[ذهب الولد] إلى المدرسة");
    expect(shown(compareWords("one 👩🏽‍🎓 two", "one 👍 two", "xx").query)).to.equal("one 👩🏽‍🎓 two");
  });

  it("give way to the shared wording where the text was reworded, in any order and form", () => {
    const query = "Copied word by word. At dawn the sailors were leaving the old harbour of the town.";
    const source = "Copied word for word. The harbour of the town lay empty once every sailor left at dawn.";
    const reworded = {
      query: [{ start: 21, end: query.length }],
      source: [{ start: 22, end: source.length }],
    };
    const compared = compareWords(query, source, "en", reworded);
    const marked = (pieces: readonly ComparedPiece[], mark: string) =>
      pieces.filter((piece) => piece.mark === mark).map(({ text }) => text);
    expect(marked(compared.query, "differs")).to.deep.equal(["by"]);
    expect(marked(compared.source, "differs")).to.deep.equal(["for"]);
    expect(marked(compared.query, "shared")).to.deep.equal(["At dawn the sailors", "harbour of the town"]);
    expect(marked(compared.source, "shared")).to.deep.equal(["The harbour of the town", "sailor", "at dawn"]);
  });

  it("keep the whole text of both sides and the order of equal words", () => {
    const text = fc
      .array(fc.constantFrom("ab", "cd", "ef", "gh", ", ", "\n", "é"), { maxLength: 60 })
      .map((words) => words.join(" "));
    const equal = (pieces: readonly ComparedPiece[]) =>
      pieces
        .filter(({ mark }) => mark === undefined)
        .map((piece) => piece.text)
        .join(" ")
        .match(/\p{L}+/gu) ?? [];
    fc.assert(
      fc.property(text, text, (one, other) => {
        const diff = compareWords(one, other, "en");
        expect(diff.query.map((piece) => piece.text).join("")).to.equal(one);
        expect(diff.source.map((piece) => piece.text).join("")).to.equal(other);
        expect(equal(diff.query)).to.deep.equal(equal(diff.source)).and.to.have.length(diff.equalWords);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it("give the ends of the last equal words, so that a comparison can continue", () => {
    const { lastEqual } = compareWords("a b c d", "x a b y z", "en");
    expect(lastEqual).to.deep.equal({ queryEnd: 3, sourceEnd: 5 });
    expect(compareWords("a", "b", "en").lastEqual).to.equal(undefined);
    expect(compareWords("", "", "en").queryWords).to.equal(0);
  });
});
