import { expect } from "chai";
import fc from "fast-check";
import { placeTexts } from "../../../../../src/web/browser/report/original/word-tree.ts";

const LONG = "A paragraph that is long enough to be found anywhere.";

describe("placeTexts", () => {
  it("finds each part of a text that differs in white space alone, unit by unit", () => {
    const word = fc.stringMatching(/^[a-zäß😀]{1,9}$/u);
    const blank = fc.constantFrom(" ", "\n\n", "\t", "  ");
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.tuple(word, blank), { minLength: 1 }), { minLength: 1 }),
        (paragraphs) => {
          const text = paragraphs.map((words) => words.flat().join("")).join("");
          const parts = paragraphs.map((words) => words.map(([one]) => one).join(" "));
          const places = placeTexts(parts, text);
          for (const [index, part] of parts.entries())
            for (let at = 0; at < part.length; at++)
              if (part.charAt(at) !== " ")
                expect(text.charAt(places[index]?.[at] ?? -1)).to.equal(part.charAt(at));
        },
      ),
      { seed: 5 },
    );
  });

  it("passes over what is only in the text, and leaves out what is only in the document", () => {
    const text = `First.\n\nA formula.\n\nSecond one.\n\n${LONG}`;
    const places = placeTexts(["First.", "Not in the text", "Second one.", LONG], text);
    expect(places.map((offsets) => offsets?.[0])).to.deep.equal([
      0,
      undefined,
      text.indexOf("Second"),
      text.indexOf(LONG),
    ]);
  });

  it("finds a long part in another order, and no short one that may stand anywhere", () => {
    const text = `${LONG}\n\n${"Filler words. ".repeat(60)}\n\n7`;
    const places = placeTexts(["Filler words.", LONG, "7"], text);
    expect(places.map((offsets) => offsets?.[0])).to.deep.equal([text.indexOf("Filler"), 0, undefined]);
  });
});
