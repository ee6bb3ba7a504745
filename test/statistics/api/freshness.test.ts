import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { presentFreshness } from "../../../src/statistics/api/build-answers.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { putAttempt } from "../../../src/statistics/load/parts.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";
import { readAnswer, WireAnswers } from "./wire-answers.ts";

const DAY_MS = 24 * 3_600_000;
const LOADED_AT = new Date("2026-01-31T00:00:00.000Z");

const source = { name: "A source", license: null, url: null, version: "1", newest_record: "2025-12-31" };

describe("decisions, Statistics: the freshness of each source in /v1/", () => {
  const statusAfter = (days: number) => {
    const state = { ...source, id: "retraction-watch", retrieved_at: LOADED_AT.toISOString() } as const;
    const [freshness] = presentFreshness([state], new Date(LOADED_AT.getTime() + days * DAY_MS));
    return [freshness?.status, freshness?.stale];
  };

  it("a source that changes daily is current for three days, then stale", () => {
    expect(statusAfter(0)).to.deep.equal(["current", false]);
    expect(statusAfter(3)).to.deep.equal(["current", false]);
    expect(statusAfter(3.01)).to.deep.equal(["stale", true]);
  });

  it("a source that was never loaded says so, and is stale", () => {
    const state = { ...source, id: "ror", retrieved_at: null, version: null, newest_record: null } as const;
    expect(presentFreshness([state], LOADED_AT)).to.deep.equal([
      { source: "ror", status: "never loaded", retrieved_at: null, newest_record: null, stale: true },
    ]);
  });

  it("a source that was ever refreshed has the last attempt, and why it failed", () => {
    const state = { ...source, id: "ror", retrieved_at: LOADED_AT.toISOString() } as const;
    const attempt = { source: "ror", attemptedAt: "2026-02-01T03:17:00.000Z", failure: "no answer" } as const;
    expect(presentFreshness([state], LOADED_AT, [attempt])[0]).to.include({
      last_attempt_at: "2026-02-01T03:17:00.000Z",
      last_failure: "no answer",
    });
    expect(presentFreshness([state], LOADED_AT)[0]).not.to.have.any.keys("last_attempt_at", "last_failure");
  });

  describe("of a load long ago", () => {
    const statistics = useStatistics();

    it("is stale, with the time at which it was retrieved", async () => {
      const files = await smallSet(statistics.folder);
      await createLoadStatistics(statistics)(files, { clock: () => new Date("2020-01-01T00:00:00Z") });
      const { data } = await readAnswer(statistics, WireAnswers.overview, "/v1/");
      for (const { source: id, stale, retrieved_at } of data.freshness) {
        const loaded = id !== "ror";
        expect([stale, retrieved_at], id).to.deep.equal([true, loaded ? "2020-01-01T00:00:00.000Z" : null]);
      }
    });

    it("shows a failed refresh at once, here and in the metrics", async () => {
      await putAttempt(statistics.database, "news", new Date("2026-02-01T03:17:00Z"), "GDELT is away");
      await putAttempt(statistics.database, "cases", new Date("2026-02-01T03:17:00Z"), null);
      const lastFailure = async () => {
        const { data } = await readAnswer(statistics, WireAnswers.overview, "/v1/");
        return data.freshness.find(({ source: id }) => id === "gdelt")?.last_failure;
      };
      // The notification comes a moment later.
      while ((await lastFailure()) === undefined) await sleep(50);
      expect(await lastFailure()).to.equal("GDELT is away");
      const metrics = await (await statistics.request("/metrics")).text();
      expect(metrics).to.include('similarity_statistics_refresh_failed{source="gdelt"} 1');
      expect(metrics).to.include('similarity_statistics_refresh_failed{source="wikipedia"} 0');
    });
  });
});
