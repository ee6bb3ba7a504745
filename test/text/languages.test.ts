import { expect } from "chai";
import { isLanguage, segmenterLocale } from "../../src/text/languages.ts";

describe("languages", () => {
  it("knows the 183 codes of ISO 639-1, in lower case only", () => {
    const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    expect(codes.filter(isLanguage)).to.have.length(183);
    for (const code of ["en", "de", "zh", "ii", "zu"]) expect(isLanguage(code), code).to.equal(true);
    for (const code of ["EN", "xx", "eng", "e", "", "en-GB", "sh"])
      expect(isLanguage(code), code).to.equal(false);
  });

  it("segments an unknown or malformed language by the root rules, never by the host's", () => {
    expect(segmenterLocale("th")).to.equal("th");
    for (const code of ["xx", "qq", "no such", "", "e"]) expect(segmenterLocale(code), code).to.equal("en");
  });
});
