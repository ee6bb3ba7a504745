import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DomainError } from "../../core/domain-error.ts";
import { ConfigError } from "../config.ts";
import { hideMembers, type Logger } from "../logger.ts";
import { type ObserveStore, UNOBSERVED } from "../metrics.ts";

/** The schema that holds the engine's tables: a role that owns it needs no other right. */
export const DATABASE_SCHEMA = "similarity";

/** Enough for the HTTP requests and stages of one process at once, and far below PostgreSQL's usual 100. */
const CONNECTIONS_MAX = 20;

/** A request that can't have a connection in this time gets a 503, not a hang. */
const CONNECT_TIMEOUT_MS = 5_000;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

type Row = Record<string, unknown>;

/** Runs one statement; both the pool and a transaction do. */
export type Queryable = {
  /** @throws DomainError `store_unavailable` when PostgreSQL can't be reached or is shutting down. */
  query<R extends Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
};

/**
 * A statement that PostgreSQL has not answered in this time counts as lost: a server that hangs, or a connection that a
 * firewall has dropped, says nothing by itself. The server gives it up as well, so that nothing goes on there for which
 * nobody waits. The longest statement writes a text of 20 million characters, in 2 s.
 */
const ANSWER_TIMEOUT_MS = 15_000;

/**
 * PostgreSQL ends one of the transactions that wait for each other in a circle, each time a second after they met; the
 * others go on. Two that meet again and again in the same way are kept apart by the pause.
 */
const CONFLICT_ATTEMPTS_MAX = 5;
const CONFLICT_PAUSE_MAX_MS = 100;

/**
 * As a condition of a statement that runs by itself: its commit does not wait for the disk, which takes 1 to 8 ms of each. A
 * crash of the server may lose the last half second of such statements, none of them in part: only for what is then done again.
 */
export const WITHOUT_FLUSH = "(select set_config('synchronous_commit', 'off', true)) = 'off'";

/** A pool of connections whose unqualified names are the engine's own schema. */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #observe: ObserveStore;

  /** @param answerTimeoutMs after which a statement counts as lost. */
  constructor(
    connectionString: string,
    log: Logger,
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
    observe: ObserveStore = UNOBSERVED,
  ) {
    this.#observe = observe;
    const limits = { max: CONNECTIONS_MAX, query_timeout: answerTimeoutMs };
    this.#pool = new pg.Pool(connectionOptions(connectionString, limits));
    this.#pool.on("error", (error) => log.warn({ error: error.message }, "idle database connection lost"));
  }

  async query<R extends Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return againOnConflict(() => this.#run<R>(this.#pool, text, values));
  }

  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws. Where PostgreSQL has it give
   * way to another transaction, `work` is called again, with a new one: it must do nothing outside that must not be done
   * twice, such as counting.
   * @throws what `work` throws; DomainError `store_unavailable`, also when it had to give way again and again.
   */
  async transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    return againOnConflict(() => this.#transactionOnce(work));
  }

  async #transactionOnce<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#observe("connect", () => this.#pool.connect().catch(rethrowUnavailable));
    let broken = false;
    // The pool listens only to idle clients, and an error without a listener would end the process.
    const onLost = () => {
      broken = true;
    };
    client.on("error", onLost);
    try {
      await this.#run(client, "begin");
      const result = await work({ query: (text, values) => this.#run(client, text, values) });
      await this.#run(client, "commit");
      return result;
    } catch (error) {
      if (isStoreUnavailable(error)) broken = true;
      else await client.query("rollback").catch(onLost);
      throw error;
    } finally {
      client.off("error", onLost);
      client.release(broken);
    }
  }

  /** How many connections are at work, how many wait for work, and how many callers wait for a connection. */
  connections(): { readonly busy: number; readonly idle: number; readonly awaited: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, awaited: waitingCount };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #run<R extends Row>(
    connection: pg.Pool | pg.PoolClient,
    text: string,
    values?: readonly unknown[],
  ): Promise<R[]> {
    return this.#observe(operationOf(text), () => runOn<R>(connection, text, values));
  }
}

/**
 * What every connection of the engine shares, the pool's as well as a listener's. The server's limit to a statement is the
 * client's own, `query_timeout`: 0 for none, also where the role or the database has one, for what takes its time.
 */
