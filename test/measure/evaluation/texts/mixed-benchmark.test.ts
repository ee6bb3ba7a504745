import { existsSync } from "node:fs";
import { expect } from "chai";
import { mixedBenchmark } from "../../../../measure/evaluation/texts/mixed-benchmark.ts";
import { type PanCorpus, readQuery, readSource } from "../../../../measure/evaluation/texts/pan-corpus.ts";
import { MIXED_REUSE_SCRIPT } from "../../../../measure/evaluation/texts/places.ts";
import { sampleArticles } from "../../../support/sample-articles.ts";

/** Python makes each part in a second or two. */
const MAKE_TIMEOUT_MS = 120_000;

const OPTIONS = { script: MIXED_REUSE_SCRIPT, pairs: 40, say: () => undefined };

describe("the mixed benchmark", function () {
  this.timeout(MAKE_TIMEOUT_MS);
  let tune: PanCorpus;
  let check: PanCorpus;

  before(async function () {
    if (!existsSync(MIXED_REUSE_SCRIPT)) {
      if (process.env.REQUIRE_SHARED_DATA === "1")
        throw new Error(`the program that makes it is missing: ${MIXED_REUSE_SCRIPT}`);
      console.log("      skipped: the program that makes it is not here");
      this.skip();
    }
    await sampleArticles(this);
    const parts = [await mixedBenchmark("tune", OPTIONS), await mixedBenchmark("check", OPTIONS)];
    const [one, other] = parts.map((part) => (part.available ? part.corpus : undefined));
    if (one === undefined || other === undefined) this.skip();
    tune = one;
    check = other;
  });

  it("has the requested number of pairs, with passages of every class", () => {
    for (const { pairs } of [tune, check]) {
      expect(pairs.length).to.be.within(40, 42);
      expect(new Set(pairs.map(({ className }) => className)).size).to.be.greaterThan(4);
      for (const { className, cases } of pairs) expect(cases.length > 0).to.equal(className !== "01-none");
    }
  });

  it("gives offsets in code points: a verbatim passage has the same text on both sides", async () => {
    let verbatim = 0;
    for (const { queryName, sourceName, cases } of tune.pairs) {
      const query = [...(await readQuery(tune.folder, queryName))];
      const source = [...(await readSource(tune.folder, sourceName))];
      for (const one of cases.filter(({ kind }) => kind === "verbatim")) {
        const planted = query.slice(one.query.start, one.query.end).join("");
        expect(planted).to.equal(source.slice(one.source.start, one.source.end).join("").trim());
        verbatim += 1;
      }
    }
    expect(verbatim).to.be.greaterThan(0);
  });

  it("has no text in both parts", () => {
    const sources = new Set(tune.pairs.map(({ sourceName }) => sourceName));
    expect(check.pairs.filter(({ sourceName }) => sources.has(sourceName))).to.deep.equal([]);
  });

  it("gives the reason when the program is missing", async () => {
    const missing = await mixedBenchmark("tune", { ...OPTIONS, script: "/no/such/program.py" });
    expect(missing).to.deep.equal({ available: false, reason: "/no/such/program.py does not exist" });
  });
});
