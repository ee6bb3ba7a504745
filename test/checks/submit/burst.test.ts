import { expect } from "chai";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const CHECKS = 60;

/** At the pace of polling, two every other second, the checks take a minute; one after another, some seconds. */
const ALL_MAX_MS = 45_000;

describe("checks that come in a burst", () => {
  const engine = useEngine({ checkConcurrency: 2 });

  it("are worked off one after another: none stays queued while a worker is idle", async () => {
    const ids = await Promise.all(
      Array.from({ length: CHECKS }, (_, seed) => engine.client.submit(prose(seed, 200))),
    );
    const checks = await Promise.all(ids.map((checkId) => engine.client.ended(checkId)));
    expect(checks.map((check) => check.status)).to.deep.equal(ids.map(() => "complete"));
    const times = (of: (check: (typeof checks)[number]) => string | null) =>
      checks.map((check) => Date.parse(of(check) ?? ""));
    const [started, completed] = [times((one) => one.started_at), times((one) => one.completed_at)];
    expect(Math.max(...completed) - Math.min(...started)).to.be.below(ALL_MAX_MS);
  });
});
