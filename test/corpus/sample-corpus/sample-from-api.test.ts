import { expect } from "chai";
import { fetchRevisions } from "../../../src/corpus/sample-corpus/sample-from-api.ts";
import { type ApiReply, MAXLAG, revisionsReply, startWikipedia } from "./wikipedia-server.ts";

/** Asks once of a server that gives these replies in turn, the last one for ever. */
async function ask(replies: readonly ApiReply[], revisions: readonly number[] = [11, 12]) {
  const wikipedia = await startWikipedia((_, i) => replies[i] ?? replies.at(-1) ?? { body: {} });
  const access = {
    apiBase: wikipedia.apiBase,
    contact: "ops@example.org",
    pauseMs: 1,
    signal: new AbortController().signal,
  };
  try {
    const outcome = await fetchRevisions(access, revisions).catch((error: unknown) => String(error));
    return { outcome, questions: wikipedia.questions };
  } finally {
    await wikipedia.stop();
  }
}

const found = new Map([
  [11, "eleven"],
  [12, "twelve"],
]);

describe("fetching revisions from Wikipedia's API", () => {
  it("requests all of them at once, with maxlag and a user agent with a contact", async () => {
    const { outcome, questions } = await ask([revisionsReply(found)]);
    expect(outcome).to.deep.equal(found);
    expect(questions).to.have.length(1);
    expect(Object.fromEntries(questions[0]?.parameters ?? [])).to.deep.equal({
      action: "query",
      prop: "revisions",
      revids: "11|12",
      rvprop: "ids|content",
      rvslots: "main",
      format: "json",
      formatversion: "2",
      maxlag: "5",
    });
    expect(questions[0]?.headers["user-agent"]).to.match(/^similarity-check\/\S+ \(.*ops@example\.org\)$/);
  });

  it("joins an answer that comes in parts", async () => {
    const parts = [
      revisionsReply(new Map([[11, "eleven"]]), [], "12"),
      revisionsReply(new Map([[12, "twelve"]])),
    ];
    const { outcome, questions } = await ask(parts);
    expect(outcome).to.deep.equal(found);
    expect(questions[1]?.parameters.get("rvcontinue")).to.equal("12");
    expect(questions[1]?.parameters.get("revids")).to.equal("11|12");
  });

  it("returns the others when revisions are deleted or hidden", async () => {
    const hidden = { revid: 13, slots: { main: { texthidden: true } } };
    const { outcome } = await ask([
      {
        body: {
          batchcomplete: true,
          query: { badrevids: { 12: { revid: 12, missing: true } }, pages: [{ revisions: [hidden] }] },
        },
      },
    ]);
    expect(outcome).to.deep.equal(new Map());
    expect((await ask([revisionsReply(new Map([[11, "eleven"]]), [12])])).outcome).to.deep.equal(
      new Map([[11, "eleven"]]),
    );
  });

  it("waits as long as Retry-After says, at maxlag and at status 429", async () => {
    const busy = { status: 429, headers: { "retry-after": "1" }, body: "Too many requests" };
    const { outcome, questions } = await ask([MAXLAG, busy, revisionsReply(found)]);
    expect(outcome).to.deep.equal(found);
    const [first, second, third] = questions.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).to.be.at.least(990);
    expect((third ?? 0) - (second ?? 0)).to.be.at.least(990);
  });

  it("does not wait for minutes, but reports the requested wait", async () => {
    const { outcome } = await ask([{ status: 503, headers: { "retry-after": "3600" }, body: "" }]);
    expect(outcome).to.match(/status 503; it asks for a wait of 3600 s/);
  });

  it("gives up after six tries and says why", async () => {
    const { outcome, questions } = await ask([{ ...MAXLAG, headers: { "retry-after": "0" } }]);
    expect(outcome).to.match(/maxlag: Waiting for/);
    expect(questions).to.have.length(6);
  });

  it("does not repeat a request that the API refuses", async () => {
    for (const [reply, reason] of [
      [
        { body: { error: { code: "toomanyvalues", info: "Too many values." } } },
        /toomanyvalues: Too many values/,
      ],
      [{ status: 403, body: "" }, /status 403/],
      [{ body: "<html>maintenance</html>" }, /not JSON/],
      [{ body: { query: { pages: {} } } }, /unknown form/],
    ] satisfies [ApiReply, RegExp][]) {
      const { outcome, questions } = await ask([reply]);
      expect(outcome).to.match(reason);
      expect(questions).to.have.length(1);
    }
  });

  it("says that a server can't be reached", async () => {
    const wikipedia = await startWikipedia(() => ({ body: {} }));
    await wikipedia.stop();
    const access = {
      apiBase: wikipedia.apiBase,
      contact: null,
      pauseMs: 1,
      signal: new AbortController().signal,
    };
    const reason = await fetchRevisions(access, [11]).catch((error: unknown) => String(error));
    expect(reason).to.match(/127\.0\.0\.1:\d+ could not be reached/);
  });

  it("stops waiting at once when it is told to", async () => {
    const wikipedia = await startWikipedia(() => ({ ...MAXLAG, headers: { "retry-after": "60" } }));
    const started = performance.now();
    const access = {
      apiBase: wikipedia.apiBase,
      contact: null,
      pauseMs: 1,
      signal: AbortSignal.timeout(100),
    };
    const reason = await fetchRevisions(access, [11]).catch((error: unknown) => error);
    await wikipedia.stop();
    expect(reason).to.be.instanceOf(Error);
    expect(performance.now() - started).to.be.below(5000);
  });
});
