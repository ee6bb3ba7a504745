import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { fetchNews } from "../../../src/statistics/sources/news/fetch-news.ts";
import { newsMentions } from "../../../src/statistics/sources/news/news-mentions.ts";
import { type Question, type SourceReply, withSource } from "../../support/servers/source-server.ts";
import { NOON, useFetchContext } from "../use-fetch-context.ts";
import { refusal } from "../written-file.ts";

const DAY_MS = 86_400_000;
const TIMELINE = {
  timeline: [{ series: "Article Count", data: [{ date: "20261120T000000Z", value: 3, norm: 900 }] }],
};

function spanOf({ parameters }: Question): { readonly from: number; readonly to: number } {
  const read = (name: string) => {
    const [year, month, day, hour] = (parameters.get(name) ?? "").match(/^\d{4}|\d\d/g) ?? [];
    return Date.parse(`${year}-${month}-${day}T${hour}:00:00Z`);
  };
  return { from: read("startdatetime"), to: read("enddatetime") };
}

function article(ms: number, nth = 0) {
  const time = new Date(ms).toISOString();
  return {
    url: `https://news.example/${ms}/${nth}`,
    title: `Plagiarism ${nth}`,
    seendate: time.replaceAll(/\.\d+|[-:]/g, ""),
    domain: "news.example",
    language: "English",
    sourcecountry: "United States",
  };
}

/** Knows one article at every noon, and at most 250 an answer. */
function gdelt(question: Question): SourceReply {
  if (question.parameters.get("mode") !== "ArtList") return { body: TIMELINE };
  const { from, to } = spanOf(question);
  const articles = [];
  for (let noon = to - (to % DAY_MS) + DAY_MS / 2; noon >= from; noon -= DAY_MS) {
    if (noon < to) articles.push(article(noon));
  }
  return { body: articles.length === 0 ? {} : { articles } };
}

function askedSpans(questions: readonly Question[]) {
  return questions.filter(({ parameters }) => parameters.get("mode") === "ArtList").map(spanOf);
}

