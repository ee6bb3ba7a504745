import type { Database, Queryable } from "../../platform/postgres/database.ts";

/** On this channel of PostgreSQL each load sends the new revision, in its own transaction. */
export const STATISTICS_LOADED_CHANNEL = "similarity_statistics_loaded";

/** Runs `read` on one unchanging state of the tables, so that all it reads is of the same load. */
export function readSnapshot<T>(database: Database, read: (snapshot: Queryable) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.query("set transaction isolation level repeatable read, read only");
    return read(transaction);
  });
}
