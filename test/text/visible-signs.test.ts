import { expect } from "chai";
import { integrityFlags } from "../../src/text/integrity.ts";
import { visibleSigns } from "../../src/text/visible-signs.ts";

/** What a reader is shown of each flag of a text, hidden things in brackets. */
function seen(text: string): string[] {
  return integrityFlags(text).map((flag) => {
    const pieces = visibleSigns(text.slice(flag.start, flag.end), [flag]);
    expect(pieces.map((piece) => piece.text).join("")).to.equal(text.slice(flag.start, flag.end));
    return pieces
      .map(({ text: own, code, script }) =>
        (code ?? script) === undefined ? own : `[${code ?? `${script} ${own}`}]`,
      )
      .join("");
  });
}

describe("the hidden characters of flagged text", () => {
  it("include letters of another alphabet with their script, whichever has more letters", () => {
    expect(seen("The b\u0430nana")).to.deep.equal(["b[Cyrillic \u0430]nana"]);
    expect(seen("the sci\u0435n\u0441\u0435 of it")).to.deep.equal([
      "sci[Cyrillic \u0435]n[Cyrillic \u0441][Cyrillic \u0435]",
    ]);
  });

  it("include invisible characters and direction controls as code points", () => {
    expect(seen("dif\u200bfi\u200bcult \u202ework\u202c")).to.deep.equal([
      "dif[U+200B]fi[U+200B]cult",
      "[U+202E]",
      "[U+202C]",
    ]);
  });

  it("do not include letters of which only the spacing is flagged", () => {
    expect(seen("we h i d d e n w o r d s here")).to.satisfy((all: string[]) =>
      all.every((one) => !one.includes("[")),
    );
  });
});
