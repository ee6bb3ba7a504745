import { expect } from "chai";
import { placeNotes } from "../../../src/extract/word/notes-in-place.ts";

describe("notes in their places", () => {
  it("look for the end of a paragraph once, however many references it has", () => {
    const numbers = Array.from({ length: 1_000 }, (_, at) => String(at));
    const body = `${numbers.map((number) => `[${number}]`).join("")}.;after;`;
    let looks = 0;
    const placed = placeNotes(body, new Map(numbers.map((number) => [number, `(${number})`])), {
      reference: /\[(\d+)\]/g,
      keyOf: ([, key = ""]) => key,
      paragraphEnd: (text, from) => {
        looks++;
        return text.indexOf(";", from) + 1;
      },
    });
    expect(placed).to.equal(body.replace(";", `;${numbers.map((number) => `(${number})`).join("")}`));
    expect(looks).to.equal(1);
  });
});
