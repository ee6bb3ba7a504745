import { LRUCache } from "lru-cache";
import { invalidInput } from "../../http/input/parse.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { type Window, yearsOf } from "../rates/windows.ts";
import { NOT_KEPT, showRows, showVersion } from "../read-model/kept-versions.ts";
import { type Dataset, readSnapshot, type StatisticsStore } from "../read-model/statistics-store.ts";
import type { Answer } from "./answer.ts";
import { buildOverview, presentFreshness, type Reading } from "./build-answers.ts";
import type { OverviewData } from "./schema.ts";

/** All answers of the API, as bytes: each is built once, from one snapshot of the tables, and kept until `forget` is called. */
export class StatisticsAnswers {
  readonly #database: Database;
  readonly #store: StatisticsStore;
  /** Requests for an answer that is being built wait for it. The revision is part of each key, so no answer is outdated. */
  readonly #cache = new LRUCache<string, Answer, () => Promise<Answer>>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ body }) => body.byteLength,
    fetchMethod: (_key, _previous, { context: build }) => build(),
    // `forget` must not fail the requests that are waiting.
    ignoreFetchAbort: true,
  });
  /** The description of the loaded data, so that cached answers need no query. */
  #dataset: Promise<Dataset> | undefined;

  constructor(database: Database, store: StatisticsStore) {
    this.#database = database;
    this.#store = store;
  }

  /** To be called whenever something was loaded, or may have been. */
  forget(): void {
    this.#dataset = undefined;
    this.#cache.clear();
  }

  async overview(endpoints: OverviewData["endpoints"], now: Date): Promise<Answer> {
    const dataset = await this.dataset();
    const freshness = presentFreshness(dataset.sources, now, dataset.attempts);
    // Apart from loads, only a source that becomes stale changes this answer.
    const stale = freshness.filter((source) => source.stale).map(({ source }) => source);
    const key = ["overview", dataset.revision, ...stale].join(" ");
    const context = async () => buildOverview(dataset, freshness, endpoints, now);
    return this.#cache.forceFetch(key, { context });
  }

  /**
   * An answer about a window, from memory or built.
   * @param endpoint distinguishes the answers to the same parameters.
   * @param asked the parameters. Without a `window`, the default window is meant, and without a `dataset_version` the loaded data.
   * @throws DomainError `invalid_input` for a window that is not listed, for years that the data do not have, and for a version
   *   that is not kept.
   */
  async get(endpoint: string, asked: Asked, build: (reading: Reading) => Promise<Answer>): Promise<Answer> {
    const dataset = await this.dataset();
    const { dataset_version: version, ...rest } = asked;
    if (version !== undefined && version !== dataset.datasetVersion)
      return this.#getKept(endpoint, asked, version, build);
    const window = chooseWindow(dataset, rest);
    const chosen = { ...rest, from: undefined, to: undefined, window: window?.id };
    const key = JSON.stringify([endpoint, dataset.revision, chosen]);
    const context = () =>
      readSnapshot(this.#database, async (snapshot) => {
        if ((await this.#store.revision(snapshot)) !== dataset.revision) throw new Superseded();
        return build({ snapshot, store: this.#store, dataset, window });
      });
    try {
      return await this.#cache.forceFetch(key, { context });
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      this.forget();
      return this.get(endpoint, asked, build);
    }
  }

  /** An answer from a version that was replaced, which has the publications of institutions in the listed windows alone. */
  #getKept(
    endpoint: string,
    asked: Asked,
    version: string,
    build: (reading: Reading) => Promise<Answer>,
  ): Promise<Answer> {
    const context = () =>
      this.#database.transaction(async (snapshot) => {
        if (!(await showVersion(snapshot, version)))
          throw invalidInput([{ field: "dataset_version", message: NOT_KEPT }]);
        const dataset = await this.#store.dataset(snapshot);
        const chosen = chooseWindow(dataset, asked);
        const isStored = endpoint === "institutions" || asked.institution !== undefined;
        const window = isStored ? listedWindow(dataset.windows, chosen?.id) : chosen;
        if (window !== undefined) await showRows(snapshot, version, window.id);
        return build({ snapshot, store: this.#store, dataset, window });
      });
    return this.#cache.forceFetch(JSON.stringify([endpoint, asked]), { context });
  }

  /** The description of the loaded data. A failed read is tried again by the next call. */
  async dataset(): Promise<Dataset> {
    this.#dataset ??= readSnapshot(this.#database, (snapshot) => this.#store.dataset(snapshot));
    const reading = this.#dataset;
    try {
      const dataset = await reading;
      // Forgotten in the meantime: it may describe the state before the load.
      return this.#dataset === reading ? dataset : await this.dataset();
    } catch (error) {
      if (this.#dataset === reading) this.#dataset = undefined;
      throw error;
    }
  }
}

/** Data was loaded after the list of windows was read and before the tables were. */
class Superseded extends Error {}

/**
 * In six windows, all tables and pages of countries take 11 MB, and of 10,000 institutions 54 MB (320 bytes a row). So all
 * requested answers stay in the cache, even if a client requests every page.
 */
const CACHE_BYTES_MAX = 96 * 1024 * 1024;

/** The parameters of a request, of which some decide its years and its version of the data. */
export type Asked = Readonly<Record<string, unknown>> & {
  readonly dataset_version?: string | undefined;
  readonly window?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

/** The years that a request names, or the default window. Undefined before any load, when there are none. */
function chooseWindow({ windows, settledUntil: settled }: Dataset, { window, from, to }: Asked) {
  if (from === undefined && to === undefined) return listedWindow(windows, window);
  if (window !== undefined)
    throw invalidInput([{ field: "window", message: "must not be given with from or to" }]);
  if (windows.length === 0) return undefined;
  const [first, last] = yearsOf(windows);
  const span = { from: from ?? first, to: to ?? last };
  const outside = (["from", "to"] as const).filter((field) => span[field] < first || span[field] > last);
  if (outside.length > 0) {
    const message = `must be a year from ${first} to ${last}`;
    throw invalidInput(outside.map((field) => ({ field, message })));
  }
  if (span.from > span.to) throw invalidInput([{ field: "from", message: "must not be after to" }]);
  const id = `${span.from}-${span.to}`;
  const listed = windows.find((one) => one.id === id);
  return listed ?? { id, ...span, provisional: span.to > settled, default: false };
}

function listedWindow(windows: readonly Window[], id: string | undefined): Window | undefined {
  if (id === undefined) return windows.find((window) => window.default);
  const chosen = windows.find((window) => window.id === id);
  if (chosen !== undefined) return chosen;
  if (windows.length === 0 && WINDOW_ID.test(String(id))) return undefined;
  const message =
    windows.length === 0
      ? "must be a span of years such as 2013-2017"
      : `must be one of ${windows.map((window) => window.id).join(", ")}`;
  throw invalidInput([{ field: "window", message }]);
}

const WINDOW_ID = /^\d{4}-\d{4}$/;
