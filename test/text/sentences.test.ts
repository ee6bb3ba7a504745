import { expect } from "chai";
import fc from "fast-check";
import { sentences } from "../../src/text/chunk.ts";
import { PIECES } from "./sample-texts.ts";

describe("sentences", () => {
  it("end at the full stops of their language", () => {
    expect(texts("It rained. Was it late? (Yes.) And so on.", "en")).to.deep.equal([
      "It rained. ",
      "Was it late? ",
      "(Yes.) ",
      "And so on.",
    ]);
    expect(texts("今天下雨。我们在家！", "zh")).to.deep.equal(["今天下雨。", "我们在家！"]);
    expect(texts("यह घर है। वह आया।", "hi")).to.deep.equal(["यह घर है। ", "वह आया।"]);
  });

  it("continue after a line break and end at a blank line", () => {
    expect(texts("A line\nand\r\nmore\n \nNext\r\n\r\n\r\nLast", "en")).to.deep.equal([
      "A line\nand\r\nmore\n \n",
      "Next\r\n\r\n\r\n",
      "Last",
    ]);
  });

  it("cover any text without gaps, in any language", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PIECES, "\n\n", "! ")),
        fc.constantFrom("en", "ja", "xx"),
        (pieces, language) => {
          const text = pieces.join("");
          expect(texts(text, language).join("")).to.equal(text);
          for (const { start, end } of sentences(text, language)) expect(end).to.be.above(start);
        },
      ),
      { seed: 11 },
    );
  });

  it("may be as long as the text", () => {
    for (const unit of ["word ", "x", "a. 1 ", "\n"]) {
      const text = unit.repeat(500_000 / unit.length);
      expect(sentences(text, "en").at(-1)?.end, unit).to.equal(text.length);
    }
  });
});

function texts(text: string, language: string): string[] {
  return sentences(text, language).map(({ start, end }) => text.slice(start, end));
}
