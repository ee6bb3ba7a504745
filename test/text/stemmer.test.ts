import { expect } from "chai";
import { stemmerFor } from "../../src/text/stemmer.ts";

describe("stemmerFor", () => {
  const forms: readonly [language: string, one: string, other: string][] = [
    ["en", "houses", "house"],
    ["de", "häuser", "häusern"],
    ["fr", "continuait", "continuer"],
    ["es", "cheques", "cheque"],
    ["ru", "важная", "важную"],
    ["sv", "klostret", "klostrets"],
    ["tr", "kitaplar", "kitap"],
    ["hi", "लड़के", "लड़का"],
  ];
  for (const [language, one, other] of forms) {
    it(`brings forms of a word together: ${language}`, () => {
      const stem = stemmerFor(language);
      expect(stem(one)).to.equal(stem(other));
      expect(stem(one)).to.equal(stem(one));
    });
  }

  it("leaves words of other languages as they are", () => {
    for (const language of ["ja", "zh", "th", "xx", ""]) {
      expect(stemmerFor(language)("connections")).to.equal("connections");
    }
  });

  it("leaves strings that are too long for a word as they are", () => {
    const long = `${"running".repeat(2_000)}s`;
    expect(stemmerFor("en")(long)).to.equal(long);
  });
});
