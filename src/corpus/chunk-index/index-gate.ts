import type { Queryable } from "../../platform/postgres/database.ts";

/** Names the lock among all advisory locks of the database; any fixed number does. */
const GATE_KEY = 7_305_811_201;

/**
 * Lets a transaction write chunks through the alias: until it ends, the alias stays where it is. Writers enter together;
 * a rebuild that swaps the index waits for those inside, and keeps the others out for the moment of the swap.
 */
export async function enterIndexGate(transaction: Queryable): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock_shared($1)", [GATE_KEY]);
}

/** Waits until no writer is inside, and keeps them out until the transaction ends. */
export async function closeIndexGate(transaction: Queryable): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock($1)", [GATE_KEY]);
}

/** A transaction that is inside the gate. */
export type GateHolder = {
  /** Of its connection: what `pg_terminate_backend` takes. */
  readonly pid: number;
  /** Since its transaction began; null where the database does not show us the connections of its user. */
  readonly seconds: number | null;
};

/** Who is inside the gate, the oldest first. */
export async function gateHolders(db: Queryable): Promise<GateHolder[]> {
  return db.query<GateHolder>(
    `select pid, extract(epoch from clock_timestamp() - xact_start)::integer as seconds
       from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and mode = 'ShareLock' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) + objid::bigint = $1
      order by xact_start`,
    [GATE_KEY],
  );
}
