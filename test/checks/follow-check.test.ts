import { expect } from "chai";
import fc from "fast-check";
import { CHECK_STAGES } from "../../src/checks/check.ts";
import type { Progress } from "../../src/checks/check-store.ts";
import { ProgressSteps } from "../../src/checks/follow-check.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

/** What a check that is run once goes through, as numbered messages. */
const MESSAGES: readonly Progress[] = [
  { seq: 0, stage: null, chunksDone: 0, chunksTotal: 0 },
  { seq: 1, stage: "chunking", chunksDone: 0, chunksTotal: 0 },
  { seq: 2, stage: "fingerprinting", chunksDone: 0, chunksTotal: 40 },
  { seq: 3, stage: "retrieving", chunksDone: 0, chunksTotal: 40 },
  { seq: 4, stage: "retrieving", chunksDone: 16, chunksTotal: 40 },
  { seq: 5, stage: "retrieving", chunksDone: 40, chunksTotal: 40 },
  { seq: 6, stage: "aligning", chunksDone: 40, chunksTotal: 40 },
  { seq: 7, stage: "assembling", chunksDone: 40, chunksTotal: 40 },
];

const END: Progress = { seq: 8, stage: null, chunksDone: 40, chunksTotal: 40 };

function shown(messages: readonly Progress[], end?: Progress): Progress[] {
  const seen: Progress[] = [];
  const steps = new ProgressSteps((progress) => seen.push(progress));
  for (const message of messages) steps.show(message);
  if (end !== undefined) steps.finish(end);
  return seen;
}

describe("decisions, Engine: progress stream: the order that a follower can rely on", () => {
  it("shows each message as it is when none is lost", () => {
    expect(shown(MESSAGES, END)).to.deep.equal(MESSAGES);
  });

  it("passes over a message that it has shown or that is older", () => {
    const again = MESSAGES.flatMap((message, at) => [
      message,
      message,
      ...MESSAGES.slice(Math.max(0, at - 2), at),
    ]);
    expect(shown(again, END)).to.deep.equal(MESSAGES);
  });

  it("announces each stage in order and lets chunks_done never fall, whichever messages are lost", () => {
    const law = fc.property(fc.subarray([...MESSAGES], { minLength: 1 }), (received) => {
      const seen = shown(received, END);
      const stages = seen.map(({ stage }) => stage).filter((stage, at, all) => stage !== all[at - 1]);
      const first = received[0]?.stage ?? null;
      const following =
        first === null ? [null, ...CHECK_STAGES] : CHECK_STAGES.slice(CHECK_STAGES.indexOf(first));
      expect(stages).to.deep.equal(following);
      const done = seen.map(({ chunksDone }) => chunksDone);
      expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
    });
    fc.assert(law, { seed: 6, numRuns: 300 });
  });
});

describe("the progress hub", () => {
  const engine = useEngine();

  it("passes over messages that it can't read, and goes on", async () => {
    for (const payload of ["hello", "{}", '{"status":"running","check_id":1}', ""]) {
      await engine.database.query("select pg_notify('similarity_check_progress', $1)", [payload]);
    }
    const check = await engine.client.ended(await engine.client.submit(prose(5, 50)));
    expect(check.status).to.equal("complete");
  });

  it("goes on after its connection was lost: a stream that was open then still shows each stage and the end", async function () {
    this.timeout(120_000);
    const checkId = await engine.client.submit(prose(6, 60_000).slice(0, 400_000));
    const stream = await engine.client.request(`/v1/checks/${checkId}/progress`);
    await engine.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
    );
    const text = await stream.text();
    const stages = [...text.matchAll(/"stage":"(\w+)"/g)].map((match) => match[1]);
    expect([...new Set(stages)].slice(-3)).to.deep.equal(["retrieving", "aligning", "assembling"]);
    expect(text.match(/^event: complete$/gm)).to.have.lengthOf(1);
  });

  it("ends an open stream when the check can't be read any more, so that its client comes again", async function () {
    this.timeout(120_000);
    const checkId = await engine.client.submit(prose(7, 60_000).slice(0, 400_000));
    const stream = await engine.client.request(`/v1/checks/${checkId}/progress`);
    await engine.database.query("alter table similarity.checks rename to checks_away");
    try {
      await engine.database.query("select pg_notify('similarity_check_progress', $1)", [
        JSON.stringify({ status: "complete", check_id: checkId }),
      ]);
      expect(await stream.text()).not.to.include("event:");
    } finally {
      await engine.database.query("alter table similarity.checks_away rename to checks");
    }
    expect((await engine.client.ended(checkId)).status).to.equal("complete");
  });
});