describe("fetching news from GDELT", () => {
  const contexts = useFetchContext();

  async function newsIn(file: string) {
    return newsMentions(await inspectFile(file), () => undefined);
  }

  it("asks for three months week by week, newest first, and for one timeline by day", async () => {
    await withSource(gdelt, async (server) => {
      const { file } = await fetchNews(contexts.on(server));
      const news = await newsIn(file);
      expect(news.articles).to.have.length(89);
      expect(news.timeline).to.deep.equal([{ at: "2026-11-20T00:00:00.000Z", mentions: 3, monitored: 900 }]);
      const spans = askedSpans(server.questions);
      expect(spans[0]?.to).to.equal(NOON.getTime());
      expect(spans.at(-1)?.from).to.equal(NOON.getTime() - 89 * DAY_MS);
      expect(spans.slice(1).map(({ to }) => to)).to.deep.equal(spans.slice(0, -1).map(({ from }) => from));
      expect(Object.fromEntries(server.questions[0]?.parameters ?? [])).to.include({
        maxrecords: "250",
        format: "json",
        enddatetime: "20261121120000",
      });
      const { parameters } = server.questions.at(-1) ?? expect.fail();
      expect(parameters.get("mode")).to.equal("TimelineVolRaw");
      expect(parameters.get("query")).to.match(/^\(plagiarism OR /);
    });
  });

  it("halves a span that has 250 articles, down to an hour", async () => {
    await withSource(
      (question) => {
        if (question.parameters.get("mode") !== "ArtList") return { body: TIMELINE };
        const { from, to } = spanOf(question);
        // A burst of news in one hour, of which no answer shows more than 250.
        const burst = NOON.getTime() - 30 * 3_600_000;
        if (burst < from || burst >= to) return { body: {} };
        return { body: { articles: Array.from({ length: 250 }, (_, nth) => article(burst, nth)) } };
      },
      async (server) => {
        const { file } = await fetchNews(contexts.on(server));
        expect((await newsIn(file)).articles).to.have.length(250);
        const shortest = Math.min(...askedSpans(server.questions).map(({ from, to }) => to - from));
        expect(shortest).to.equal(3_600_000);
        expect(server.questions.length).to.be.below(40);
      },
    );
  });

  it("asks only for what came since the last load, with two days of overlap", async () => {
    await withSource(gdelt, async (server) => {
      const first = await fetchNews(contexts.on(server));
      await first.loaded?.();
      const asked = server.questions.length;
      const now = new Date(NOON.getTime() + DAY_MS);
      const { file } = await fetchNews(contexts.on(server, { now }));
      expect(askedSpans(server.questions.slice(asked))).to.deep.equal([
        { from: NOON.getTime() - 2 * DAY_MS, to: now.getTime() },
      ]);
      expect((await newsIn(file)).articles).to.have.length(3);
    });
  });

  it("asks again for all when the query has changed, or the file was refused", async () => {
    await withSource(gdelt, async (server) => {
      const first = await fetchNews(contexts.on(server));
      await first.loaded?.();
      const asked = server.questions.length;
      const other = contexts.on(server, { settings: { gdeltQuery: "ghostwriting" } });
      await fetchNews(other);
      expect(server.questions).to.have.length(2 * asked);
      await other.folder.clear();
      await fetchNews(contexts.on(server));
      expect(server.questions).to.have.length(3 * asked);
    });
  });

  it("goes on where it was broken off, with the same spans", async () => {
    let left = 5;
    await withSource(
      (question) => (left-- > 0 ? gdelt(question) : { body: "Your query was too short or too long." }),
      async (server) => {
        expect(await refusal(fetchNews(contexts.on(server)))).to.match(
          /127\.0\.0\.1:\d+ answered: Your query was too short or too long\./,
        );
        expect(server.questions, "a refusal is not asked for again").to.have.length(6);
        left = 100;
        const now = new Date(NOON.getTime() + 3 * 3_600_000);
        const { file } = await fetchNews(contexts.on(server, { now }));
        expect((await newsIn(file)).articles).to.have.length(89);
        const spans = askedSpans(server.questions).map(({ from, to }) => `${from}-${to}`);
        expect(new Set(spans).size, "only the refused span is asked for twice").to.equal(spans.length - 1);
      },
    );
  });

  it("waits when GDELT says, with status 200 or 429, that requests come too fast", async () => {
    const sentence = "Please limit requests to one every 5 seconds or contact us for larger queries.";
    const html = { "content-type": "text/html; charset=utf-8" };
    const busy: readonly SourceReply[] = [
      { headers: html, body: sentence },
      { status: 429, headers: html, body: sentence },
    ];
    await withSource(
      (question, index) => busy[index] ?? gdelt(question),
      async (server) => {
        const { file } = await fetchNews(contexts.on(server));
        expect((await newsIn(file)).articles).to.have.length(89);
      },
    );
  });

  it("puts up with illegal characters, and asks again for an answer that is cut off", async () => {
    const odd =
      '{"articles":[{"url":"https://news.example/1","title":"Tab\there, \\Section and \u0001 more","seendate":"20261120T120000Z"}]}';
    await withSource(
      (question, index) => {
        if (question.parameters.get("mode") !== "ArtList") return { body: TIMELINE };
        if (index === 0) return { body: odd.slice(0, 50) };
        return index === 1 ? { body: odd } : { body: "" };
      },
      async (server) => {
        const { file } = await fetchNews(contexts.on(server));
        expect((await newsIn(file)).articles.map(({ title }) => title)).to.deep.equal([
          "Tab here, \\Section and more",
        ]);
        expect(() => JSON.parse(odd)).to.throw(SyntaxError);
        expect(JSON.parse(await readFile(file, "utf8"))).to.have.keys("articles", "timeline");
      },
    );
  });
});
