import { expect } from "chai";
import { fetchCases } from "../../../src/statistics/sources/cases/fetch-cases.ts";
import { listPages } from "../../../src/statistics/sources/cases/list-page.ts";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { type Question, type SourceReply, withSource } from "../../support/servers/source-server.ts";
import { useFetchContext } from "../use-fetch-context.ts";
import { refusal } from "../written-file.ts";

const FIRST = "List of scientific misconduct incidents";
const SECOND = "List of plagiarism incidents";

/** A wiki with two pages, the second of which is reached by a redirect. */
function wiki(revisionOf: Readonly<Record<string, number>>) {
  return ({ parameters }: Question): SourceReply => {
    const titleOf = (title: string) => (title === "plagiarists" ? SECOND : title);
    if (parameters.get("action") === "parse") {
      const title = titleOf(parameters.get("page") ?? "");
      const wikitext = `* '''A case''' of ${title}.<ref>Source</ref>`;
      return { body: { parse: { title, pageid: 1, revid: revisionOf[title], wikitext } } };
    }
    const titles = (parameters.get("titles") ?? "").split("|");
    return {
      body: {
        query: {
          normalized: [{ fromencoded: false, from: "plagiarists", to: "Plagiarists" }],
          redirects: [{ from: "Plagiarists", to: SECOND }],
          pages: titles.map(titleOf).map((title) => {
            const revid = revisionOf[title];
            return revid === undefined ? { title, missing: true } : { title, revisions: [{ revid }] };
          }),
        },
      },
    };
  };
}

describe("fetching list pages from Wikipedia", () => {
  const contexts = useFetchContext();
  const settings = { wikipediaCasePages: [FIRST, "plagiarists"] };

  it("fetches each page, through redirects, in the order of the setting", async () => {
    await withSource(wiki({ [FIRST]: 11, [SECOND]: 22 }), async (server) => {
      const { file, notes, origin } = await fetchCases(contexts.on(server, { settings }));
      const pages = await listPages(await inspectFile(file), () => undefined);
      expect(pages.map(({ title, revisionId }) => [title, revisionId])).to.deep.equal([
        [FIRST, 11],
        [SECOND, 22],
      ]);
      expect(pages.map((page) => page.wiki)).to.deep.equal(Array(2).fill(`${server.base}/w/index.php`));
      expect(origin?.url).to.equal(`${server.base}/`);
      expect(notes).to.deep.equal([`${FIRST}, revision 11`, `${SECOND}, revision 22`]);
      expect(server.questions.map(({ parameters }) => parameters.get("action"))).to.deep.equal([
        "query",
        "parse",
        "parse",
      ]);
      expect(Object.fromEntries(server.questions[1]?.parameters ?? [])).to.include({
        prop: "wikitext|revid",
        formatversion: "2",
        maxlag: "5",
      });
    });
  });

  it("fetches only what has a new revision", async () => {
    const revisionOf = { [FIRST]: 11, [SECOND]: 22 };
    await withSource(wiki(revisionOf), async (server) => {
      await fetchCases(contexts.on(server, { settings }));
      revisionOf[SECOND] = 23;
      const { file } = await fetchCases(contexts.on(server, { settings }));
      expect(server.questions.slice(3).map(({ parameters }) => parameters.get("page"))).to.deep.equal([
        null,
        "plagiarists",
      ]);
      const pages = await listPages(await inspectFile(file), () => undefined);
      expect(pages.map(({ revisionId }) => revisionId)).to.deep.equal([11, 23]);
    });
  });

  it("asks again when the servers of Wikipedia lag behind, which they say with status 200", async () => {
    const lag = {
      headers: { "retry-after": "1" },
      body: { error: { code: "maxlag", info: "Waiting for 10.0.0.1: 7.2 seconds lagged." } },
    };
    const answer = wiki({ [FIRST]: 11, [SECOND]: 22 });
    const reply = (question: Question, index: number) => (index === 0 ? lag : answer(question));
    await withSource(reply, async (server) => {
      const { notes } = await fetchCases(contexts.on(server, { settings }));
      expect(notes).to.deep.equal([`${FIRST}, revision 11`, `${SECOND}, revision 22`]);
      const [first, second] = server.questions.map(({ at }) => at);
      expect((second ?? 0) - (first ?? 0)).to.be.at.least(990);
    });
  });

  it("names a page that does not exist, and what Wikipedia refuses", async () => {
    await withSource(wiki({ [FIRST]: 11 }), async (server) => {
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
