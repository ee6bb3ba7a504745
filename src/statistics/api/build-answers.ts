import type { Queryable } from "../../platform/postgres/database.ts";
import type { Country } from "../facts/countries.ts";
import { REGIONS } from "../facts/regions.ts";
import { PUBLICATIONS_MIN, STABLE_PAPERS_MIN } from "../rates/thresholds.ts";
import type { Window } from "../rates/windows.ts";
import type { CountryRow, Counts, Dataset } from "../read-model/rows.ts";
import type { StatisticsStore } from "../read-model/statistics-store.ts";
import { CASE_TYPES, type CaseType } from "../sources/cases/case-type.ts";
import type { Answer } from "./answer.ts";
import type { Endpoint } from "./endpoints.ts";
import type { presentFreshness } from "./freshness.ts";
import { type Format, jsonAnswer, tableAnswer } from "./page.ts";
import {
  countRows,
  presentCase,
  presentCountry,
  presentCountryRow,
  presentDisciplineRow,
  presentInstitutionRow,
  presentNews,
} from "./presenter.ts";
import * as rows from "./schema/rows.ts";

/** One unchanging state of the tables, with what is known of it. */
export type Reading = {
  readonly snapshot: Queryable;
  readonly store: StatisticsStore;
  readonly dataset: Dataset;
  /** Undefined before any load. */
  readonly window: Window | undefined;
};

/** The index: it comes from what is known of the data set, and asks the database nothing. */
export function buildOverview(
  dataset: Dataset,
  freshness: ReturnType<typeof presentFreshness>,
  endpoints: readonly Endpoint[],
): Answer {
  const windows = dataset.windows.map(({ id, from, to, provisional, isDefault }) => ({
    id,
    from,
    to,
    provisional,
    default: isDefault,
  }));
  const { country: countries, institution: institutions, discipline: disciplines } = PUBLICATIONS_MIN;
  const thresholds = {
    min_publications: { countries, institutions, disciplines },
    unstable_below_papers: STABLE_PAPERS_MIN,
  };
  const regions = REGIONS.map(({ slug, name, m49, parent }) => ({ slug, name, m49, parent }));
  const data = { windows, regions, case_types: CASE_TYPES, thresholds, freshness, endpoints };
  return jsonAnswer({ topic: "overview", dataset }, data);
}

export async function buildCountries(
  reading: Reading,
  { region, below, format }: { region: string | undefined; below: boolean; format: Format },
): Promise<Answer> {
  const { snapshot, store, dataset, window } = reading;
  const all = window === undefined ? [] : await store.countries(snapshot, window.id);
  const selected = all.filter((row) => region === undefined || [row.region, row.subregion].includes(region));
  const counts = countRows(selected, await countsOf(reading, "country"));
  const shown = below ? selected : selected.filter((row) => !row.below);
  const isRegion = REGIONS.some(({ slug, parent }) => slug === region && parent === null);
  return tableAnswer(
    format,
    { topic: "countries", dataset, window, counts },
    {
      columns: rows.CountryRow.keyof().options,
      rows: shown.map((row) => presentCountryRow(row, isRegion)),
    },
  );
}

export async function buildInstitutions(
  reading: Reading,
  { below, format }: { below: boolean; format: Format },
): Promise<Answer> {
  const { snapshot, store, dataset, window } = reading;
  const found = window === undefined ? [] : await store.institutions(snapshot, window.id, { below });
  return tableAnswer(
    format,
    { topic: "institutions", dataset, window, counts: await countsOf(reading, "institution") },
    { columns: rows.InstitutionRow.keyof().options, rows: found.map(presentInstitutionRow) },
  );
}

export async function buildDisciplines(reading: Reading, { format }: { format: Format }): Promise<Answer> {
  const { snapshot, store, dataset, window } = reading;
  const found = window === undefined ? [] : await store.disciplines(snapshot, window.id);
  return tableAnswer(
    format,
    { topic: "disciplines", dataset, window, counts: await countsOf(reading, "discipline") },
    { columns: rows.DisciplineRow.keyof().options, rows: found.map(presentDisciplineRow) },
  );
}

export async function buildCountry(
  { snapshot, store, dataset, window }: Reading,
  country: Country,
): Promise<Answer> {
  const facts = { topic: "countries", dataset, window } as const;
  const absent = countryWithoutData(country);
  if (window === undefined) {
    return jsonAnswer(facts, presentCountry(absent, [], { subregion: country.subregion, ...NOTHING }, []));
  }
  const all = await store.countries(snapshot, window.id);
  const comparison = await store.comparison(snapshot, window.id, country.code);
  const years = await store.years(snapshot, window.id, country.code);
  const row = all.find(({ code }) => code === country.code) ?? absent;
  return jsonAnswer(facts, presentCountry(row, all, comparison, years));
}

export async function buildCases(
  { snapshot, store, dataset }: Reading,
  type: CaseType | undefined,
): Promise<Answer> {
  const cases = await store.cases(snapshot, type);
  return jsonAnswer({ topic: "cases", dataset }, cases.map(presentCase));
}

export async function buildNews({ snapshot, store, dataset }: Reading): Promise<Answer> {
  return jsonAnswer({ topic: "news", dataset }, presentNews(await store.news(snapshot)));
}

async function countsOf(
  { snapshot, store, window }: Reading,
  dimension: "country" | "institution" | "discipline",
): Promise<Counts> {
  if (window === undefined) return { total: 0, ranked: 0, below: 0, unattributed: 0 };
  return store.counts(snapshot, window.id, dimension);
}

function countryWithoutData({ code, name, region, subregion }: Country): CountryRow {
  return {
    ...{ code, name, region, subregion },
    ...{ papers: 0, publications: 0, rate: null, rateCiLow: null, rateCiHigh: null },
    ...{ papersFractional: 0, publicationsFractional: 0, rateFractional: null },
    ...{ rank: null, rankInRegion: null, rankInSubregion: null, below: true, unstable: true },
  };
}

const NOTHING = {
  pooledRate: null,
  medianRate: null,
  rateRatio: null,
  rateRatioCiLow: null,
  rateRatioCiHigh: null,
} as const;
