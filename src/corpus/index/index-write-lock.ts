import type { Queryable } from "../../platform/postgres/database.ts";

/** Identifies the lock among the database's advisory locks; the number is arbitrary but fixed. */
const WRITE_LOCK_KEY = 7_305_811_201;

/** Until the transaction ends, the write alias does not move: a rebuild that swaps the index takes the lock exclusively. */
export async function shareIndexWriteLock(transaction: Queryable): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock_shared($1)", [WRITE_LOCK_KEY]);
}

/** Waits until no writer holds the lock, and keeps writers out until the transaction ends. */
export async function takeIndexWriteLock(transaction: Queryable): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock($1)", [WRITE_LOCK_KEY]);
}

export type WriteLockHolder = {
  /** Process id of its connection, as `pg_terminate_backend` takes it. */
  readonly pid: number;
  /** Age of its transaction; null where the database hides other connections from this user. */
  readonly seconds: number | null;
};

/** The transactions that share the lock, oldest first. */
export async function writeLockHolders(db: Queryable): Promise<WriteLockHolder[]> {
  return db.query<WriteLockHolder>(
    `select pid, extract(epoch from clock_timestamp() - xact_start)::integer as seconds
       from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and mode = 'ShareLock' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) + objid::bigint = $1
      order by xact_start`,
    [WRITE_LOCK_KEY],
  );
}
