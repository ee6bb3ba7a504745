import { expect } from "chai";
import fc from "fast-check";
import { cutExcerpt, landmarksAround } from "../../../../src/core/report/comparison/excerpt.ts";

const TEXT = "Wir 👩‍👩‍👧‍👦 fahren 🚀 früh e\u0301 «ذَهَبَ الوَلَدُ» 𠮷野家 nach Rom 🏛️ und zurück";

describe("an excerpt of a text", () => {
  const offset = fc.nat({ max: TEXT.length + 5 });

  it("is the text between its offsets in code points, cut from any landmarks around it", () => {
    const characters = [...TEXT];
    const span = fc.tuple(fc.nat({ max: characters.length }), fc.nat({ max: characters.length }));
    fc.assert(
      fc.property(span, fc.uniqueArray(fc.nat({ max: characters.length })), (pair, places) => {
        const [start = 0, end = 0] = pair.toSorted((a, b) => a - b);
        const codePoints = [...new Set([0, ...places, characters.length])].toSorted((a, b) => a - b);
        const utf16 = codePoints.map((place) => characters.slice(0, place).join("").length);
        const { before, after } = landmarksAround({ utf16, codePoints }, "code_point", { start, end });
        const part = TEXT.slice(before.utf16, after.utf16);
        const excerpt = cutExcerpt(part, before, "code_point", { start, end });
        expect(excerpt).to.deep.equal({ start, end, text: characters.slice(start, end).join("") });
      }),
      { seed: 11 },
    );
  });

  it("never splits a character that takes two UTF-16 units, and excerpts that touch are the text of both", () => {
    fc.assert(
      fc.property(fc.array(offset, { minLength: 2, maxLength: 6 }), (offsets) => {
        const places = offsets.map((place) => Math.min(place, TEXT.length)).toSorted((a, b) => a - b);
        const before = { utf16: 0, codePoint: 0 };
        const excerpts = places
          .slice(1)
          .map((end, at) => cutExcerpt(TEXT, before, "utf16", { start: places[at] ?? 0, end }));
        for (const { text, start, end } of excerpts) {
          expect(text.isWellFormed(), text).to.equal(true);
          expect(text).to.equal(TEXT.slice(start, end));
        }
        const whole = cutExcerpt(TEXT, before, "utf16", { start: places[0] ?? 0, end: places.at(-1) ?? 0 });
        expect(excerpts.map(({ text }) => text).join("")).to.equal(whole.text);
      }),
      { seed: 12 },
    );
  });

  it("needs no more of the text than lies between the nearest landmarks", () => {
    const landmarks = { utf16: [0, 12, 24, 36, 48], codePoints: [0, 10, 20, 30, 40] };
    const around = (start: number, end: number) => landmarksAround(landmarks, "code_point", { start, end });
    expect(around(11, 19)).to.deep.equal({
      before: { utf16: 12, codePoint: 10 },
      after: { utf16: 24, codePoint: 20 },
    });
    expect(around(10, 20).before.codePoint).to.equal(10);
    expect(around(0, 40).after.codePoint).to.equal(40);
    expect(landmarksAround(landmarks, "utf16", { start: 13, end: 25 }).after.utf16).to.equal(36);
  });
});