export function connectionOptions(
  connectionString: string,
  { query_timeout = ANSWER_TIMEOUT_MS, ...more }: Omit<pg.PoolConfig, "options"> = {},
): pg.PoolConfig {
  return {
    connectionString,
    application_name: "similarity-check",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `-c search_path=${DATABASE_SCHEMA} -c statement_timeout=${query_timeout}`,
    keepAlive: true,
    query_timeout,
    ...more,
  };
}

async function runOn<R extends Row>(
  connection: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const result = await connection.query<R>(text, [...values]).catch((error: unknown) => {
    hideMembers(error, CONFIDENTIAL);
    return rethrowUnavailable(error);
  });
  return result.rows;
}

/** Where an error of PostgreSQL quotes the row that was refused, or the value that could not be read: texts, that is. */
const CONFIDENTIAL = ["detail", "where", "internalQuery"] as const;

/** Serialization failure and deadlock. The rest of class 40 has no cure, or may have been committed. */
const CONFLICT_SQLSTATE = new Set(["40001", "40P01"]);

/** What it runs has left no trace in the database when it fails so: a statement by itself, or a transaction. */
async function againOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!CONFLICT_SQLSTATE.has(codeOf(error))) throw error;
      if (attempt === CONFLICT_ATTEMPTS_MAX) {
        const message = "PostgreSQL is busy with other changes to the same rows; try again in a moment.";
        throw new DomainError("store_unavailable", message, { cause: error });
      }
      await sleep(Math.random() * CONFLICT_PAUSE_MAX_MS);
    }
  }
}

/**
 * Classes 08 (connection), 53 (resources) and 57P (shutdown, crash, starting up) of PostgreSQL's error codes, and 57014: a
 * statement that was given up when its time was over.
 */
const UNAVAILABLE_SQLSTATE = /^(08|53|57P|57014)/;
const UNAVAILABLE_ERRNO = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const UNAVAILABLE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|not queryable|query read timeout/i;

/** For calls that go by another way than `Database`: @throws what `Database` would. */
export function rethrowUnavailable(error: unknown): never {
  if (isUnavailable(error)) {
    throw new DomainError("store_unavailable", "PostgreSQL does not answer; try again in a moment.", {
      cause: error,
    });
  }
  throw error;
}

function isStoreUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === "store_unavailable";
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  const code = codeOf(error);
  return (
    UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_ERRNO.test(code) || UNAVAILABLE_MESSAGE.test(error.message)
  );
}

/** PostgreSQL's code, or that of Node.js. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** What a statement does, by its first word: a name to count and to trace by, which holds nothing of its values. */
export function operationOf(statement: string): string {
  const [, word = ""] = /^\s*(\w+)/.exec(statement) ?? [];
  const operation = word.toLowerCase();
  if (operation === "with") return mainVerb(statement);
  return OPERATIONS.has(operation) ? operation : "other";
}

/** All that the service's own statements begin with, but for what a migration or a maintenance does. */
const OPERATIONS: ReadonlySet<string> = new Set(["select", "insert", "update", "delete", "begin", "commit"]);

/** A statement with parts changes something if any of them does. */
function mainVerb(statement: string): string {
  const [, verb = "select"] = /\(\s*(insert|update|delete)\b/i.exec(statement) ?? [];
  return verb.toLowerCase();
}

/** Class 28 (who asks), class 3D (no such database) and 42501 (not allowed): what a wrong URL meets. */
const REFUSED_SQLSTATE = /^(28|3D|42501)/;

/**
 * For the first calls of a start: gives what to do about a PostgreSQL that answers but doesn't let us in.
 * @param setting what holds the URL.
 */
export function rethrowRefused(setting: "DATABASE_URL" | "STATISTICS_DATABASE_URL") {
  return (error: unknown): never => {
    if (error instanceof Error && "code" in error && REFUSED_SQLSTATE.test(String(error.code))) {
      const message = `PostgreSQL refuses us: ${error.message}. Check the database, the user and the password in ${setting}.`;
      throw new ConfigError(message, { cause: error });
    }
    throw error;
  };
}
