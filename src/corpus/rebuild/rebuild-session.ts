import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DomainError } from "../../core/domain-error.ts";
import { connectionOptions, type Queryable, rethrowUnavailable } from "../../platform/postgres/database.ts";
import {
  takeIndexWriteLock,
  type WriteLockHolder,
  writeLockHolders,
} from "../chunk-index/index-write-lock.ts";

/** Identifies the lock among the database's advisory locks; the number is arbitrary but fixed. */
const REBUILD_LOCK_KEY = 7_305_811_203;

/**
 * Longest wait of one attempt to take the write lock. Writers that arrive meanwhile queue behind it and give up after
 * 15 s; one that holds the lock is writing a batch, which takes a few seconds.
 */
const ATTEMPT_WAIT_MS = 5_000;

/** Pause between two attempts, in which queued writers proceed. */
const ATTEMPT_PAUSE_MS = 1_000;

/**
 * Longest wait for the write lock in all. A writer holds it while it waits for OpenSearch, whose restart takes a minute or
 * two; a writer that holds it for longer hangs and needs a person.
 */
const WRITE_LOCK_WAIT_MS = 5 * 60_000;

/** PostgreSQL's `lock_not_available`. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Another process holds the rebuild lock. */
export class OtherRebuild extends DomainError {}

/**
 * A connection for the length of one rebuild. It holds the lock that excludes a second rebuild and takes the index write
 * lock. The database releases both with the connection, however the process ends.
 */
export class RebuildSession implements Queryable {
  readonly #client: pg.Client;
  readonly #writeLockWaitMs: number;

  private constructor(client: pg.Client, writeLockWaitMs: number) {
    this.#client = client;
    this.#writeLockWaitMs = writeLockWaitMs;
  }

  /** @throws OtherRebuild (`invalid_input`) while another rebuild runs; DomainError `store_unavailable`. */
  static async open(databaseUrl: string, writeLockWaitMs = WRITE_LOCK_WAIT_MS): Promise<RebuildSession> {
    // No query timeout: everything this connection waits for has a limit of its own.
    const client = new pg.Client(connectionOptions(databaseUrl, { query_timeout: 0 }));
    // The next statement reports a lost connection; without a listener the error would end the process.
    client.on("error", () => undefined);
    const session = new RebuildSession(client, writeLockWaitMs);
    try {
      await client.connect().catch(rethrowUnavailable);
      const [row] = await session.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
        REBUILD_LOCK_KEY,
      ]);
      if (row?.locked === true) return session;
      throw new OtherRebuild("invalid_input", "Another rebuild of this corpus is running.");
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async query<R extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) {
    const result = await this.#client.query<R>(text, [...values]).catch(rethrowUnavailable);
    return result.rows;
  }

  /** Whether the connection, and with it the locks, still exists. */
  async isOpen(): Promise<boolean> {
    return this.query("select 1").then(
      () => true,
      () => false,
    );
  }

  /**
   * Runs `work` while no other transaction writes chunks. Waits for running writers and reports that it does.
   * @throws what `work` throws; the signal's reason while it waits; DomainError `store_unavailable` when a writer does not
   *   finish, or this connection is lost.
   */
  async withWriteLock<T>(
    work: () => Promise<T>,
    { say, signal }: { readonly say: (line: string) => void; readonly signal?: AbortSignal | undefined },
  ): Promise<T> {
    const started = performance.now();
    for (let isTold = false; ; isTold = true) {
      signal?.throwIfAborted();
      const leftMs = this.#writeLockWaitMs - (performance.now() - started);
      const result = await this.#tryWithWriteLock(work, Math.min(ATTEMPT_WAIT_MS, leftMs));
      if (result !== undefined) return result.value;
      const holders = await writeLockHolders(this);
      if (performance.now() - started >= this.#writeLockWaitMs)
        throw notLocked(holders, this.#writeLockWaitMs);
      if (!isTold) say(`Waiting for ${described(holders)} to finish writing chunks.`);
      await sleep(ATTEMPT_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /** Undefined when a writer held the lock throughout. */
  async #tryWithWriteLock<T>(
    work: () => Promise<T>,
    waitMs: number,
  ): Promise<{ readonly value: T } | undefined> {
    await this.query("begin");
    try {
      // A limit of 0 would mean none.
      await this.query(`set local lock_timeout = ${Math.max(1, Math.ceil(waitMs))}`);
      await takeIndexWriteLock(this);
    } catch (error) {
      await this.query("rollback").catch(() => undefined);
      if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return undefined;
      throw error;
    }
    try {
      return { value: await work() };
    } finally {
      // The transaction only held the lock, which a lost connection has already released.
      await this.query("rollback").catch(() => undefined);
    }
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
