import { expect } from "chai";
import fc from "fast-check";
import { languageOf } from "../../src/platform/detect-language.ts";
import { PARAGRAPHS } from "../support/work/paragraphs.ts";

const { en, de } = PARAGRAPHS;
const detected = (text: string) => languageOf(text, undefined);
const DEFAULT = { language: "en", languageOrigin: "default" };

describe("the language of a text", () => {
  for (const [language, text] of Object.entries(PARAGRAPHS)) {
    it(`is detected: ${language}`, () => {
      expect(detected(text)).to.deep.equal({ language, languageOrigin: "detected" });
    });
  }

  it("is the stated one, even if the text is in another", () => {
    expect(languageOf(de, "fr")).to.deep.equal({ language: "fr", languageOrigin: "stated" });
  });

  it("is the default for a text of a sentence or two", () => {
    expect(detected("Am Sonntag fahren wir mit dem Zug ans Meer und baden.")).to.deep.equal(DEFAULT);
  });

  it("is the default for a text in two languages, and for one of which a quarter is in another still its own", () => {
    const half = `${en}\n\n`.repeat(8) + `${de}\n\n`.repeat(8);
    expect(detected(half)).to.deep.equal(DEFAULT);
    const most = `${de}\n\n`.repeat(40) + `${en}\n\n`.repeat(6);
    expect(detected(most)).to.include({ language: "de" });
  });

  it("is the default for words that belong to no language", () => {
    const letters = (alphabet: string) => fc.constantFrom(...alphabet);
    const syllable = fc
      .tuple(letters("bcdfghklmnprstvz"), letters("aeiou"))
      .map(([consonant, vowel]) => consonant + vowel);
    const code = fc.nat().map((number) => number.toString(36));
    const word = fc.oneof(
      fc.array(syllable, { minLength: 1, maxLength: 4 }).map((syllables) => syllables.join("")),
      code,
    );
    const text = fc.array(word, { minLength: 60, maxLength: 400 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, (words) => {
        expect(detected(words)).to.deep.equal(DEFAULT);
      }),
      { seed: 17, numRuns: 300 },
    );
  });

  it("is found in a text of any length and with any characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
        expect(detected(text).languageOrigin).to.be.oneOf(["detected", "default"]);
      }),
      { seed: 18 },
    );
    const long = `${de}\n\n`.repeat(2_000);
    expect(detected(long)).to.include({ language: "de" });
  });
});
