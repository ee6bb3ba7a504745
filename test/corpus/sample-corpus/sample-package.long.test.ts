import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect } from "chai";
import { readSampleCorpus } from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import sampleTitles from "./sample-titles.json" with { type: "json" };

/** Needs pip and 36 MB from the network, so it runs only where it is asked for. */
const asked = process.env.SAMPLE_CORPUS_TEST === "1" || process.env.CI === "true";

/** What clean prose never holds: markup, tags, entities, addresses, invisible and control characters. */
const LEFTOVERS =
  /\[\[|\]\]|\{\{|\}\}|\{\||\||''|==|<\/?[a-z]+[^<>]*>|&#?\w{2,8};|https?:|\b(?:Image|File|Category):|__[A-Z]+__|[\p{Cc}\ufffc\ufffd\u00a0\u00ad\u200b]| {2}/u;

describe("the sample corpus from the real package", () => {
  it("is the 1,000 listed articles, clean, with the event loop free meanwhile", async function () {
    if (!asked) {
      console.log("      skipped: set SAMPLE_CORPUS_TEST=1 to download the package (36 MB)");
      return this.skip();
    }
    this.timeout(600_000);
    const cacheDir = await mkdtemp(join(tmpdir(), "sample-corpus-test-"));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    try {
      delay.enable();
      const corpus = await readSampleCorpus({
        cacheDir,
        say: (line) => console.log(`      ${line}`),
      });
      const again = await readSampleCorpus({ cacheDir, say: () => undefined, pipCommands: [] });
      delay.disable();
      if (!corpus.available || !again.available)
        throw new Error(corpus.available ? "no cache" : corpus.reason);
      const revision = (url: string) => Number(url.split("oldid=")[1]);
      expect(
        corpus.articles.map(({ title, sourceUrl }) => ({ title, revision: revision(sourceUrl) })),
      ).to.deep.equal(sampleTitles.articles);
      for (const { title, text } of corpus.articles) {
        expect(text.length, title).to.be.at.least(1000);
        for (const paragraph of text.split("\n\n")) {
          expect(paragraph, title).to.match(/^\S.*\S$/);
          expect(paragraph, title).not.to.match(LEFTOVERS);
        }
      }
      expect(again.origin).to.equal("cache");
      expect(again.articles).to.deep.equal(corpus.articles);
      expect(await readdir(cacheDir)).to.deep.equal(["sample-corpus.jsonl.gz"]);
      // On a busy machine a thread that only waits is woken late now and then, so the worst of 1,000 samples says
      // little by itself; parsing in this thread would show as one delay of 2 s.
      const [usualMs, worstMs] = [delay.percentile(99) / 1e6, delay.max / 1e6];
      console.log(
        `      event loop delay: 99% below ${usualMs.toFixed(0)} ms, worst ${worstMs.toFixed(0)} ms`,
      );
      expect(usualMs).to.be.below(50);
      expect(worstMs).to.be.below(500);
    } finally {
      await rm(cacheDir, { recursive: true, force: true });
    }
  });
});
