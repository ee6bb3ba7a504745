import { pino } from "pino";
import { Database } from "../../../src/platform/postgres/database.ts";
import { migrate } from "../../../src/platform/postgres/migrate.ts";
import { StatisticsStore } from "../../../src/statistics/read-model/statistics-store.ts";
import { freshDatabase } from "../../support/stores.ts";

/** The stores may have to be fetched and started first. */
const START_TIMEOUT_MS = 240_000;

export type RefreshDatabase = {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly store: StatisticsStore;
};

/** An empty database for the tests of one `describe`; its members throw outside its hooks and tests. */
export function useRefreshDatabase(): RefreshDatabase {
  const log = pino({ level: "silent" });
  let databaseUrl = "";
  let database: Database | undefined;
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    databaseUrl = await freshDatabase("refresh");
    await migrate(databaseUrl, log);
    database = new Database(databaseUrl, log);
  });
  after(() => database?.close());
  return {
    store: new StatisticsStore(),
    get databaseUrl() {
      return databaseUrl;
    },
    get database() {
      if (database === undefined) throw new Error("useRefreshDatabase: only within tests");
      return database;
    },
  };
}
