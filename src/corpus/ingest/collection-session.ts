import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable, Statement } from "../../platform/postgres/database.ts";
import { Session } from "../../platform/postgres/session.ts";
import type { CommandOutput } from "../index/corpus-stores.ts";

/** How often an ingest tries again to lock a collection that another one works on. */
const LOCK_POLL_MS = 500;

/** Documents compared with the seen paths in one statement, which takes a second when nothing is cached. */
const COMPARED_AT_ONCE = 10_000;

type Options = CommandOutput & {
  readonly databaseUrl: string;
  readonly collection: string;
  readonly keepsSeen: boolean;
};

/** Holds the lock of a collection for one ingest, and its seen paths, so that memory does not grow with their number. */
export class CollectionSession implements Queryable {
  readonly #session: Session;
  readonly #collection: string;
  #hasForgotten = false;

  private constructor(session: Session, collection: string) {
    this.#session = session;
    this.#collection = collection;
  }

  /** Waits until no other ingest works on the collection. @throws DomainError `store_unavailable`; the signal's reason. */
  static async open(options: Options): Promise<CollectionSession> {
    const { databaseUrl, collection, keepsSeen, say, signal } = options;
    const session = await Session.open(databaseUrl);
    try {
      for (let told = false; !(await session.tryLock(`similarity-ingest ${collection}`)); told = true) {
        if (!told) say("Another ingest of these documents is running; waiting for it to finish.");
        await sleep(LOCK_POLL_MS, undefined, { signal });
      }
      if (keepsSeen) await session.query("create temporary table seen_paths (path text primary key)");
      return new CollectionSession(session, collection);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** Whether the connection was lost, and with it the lock and the seen paths. */
  get isLost(): boolean {
    return this.#hasForgotten || this.#session.isLost;
  }

  query<R extends Record<string, unknown>>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    return this.#session.query<R>(statement, values);
  }

  /** Records that these paths exist, and returns the paths that were recorded already. If that fails, the session counts as lost. */
  async see(paths: readonly string[]): Promise<readonly string[]> {
    if (this.isLost) return [];
    try {
      const rows = await this.query<{ path: string }>(
        `with added as (
           insert into pg_temp.seen_paths select unnest($1::text[]) on conflict do nothing returning path
         ) select path from unnest($1::text[]) as given (path) except all select path from added`,
        [paths],
      );
      return rows.map(({ path }) => path);
    } catch {
      this.#hasForgotten = true;
      return [];
    }
  }

  /** The identifiers of the documents of the collection whose path was not seen, a page at a time. */
  async *unseen(): AsyncGenerator<readonly string[]> {
    await this.query("analyze pg_temp.seen_paths");
    for (let after: string | null = ""; after !== null; ) {
      const [page]: { last: string | null; unseen: string[] }[] = await this.query(
        `with page as (
           select document_id, path from documents
            where tenant is null and collection = $1 and path > $2 order by path limit $3
         )
         select max(page.path) as last,
                coalesce(array_agg(page.document_id) filter (where seen.path is null), '{}') as unseen
           from page left join pg_temp.seen_paths seen on seen.path = page.path`,
        [this.#collection, after, COMPARED_AT_ONCE],
      );
      if (page !== undefined && page.unseen.length > 0) yield page.unseen;
      after = page?.last ?? null;
    }
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}
