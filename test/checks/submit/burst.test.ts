import { expect } from "chai";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

describe("checks that come in a burst", () => {
  const engine = useEngine({ checkConcurrency: 2 });

  it("are worked off one after another: none stays queued while a worker is idle", async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, seed) => engine.client.submit(prose(seed, 200))),
    );
    const checks = await Promise.all(ids.map((checkId) => engine.client.ended(checkId)));
    expect(checks.map((check) => check.status)).to.deep.equal(ids.map(() => "complete"));
    const waits = checks.map((check) => Date.parse(check.started_at ?? "") - Date.parse(check.created_at));
    // A worker that sleeps through waiting jobs wakes at its next poll, 2 s later; twelve checks take about 1 s.
    const gaps = checks.map((check) => Date.parse(check.completed_at ?? "")).toSorted((a, b) => a - b);
    const longestGap = Math.max(...gaps.slice(1).map((at, position) => at - (gaps[position] ?? at)));
    expect(longestGap).to.be.below(1_500);
    expect(Math.min(...waits)).to.be.below(1_000);
  });
});
