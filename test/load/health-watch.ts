import { setTimeout as sleep } from "node:timers/promises";
import type { EngineClient } from "../support/client.ts";

/** Ten a second: a probe is a light thing, and a thousand in two minutes are enough for a 99th percentile. */
const EVERY_MS = 100;

export type HealthTimes = {
  readonly answers: number;
  /** Milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
};

/** Asks `/health` again and again until it is told to end. @throws when an answer is not 200. */
export function watchHealth(client: EngineClient): { readonly end: () => Promise<HealthTimes> } {
  const times: number[] = [];
  let isEnding = false;
  const asking = (async () => {
    while (!isEnding) {
      const started = performance.now();
      const answer = await client.request("/health");
      await answer.text();
      times.push(performance.now() - started);
      if (answer.status !== 200) throw new Error(`/health: ${answer.status}`);
      await sleep(EVERY_MS);
    }
  })();
  // `end` tells what failed; until then it must not count as a failure that nobody handles.
  asking.catch(() => undefined);
  return {
    async end() {
      isEnding = true;
      await asking;
      times.sort((a, b) => a - b);
      const quantile = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
      return {
        answers: times.length,
        p50Ms: quantile(0.5),
        p99Ms: quantile(0.99),
        slowestMs: times.at(-1) ?? Number.NaN,
      };
    },
  };
}
