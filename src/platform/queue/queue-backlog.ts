import type { Backlog } from "../backlog-metrics.ts";
import type { Queryable } from "../postgres/database.ts";

/** What waits and what is done at the moment in each queue, by pg-boss's own table: jobs that are done have left it. */
export async function readQueueBacklog(
  db: Queryable,
  schema: string,
  queues: readonly string[],
): Promise<Backlog["queues"]> {
  const rows = await db.query<BacklogRow>(
    `select name, count(*) filter (where state <> 'active') as waiting, count(*) filter (where state = 'active') as running,
            extract(epoch from now() - min(created_on) filter (where state <> 'active')) as oldest_seconds
       from ${schema}.job where state in ('created', 'retry', 'active') group by name`,
  );
  return queues.map((queue) => {
    const row = rows.find(({ name }) => name === queue);
    return {
      queue,
      waiting: row?.waiting ?? 0,
      running: row?.running ?? 0,
      // Two clocks of a cluster that was failed over may differ.
      oldestWaitingSeconds: Math.max(0, row?.oldest_seconds ?? 0),
    };
  });
}

type BacklogRow = {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  readonly oldest_seconds: number | null;
};
