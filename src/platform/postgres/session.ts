import pg from "pg";
import {
  connectionOptions,
  type Queryable,
  rethrowUnavailable,
  runStatement,
  type Statement,
} from "./database.ts";

/** A connection beside the pool, which is not replaced when it is lost. Its locks and temporary tables end with it. */
export class Session implements Queryable {
  readonly #client: pg.Client;
  #isLost = false;

  private constructor(client: pg.Client) {
    this.#client = client;
    // Without a listener the error would end the process.
    for (const event of ["error", "end"] as const) {
      client.on(event, () => {
        this.#isLost = true;
      });
    }
  }

  /** @param answerTimeoutMs 0 for none. @throws PostgreSQL's own error when it refuses access. */
  static async open(databaseUrl: string, answerTimeoutMs?: number): Promise<Session> {
    const limits = answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs };
    const session = new Session(new pg.Client(connectionOptions(databaseUrl, limits)));
    try {
      await session.#client.connect();
      return session;
    } catch (error) {
      await session.close();
      return rethrowUnavailable(error);
    }
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  query<R extends Record<string, unknown>>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    return runStatement<R>(this.#client, statement, values);
  }

  /** Takes an advisory lock, named by its number or a text, unless another session holds it. */
  async tryLock(key: number | string): Promise<boolean> {
    const id = typeof key === "number" ? "$1" : "hashtextextended($1, 0)";
    const [row] = await this.query<{ taken: boolean }>(`select pg_try_advisory_lock(${id}) as taken`, [key]);
    return row?.taken === true;
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}

/** Runs `work` unless another process runs work with the same advisory lock; then it returns undefined. */
export async function exclusiveWork<T>(
  databaseUrl: string,
  key: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const session = await Session.open(databaseUrl);
  try {
    return (await session.tryLock(key)) ? await work() : undefined;
  } finally {
    await session.close();
  }
}
