import { expect } from "chai";
import fc from "fast-check";
import { pino } from "pino";
import { laneOf } from "../../src/checks/check.ts";
import { checkPriority, workOnChecks } from "../../src/checks/check-lanes.ts";
import { JobQueue } from "../../src/platform/postgres/job-queue.ts";
import { QUEUES } from "../../src/service/connect-corpus.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

describe("the order of checks", () => {
  // Without a worker, checks wait until a test takes them.
  const engine = useEngine({ roles: ["engine"] });

  /** Takes checks, one of each lane at a time, until `run` returns true. */
  async function takeChecks(run: (checkId: string) => boolean | Promise<boolean>): Promise<void> {
    const queue = new JobQueue(engine.options.databaseUrl, {
      ...{ queues: QUEUES, works: true, log: pino({ level: "silent" }) },
    });
    await queue.start();
    try {
      const { promise, resolve } = Promise.withResolvers<void>();
      await workOnChecks(queue, 1, async (checkId) => {
        if (await run(checkId)) resolve();
      });
      await promise;
    } finally {
      await queue.stop(1_000);
    }
  }

  it("lets short checks through while long ones keep all of their workers busy", async () => {
    const long = [await engine.client.submit(prose(1, 12_000)), await engine.client.submit(prose(2, 12_000))];
    const short = await engine.client.submit(prose(3, 50));
    const { promise: shortIsDone, resolve: endLong } = Promise.withResolvers<void>();
    const started: string[] = [];
    await takeChecks(async (checkId) => {
      started.push(checkId);
      if (long.includes(checkId)) await shortIsDone;
      else endLong();
      return started.length === 3;
    });
    expect(started.toSorted()).to.deep.equal([...long, short].toSorted());
    expect(started[2], "the second long check waits for the first").to.equal(long[1]);
  });

  it("puts less work first in a lane, and equal work in the order of submission", async () => {
    const texts = [prose(4, 6_000), prose(5, 40), prose(6, 40), prose(7, 2_000)];
    const ids: string[] = [];
    for (const text of texts) ids.push(await engine.client.submit(text));
    const started: string[] = [];
    await takeChecks((checkId) => started.push(checkId) === texts.length);
    expect(started.map((checkId) => ids.indexOf(checkId))).to.deep.equal([1, 2, 3, 0]);
  });

  it("lets nothing pass a check that was submitted after its limit, 5 ms for each of its words", () => {
    const words = fc.integer({ min: 1, max: 250_000 });
    const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2059, 0, 1) });
    fc.assert(
      fc.property(words, words, moments, (own, other, submittedAtMs) => {
        fc.pre(laneOf(own) === laneOf(other));
        const priority = checkPriority(own, submittedAtMs);
        // Priorities are whole seconds.
        expect(priority).to.be.above(checkPriority(other, submittedAtMs + 5 * own + 1_000));
        if (other < own) expect(priority).to.be.at.most(checkPriority(other, submittedAtMs));
      }),
      { seed: 16 },
    );
  });

  it("gives every check a 32-bit priority", () => {
    const words = fc.integer({ min: 1, max: 250_000 });
    const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2093, 0, 1) });
    fc.assert(
      fc.property(words, moments, (own, submittedAtMs) => {
        expect(checkPriority(own, submittedAtMs)).to.be.within(-(2 ** 31), 0);
      }),
      { seed: 16 },
    );
  });
});
