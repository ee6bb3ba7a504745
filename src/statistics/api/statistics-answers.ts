import type { Database } from "../../platform/postgres/database.ts";
import type { Country } from "../facts/countries.ts";
import { readSnapshot } from "../read-model/read-snapshot.ts";
import type { StatisticsStore } from "../read-model/statistics-store.ts";
import type { CaseType } from "../sources/cases/case-type.ts";
import type { Answer } from "./answer.ts";
import { AnswerCache } from "./answer-cache.ts";
import {
  buildCases,
  buildCountries,
  buildCountry,
  buildDisciplines,
  buildInstitutions,
  buildNews,
  buildOverview,
  type Reading,
} from "./build-answers.ts";
import { chooseWindow } from "./choose-window.ts";
import { CurrentDataset } from "./current-dataset.ts";
import type { Endpoint } from "./endpoints.ts";
import { presentFreshness } from "./freshness.ts";
import type { Format } from "./page.ts";

/** What a table is asked for with; the window's id is undefined for the default. */
export type TableQuestion = { readonly window: string | undefined; readonly format: Format };

/**
 * All answers of the API, as bytes. Each is built once for a state of the data, from one snapshot of the tables, and kept in
 * memory until `forget` is called. A window that is not listed throws DomainError `invalid_input`.
 */
export class StatisticsAnswers {
  readonly #database: Database;
  readonly #store: StatisticsStore;
  readonly #current: CurrentDataset;
  readonly #cache = new AnswerCache<Answer>(CACHE_BYTES_MAX, ({ body }) => body.byteLength);

  constructor(database: Database, store: StatisticsStore) {
    this.#database = database;
    this.#store = store;
    this.#current = new CurrentDataset(() => readSnapshot(database, (snapshot) => store.dataset(snapshot)));
  }

  /** To be called whenever something was loaded, or may have been. */
  forget(): void {
    this.#current.forget();
    this.#cache.clear();
  }

  async overview(endpoints: readonly Endpoint[], now: Date): Promise<Answer> {
    const dataset = await this.#current.get();
    const freshness = presentFreshness(dataset.sources, now);
    // The only answer that changes without a load: when a source becomes stale.
    const stale = freshness.filter((source) => source.stale).map(({ source }) => source);
    const key = ["overview", dataset.revision, ...stale].join(" ");
    return this.#cache.get(key, async () => buildOverview(dataset, freshness, endpoints));
  }

  countries(
    question: TableQuestion & { readonly region: string | undefined; readonly below: boolean },
  ): Promise<Answer> {
    const { window, format, region, below } = question;
    return this.#answer(window, ["countries", region ?? "all", below, format], (reading) =>
      buildCountries(reading, { region, below, format }),
    );
  }

  institutions({ window, format, below }: TableQuestion & { readonly below: boolean }): Promise<Answer> {
    return this.#answer(window, ["institutions", below, format], (reading) =>
      buildInstitutions(reading, { below, format }),
    );
  }

  disciplines({ window, format }: TableQuestion): Promise<Answer> {
    return this.#answer(window, ["disciplines", format], (reading) => buildDisciplines(reading, { format }));
  }

  country(country: Country, window: string | undefined): Promise<Answer> {
    return this.#answer(window, ["country", country.code], (reading) => buildCountry(reading, country));
  }

  cases(type: CaseType | undefined): Promise<Answer> {
    return this.#answer(undefined, ["cases", type ?? "all"], (reading) => buildCases(reading, type));
  }

  news(): Promise<Answer> {
    return this.#answer(undefined, ["news"], buildNews);
  }

  async #answer(
    windowId: string | undefined,
    variant: readonly (string | boolean)[],
    build: (reading: Reading) => Promise<Answer>,
  ): Promise<Answer> {
    const dataset = await this.#current.get();
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
      return this.#answer(windowId, variant, build);
    }
  }
}

/** Data was loaded between the look at the list of windows and the look at the tables. */
class Superseded extends Error {}

/**
 * In six windows, all tables and pages of countries take 11 MB and those of 10,000 institutions 54 MB (320 bytes a row):
 * what is asked for stays, and a client that walks through everything fills no more than this.
 */
const CACHE_BYTES_MAX = 96 * 1024 * 1024;
