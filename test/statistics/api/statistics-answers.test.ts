import { expect } from "chai";
import type { Answer } from "../../../src/statistics/api/answer.ts";
import { StatisticsAnswers } from "../../../src/statistics/api/statistics-answers.ts";
import { useStatistics } from "../loaded-statistics.ts";
import { refusal } from "../written-file.ts";

describe("StatisticsAnswers", () => {
  const statistics = useStatistics();
  const answers = () => new StatisticsAnswers(statistics.database, statistics.store);

  function answerOf(text: string): Answer {
    return {
      body: Buffer.from(text),
      type: "text/plain",
      etag: '"1"',
      lastModified: undefined,
      packs: new Map(),
      link: "",
    };
  }

  it("builds an answer once, also when it is requested several times at once", async () => {
    const kept = answers();
    let builds = 0;
    const request = (asked: Readonly<Record<string, unknown>>) =>
      kept.get("countries", asked, async () => answerOf(`built ${++builds}`));
    const [first, second] = await Promise.all([request({ below: true }), request({ below: true })]);
    const texts = [first, second, await request({ below: true }), await request({ below: false })];
    expect(texts.map(({ body }) => body.toString())).to.deep.equal([
      "built 1",
      "built 1",
      "built 1",
      "built 2",
    ]);
  });

  it("does not keep a failure", async () => {
    const kept = answers();
    expect(await refusal(kept.get("news", {}, () => Promise.reject(new Error("down"))))).to.equal("down");
    expect((await kept.get("news", {}, async () => answerOf("up"))).body.toString()).to.equal("up");
  });

  it("answers from one state of the data when a load ends between two reads", async () => {
    const kept = answers();
    const revisions: number[] = [];
    const request = (asked: Readonly<Record<string, unknown>>) =>
      kept.get("cases", asked, async ({ dataset, snapshot, store }) => {
        revisions.push(dataset.revision, await store.revision(snapshot));
        return answerOf(String(dataset.revision));
      });
    await request({ type: "book" });
    await statistics.load({ cases: await statistics.write("C.json", CASES) });
    await request({ type: "article" });
    expect(revisions).to.deep.equal([0, 0, 1, 1]);
  });

  it("gives the answer that is being built when it is told to forget", async () => {
    const kept = answers();
    const building = kept.get("news", {}, async () => {
      kept.forget();
      return answerOf("whole");
    });
    expect((await building).body.toString()).to.equal("whole");
  });
});

const CASES = JSON.stringify({
  parse: { title: "A list", revid: 1, wikitext: "* '''A case''': a book.<ref>A newspaper</ref>" },
});
