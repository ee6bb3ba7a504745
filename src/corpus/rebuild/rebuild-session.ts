import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DomainError } from "../../core/domain-error.ts";
import { connectionOptions, type Queryable, rethrowUnavailable } from "../../platform/postgres/database.ts";
import { closeIndexGate, type GateHolder, gateHolders } from "../chunk-index/index-gate.ts";

/** Names the lock among all advisory locks of the database; any fixed number does. */
const REBUILD_KEY = 7_305_811_203;

/**
 * Whoever comes while the gate waits to be closed waits behind it, so it is not waited for longer than this: a writer
 * gives up after 15 s. One that is inside writes a batch, which takes a few seconds.
 */
const GATE_WAIT_MS = 5_000;

/** The others are let in before the next attempt. */
const GATE_PAUSE_MS = 1_000;

/**
 * How long it is tried, in all. A writer waits for OpenSearch inside the gate, and a restart of that takes a minute or
 * two; one that is inside for longer hangs, and needs a person.
 */
const GATE_TRIED_MS = 5 * 60_000;

/** What PostgreSQL says when a lock was not to be had in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Somebody else is at it. */
export class OtherRebuild extends DomainError {}

/**
 * A connection for the length of one rebuild. It holds the lock that keeps a second one away, and closes the gate: both
 * end with the connection, however the process ends.
 */
export class RebuildSession implements Queryable {
  readonly #client: pg.Client;
  readonly #gateTriedMs: number;

  private constructor(client: pg.Client, gateTriedMs: number) {
    this.#client = client;
    this.#gateTriedMs = gateTriedMs;
  }

  /**
   * @param gateTriedMs how long writers are waited for, in milliseconds.
   * @throws OtherRebuild (`invalid_input`) while another rebuild runs; DomainError `store_unavailable`.
   */
  static async open(databaseUrl: string, gateTriedMs = GATE_TRIED_MS): Promise<RebuildSession> {
    // No limit to an answer: what this connection waits for has limits of its own.
    const client = new pg.Client(connectionOptions(databaseUrl, { query_timeout: 0 }));
    // A connection that is lost is noticed by the next statement; an error without a listener would end the process.
    client.on("error", () => undefined);
    const session = new RebuildSession(client, gateTriedMs);
    try {
      await client.connect().catch(rethrowUnavailable);
      const [row] = await session.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
        REBUILD_KEY,
      ]);
      if (row?.locked === true) return session;
    } catch (error) {
      await session.close();
      throw error;
    }
    await session.close();
    throw new OtherRebuild("invalid_input", "Another rebuild of this corpus is under way.");
  }

  async query<R extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) {
    const result = await this.#client.query<R>(text, [...values]).catch(rethrowUnavailable);
    return result.rows;
  }

  /** Whether the connection still stands, and with it what it keeps closed. */
  async isOpen(): Promise<boolean> {
    return this.query("select 1").then(
      () => true,
      () => false,
    );
  }

  /**
   * Does `work` while no writer of chunks is inside the gate and none comes in. Waits for those that are, and says so.
   * @throws what `work` throws; the signal's reason while it waits; DomainError `store_unavailable` when a writer does not
   *   end, also when this connection was lost: then nothing keeps another rebuild away any more.
   */
  async withGateClosed<T>(work: () => Promise<T>, { say, signal }: GateWait): Promise<T> {
    const started = performance.now();
    for (let isTold = false; ; isTold = true) {
      signal?.throwIfAborted();
      const leftMs = this.#gateTriedMs - (performance.now() - started);
      const result = await this.#tryWithGateClosed(work, Math.min(GATE_WAIT_MS, leftMs));
      if (result !== undefined) return result.value;
      const holders = await gateHolders(this);
      if (performance.now() - started >= this.#gateTriedMs) throw notClosed(holders, this.#gateTriedMs);
      if (!isTold) say(`Waiting until ${named(holders)} has written its chunks.`);
      await sleep(GATE_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /** Gives undefined when writers were inside all the while. */
  async #tryWithGateClosed<T>(
    work: () => Promise<T>,
    waitMs: number,
  ): Promise<{ readonly value: T } | undefined> {
    await this.query("begin");
    try {
      return (await this.#closeGate(waitMs)) ? { value: await work() } : undefined;
    } finally {
      // Nothing was written here. With a connection that was lost the gate has opened by itself.
      await this.query("rollback").catch(() => undefined);
    }
  }

  async #closeGate(waitMs: number): Promise<boolean> {
    // No time at all would be no limit.
    await this.query(`set local lock_timeout = ${Math.max(1, Math.ceil(waitMs))}`);
    try {
      await closeIndexGate(this);
      return true;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }
}

export type GateWait = {
  /** Is told, in one line, when writers are waited for. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

function notClosed(holders: readonly GateHolder[], triedMs: number): DomainError {
  return new DomainError(
    "store_unavailable",
    `The rebuild has waited ${Math.round(triedMs / 1000)} s in vain until ${named(holders)} has written its chunks. One that hangs is ended by \`select pg_terminate_backend(PROCESS)\`. The new index stays, and the same command goes on with it.`,
  );
}

/** The one that has been inside for longest, as an operator finds it in `pg_stat_activity`. */
function named([oldest, ...others]: readonly GateHolder[]): string {
  if (oldest === undefined) return "another program";
  const since = oldest.seconds === null ? "" : ` (in its transaction for ${oldest.seconds} s)`;
  const more = others.length === 0 ? "" : `, the oldest of ${others.length + 1},`;
  return `process ${oldest.pid} of PostgreSQL${since}${more}`;
}
