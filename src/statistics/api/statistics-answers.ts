import { invalidInput } from "../../http/input/parse.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Window } from "../rates/windows.ts";
import { type Dataset, readSnapshot, type StatisticsStore } from "../read-model/statistics-store.ts";
import type { Answer } from "./answer.ts";
import { AnswerCache } from "./answer-cache.ts";
import { buildOverview, presentFreshness, type Reading } from "./build-answers.ts";
import type { OverviewData } from "./schema.ts";

/**
 * All answers of the API, as bytes. Each is built once for a state of the data, from one snapshot of the tables, and kept in
 * memory until `forget` is called.
 */
export class StatisticsAnswers {
  readonly #database: Database;
  readonly #store: StatisticsStore;
  readonly #cache = new AnswerCache<Answer>(CACHE_BYTES_MAX, ({ body }) => body.byteLength);
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
    const dataset = await this.#currentDataset();
    const freshness = presentFreshness(dataset.sources, now);
    // Apart from loads, only a source that becomes stale changes this answer.
    const stale = freshness.filter((source) => source.stale).map(({ source }) => source);
    const key = ["overview", dataset.revision, ...stale].join(" ");
    return this.#cache.get(key, async () => buildOverview(dataset, freshness, endpoints));
  }

  /**
   * An answer about a window, from memory or built.
   * @param windowId undefined for the default window.
   * @param variant distinguishes the answers about one window: its endpoint and parameters.
   * @throws DomainError `invalid_input` for a window that is not listed.
   */
  async get(
    windowId: string | undefined,
    variant: readonly (string | boolean | undefined)[],
    build: (reading: Reading) => Promise<Answer>,
  ): Promise<Answer> {
    const dataset = await this.#currentDataset();
    const window = chooseWindow(dataset.windows, windowId);
    const key = [dataset.revision, window?.id, ...variant].join(" ");
    try {
      return await this.#cache.get(key, () =>
        readSnapshot(this.#database, async (snapshot) => {
          if ((await this.#store.revision(snapshot)) !== dataset.revision) throw new Superseded();
          return build({ snapshot, store: this.#store, dataset, window });
        }),
      );
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      this.forget();
      return this.get(windowId, variant, build);
    }
  }

  /** A failed read is tried again by the next call. */
  async #currentDataset(): Promise<Dataset> {
    this.#dataset ??= readSnapshot(this.#database, (snapshot) => this.#store.dataset(snapshot));
    const reading = this.#dataset;
    try {
      const dataset = await reading;
      // Forgotten in the meantime: it may describe the state before the load.
      return this.#dataset === reading ? dataset : await this.#currentDataset();
    } catch (error) {
      if (this.#dataset === reading) this.#dataset = undefined;
      throw error;
    }
  }
}

/** Data was loaded after the list of windows was read and before the tables were. */
class Superseded extends Error {}

/**
 * In six windows, all tables and pages of countries take 11 MB and those of 10,000 institutions 54 MB (320 bytes a row): all
 * requested answers stay, and a client that walks through everything fills no more than this.
 */
const CACHE_BYTES_MAX = 96 * 1024 * 1024;

/** The window that a request names, or the default. Undefined before any load, when there are none. */
function chooseWindow(windows: readonly Window[], id: string | undefined): Window | undefined {
  if (id === undefined) return windows.find((window) => window.default);
  const chosen = windows.find((window) => window.id === id);
  if (chosen !== undefined) return chosen;
  if (windows.length === 0 && WINDOW_ID.test(id)) return undefined;
  const message =
    windows.length === 0
      ? "must be a span of years such as 2013-2017"
      : `must be one of ${windows.map((window) => window.id).join(", ")}`;
  throw invalidInput([{ field: "window", message }]);
}

const WINDOW_ID = /^\d{4}-\d{4}$/;
