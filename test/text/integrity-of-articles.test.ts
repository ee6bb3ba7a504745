import { expect } from "chai";
import { integrityFlags } from "../../src/text/integrity.ts";
import { sampleArticles } from "../support/sample-articles.ts";

/** In 1,000 encyclopedia articles, with their formulas, initials, phonetic signs and foreign names. */
const FALSE_FLAGS_MAX = 5;

describe("integrity flags of articles", () => {
  it("are very rare, because nobody disguises an article", async function () {
    const articles = await sampleArticles(this);
    const flags = articles.flatMap(({ title, text }) =>
      integrityFlags(text).map(({ kind, start, end }) => `${kind} in ${title}: ${text.slice(start, end)}`),
    );
    expect(flags.length, flags.join("\n")).to.be.at.most(FALSE_FLAGS_MAX);
    expect(flags.filter((flag) => flag.startsWith("spaced_letters"))).to.deep.equal([]);
  });
});
