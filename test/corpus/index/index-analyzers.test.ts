import { readFile } from "node:fs/promises";
import { Client } from "@opensearch-project/opensearch";
import { expect } from "chai";
import fc from "fast-check";
import { chunkText } from "../../../src/text/chunk.ts";
import { fingerprintForm, PADDING_WORD } from "../../../src/text/fingerprint-form.ts";
import { sampledShingles } from "../../../src/text/sampled-shingles.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import { wordTerms } from "../../../src/text/word-terms.ts";
import { testStores } from "../../support/stores.ts";
import { anyForm } from "../../text/any-form.ts";
import { PIECES, SAMPLES } from "../../text/sample-texts.ts";

const analysisFile = new URL("../../../index-templates/chunk-analysis.json", import.meta.url);

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
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(anyForm, async (form) => {
        expect(await analysed(form)).to.deep.equal(twins(form));
      }),
      { seed: 17, numRuns: 200 },
    );
  });

  it("make the same terms of the words of random texts", async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }), async (pieces) => {
        const form = fingerprintForm(tokenise(pieces.join(""), "en").words);
        expect(await analysed(form)).to.deep.equal(twins(form));
      }),
      { seed: 18, numRuns: 100 },
    );
  });

  it("make the same terms of every chunk of real prose, in every language", async function () {
    this.timeout(120_000);
    for (const { text, language } of [...SAMPLES, await licence()]) {
      const tokens = tokenise(text, language);
      for (const { firstWord, endWord } of chunkText(text, tokens, language)) {
        const form = fingerprintForm(tokens.words.slice(firstWord, endWord));
        expect(await analysed(form), language).to.deep.equal(twins(form));
      }
    }
  });

  it("count each indexed document's first shingle from its own start", async function () {
    this.timeout(120_000);
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
  const file = new URL("../../../LICENSE", import.meta.url);
  return { text: await readFile(file, "utf8"), language: "en" };
}
