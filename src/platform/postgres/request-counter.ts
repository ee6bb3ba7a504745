import pg from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Logger } from "../logger.ts";
import { connectionOptions } from "./database.ts";

type RequestCounterOptions = {
  readonly databaseUrl: string;
  /** A table with the columns that rate-limiter-flexible writes: `key`, `points`, `expire`. */
  readonly table: string;
  readonly limit: number;
  readonly windowSeconds: number;
};

type Counted = {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetMs: number;
};

/**
 * Counts the requests of each client in windows that begin with its first one. The counts are in PostgreSQL for all
 * replicas; when it does not answer, each process counts for itself. A client past the limit is refused from memory.
 */
export class RequestCounter {
  readonly #pool: pg.Pool;
  readonly #shared: RateLimiterPostgres;
  readonly #local: RateLimiterMemory;
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #log: Logger;
  #localUntil = 0;

  constructor({ databaseUrl, table, limit, windowSeconds }: RequestCounterOptions, log: Logger) {
    this.#pool = new pg.Pool(
      connectionOptions(databaseUrl, {
        max: CONNECTIONS_MAX,
        connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
        query_timeout: ANSWER_TIMEOUT_MS,
      }),
    );
    this.#pool.on("error", (error) => log.warn({ error: error.message }, "idle database connection lost"));
    const rule = { points: limit, duration: windowSeconds, keyPrefix: "" };
    this.#shared = new RateLimiterPostgres({
      ...rule,
      storeClient: this.#pool,
      tableName: table,
      tableCreated: true,
      inMemoryBlockOnConsumed: limit,
    });
    this.#local = new RateLimiterMemory(rule);
    this.#limit = limit;
    this.#windowMs = windowSeconds * 1_000;
    this.#log = log;
  }

  /** Counts one request of a client. Never throws. */
  async take(client: string): Promise<Counted> {
    const { consumedPoints, msBeforeNext } = await this.#consume(client);
    // The package reports no points for a request that it refuses from memory.
    const place = consumedPoints === 0 ? this.#limit + 1 : consumedPoints;
    return {
      allowed: place <= this.#limit,
      remaining: Math.max(this.#limit - place, 0),
      resetMs: msBeforeNext,
    };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #consume(client: string): Promise<RateLimiterRes> {
    if (performance.now() < this.#localUntil) return consumed(this.#local.consume(client));
    try {
      const counted = await consumed(this.#shared.consume(client));
      // A window that ends so late began before the clock was set back. Clocks of two replicas may differ by less.
      if (counted.msBeforeNext <= 2 * this.#windowMs) return counted;
      await this.#shared.delete(client);
      return await consumed(this.#shared.consume(client));
    } catch (error) {
      this.#localUntil = performance.now() + LOCAL_MS;
      this.#log.warn({ err: error }, "requests are counted by this process alone");
      return consumed(this.#local.consume(client));
    }
  }
}

/** The package rejects a request past the limit with the same result that it gives for one within it. */
async function consumed(result: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw error;
  }
}

/** A count takes 0.1 ms. */
const CONNECTIONS_MAX = 4;

/** Far more than a count takes. A request that would wait longer is counted locally. */
const ANSWER_TIMEOUT_MS = 1_000;

const LOCAL_MS = 5_000;
