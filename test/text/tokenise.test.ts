import { expect } from "chai";
import fc from "fast-check";
import { normalise } from "../../src/text/normalise.ts";
import { readingOrder } from "../../src/text/reading-order.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { PIECES, SAMPLES } from "./sample-texts.ts";

const anyText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "binary" })))
  .map((pieces) => pieces.join(""));

const CLEAN =
  "The committee published its report about the economic problems of our society. Nobody expected such success.";

/** Cyrillic letters that replace Latin ones unseen. */
const CYRILLIC = new Map(
  ["aа", "cс", "eе", "oо", "pр", "xх", "yу", "iі"].map(([latin = "", cyrillic = ""]) => [latin, cyrillic]),
);

describe("tokenise", () => {
  for (const { language, text, words } of SAMPLES) {
    it(`finds the words of a text in ${language}`, () => {
      expect(tokenise(text, language).words).to.deep.equal(words.split(" "));
    });
  }

  it("points into the text as submitted", () => {
    const text = "\ufeffThe “ﬁrst” cafe\u0301, exam-\nple co\u200bpied\u200b. e\u0301";
    expect(spanTexts(text)).to.deep.equal([
      "The",
      "ﬁrst",
      "cafe\u0301",
      "exam-\nple",
      "co\u200bpied",
      "e\u0301",
    ]);
  });

  it("treats don't, don’t, don`t and dont as one word and excludes quotation marks", () => {
    expect(tokenise("don't don’t don`t dont 'dont' rock 'n' roll", "en").words).to.deep.equal([
      ...["dont", "dont", "dont", "dont", "dont", "rock", "n", "roll"],
    ]);
  });

  it("divides words at hyphens, underscores and decimal points", () => {
    expect(tokenise("well-known snake_case 3.14 1,000 x2", "en").words.join(" ")).to.equal(
      "well known snake case 3 14 1 000 x2",
    );
  });

  it("gives ascending, disjoint spans whose text normalises to the word", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("en", "th", "xx"), (text, language) => {
        const { words, starts, ends } = tokenise(text, language);
        const readable = readingOrder(text).text;
        let previous = 0;
        for (const [index, word] of words.entries()) {
          const start = starts[index] ?? -1;
          const end = ends[index] ?? -1;
          expect(start).to.be.at.least(previous);
          expect(end).to.be.above(start);
          expect(normalise(readable.slice(start, end)).text.replace(/['`·]/g, "")).to.equal(word);
          expect(word).to.match(/^[\p{L}\p{M}\p{Nd}\p{Nl}]+$/u);
          previous = end;
        }
        expect(previous).to.be.at.most(text.length);
      }),
      { seed: 7, numRuns: 1000 },
    );
  });

  it("finds the same words in both Unicode forms of a text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES)), (pieces) => {
        const text = pieces.join("");
        expect(tokenise(text.normalize("NFD"), "en").words).to.deep.equal(
          tokenise(text.normalize("NFC"), "en").words,
        );
      }),
      { seed: 8 },
    );
  });

  it("finds the same words in a text that is disguised by invisible characters", () => {
    const hidden = fc.constantFrom(
      "",
      "",
      "",
      "\u200b",
      "\u00ad",
      "\u2060",
      "\u200e",
      "\u2066",
      "\u200d",
      "\u0323",
    );
    fc.assert(
      fc.property(fc.array(hidden, { minLength: CLEAN.length, maxLength: CLEAN.length }), (added) => {
        const disguised = Array.from(CLEAN, (character, at) => character + (added[at] ?? "")).join("");
        expect(tokenise(disguised, "en").words).to.deep.equal(tokenise(CLEAN, "en").words);
      }),
      { seed: 9 },
    );
  });

  it("finds the same words in a text that is disguised by look-alike letters, some or all of them", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: CLEAN.length, maxLength: CLEAN.length }), (swapped) => {
        const disguised = Array.from(CLEAN, (letter, at) =>
          swapped[at] ? (CYRILLIC.get(letter) ?? letter) : letter,
        );
        expect(tokenise(disguised.join(""), "en").words).to.deep.equal(tokenise(CLEAN, "en").words);
      }),
      { seed: 10 },
    );
    const whole = CLEAN.replace(/./g, (letter) => CYRILLIC.get(letter) ?? letter);
    expect(tokenise(whole, "en").words).to.deep.equal(tokenise(CLEAN, "en").words);
  });

  it("finds the same Russian words in capitals, although more letters look Latin", () => {
    const text = "Наше море, оса, расу и хор на сосне. Вот так-то";
    expect(tokenise(text.toUpperCase(), "ru").words).to.deep.equal(tokenise(text, "ru").words);
  });

  it("cuts a very long run of letters, and handles any text of one kind", () => {
    const length = 500_000;
    const words = (unit: string) => tokenise(unit.repeat(length / unit.length), "en").words;
    expect(words("a")).to.have.length(50);
    expect(words("\u0301")).to.have.length(0);
    expect(words("\u0316\u0301")).to.have.length(0);
    expect(words("\u200b")).to.have.length(0);
    expect(words("\ud800")).to.have.length(0);
    expect(words("👩‍👩‍👧")).to.have.length(0);
    expect(words("a\u200b").join("")).to.have.length(length / 2);
    expect(words("-\n")).to.have.length(0);
    expect(words("а со ").at(-1)).to.equal("co");
    for (const unit of ["我们今天去北京", "ไทย", "क\u093c", "𝐚", "pа", "'a"]) {
      expect(words(unit).length, unit).to.be.above(0);
    }
  });

  it("handles a word of ten million letters, on which an unbounded pattern fails", () => {
    expect(tokenise("a".repeat(10_000_000), "en").words).to.have.length(1000);
  });
});

function spanTexts(text: string): string[] {
  const { words, starts, ends } = tokenise(text, "en");
  return words.map((_, index) => text.slice(starts[index], ends[index]));
}
