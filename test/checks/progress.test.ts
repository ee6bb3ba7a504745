import { mock } from "node:test";
import { expect } from "chai";
import { ProgressEnd, ProgressEvent } from "../../src/checks/api/schema.ts";
import { CHECK_STAGES } from "../../src/checks/check.ts";
import { HEARTBEAT_MS } from "../../src/http/event-stream.ts";
import { EventReader, type StreamBlock } from "../support/event-reader.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { DrivenCheck } from "./driven-check.ts";

describe("specification 6 and decisions, Engine: progress stream", () => {
  let worker: TestService;
  after(() => worker?.stop());
  // Two replicas: what the second one works on is followed on the first. Most checks here are driven by hand,
  // before any worker is there to take them.
  const engine = useEngine({ roles: ["engine"] });

  const follow = async (checkId: string) =>
    new EventReader(await engine.client.request(`/v1/checks/${checkId}/progress`));

  function progressOf(block: StreamBlock | undefined) {
    expect(block?.event, "progress events have no name").to.equal(undefined);
    const data: unknown = JSON.parse(block?.data ?? "null");
    expect(ProgressEvent.strict().parse(data)).to.deep.equal(data);
    return ProgressEvent.parse(data);
  }

  function endOf(block: StreamBlock | undefined) {
    const data: unknown = JSON.parse(block?.data ?? "null");
    expect(ProgressEnd.strict().parse(data)).to.deep.equal(data);
    return { event: block?.event, data: ProgressEnd.parse(data) };
  }

  const step = (stage: string | null, chunks_done: number, chunks_total: number) => ({
    stage,
    chunks_done,
    chunks_total,
  });

  it("is an event stream that no cache keeps and no proxy holds back", async () => {
    const events = await follow(await engine.client.submit("A text."));
    expect(events.response.status).to.equal(200);
    expect(events.response.headers.get("content-type")).to.match(/^text\/event-stream/);
    expect(events.response.headers.get("cache-control")).to.equal("no-store");
    expect(events.response.headers.get("x-accel-buffering")).to.equal("no");
    await events.cancel();
  });

  it("first gives the current state, then each change, then complete, and then the server closes", async () => {
    const checkId = await engine.client.submit("x".repeat(80));
    const events = await follow(checkId);
    expect(progressOf(await events.next())).to.deep.equal(step(null, 0, 0));
    const run = await DrivenCheck.start(engine.database, checkId);
    for (const [stage, done, total] of [
      ["chunking", 0, 0],
      ["fingerprinting", 0, 3],
      ["retrieving", 0, 3],
      ["retrieving", 2, 3],
      ["retrieving", 3, 3],
      ["aligning", 3, 3],
      ["assembling", 3, 3],
    ] as const) {
      await run.reach(stage, done, total);
      expect(progressOf(await events.next())).to.deep.equal(step(stage, done, total));
    }
    await run.complete(20);
    expect(endOf(await events.next())).to.deep.equal({
      event: "complete",
      data: {
        check_id: checkId,
        status: "complete",
        overall_similarity_pct: 25,
        error_message: null,
        report_url: `/v1/checks/${checkId}/report`,
      },
    });
    expect(await events.next()).to.equal(undefined);
  });

  it("joins late with the state of the moment", async () => {
    const checkId = await engine.client.submit("A text.");
    const run = await DrivenCheck.start(engine.database, checkId);
    await run.reach("retrieving", 2, 9);
    const events = await follow(checkId);
    expect(progressOf(await events.next())).to.deep.equal(step("retrieving", 2, 9));
    await run.reach("retrieving", 5, 9);
    expect(progressOf(await events.next())).to.deep.equal(step("retrieving", 5, 9));
    await events.cancel();
  });

  it("ends with failed when the check fails", async () => {
    const checkId = await engine.client.submit("A text.");
    const events = await follow(checkId);
    await events.next();
    const run = await DrivenCheck.start(engine.database, checkId);
    await run.fail("Submit the text again.");
    expect(endOf(await events.next())).to.deep.equal({
      event: "failed",
      data: {
        check_id: checkId,
        status: "failed",
        overall_similarity_pct: null,
        error_message: "Submit the text again.",
        report_url: `/v1/checks/${checkId}/report`,
      },
    });
    expect(await events.next()).to.equal(undefined);
  });

  it("ends with failed and the status deleted when the check is deleted, waiting or running", async () => {
    for (const runs of [false, true]) {
      const checkId = await engine.client.submit("A text.");
      const run = await DrivenCheck.start(engine.database, checkId);
      if (runs) await run.reach("aligning", 1, 1);
      const events = await follow(checkId);
      await events.next();
      await engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
      expect(endOf(await events.next())).to.deep.equal({
        event: "failed",
        data: {
          check_id: checkId,
          status: "deleted",
          overall_similarity_pct: null,
          error_message: null,
          report_url: `/v1/checks/${checkId}/report`,
        },
      });
      expect(await events.next()).to.equal(undefined);
    }
  });

  it("is exactly one terminal event for a check that has finished, complete or failed", async () => {
    const complete = await engine.client.submit("A text.");
    await (await DrivenCheck.start(engine.database, complete)).complete(0);
    const failed = await engine.client.submit("A text.");
    await (await DrivenCheck.start(engine.database, failed)).fail("It broke.");
    for (const [checkId, event] of [
      [complete, "complete"],
      [failed, "failed"],
    ] as const) {
      const blocks = await (await follow(checkId)).rest();
      expect(blocks.map(endOf)).to.have.lengthOf(1);
      expect(blocks[0]?.event).to.equal(event);
    }
  });

  it("never lets chunks_done fall when a check is taken up again", async () => {
    const checkId = await engine.client.submit("A text.");
    const events = await follow(checkId);
    const first = await DrivenCheck.start(engine.database, checkId);
    await first.reach("chunking", 0, 0);
    await first.reach("fingerprinting", 0, 40);
    await first.reach("retrieving", 32, 40);
    const second = await DrivenCheck.start(engine.database, checkId);
    for (const stage of CHECK_STAGES) await second.reach(stage, stage === "retrieving" ? 16 : 0, 40);
    await second.complete(0);
    const done = (await events.rest()).slice(0, -1).map((block) => progressOf(block).chunks_done);
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).to.equal(32);
  });

  it("shows the same to each of several followers", async () => {
    const checkId = await engine.client.submit("A text.");
    const followers = await Promise.all([follow(checkId), follow(checkId), follow(checkId)]);
    for (const events of followers) await events.next();
    const run = await DrivenCheck.start(engine.database, checkId);
    for (const stage of CHECK_STAGES) await run.reach(stage, 1, 1);
    await run.complete(0);
    const [first, ...others] = await Promise.all(followers.map((events) => events.rest()));
    expect(first).to.have.lengthOf(6);
    for (const blocks of others) expect(blocks).to.deep.equal(first);
  });

  it("sends a comment line every 15 seconds, which keeps proxies awake", async () => {
    expect(HEARTBEAT_MS).to.equal(15_000);
    const checkId = await engine.client.submit("A text.");
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      const events = await follow(checkId);
      progressOf(await events.next());
      for (let minute = 0; minute < 2; minute += 1) {
        mock.timers.tick(15_000);
        const { event, data, comment } = (await events.next()) ?? {};
        expect([event, data]).to.deep.equal([undefined, undefined]);
        expect(comment).to.be.a("string");
      }
      await engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
      expect((await events.rest()).map((block) => block.event)).to.deep.equal(["failed"]);
    } finally {
      mock.timers.reset();
    }
  });

  it("is 404 for an unknown check, as a problem and not as a stream", async () => {
    const path = "/v1/checks/01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf/progress";
    await expectProblem(await engine.client.request(path), 404, "check-not-found");
  });

  it("shows on one replica a check that another replica runs, with each stage once begun and none skipped", async () => {
    const text = prose(401, 4_000);
    const checkId = await engine.client.submit(text);
    const events = await follow(checkId);
    const { databaseUrl, opensearchIndexPrefix } = engine.options;
    worker = await startTestService({ databaseUrl, opensearchIndexPrefix, roles: ["worker"] });
    expect(worker.base, "the worker has no listener of its own").to.equal("");
    const blocks = await events.rest();
    expect(endOf(blocks.pop()).event).to.equal("complete");
    const steps = blocks.map(progressOf);
    const stages = steps.map((one) => one.stage).filter((stage, at, all) => stage !== all[at - 1]);
    expect(stages).to.deep.equal([null, ...CHECK_STAGES]);
    const done = steps.map((one) => one.chunks_done);
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
    const { chunks_total } = await engine.client.check(checkId);
    expect(chunks_total).to.be.above(16);
    expect(steps.at(-1)).to.deep.equal(step("assembling", chunks_total, chunks_total));
    expect(new Set(done).size, "chunks_done grows step by step").to.be.above(2);
  });
});
