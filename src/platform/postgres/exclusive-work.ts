import pg from "pg";
import { connectionOptions, rethrowUnavailable } from "./database.ts";

/**
 * Does `work` while no other process does work of the same key; undefined when one does. The lock is that of a connection of
 * its own, so that it ends with the process, however that ends. A connection that is lost on the way does not stop the work.
 * @param key names the lock among all advisory locks of the database.
 * @throws what `work` throws; DomainError `store_unavailable`.
 */
export async function exclusiveWork<T>(
  databaseUrl: string,
  key: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = new pg.Client(connectionOptions(databaseUrl));
  // An error without a listener would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect().catch(rethrowUnavailable);
    const taken = await client
      .query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [key])
      .catch(rethrowUnavailable);
    return taken.rows[0]?.taken === true ? await work() : undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
