import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DomainError } from "../../platform/domain-error.ts";
import { Session } from "../../platform/postgres/session.ts";
import type { CommandOutput } from "../index/corpus-stores.ts";
import { takeIndexWriteLock, type WriteLockHolder, writeLockHolders } from "../index/index-write-lock.ts";

/** Identifies the lock among the database's advisory locks; the number is arbitrary but fixed. */
const REBUILD_LOCK_KEY = 7_305_811_203;

/** Writers queue behind an attempt and give up after 15 s; a holder of the lock writes a batch, which takes a few seconds. */
const ATTEMPT_WAIT_MS = 5_000;

/** Pause between two attempts, in which queued writers proceed. */
const ATTEMPT_PAUSE_MS = 1_000;

/** A restart of OpenSearch, for which a writer waits, takes a minute or two; one that holds the lock for longer hangs. */
const WRITE_LOCK_WAIT_MS = 5 * 60_000;

/** PostgreSQL's `lock_not_available`. */
const LOCK_NOT_AVAILABLE = "55P03";

export class OtherRebuild extends DomainError {}

/** A connection that excludes a second rebuild. @throws OtherRebuild (`invalid_input`); DomainError `store_unavailable`. */
export async function openRebuildSession(databaseUrl: string): Promise<Session> {
  // No timeout: everything this connection waits for has its own limit.
  const session = await Session.open(databaseUrl, 0);
  try {
    if (await session.tryLock(REBUILD_LOCK_KEY)) return session;
    throw new OtherRebuild("invalid_input", "Another rebuild of this corpus is running.");
  } catch (error) {
    await session.close();
    throw error;
  }
}

type Waiting = CommandOutput & { readonly writeLockWaitMs?: number | undefined };

/** Runs `work` while no other transaction writes chunks. @throws `store_unavailable` also when a writer does not finish. */
export async function withWriteLock<T>(
  session: Session,
  work: () => Promise<T>,
  { writeLockWaitMs = WRITE_LOCK_WAIT_MS, say, signal }: Waiting,
): Promise<T> {
  const started = performance.now();
  for (let isTold = false; ; isTold = true) {
    signal?.throwIfAborted();
    const leftMs = writeLockWaitMs - (performance.now() - started);
    const result = await tryWithWriteLock(session, work, Math.min(ATTEMPT_WAIT_MS, leftMs));
    if (result !== undefined) return result.value;
    const holders = await writeLockHolders(session);
    if (performance.now() - started >= writeLockWaitMs) throw notLocked(holders, writeLockWaitMs);
    if (!isTold) say(`Waiting for ${described(holders)} to finish writing chunks.`);
    await sleep(ATTEMPT_PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Undefined when a writer held the lock throughout. */
async function tryWithWriteLock<T>(
  session: Session,
  work: () => Promise<T>,
  waitMs: number,
): Promise<{ readonly value: T } | undefined> {
  await session.query("begin");
  try {
    // A limit of 0 would mean none.
    await session.query(`set local lock_timeout = ${Math.max(1, Math.ceil(waitMs))}`);
    const isLocked = await takeIndexWriteLock(session).then(
      () => true,
      (error: unknown) => {
        if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
        throw error;
      },
    );
    return isLocked ? { value: await work() } : undefined;
  } finally {
    // The transaction only held the lock, which a lost connection has already released.
    await session.query("rollback").catch(() => undefined);
  }
}

function notLocked(holders: readonly WriteLockHolder[], waitedMs: number): DomainError {
  return new DomainError(
    "store_unavailable",
    `The rebuild waited ${Math.round(waitedMs / 1000)} s for ${described(holders)} to finish writing chunks. If it hangs, end it with \`select pg_terminate_backend(PROCESS)\`. The new index is kept, and the same command continues with it.`,
  );
}

/** The holder with the oldest transaction, as an operator finds it in `pg_stat_activity`. */
function described([oldest, ...others]: readonly WriteLockHolder[]): string {
  if (oldest === undefined) return "another program";
  const age = oldest.seconds === null ? "" : ` (transaction open for ${oldest.seconds} s)`;
  const more = others.length === 0 ? "" : `, the oldest of ${others.length + 1},`;
  return `process ${oldest.pid} of PostgreSQL${age}${more}`;
}
