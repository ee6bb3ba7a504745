import { expect } from "chai";
import { fetchCases } from "../../../src/statistics/sources/cases/fetch-cases.ts";
import { listPages } from "../../../src/statistics/sources/cases/list-page.ts";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { type Question, type SourceReply, withSource } from "../../support/servers/source-server.ts";
import { NOON, useFetchContext } from "../use-fetch-context.ts";
import { refusal } from "../written-file.ts";

const FIRST = "List of scientific misconduct incidents";
const SECOND = "List of plagiarism incidents";

const DAY_MS = 86_400_000;

/** A revision that was saved so many days before noon. */
const saved = (revid: number, daysAgo: number) => ({
  revid,
  parentid: revid - 1,
  timestamp: new Date(NOON.getTime() - daysAgo * DAY_MS).toISOString().replace(/\.\d+/, ""),
});

type Histories = Readonly<Record<string, readonly ReturnType<typeof saved>[]>>;

/** A wiki with the histories of two pages, newest revision first; the second is reached by a redirect. */
function wiki(histories: Histories) {
  return ({ parameters }: Question): SourceReply => {
    if (parameters.get("action") === "parse") {
      const revid = Number(parameters.get("oldid"));
      const title = Object.keys(histories).find((name) =>
        histories[name]?.some((one) => one.revid === revid),
      );
      const wikitext = `* '''A case''' of ${title}, ${revid}.<ref>Source</ref>`;
      return { body: { parse: { title, pageid: 1, revid, wikitext } } };
    }
    const asked = parameters.get("titles") ?? "";
    const title = asked === "plagiarists" ? SECOND : asked;
    const revisions = histories[title]?.slice(0, Number(parameters.get("rvlimit")));
    return {
      body: {
        query: {
          normalized: [{ fromencoded: false, from: "plagiarists", to: "Plagiarists" }],
          redirects: [{ from: "Plagiarists", to: SECOND }],
          pages: [revisions === undefined ? { title, missing: true } : { pageid: 1, title, revisions }],
        },
      },
    };
  };
}

describe("fetching list pages from Wikipedia", () => {
  const contexts = useFetchContext();
  const settings = { wikipediaCasePages: [FIRST, "plagiarists"] };

  const settled = { [FIRST]: [saved(11, 30)], [SECOND]: [saved(22, 40)] };

  it("fetches each page, through redirects, in the order of the setting", async () => {
    await withSource(wiki(settled), async (server) => {
      const { file, notes, origin } = await fetchCases(contexts.on(server, { settings }));
      const pages = await listPages(await inspectFile(file), () => undefined);
      expect(pages.map(({ title, revisionId, revisedAt }) => [title, revisionId, revisedAt])).to.deep.equal([
        [FIRST, 11, saved(11, 30).timestamp],
        [SECOND, 22, saved(22, 40).timestamp],
      ]);
      expect(pages.map(({ wiki: address }) => address)).to.deep.equal(
        Array.from({ length: 2 }, () => `${server.base}/w/index.php`),
      );
      expect(origin).to.include({ name: "Wikipedia", url: `${server.base}/` });
      expect(notes).to.deep.equal([`${FIRST}, revision 11`, `${SECOND}, revision 22`]);
      expect(server.questions.map(({ parameters }) => parameters.get("action"))).to.deep.equal([
        ...["query", "parse"],
        ...["query", "parse"],
      ]);
      expect(Object.fromEntries(server.questions[0]?.parameters ?? [])).to.include({
        rvprop: "ids|timestamp",
        titles: FIRST,
        redirects: "1",
      });
      expect(Object.fromEntries(server.questions[1]?.parameters ?? [])).to.include({
        prop: "wikitext|revid",
        formatversion: "2",
        maxlag: "5",
        oldid: "11",
      });
    });
  });

  it("takes the newest revision that has stood for a week, and the newest one to see what was removed", async () => {
    const histories = {
      // Vandalism of yesterday and its removal; 13 stood for eight days.
      [FIRST]: [saved(15, 0.9), saved(14, 1), saved(13, 9), saved(12, 10), saved(11, 60)],
      // 22 stood for weeks, long ago; since then the page changes every few days.
      [SECOND]: [saved(25, 2), saved(24, 6), saved(23, 11), saved(22, 40)],
    };
    await withSource(wiki(histories), async (server) => {
      const { file } = await fetchCases(contexts.on(server, { settings }));
      const pages = await listPages(await inspectFile(file), () => undefined);
      expect(pages.map(({ revisionId }) => revisionId)).to.deep.equal([13, 22]);
      expect(pages.map(({ newestWikitext }) => newestWikitext?.match(/, (\d+)\./)?.[1])).to.deep.equal([
        "15",
        "25",
      ]);
    });
  });

  it("fails when no revision has stood for a week, as on a new page", async () => {
    await withSource(wiki({ ...settled, [SECOND]: [saved(24, 2), saved(23, 6.9)] }), async (server) => {
      expect(await refusal(fetchCases(contexts.on(server, { settings })))).to.match(
        /no revision of “plagiarists” that has stood for 7 days/,
      );
    });
  });

  it("fetches only what has a new revision", async () => {
    const histories = { ...settled };
    await withSource(
      (question) => wiki(histories)(question),
      async (server) => {
        await fetchCases(contexts.on(server, { settings }));
        histories[SECOND] = [saved(23, 8), ...settled[SECOND]];
        const { file } = await fetchCases(contexts.on(server, { settings }));
        expect(server.questions.slice(4).map(({ parameters }) => parameters.get("oldid"))).to.deep.equal([
          null,
          null,
          "23",
        ]);
        const pages = await listPages(await inspectFile(file), () => undefined);
        expect(pages.map(({ revisionId }) => revisionId)).to.deep.equal([11, 23]);
      },
    );
  });

  it("asks again when the servers of Wikipedia lag behind, which they say with status 200", async () => {
    const lag = {
      headers: { "retry-after": "1" },
      body: { error: { code: "maxlag", info: "Waiting for 10.0.0.1: 7.2 seconds lagged." } },
    };
    const answer = wiki(settled);
    const reply = (question: Question, index: number) => (index === 0 ? lag : answer(question));
    await withSource(reply, async (server) => {
      const { notes } = await fetchCases(contexts.on(server, { settings }));
      expect(notes).to.deep.equal([`${FIRST}, revision 11`, `${SECOND}, revision 22`]);
      const [first, second] = server.questions.map(({ at }) => at);
      expect((second ?? 0) - (first ?? 0)).to.be.at.least(990);
    });
  });

  it("names a page that does not exist, and what Wikipedia refuses", async () => {
    await withSource(wiki({ [FIRST]: settled[FIRST] }), async (server) => {
      expect(await refusal(fetchCases(contexts.on(server, { settings })))).to.match(
        /has no page “plagiarists”; check wikipediaCasePages/,
      );
    });
    await withSource(
      () => ({ body: { error: { code: "readapidenied", info: "You need read permission." } } }),
      async (server) => {
        expect(await refusal(fetchCases(contexts.on(server)))).to.match(
          /readapidenied: You need read permission/,
        );
      },
    );
  });
});
