import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { CheckStats } from "../../src/checks/api/schema.ts";
import { readSampleCorpus } from "../../src/corpus/sample-corpus/read-sample-corpus.ts";
import type { SampleArticle } from "../../src/corpus/sample-corpus/select-articles.ts";
import { joinSpans, spansLength, subtractSpans } from "../../src/text/span.ts";
import { EngineClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Text of our own, on subjects that the encyclopedia has articles about. */
const NEW_TEXT = [
  "When my grandmother moved out of the farmhouse, she left a tin of letters in the attic, tied with green garden twine. None of us had known that she kept them, and it took me two winters to read them all.",
  "The second letter is the one that I come back to most. It was written on the back of a seed catalogue, in pencil, and it says nothing of the flood that had carried off the bridge three days before, only that the beans were up.",
  "I have asked the neighbours what they remember of that spring. Opinions differ on the height of the water, on the colour of the boat, and on who was in it; they agree that my grandfather sang.",
  "What the letters leave out is as plain as what they tell. There is no word of the sale of the lower field, though the deed lies in the same tin, folded into a strip no wider than a finger.",
];

describe("a first report on the sample corpus", () => {
  let folder: string;
  let engine: TestService;
  let client: EngineClient;
  let articles: readonly SampleArticle[];

  before(async function () {
    this.timeout(600_000);
    folder = await mkdtemp(join(tmpdir(), "similarity-sample-"));
    const read = await readSampleCorpus({
      cacheDir: process.env.SAMPLE_CORPUS_CACHE ?? folder,
      say: () => {},
    });
    if (!read.available) {
      if (process.env.CI === "true") throw new Error(`the sample corpus is needed here: ${read.reason}`);
      console.log(`    skipped: the sample corpus can't be had (${read.reason})`);
      this.skip();
    }
    articles = read.articles;
    engine = await startTestService();
    client = new EngineClient(engine.base);
    await engine.service.sampleCorpus.load(articles, () => {});
  });

  after(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("finds three paragraphs copied from three articles between new text: 98% of them, and 2% of the new at most", async () => {
    const copied = [100, 400, 700].map((position) => {
      const article = articles[position];
      const paragraph = article?.text.split("\n\n").find((one) => one.length > 400 && one.length < 2_000);
      if (article === undefined || paragraph === undefined)
        throw new Error(`no fit paragraph in article ${position}`);
      return { title: article.title, paragraph };
    });
    const parts = NEW_TEXT.flatMap((text, position) => [text, copied[position]?.paragraph ?? ""]).filter(
      Boolean,
    );
    const query = parts.join("\n\n");

    const report = await client.checked(query);

    expect(report.sources.map((source) => source.title)).to.include.members(copied.map(({ title }) => title));
    const planted = copied.map(({ paragraph }) => {
      const start = [...query.slice(0, query.indexOf(paragraph))].length;
      return { start, end: start + [...paragraph].length };
    });
    const marked = report.unique_passages.map(([start = 0, end = 0]) => ({ start, end }));
    const plantedChars = spansLength(planted);
    const missed = planted.flatMap((span) => subtractSpans(span, joinSpans(marked)));
    const wrong = marked.flatMap((span) => subtractSpans(span, planted));
    expect(1 - spansLength(missed) / plantedChars).to.be.at.least(0.98);
    expect(spansLength(wrong) / (report.char_count - plantedChars)).to.be.at.most(0.02);
    expect(report.corpus_sources).to.equal(articles.length);
  });

  it("gives an article checked against the corpus 100.00, in one passage of itself", async () => {
    const article = articles[123];
    if (article === undefined) throw new Error("the sample has fewer articles than it should");
    const report = await client.checked(article.text);
    expect(report.overall_similarity_pct).to.equal(100);
    const own = report.sources.find((source) => source.title === article.title);
    expect(own?.similarity_pct).to.equal(100);
    expect(own?.passages).to.have.lengthOf(1);
  });

  it("is not loaded a second time", async () => {
    expect(await engine.service.sampleCorpus.isLoaded()).to.equal(true);
    const stats = CheckStats.parse(await (await client.request("/v1/checks/stats")).json());
    expect(stats.total_sources).to.equal(articles.length);
  });
});
