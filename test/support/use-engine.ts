import { pino } from "pino";
import { connectOpenSearch, type OpenSearch } from "../../src/platform/opensearch/opensearch.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import type { Service, ServiceOptions } from "../../src/service/wire.ts";
import { EngineClient } from "./client.ts";
import { startTestService, type TestService } from "./service.ts";

/** The first start on a new machine fetches OpenSearch, several hundred megabytes. */
const START_TIMEOUT_MS = 240_000;

/** An engine that runs during the tests of one `describe`. Each member throws outside its hooks and tests. */
export type TestEngine = {
  readonly client: EngineClient;
  readonly service: Service;
  readonly options: ServiceOptions;
  /** The service's own tables, to look behind the API; opened at the first use. */
  readonly database: Database;
  /** The service's OpenSearch, which other tests share: name only indices with the service's prefix. */
  readonly opensearch: OpenSearch;
};

/**
 * Starts a service of its own before the tests of the enclosing `describe`, and stops it after them. Hooks run in the
 * order they are written: a `before` that needs the engine stands below this call, an `after` that needs it above.
 */
export function useEngine(changes: Partial<ServiceOptions> = {}): TestEngine {
  const engine = new HookedEngine();
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    await engine.start(changes);
  });
  after(() => engine.stop());
  return engine;
}

class HookedEngine implements TestEngine {
  #running: (TestService & { readonly client: EngineClient }) | undefined;
  #database: Database | undefined;
  #opensearch: OpenSearch | undefined;

  async start(changes: Partial<ServiceOptions>): Promise<void> {
    const started = await startTestService(changes);
    this.#running = { ...started, client: new EngineClient(started.base) };
  }

  /** Also after a start that failed, as mocha then calls it too. */
  async stop(): Promise<void> {
    await this.#database?.close();
    await this.#opensearch?.close();
    await this.#running?.stop();
    this.#running = undefined;
  }

  get client(): EngineClient {
    return this.#started("client").client;
  }

  get service(): Service {
    return this.#started("service").service;
  }

  get options(): ServiceOptions {
    return this.#started("options").options;
  }

  get database(): Database {
    const { options } = this.#started("database");
    this.#database ??= new Database(options.databaseUrl, pino({ level: "silent" }));
    return this.#database;
  }

  get opensearch(): OpenSearch {
    const { options } = this.#started("opensearch");
    this.#opensearch ??= connectOpenSearch(options.opensearchNodes);
    return this.#opensearch;
  }

  #started(member: keyof TestEngine) {
    if (this.#running === undefined) {
      throw new Error(
        `the engine is not running: use "${member}" in the hooks and tests of its describe only`,
      );
    }
    return this.#running;
  }
}
