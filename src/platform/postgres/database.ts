import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ConfigError, storeUnavailable } from "../domain-error.ts";
import { errorCode } from "../error-code.ts";
import { isStoreUnavailable } from "../flow/retry-policy.ts";
import { hideMembers, type Logger } from "../logger.ts";
import { type ObserveStore, UNOBSERVED } from "../metrics.ts";

/** The schema that holds the engine's tables: a role that owns it needs no other right. */
export const DATABASE_SCHEMA = "similarity";

/** Enough for the requests and stages of one process, and far below PostgreSQL's default of 100. */
const CONNECTIONS_MAX = 20;

/** A request that gets no connection in this time is answered with 503. */
const CONNECT_TIMEOUT_MS = 5_000;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

type Row = Record<string, unknown>;

/** Runs one statement; both the pool and a transaction do. */
export type Queryable = {
  /** @throws DomainError `store_unavailable` when PostgreSQL can't be reached or is shutting down. */
  query<R extends Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
};

export type Statement = string | PreparedStatement;

/** A statement that PostgreSQL keeps for a connection, under its name. */
type PreparedStatement = { readonly name: string; readonly text: string };

/**
 * A statement that PostgreSQL parses once for each connection, and after five executions need not plan again. It then takes .11 to .31 of
 * PostgreSQL's processor time and .44 to .83 of ours. Only for a constant text for which one plan suits all parameters; a text with
 * optional conditions (`$1 is null or …`) needs several.
 */
export function prepared(text: string): PreparedStatement {
  return { name: hash("sha1", text), text };
}

/** Then a statement counts as lost, also for the server. The longest writes a text of 20 million characters in 2 s. */
const ANSWER_TIMEOUT_MS = 15_000;

/** PostgreSQL ends one transaction of a deadlock after a second. The random pause keeps two from meeting again. */
const CONFLICT_ATTEMPTS_MAX = 5;
const CONFLICT_PAUSE_MAX_MS = 100;

/** A condition that saves the wait for the disk (1 to 8 ms). A crash may lose half a second: only for repeatable work. */
export const WITHOUT_FLUSH = "(select set_config('synchronous_commit', 'off', true)) = 'off'";

/** A pool of connections that look up unqualified names in the engine's schema. */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #observe: ObserveStore;

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

  async query<R extends Row>(statement: Statement, values: readonly unknown[] = []): Promise<R[]> {
    return retryOnConflict(() => this.#run<R>(this.#pool, statement, values));
  }

  /** Runs `work` in one transaction, again after a deadlock or a serialization failure: it must be safe to repeat. */
  async transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    return retryOnConflict(() => this.#transactionOnce(work));
  }

  async #transactionOnce<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#observe("connect", () => this.#pool.connect().catch(rethrowUnavailable));
    let broken = false;
    // The pool listens only to idle clients, and an unhandled error event would end the process.
    const onLost = () => {
      broken = true;
    };
    client.on("error", onLost);
    try {
      await this.#run(client, "begin");
      const result = await work({ query: (statement, values) => this.#run(client, statement, values) });
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

  connections(): { readonly busy: number; readonly idle: number; readonly awaited: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, awaited: waitingCount };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #run<R extends Row>(
    connection: pg.Pool | pg.PoolClient,
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<R[]> {
    const text = typeof statement === "string" ? statement : statement.text;
    return this.#observe(operationOf(text), () => runStatement<R>(connection, statement, values));
  }
}

/** The options of every connection. `query_timeout` also limits the server; 0 means no limit, even if the role sets one. */
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

/** Runs a statement on a connection or a pool. @throws as `Queryable.query`. */
export async function runStatement<R extends Row>(
  connection: pg.Pool | pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const query = typeof statement === "string" ? { text: statement } : statement;
  const result = await connection.query<R>({ ...query, values: [...values] }).catch((error: unknown) => {
    hideMembers(error, CONFIDENTIAL);
    return rethrowUnavailable(error);
  });
  return result.rows;
}

/** Members of PostgreSQL's errors that quote a refused row or an unreadable value, and so may hold texts. */
const CONFIDENTIAL = ["detail", "where", "internalQuery"] as const;

/** Serialization failure and deadlock. Other errors of class 40 can't be retried, or may have been committed. */
const CONFLICT_SQLSTATE = new Set(["40001", "40P01"]);

/** Safe because a statement or transaction that fails with these codes has changed nothing. */
async function retryOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!CONFLICT_SQLSTATE.has(errorCode(error))) throw error;
      if (attempt === CONFLICT_ATTEMPTS_MAX) {
        const message = "PostgreSQL is busy with other changes to the same rows; try again in a moment.";
        throw storeUnavailable(message, error);
      }
      await sleep(Math.random() * CONFLICT_PAUSE_MAX_MS);
    }
  }
}

/** PostgreSQL's error classes 08 (connection), 53 (resources) and 57P (shutdown, startup), and 57014 (statement timeout). */
const UNAVAILABLE_SQLSTATE = /^(08|53|57P|57014)/;
const UNAVAILABLE_ERRNO = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const UNAVAILABLE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable|query read timeout/i;

/** Reasons that its operator has to remove. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["53100", "The disk of PostgreSQL is full. Its operator has to free some space."],
  ["53300", "PostgreSQL has no connection left for this service. Its operator can raise max_connections."],
]);

/** Turns an error into the one that `Database` throws. */
export function rethrowUnavailable(error: unknown): never {
  if (isUnavailable(error)) {
    const reason = REASONS.get(errorCode(error)) ?? "PostgreSQL does not answer; try again in a moment.";
    throw storeUnavailable(reason, error);
  }
  throw error;
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  const code = errorCode(error);
  return (
    UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_ERRNO.test(code) || UNAVAILABLE_MESSAGE.test(error.message)
  );
}

/** The verb of a statement, as a label for metrics and traces; it holds none of its values. */
export function operationOf(statement: string): string {
  const [, word = ""] = /^\s*(\w+)/.exec(statement) ?? [];
  const operation = word.toLowerCase();
  if (operation === "with") {
    // A statement with `with` counts as a change if any part of it is one.
    const [, verb = "select"] = /\(\s*(insert|update|delete)\b/i.exec(statement) ?? [];
    return verb.toLowerCase();
  }
  return OPERATIONS.has(operation) ? operation : "other";
}

/** The first words of the service's statements, except in migrations and maintenance. */
const OPERATIONS: ReadonlySet<string> = new Set(["select", "insert", "update", "delete", "begin", "commit"]);

/** Class 28 (authorization), class 3D (no such database) and 42501 (privilege): the results of a wrong URL. */
const REFUSED_SQLSTATE = /^(28|3D|42501)/;

/** For the first calls of a start: turns a refusal of PostgreSQL into a ConfigError that names the setting with the URL. */
export function rethrowRefused(setting: "DATABASE_URL" | "STATISTICS_DATABASE_URL") {
  return (error: unknown): never => {
    if (error instanceof Error && REFUSED_SQLSTATE.test(errorCode(error))) {
      const message = `PostgreSQL refuses access: ${error.message}. Check the database, the user and the password in ${setting}.`;
      throw new ConfigError(message, { cause: error });
    }
    throw error;
  };
}
