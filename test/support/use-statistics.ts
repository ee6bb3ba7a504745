import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readBuiltPages } from "../../src/http/built-files.ts";
import { createHttpMetrics } from "../../src/http/observation.ts";
import { PendingAnswers } from "../../src/http/pending-answers.ts";
import type { Listener } from "../../src/http/server.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { QUIET_TRACING } from "../../src/platform/tracing.ts";
import { collectOpened } from "../../src/service/connect-corpus.ts";
import { type StatisticsOptions, startStatistics } from "../../src/service/statistics-service.ts";
import { migratedDatabase } from "./stores.ts";

/** The first start on a new machine fetches the stores, several hundred megabytes. */
const START_TIMEOUT_MS = 240_000;

export type TestStatistics = {
  readonly database: Database;
  readonly databaseUrl: string;
  /** For files of the tests; removed after them. */
  readonly folder: string;
  /** Of the first replica: `http://127.0.0.1:8081`. */
  readonly address: string;
  /** Asks the first replica; a path such as `/v1/countries?region=asia`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Another replica on the same database, by way of another URL when one is given; stopped with the first. */
  addReplica(changes?: Partial<StatisticsOptions>): Promise<Listener>;
};

/** Starts the statistics API on an empty database before the tests of the enclosing `describe`, and stops it after them. */
export function useStatistics(changes: Partial<StatisticsOptions> = {}): TestStatistics {
  const statistics = new HookedStatistics();
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    await statistics.start(changes);
  });
  after(() => statistics.stop());
  return statistics;
}

/** The same outside of tests; the caller stops it. */
export async function startTestStatistics(): Promise<TestStatistics & { stop(): Promise<void> }> {
  const statistics = new HookedStatistics();
  await statistics.start({});
  return statistics;
}

class HookedStatistics implements TestStatistics {
  readonly #log = pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" });
  readonly #opened = collectOpened(this.#log);
  #running: Running | undefined;

  async start(changes: Partial<StatisticsOptions>): Promise<void> {
    const databaseUrl = await migratedDatabase("statistics");
    await migrate(databaseUrl, this.#log);
    const folder = this.#opened.opened(await mkdtemp(join(tmpdir(), "statistics-")), (path) =>
      rm(path, { recursive: true }),
    );
    const database = this.#connect(databaseUrl);
    const first = await this.#listen(databaseUrl, changes);
    this.#running = { database, databaseUrl, folder, first };
  }

  async stop(): Promise<void> {
    await this.#opened.closeAll();
  }

  get database(): Database {
    return this.#started.database;
  }

  get databaseUrl(): string {
    return this.#started.databaseUrl;
  }

  get folder(): string {
    return this.#started.folder;
  }

  get address(): string {
    return this.#started.first.address;
  }

  request(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.address}${path}`, init);
  }

  addReplica(changes: Partial<StatisticsOptions> = {}): Promise<Listener> {
    return this.#listen(this.databaseUrl, changes);
  }

  #connect(databaseUrl: string): Database {
    return this.#opened.opened(new Database(databaseUrl, this.#log), (one) => one.close());
  }

  async #listen(databaseUrl: string, changes: Partial<StatisticsOptions>): Promise<Listener> {
    const metrics = createMetrics();
    const options = {
      host: "127.0.0.1",
      statisticsPort: 0,
      statisticsRateLimit: UNREACHED,
      trustedProxies: [],
      statisticsDatabaseUrl: databaseUrl,
      ...changes,
    };
    const { opened } = this.#opened;
    const parts = { metrics, tracing: QUIET_TRACING, log: this.#log };
    const shared = {
      metrics: createHttpMetrics(metrics.registry),
      pendingAnswers: new PendingAnswers(),
      pages: readBuiltPages(),
    };
    const listener = await startStatistics(parts, shared, options, opened);
    return opened(listener, (one) => one.close(0));
  }

  get #started() {
    if (this.#running === undefined)
      throw new Error("use the statistics API in the hooks and tests of its describe only");
    return this.#running;
  }
}

type Running = {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly first: Listener;
};

/** A limit that no test reaches which is not about the limit. */
const UNREACHED = 100_000;
