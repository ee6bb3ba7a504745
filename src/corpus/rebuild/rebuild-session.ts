import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DomainError } from "../../core/domain-error.ts";
import { connectionOptions, type Queryable, rethrowUnavailable } from "../../platform/postgres/database.ts";
import { closeIndexGate } from "../index-gate.ts";

/** Names the lock among all advisory locks of the database; any fixed number does. */
const REBUILD_KEY = 7_305_811_203;

/**
 * Whoever comes while the gate waits to be closed waits behind it, so it is not waited for longer than this: a writer
 * gives up after 15 s. One that is inside writes a batch, which takes a few seconds.
 */
const GATE_WAIT_MS = 5_000;

/** The others are let in before the next attempt. */
const GATE_PAUSE_MS = 1_000;

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

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** @throws OtherRebuild (`invalid_input`) while another rebuild runs; DomainError `store_unavailable`. */
  static async open(databaseUrl: string): Promise<RebuildSession> {
    // No limit to an answer: what this connection waits for has limits of its own.
    const client = new pg.Client(connectionOptions(databaseUrl, { query_timeout: 0 }));
    // A connection that is lost is noticed by the next statement; an error without a listener would end the process.
    client.on("error", () => undefined);
    const session = new RebuildSession(client);
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

  /**
   * Does `work` while no writer of chunks is inside the gate and none comes in. Waits for those that are.
   * @throws what `work` throws; the signal's reason while it waits; DomainError `store_unavailable`, also when this
   *   connection was lost: then nothing keeps another rebuild away any more.
   */
  async withGateClosed<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      await this.query("begin");
      try {
        if (await this.#closeGate()) {
          const result = await work();
          await this.query("commit");
          return result;
        }
      } catch (error) {
        await this.query("rollback").catch(() => undefined);
        throw error;
      }
      await this.query("rollback");
      await sleep(GATE_PAUSE_MS);
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  async #closeGate(): Promise<boolean> {
    await this.query(`set local lock_timeout = ${GATE_WAIT_MS}`);
    try {
      await closeIndexGate(this);
      return true;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }
}
