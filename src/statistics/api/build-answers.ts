import type { z } from "zod";
import type { Queryable } from "../../platform/postgres/database.ts";
import { type Country, REGIONS } from "../facts/countries.ts";
import { CASE_TYPES, SOURCES } from "../facts/sources.ts";
import { PUBLICATIONS_MIN, STABLE_PAPERS_MIN } from "../rates/ranking.ts";
import { compareWithSubregion, ratePer100k } from "../rates/rate.ts";
import type { Window } from "../rates/windows.ts";
import { CountryRow, DisciplineRow, InstitutionRow, PaperRow } from "../read-model/rows.ts";
import type { Attempt, Dataset, SourceState, StatisticsStore } from "../read-model/statistics-store.ts";
import { type Answer, jsonAnswer, tableAnswer } from "./answer.ts";
import type {
  CasesQuery,
  CountriesQuery,
  CountryData,
  DisciplinesQuery,
  InstitutionsQuery,
  OverviewData,
  PapersQuery,
} from "./schema.ts";

/** One unchanging state of the tables, and its description. */
export type Reading = {
  readonly snapshot: Queryable;
  readonly store: StatisticsStore;
  readonly dataset: Dataset;
  /** Undefined before any load. */
  readonly window: Window | undefined;
};

/** The index. It needs only the description of the data set, and no query. */
export function buildOverview(
  dataset: Dataset,
  freshness: OverviewData["freshness"],
  endpoints: OverviewData["endpoints"],
): Answer {
  const { country: countries, institution: institutions, discipline: disciplines } = PUBLICATIONS_MIN;
  return jsonAnswer(
    { topic: "overview", dataset },
    {
      windows: dataset.windows,
      regions: REGIONS,
      case_types: CASE_TYPES,
      thresholds: {
        min_publications: { countries, institutions, disciplines },
        unstable_below_papers: STABLE_PAPERS_MIN,
      },
      freshness,
      endpoints,
    },
  );
}

/** The age of each source, and the last attempt to refresh it. A source that was never loaded is stale too. */
export function presentFreshness(
  sources: readonly SourceState[],
  now: Date,
  attempts: readonly Attempt[] = [],
): OverviewData["freshness"] {
  return sources.map(({ id, retrieved_at, newest_record }) => {
    const retrievedMs = retrieved_at === null ? Number.NEGATIVE_INFINITY : Date.parse(retrieved_at);
    const stale = now.getTime() - retrievedMs > SOURCES[id].staleAfterDays * DAY_MS;
    const status = retrieved_at === null ? "never loaded" : stale ? "stale" : "current";
    const attempt = attempts.find(({ source }) => source === id);
    return {
      ...{ source: id, status, retrieved_at, newest_record, stale },
      ...(attempt && { last_attempt_at: attempt.attemptedAt, last_failure: attempt.failure }),
    };
  });
}

const DAY_MS = 24 * 3600 * 1000;

export async function buildCountries(
  reading: Reading,
  { region, below, format }: z.output<typeof CountriesQuery>,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const isRegion = REGIONS.some(({ slug, parent }) => slug === region && parent === null);
  const all = await store.countries(snapshot, window?.id, isRegion ? "region" : "subregion");
  const selected = all.filter((row) => region === undefined || [row.region, row.subregion].includes(region));
  const ranked = selected.filter((row) => !row.below);
  // Papers without a country can't be filtered by region: they count for the whole table.
  const { unattributed } = await store.counts(snapshot, window?.id, "country");
  const [total, belowCount] = [selected.length, selected.length - ranked.length];
  const counts = { total, ranked: ranked.length, below: belowCount, unattributed };
  return tableAnswer(
    format,
    { ...reading, topic: "countries", counts },
    CountryRow,
    below ? selected : ranked,
  );
}

export async function buildInstitutions(
  reading: Reading,
  { below, format }: z.output<typeof InstitutionsQuery>,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const rows = await store.institutions(snapshot, window?.id, { below });
  const counts = await store.counts(snapshot, window?.id, "institution");
  return tableAnswer(format, { ...reading, topic: "institutions", counts }, InstitutionRow, rows);
}

export async function buildDisciplines(
  reading: Reading,
  { format }: z.output<typeof DisciplinesQuery>,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const rows = await store.disciplines(snapshot, window?.id);
  const counts = await store.counts(snapshot, window?.id, "discipline");
  return tableAnswer(format, { ...reading, topic: "disciplines", counts }, DisciplineRow, rows);
}

export async function buildCountry(reading: Reading, country: Country): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const described = describeCountry(country, await store.countries(snapshot, window?.id));
  const series = await store.years(snapshot, window?.id, country.code);
  return jsonAnswer({ ...reading, topic: "countries" }, { ...described, series });
}

/** A country among all rows of a window: its own, its rank, and its comparison with the others of its sub-region. */
export function describeCountry(
  country: Country,
  rows: readonly CountryRow[],
): Omit<z.output<typeof CountryData>, "series"> {
  const { code, subregion } = country;
  const nothing = withoutData(country);
  const row = rows.find((one) => one.code === code) ?? nothing;
  const peers = rows.filter((one) => subregion !== null && one.subregion === subregion && one.code !== code);
  return {
    country: row,
    rank: { position: row.rank, of: rows.filter(({ rank }) => rank !== null).length },
    comparison: { subregion, ...compareWithSubregion(subregion === null ? nothing : row, peers), peers },
  };
}

function withoutData({ code, name, region, subregion }: Country): CountryRow {
  return {
    ...{ rank: null, rank_in_region: null, code, name, region, subregion },
    ...{ papers: 0, publications: 0, ...ratePer100k(0, 0) },
    ...{ papers_fractional: 0, publications_fractional: 0, rate_fractional: null },
    ...{ below: true, unstable: true },
  };
}

/** The papers behind the figures: a list's `papers` is their number, and `papers_fractional` the sum of their shares. */
export async function buildPapers(
  reading: Reading,
  { format, ...place }: z.output<typeof PapersQuery>,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const rows = window === undefined ? [] : await store.papers(snapshot, window, place);
  return tableAnswer(format, { ...reading, topic: "papers" }, PaperRow, rows);
}

export async function buildCases(reading: Reading, { type }: z.output<typeof CasesQuery>): Promise<Answer> {
  const { snapshot, store, dataset } = reading;
  return jsonAnswer({ topic: "cases", dataset }, await store.cases(snapshot, type));
}

export async function buildNews({ snapshot, store, dataset }: Reading): Promise<Answer> {
  return jsonAnswer({ topic: "news", dataset }, await store.news(snapshot));
}
