import { expect } from "chai";
import { integrityFlags } from "../../../src/core/text/integrity.ts";
import { visibleSigns } from "../../../src/core/text/visible-signs.ts";

/** The text of each flag of `text`, in pieces. */
function signsOf(text: string) {
  return integrityFlags(text).map((flag) => visibleSigns(text.slice(flag.start, flag.end), [flag]));
}

describe("what is hidden in flagged text", () => {
  it("names invisible characters and controls of direction by their code points", () => {
    expect(signsOf("Oil in bu\u200Bck\u2060ets here")).to.deep.equal([
      [
        { text: "bu" },
        { text: "\u200B", code: "U+200B" },
        { text: "ck" },
        { text: "\u2060", code: "U+2060" },
        { text: "ets" },
      ],
    ]);
    expect(signsOf("Turned \u202Eround\u202C here").flat()).to.deep.equal([
      { text: "\u202E", code: "U+202E" },
      { text: "\u202C", code: "U+202C" },
    ]);
  });

  it("names the script of letters that are not of the word's alphabet", () => {
    expect(signsOf("The c\u043Epy is here")).to.deep.equal([
      [{ text: "c" }, { text: "\u043E", script: "Cyrillic" }, { text: "py" }],
    ]);
  });

  it("leaves plain text as it is, characters of two units whole", () => {
    expect(visibleSigns("a 😀 b", [{ kind: "invisible_characters", detail: "" }])).to.deep.equal([
      { text: "a 😀 b" },
    ]);
  });
});
