import { expect } from "chai";
import fc from "fast-check";
import { SHINGLE_WORDS } from "../../src/text/fingerprint-form.ts";
import { boundaryShingles, placedShingles, sampledShingles } from "../../src/text/sampled-shingles.ts";
import { anyForm, anyWord } from "./any-form.ts";

describe("sampled shingles", () => {
  it("are the beginnings of five words in a row, each once, the first among them", () => {
    fc.assert(
      fc.property(anyForm, (form) => {
        const terms = sampledShingles(form);
        expect(new Set(terms).size).to.equal(terms.length);
        const words = form.split(" ");
        const letters = (word: string, at: number) => [...word].slice(0, at < 3 ? 3 : 2).join("");
        const shingleAt = (at: number) =>
          words
            .slice(at, at + SHINGLE_WORDS)
            .map(letters)
            .join("");
        expect(terms[0]).to.equal(shingleAt(0));
        const shingles = words.map((_, at) => shingleAt(at));
        for (const term of terms) expect(shingles).to.include(term);
      }),
      { seed: 15 },
    );
  });

  it("do not exist for an empty form", () => {
    expect(sampledShingles("")).to.deep.equal([]);
  });

  it("are the same wherever a passage is, except for a first one", () => {
    fc.assert(
      fc.property(anyForm, anyForm, (before, passage) => {
        const inside = new Set(sampledShingles(`${before} ${passage}`));
        for (const term of sampledShingles(passage).slice(1)) expect(inside).to.include(term);
      }),
      { seed: 16 },
    );
  });

  it("are about a fifth of the shingles of prose, so evenly spread that hardly any long sentence has none", () => {
    const words = Array.from({ length: 20_000 }, (_, at) => ((at * 7919 + at * at) % 30_011).toString(36));
    const places = placedShingles(words).map(({ firstWord }) => firstWord);
    expect(places.length / words.length).to.be.within(0.18, 0.22);
    const withoutAny = (run: number) => {
      const kept = new Set(places);
      const starts = Array.from({ length: words.length - run }, (_, at) => at);
      const none = starts.filter((start) =>
        Array.from({ length: run - SHINGLE_WORDS + 1 }, (_, at) => start + at).every((at) => !kept.has(at)),
      );
      return none.length / starts.length;
    };
    expect(withoutAny(15)).to.be.below(0.025);
    expect(withoutAny(20)).to.be.below(0.003);
  });
});

describe("placed and border shingles", () => {
  const forms = fc.array(fc.array(anyWord, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 6 });

  it("name the place of every sampled shingle of a text, and no other", () => {
    fc.assert(
      fc.property(fc.array(anyWord, { minLength: 5, maxLength: 100 }), (words) => {
        const placed = placedShingles(words);
        for (const { firstWord, shingle } of placed) {
          expect(sampledShingles(words.slice(firstWord, firstWord + SHINGLE_WORDS).join(" "))).to.include(
            shingle,
          );
        }
        const first = sampledShingles(words.join(" ")).slice(0, 1);
        expect(new Set([...first, ...placed.map(({ shingle }) => shingle)])).to.deep.equal(
          new Set(sampledShingles(words.join(" "))),
        );
      }),
      { seed: 17 },
    );
  });

  it("make up all shingles of a text together with the terms of its chunks, wherever it is cut", () => {
    fc.assert(
      fc.property(forms, (chunks) => {
        const joined = chunks.map((words) => words.join(" "));
        const known = new Set([...joined.flatMap(sampledShingles), ...boundaryShingles(joined)]);
        const placed = placedShingles(chunks.flat()).map(({ shingle }) => shingle);
        for (const shingle of placed) expect(known).to.include(shingle);
        for (const shingle of boundaryShingles(joined)) expect(placed).to.include(shingle);
      }),
      { seed: 18 },
    );
  });
});
