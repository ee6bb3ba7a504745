import { readFile } from "node:fs/promises";
import { Client } from "@opensearch-project/opensearch";
import { expect } from "chai";
import fc from "fast-check";
import { chunkText } from "../../src/text/chunk.ts";
import { fingerprintForm, PADDING_WORD, SHINGLE_WORDS } from "../../src/text/fingerprint-form.ts";
import { boundaryShingles, placedShingles, sampledShingles } from "../../src/text/sampled-shingles.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { wordTerms } from "../../src/text/word-terms.ts";
import { testStores } from "../support/stores.ts";
import { PIECES, SAMPLES } from "./sample-texts.ts";

const analysisFile = new URL("../../index-templates/chunk-analysis.json", import.meta.url);

/** Words of any letters and lengths: often few and alike, so that shingles repeat. */
const word = fc.oneof(
  fc.constantFrom("the", "of", "a", "_"),
  fc.stringMatching(/^[\p{L}\p{M}\p{Nd}\p{Nl}]{1,8}$/u),
  fc.stringMatching(/^[a-z]{60,70}$/),
  fc.constantFrom("𠮷".repeat(40), "𝔘𐐷", "한국어", "नमस्ते"),
);
const anyForm = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 6 }).map(fingerprintForm),
  fc.array(word, { minLength: 5, maxLength: 250 }).map(fingerprintForm),
);

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
  const forms = fc.array(fc.array(word, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 6 });

  it("name the place of every sampled shingle of a text, and no other", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 5, maxLength: 100 }), (words) => {
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

describe("the index analyzers and their twins", () => {
  const index = `analyzer-twin-${process.pid}-${Date.now()}`;
  let client: Client;

  before(async function () {
    this.timeout(240_000);
    const { opensearchNodes } = await testStores();
    client = new Client({ nodes: [...opensearchNodes] });
    const settings = JSON.parse(await readFile(analysisFile, "utf8"));
    await client.indices.create({ index, body: { settings } });
  });

  after(async () => {
    await client?.indices.delete({ index });
    await client?.close();
  });

  async function analysed(form: string): Promise<{ shingles: Set<string>; words: Set<string> }> {
    const [shingles, words] = await Promise.all(
      ["chunk_fingerprint", "chunk_words"].map(async (analyzer) => {
        const { body } = await client.indices.analyze({ index, body: { analyzer, text: form } });
        return new Set(body.tokens?.map(({ token }) => token));
      }),
    );
    words?.delete(PADDING_WORD);
    return { shingles: shingles ?? new Set(), words: words ?? new Set() };
  }

  const twins = (form: string) => ({
    shingles: new Set(sampledShingles(form)),
    words: new Set(wordTerms(form)),
  });

  it("make the same terms of forms of random words", async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(anyForm, async (form) => {
        expect(await analysed(form)).to.deep.equal(twins(form));
      }),
      { seed: 17, numRuns: 200 },
    );
  });

  it("make the same terms of the words of random texts", async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }), async (pieces) => {
        const form = fingerprintForm(tokenise(pieces.join(""), "en").words);
        expect(await analysed(form)).to.deep.equal(twins(form));
      }),
      { seed: 18, numRuns: 100 },
    );
  });

  it("make the same terms of every chunk of real prose, in every language", async function () {
    this.timeout(60_000);
    for (const { text, language } of [...SAMPLES, await licence()]) {
      const tokens = tokenise(text, language);
      for (const { firstWord, endWord } of chunkText(text, tokens, language)) {
        const form = fingerprintForm(tokens.words.slice(firstWord, endWord));
        expect(await analysed(form), language).to.deep.equal(twins(form));
      }
    }
  });

  it("count each indexed document's first shingle from its own start", async function () {
    this.timeout(60_000);
    const forms = ["aa _ _ _ _", "bb cc _ _ _", "cc dd ee ff gg hh ii jj kk"];
    await client.indices.putMapping({
      index,
      body: { properties: { fingerprint: { type: "text", analyzer: "chunk_fingerprint" } } },
    });
    for (const [id, fingerprint] of forms.entries()) {
      await client.index({ index, id: String(id), body: { fingerprint }, refresh: true });
      const { body } = await client.termvectors({ index, id: String(id), fields: "fingerprint" });
      const terms = Object.keys(body.term_vectors?.fingerprint?.terms ?? {});
      expect(new Set(terms)).to.deep.equal(new Set(sampledShingles(fingerprint)));
    }
  });
});

/** Prose that is always there. */
async function licence(): Promise<{ text: string; language: string }> {
  const file = new URL("../../LICENSE", import.meta.url);
  return { text: await readFile(file, "utf8"), language: "en" };
}
