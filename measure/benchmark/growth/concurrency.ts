import type { EngineClient } from "../../../test/support/client.ts";
import type { GrowthQuery } from "./growth-queries.ts";

/** Checks that end in a minute when so many clients submit one after the other. */
export type Throughput = { readonly clients: number; readonly checksPerMinute: number };

/** @param queries each is checked once. */
export async function throughput(
  client: EngineClient,
  clients: number,
  queries: readonly GrowthQuery[],
): Promise<Throughput> {
  const waiting = [...queries];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let query = waiting.pop(); query !== undefined; query = waiting.pop()) {
        await client.ended(await client.submit(query.text));
      }
    }),
  );
  return { clients, checksPerMinute: (60_000 * queries.length) / (performance.now() - started) };
}
