import type { Queryable } from "../platform/postgres/database.ts";

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
