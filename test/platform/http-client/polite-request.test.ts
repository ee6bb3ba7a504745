import { expect } from "chai";
import { HttpFailure, politeRequest } from "../../../src/platform/http-client/polite-request.ts";
import { type SourceReply, withSource } from "../../support/servers/source-server.ts";

/** Asks once of a server that gives these replies in turn, the last one for ever. */
function ask(replies: readonly SourceReply[], handledStatuses: readonly number[] = []) {
  return withSource(
    (_, index) => replies[index] ?? replies.at(-1) ?? { body: "" },
    async ({ base, questions }) => {
      const access = { purpose: "test", contact: null, pauseMs: 0, signal: new AbortController().signal };
      const request = { url: new URL(`${base}/?api_key=secret`), accept: "text/plain", handledStatuses };
      const outcome: unknown = await politeRequest(access, request, async (response) => ({
        kind: "answer",
        value: [response.status, await response.text()],
      })).catch((error: unknown) => error);
      return { outcome, waits: questions.slice(1).map(({ at }, index) => at - (questions[index]?.at ?? 0)) };
    },
  );
}

const OK: SourceReply = { body: "fine" };

describe("a polite request", () => {
  it("asks again after 500, 502, 503, 504 and 429, waiting longer each time", async () => {
    const { outcome, waits } = await ask([{ status: 500, body: "" }, { status: 503, body: "" }, OK]);
    expect(outcome).to.deep.equal([200, "fine"]);
    expect(waits[0]).to.be.at.least(990);
    expect(waits[1]).to.be.at.least(1_990);
  });

  it("waits as long as Retry-After says", async () => {
    const busy = { status: 429, headers: { "retry-after": "1" }, body: "Too many requests" };
    const { outcome, waits } = await ask([busy, OK]);
    expect(outcome).to.deep.equal([200, "fine"]);
    expect(waits[0]).to.be.at.least(990);
  });

  it("gives up at once when it would have to wait for minutes, and keeps the status", async () => {
    const { outcome, waits } = await ask([{ status: 429, headers: { "retry-after": "43200" }, body: "" }]);
    expect(outcome).to.be.instanceOf(HttpFailure).with.property("status", 429);
    expect(String(outcome)).to.match(/status 429; it asks for a wait of 43200 s/);
    expect(waits).to.deep.equal([]);
  });

  it("asks again when an answer breaks off in its middle", async () => {
    const { outcome, waits } = await ask([{ body: "x".repeat(10_000), breaksAfter: 100 }, OK]);
    expect(outcome).to.deep.equal([200, "fine"]);
    expect(waits).to.have.length(1);
  });

  it("passes handled statuses to the reader", async () => {
    expect((await ask([{ status: 404, body: "nothing" }], [404])).outcome).to.deep.equal([404, "nothing"]);
  });

  it("says what a server refuses, but not what it was asked", async () => {
    const { outcome, waits } = await ask([{ status: 400, body: { message: "Unknown filter" } }]);
    expect(String(outcome)).to.match(/127\.0\.0\.1:\d+ answered with status 400: .*Unknown filter/);
    expect(String(outcome)).not.to.include("secret");
    expect(waits).to.deep.equal([]);
    const page = await ask([{ status: 403, body: "<html>Forbidden</html>" }]);
    expect(String(page.outcome)).to.match(/answered with status 403$/);
  });
});
