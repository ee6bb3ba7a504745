import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Database, type Queryable } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { Notifications } from "../../src/platform/postgres/notifications.ts";
import {
  createLoadStatistics,
  type LoadOptions,
  type LoadResult,
  type StatisticsFiles,
} from "../../src/statistics/load/load-statistics.ts";
import { readSnapshot, StatisticsStore } from "../../src/statistics/read-model/statistics-store.ts";
import { freshDatabase } from "../support/stores.ts";

/** The stores may have to be fetched and started first. */
const START_TIMEOUT_MS = 240_000;

/** A database of its own into which the tests of one `describe` load files. */
export type LoadedStatistics = {
  readonly database: Database;
  readonly store: StatisticsStore;
  load(files: StatisticsFiles, options?: LoadOptions): Promise<LoadResult>;
  /** Writes a file into a folder that goes after the tests, and gives its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Hears what is sent on a channel of the database until the tests end. */
  listen(channel: string, onPayload: (payload: string) => void): Promise<void>;
  /** Everything that answers are made of, apart from times. */
  contents(): Promise<unknown>;
};

/** Makes the database before the tests of the enclosing `describe`; each member throws outside its hooks and tests. */
export function useStatistics(): LoadedStatistics {
  const log = pino({ level: "silent" });
  const store = new StatisticsStore();
  let database: Database | undefined;
  let folder: string | undefined;
  let databaseUrl = "";
  const opened: { close(): Promise<void> }[] = [];
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    databaseUrl = await freshDatabase("statistics");
    await migrate(databaseUrl, log);
    database = new Database(databaseUrl, log);
    folder = await mkdtemp(join(tmpdir(), "statistics-"));
  });
  after(async () => {
    for (const one of opened) await one.close();
    await database?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });
  const given = () => {
    if (database === undefined || folder === undefined) throw new Error("useStatistics: only within tests");
    return { database, folder };
  };
  return {
    store,
    get database() {
      return given().database;
    },
    load: (files, options) => createLoadStatistics(given())(files, options),
    async write(name, content) {
      const file = join(given().folder, name);
      await writeFile(file, content);
      return file;
    },
    async listen(channel, onPayload) {
      const handlers = { onPayload, onReconnect: () => undefined };
      const notifications = new Notifications(databaseUrl, channel, handlers, log);
      await notifications.open();
      opened.push(notifications);
    },
    contents: () => readSnapshot(given().database, (snapshot) => contentsOf(snapshot, store)),
  };
}

async function contentsOf(database: Queryable, store: StatisticsStore) {
  const { windows, sources } = await store.dataset(database);
  const perWindow = [];
  for (const { id } of windows) {
    const countries = await store.countries(database, id);
    const codes = countries.map(({ code }) => code);
    perWindow.push({
      countries,
      institutions: await store.institutions(database, id, { below: true }),
      disciplines: await store.disciplines(database, id),
      years: await inTurn(codes, (code) => store.years(database, id, code)),
    });
  }
  return {
    windows,
    newest: sources.map(({ newest_record }) => newest_record),
    perWindow,
    cases: await store.cases(database, undefined),
    news: await store.news(database),
  };
}

/** One connection does one query at a time. */
async function inTurn<T>(codes: readonly string[], read: (code: string) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (const code of codes) all.push(await read(code));
  return all;
}
