import { expect } from "chai";
import { IndexedForms, InvertedIndex } from "../../../src/batches/inverted-index.ts";
import { sampledShingles } from "../../../src/text/sampled-shingles.ts";
import { wordTerms } from "../../../src/text/word-terms.ts";
import { prose } from "../../support/work/prose.ts";

const everything = { end: Number.POSITIVE_INFINITY, isExcluded: () => false };

function indexOf(chunks: readonly string[]): InvertedIndex {
  const forms = new IndexedForms();
  for (const form of chunks) forms.add(form);
  const steps = InvertedIndex.of(forms);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

const best = (size: number, scoreMin = 0) => ({ size, scoreMin });

const weighted = (words: string, weight = 1) =>
  wordTerms(words).map((term, at) => ({ term, weight: weight + at }));

describe("an inverted index in memory", () => {
  it("gives back the forms under their numbers", () => {
    const forms = ["cats like longestpossiblewords", "", "one _ _ _ _"];
    const index = indexOf(forms);
    expect(index.chunks).to.equal(3);
    expect([0, 1, 2].map((chunk) => index.form(chunk))).to.deep.equal(forms);
  });

  it("finds chunks that share enough weight, those with the most first", () => {
    const forms = ["amber birch cedar", "amber", "birch cedar dunes", "amber birch", "none of them"];
    const index = indexOf(forms);
    expect(index.findByWords(weighted("amber birch cedar"), best(8, 2), everything)).to.deep.equal([
      { chunk: 0, score: 6 },
      { chunk: 2, score: 5 },
      { chunk: 3, score: 3 },
    ]);
    expect(index.findByWords(weighted("amber birch cedar"), best(2, 2), everything)).to.have.length(2);
  });

  it("puts the chunk with the lower number first among equal ones, also where only some are wanted", () => {
    const index = indexOf(Array.from({ length: 20 }, () => "amber birch"));
    const found = index.findByWords(weighted("birch amber"), best(3), everything);
    expect(found.map(({ chunk }) => chunk)).to.deep.equal([0, 1, 2]);
  });

  it("finds nothing from the end of the range on, and nothing that is excluded", () => {
    const index = indexOf(Array.from({ length: 6 }, () => "amber birch"));
    const searched = { end: 4, isExcluded: (chunk: number) => chunk === 1 };
    const found = index.findByWords(weighted("amber birch"), best(8), searched);
    expect(found.map(({ chunk }) => chunk)).to.deep.equal([0, 2, 3]);
  });

  it("knows words by their first letters", () => {
    const index = indexOf(["conversation _ _ _ _", "converse _ _ _ _"]);
    const counts = index.countWords(["conver", "absent"]);
    expect(counts.chunks).to.equal(2);
    expect([...counts.chunksWith]).to.deep.equal([
      ["conver", 2],
      ["absent", 0],
    ]);
  });

  it("starts each search anew", () => {
    const forms = ["amber birch", "birch cedar", "amber cedar", "birch"];
    const used = indexOf(forms);
    used.findByWords(weighted("amber cedar"), best(1, 3), { end: 3, isExcluded: (chunk) => chunk === 0 });
    used.findByShingles(sampledShingles("amber birch _ _ _"), 1, everything);
    const fresh = indexOf(forms);
    const search = (index: InvertedIndex) =>
      index.findByWords(weighted("amber birch cedar"), best(8), everything);
    expect(search(used)).to.deep.equal(search(fresh));
  });

  it("keeps a chunk whose weights in tenths add up to exactly the least", () => {
    const words = ["amber", "birch", "cedar", "dunes"];
    const index = indexOf([words.join(" ")]);
    const terms = [4.1, 3.7, 3.3, 2.4].map((weight, at) => ({ term: words[at] ?? "", weight }));
    expect(index.findByWords(terms, best(8, 13.5), everything)).to.have.length(1);
    expect(index.findByWords(terms, best(8, 13.6), everything)).to.have.length(0);
  });

  it("counts and finds what a comparison of every chunk with every other finds", () => {
    const forms = Array.from({ length: 300 }, (_, at) =>
      at % 5 === 0 ? `${prose(at, 40)} ${prose(7, 60)}` : prose(at, 100),
    );
    const index = indexOf(forms);
    const ofForms = forms.map((form) => ({
      words: new Set(wordTerms(form)),
      shingles: new Set(sampledShingles(form)),
    }));
    for (const query of [0, 33, 299]) {
      const shingles = sampledShingles(forms[query] ?? "");
      const words = [...new Set(wordTerms(forms[query] ?? ""))].slice(0, 10);
      for (const term of words)
        expect(index.countWords([term]).chunksWith.get(term)).to.equal(
          ofForms.filter((form) => form.words.has(term)).length,
        );
      for (const shingle of shingles)
        expect(index.countShingles([shingle]).chunksWith.get(shingle)).to.equal(
          ofForms.filter((form) => form.shingles.has(shingle)).length,
        );
      const expected = (terms: readonly string[], of: "words" | "shingles", least: number) =>
        ofForms
          .map((form, chunk) => ({ chunk, score: terms.filter((term) => form[of].has(term)).length }))
          .filter(({ score }) => score >= least)
          .toSorted((a, b) => b.score - a.score || a.chunk - b.chunk);
      expect(index.findByShingles(shingles, 300, everything)).to.deep.equal(
        expected(shingles, "shingles", 1),
      );
      const rarestFirst = words
        .map((term) => ({ term, weight: 9 - ofForms.filter((form) => form.words.has(term)).length / 50 }))
        .map(({ term, weight }) => ({ term, weight: Math.round(10 * weight) / 10 }))
        .toSorted((a, b) => b.weight - a.weight);
      const weights = ofForms.map((form) =>
        rarestFirst.reduce((sum, { term, weight }) => sum + (form.words.has(term) ? weight : 0), 0),
      );
      for (const scoreMin of [5, 20, 40]) {
        const heavy = index.findByWords(rarestFirst, best(300, scoreMin), everything);
        const expectedChunks = weights.flatMap((weight, chunk) => (weight >= scoreMin ? [chunk] : []));
        expect(heavy.map(({ chunk }) => chunk).toSorted((a, b) => a - b)).to.deep.equal(expectedChunks);
        expect(expectedChunks).not.to.have.length(0);
        for (const { chunk, score } of heavy) expect(score).to.be.closeTo(weights[chunk] ?? 0, 1e-6);
      }
      const even = words.map((term) => ({ term, weight: 1 }));
      expect(index.findByWords(even, best(300, 2), everything)).to.deep.equal(expected(words, "words", 2));
    }
  });
});
