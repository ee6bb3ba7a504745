import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { EngineClient } from "../../test/support/client.ts";

export type HealthTimes = {
  readonly answers: number;
  /** Milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
};

const Times = z.number().array();

/**
 * Asks `/health` again and again until it is told to end, from a thread of its own: in this one an answer would wait for
 * whatever else this program does. `end` throws when an answer was not 200.
 */
export function watchHealth({ base }: EngineClient): { readonly end: () => Promise<HealthTimes> } {
  const asker = new Worker(new URL("./health-asker.ts", import.meta.url), { workerData: `${base}/health` });
  const answered = once(asker, "message");
  // `end` reports the failure; until then it must not count as an unhandled rejection.
  answered.catch(() => undefined);
  return {
    async end() {
      asker.postMessage("end");
      const times = Times.parse((await answered)[0]).toSorted((a, b) => a - b);
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
