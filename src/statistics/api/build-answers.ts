import type { Queryable } from "../../platform/postgres/database.ts";
import { type Country, REGIONS } from "../facts/countries.ts";
import { SOURCES } from "../facts/sources.ts";
import { PUBLICATIONS_MIN, STABLE_PAPERS_MIN } from "../rates/ranking.ts";
import { ratePer100k } from "../rates/rate.ts";
import type { Window } from "../rates/windows.ts";
import { CountryRow, type Counts, DisciplineRow, InstitutionRow } from "../read-model/rows.ts";
import type { Dataset, SourceState, StatisticsStore } from "../read-model/statistics-store.ts";
import { CASE_TYPES, type CaseType } from "../sources/cases/documented-cases.ts";
import type { Dimension } from "../sources/publications/publication-counts.ts";
import { type Answer, type Format, jsonAnswer, tableAnswer } from "./answer.ts";
import type { OverviewData } from "./schema.ts";

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

/** The age of each source. A source that was never loaded is stale too. */
export function presentFreshness(sources: readonly SourceState[], now: Date): OverviewData["freshness"] {
  return sources.map(({ id, retrieved_at, newest_record }) => {
    const retrievedMs = retrieved_at === null ? Number.NEGATIVE_INFINITY : Date.parse(retrieved_at);
    const stale = now.getTime() - retrievedMs > SOURCES[id].staleAfterDays * DAY_MS;
    const status = retrieved_at === null ? "never loaded" : stale ? "stale" : "current";
    return { source: id, status, retrieved_at, newest_record, stale };
  });
}

const DAY_MS = 24 * 3600 * 1000;

export async function buildCountries(
  reading: Reading,
  { region, below, format }: { region: string | undefined; below: boolean; format: Format },
): Promise<Answer> {
  const { snapshot, store, dataset, window } = reading;
  const isRegion = REGIONS.some(({ slug, parent }) => slug === region && parent === null);
  const rankedWithin = isRegion ? "region" : "subregion";
  const all = window === undefined ? [] : await store.countries(snapshot, window.id, rankedWithin);
  const selected = all.filter((row) => region === undefined || [row.region, row.subregion].includes(region));
  const ranked = selected.filter((row) => !row.below);
  // Papers without a country can't be filtered by region: they are those of the whole table.
  const { unattributed } = await countsOf(reading, "country");
  const [total, belowCount] = [selected.length, selected.length - ranked.length];
  const counts = { total, ranked: ranked.length, below: belowCount, unattributed };
  const facts = { topic: "countries", dataset, window, counts } as const;
  return tableAnswer(format, facts, CountryRow, below ? selected : ranked);
}

export async function buildInstitutions(
  reading: Reading,
  { below, format }: { below: boolean; format: Format },
): Promise<Answer> {
  const { snapshot, store, dataset, window } = reading;
  const rows = window === undefined ? [] : await store.institutions(snapshot, window.id, { below });
  const counts = await countsOf(reading, "institution");
  return tableAnswer(format, { topic: "institutions", dataset, window, counts }, InstitutionRow, rows);
}

export async function buildDisciplines(reading: Reading, { format }: { format: Format }): Promise<Answer> {
  const { snapshot, store, dataset, window } = reading;
  const rows = window === undefined ? [] : await store.disciplines(snapshot, window.id);
  const counts = await countsOf(reading, "discipline");
  return tableAnswer(format, { topic: "disciplines", dataset, window, counts }, DisciplineRow, rows);
}

async function countsOf({ snapshot, store, window }: Reading, dimension: Dimension): Promise<Counts> {
  if (window === undefined) return { total: 0, ranked: 0, below: 0, unattributed: 0 };
  return store.counts(snapshot, window.id, dimension);
}

export async function buildCountry(
  { snapshot, store, dataset, window }: Reading,
  country: Country,
): Promise<Answer> {
  const { code, subregion } = country;
  const rows = window === undefined ? [] : await store.countries(snapshot, window.id);
  const row = rows.find((one) => one.code === code) ?? withoutData(country);
  const comparison = window === undefined ? undefined : await store.comparison(snapshot, window.id, code);
  const peers = rows.filter((one) => one.code !== code && one.subregion === subregion);
  return jsonAnswer(
    { topic: "countries", dataset, window },
    {
      country: row,
      rank: { position: row.rank, of: rows.filter(({ rank }) => rank !== null).length },
      comparison: {
        ...(comparison ?? { subregion, ...NO_COMPARISON }),
        peers: subregion === null ? [] : peers,
      },
      series: window === undefined ? [] : await store.years(snapshot, window.id, code),
    },
  );
}

function withoutData({ code, name, region, subregion }: Country): CountryRow {
  return {
    ...{ rank: null, rank_in_region: null, code, name, region, subregion },
    ...{ papers: 0, publications: 0, ...ratePer100k(0, 0) },
    ...{ papers_fractional: 0, publications_fractional: 0, rate_fractional: null },
    ...{ below: true, unstable: true },
  };
}

const NO_COMPARISON = {
  ...{ pooled_rate: null, median_rate: null },
  ...{ rate_ratio: null, rate_ratio_ci_low: null, rate_ratio_ci_high: null },
} as const;

export async function buildCases(
  { snapshot, store, dataset }: Reading,
  type: CaseType | undefined,
): Promise<Answer> {
  return jsonAnswer({ topic: "cases", dataset }, await store.cases(snapshot, type));
}

export async function buildNews({ snapshot, store, dataset }: Reading): Promise<Answer> {
  return jsonAnswer({ topic: "news", dataset }, await store.news(snapshot));
}
