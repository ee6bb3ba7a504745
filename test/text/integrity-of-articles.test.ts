import { join } from "node:path";
import { expect } from "chai";
import { readSampleCorpus } from "../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { integrityFlags } from "../../src/text/integrity.ts";

const CACHE_DIR = join(import.meta.dirname, "..", "..", ".data", "sample-corpus");

/** In 1,000 encyclopedia articles, with their formulas, initials, phonetic signs and foreign names. */
const FALSE_FLAGS_MAX = 5;

describe("integrity flags of articles", () => {
  it("are very rare, because nobody disguises an article", async function () {
    const corpus = await readSampleCorpus({ cacheDir: CACHE_DIR, say: () => undefined, pipCommands: [] });
    if (!corpus.available) {
      console.log(`      skipped: no sample corpus here; npm start fetches it`);
      return this.skip();
    }
    this.timeout(120_000);
    const flags = corpus.articles.flatMap(({ title, text }) =>
      integrityFlags(text).map(({ kind, start, end }) => `${kind} in ${title}: ${text.slice(start, end)}`),
    );
    expect(flags.length, flags.join("\n")).to.be.at.most(FALSE_FLAGS_MAX);
    expect(flags.filter((flag) => flag.startsWith("spaced_letters"))).to.deep.equal([]);
  });
});
