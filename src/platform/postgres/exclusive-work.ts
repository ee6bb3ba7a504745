import pg from "pg";
import { connectionOptions, rethrowUnavailable } from "./database.ts";

/**
 * Runs `work` unless another process runs work with the same key; then it returns undefined. The advisory lock belongs to
 * its own connection, so that it ends with the process. Losing that connection does not stop the work.
 * @param key of the advisory lock, unique in the database.
 * @throws what `work` throws; DomainError `store_unavailable`.
 */
export async function exclusiveWork<T>(
  databaseUrl: string,
  key: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = new pg.Client(connectionOptions(databaseUrl));
  // An unhandled error event would end the process.
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
