import type { z } from "zod";
import type { Queryable } from "../../platform/postgres/database.ts";
import { type Country, REGIONS } from "../facts/countries.ts";
import { findField } from "../facts/fields.ts";
import { CASE_TYPES, SOURCES } from "../facts/sources.ts";
import { PUBLICATIONS_MIN, rankBy, type SortKey, STABLE_PAPERS_MIN } from "../rates/ranking.ts";
import { compareWithSubregion, ratePer100k } from "../rates/rate.ts";
import { type Rated, withSmallNumbers } from "../rates/small-numbers.ts";
import { newestSettled, type Window, yearsOf } from "../rates/windows.ts";
import { citationFile, dataPackage } from "../read-model/dataset-description.ts";
import {
  CountryRow,
  type Counts,
  DisciplineRow,
  InstitutionRow,
  PaperRow,
  ReasonRow,
  SMALL_NUMBERS,
  TotalRow,
} from "../read-model/rows.ts";
import type {
  Attempt,
  Dataset,
  PaperPlace,
  SourceState,
  StatisticsStore,
} from "../read-model/statistics-store.ts";
import {
  type Answer,
  caveatsIn,
  filesAnswer,
  jsonAnswer,
  shareLater,
  type TableFacts,
  type TableRow,
  tableAnswer,
  textAnswer,
} from "./answer.ts";
import type {
  CasesQuery,
  CountriesQuery,
  CountryData,
  DisciplinesQuery,
  InstitutionsQuery,
  OverviewData,
  PapersQuery,
  PlaceQuery,
  ReasonsQuery,
  TableQuery,
  TotalsQuery,
  WindowsData,
} from "./schema.ts";
import { fractionalPublications, reasonsOf, totalsOf } from "./totals.ts";

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
  now: Date,
): Answer {
  const { country: countries, institution: institutions, discipline: disciplines } = PUBLICATIONS_MIN;
  const stalenesses = dataset.sources.map(stalenessMs).filter((time) => time <= now.getTime());
  return jsonAnswer(
    { topic: "overview", dataset, changedAt: new Date(Math.max(0, ...stalenesses)) },
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
  return sources.map((source) => {
    const { id, retrieved_at, newest_record } = source;
    const stale = now.getTime() > stalenessMs(source);
    const status = retrieved_at === null ? "never loaded" : stale ? "stale" : "current";
    const attempt = attempts.find(({ source }) => source === id);
    return {
      ...{ source: id, status, retrieved_at, newest_record, stale },
      ...(attempt && { last_attempt_at: attempt.attemptedAt, last_failure: attempt.failure }),
    };
  });
}

/** When a source becomes stale, as a time in milliseconds: long ago if it was never loaded. */
function stalenessMs({ id, retrieved_at }: SourceState): number {
  if (retrieved_at === null) return Number.NEGATIVE_INFINITY;
  return Date.parse(retrieved_at) + SOURCES[id].staleAfterDays * DAY_MS;
}

const DAY_MS = 24 * 3600 * 1000;

/** The years that requests may name, and how complete they are. */
export async function buildWindows({ dataset }: Reading): Promise<Answer> {
  const { windows, newestRetraction, settledUntil, delays } = dataset;
  const [first, last] = windows.length === 0 ? [null, null] : yearsOf(windows);
  const data: WindowsData = {
    first_year: first,
    last_year: last,
    newest_retraction: newestRetraction ?? null,
    settled_until: newestRetraction === undefined ? last : settledUntil,
    newest_settled: first === null ? null : newestSettled(first, last, settledUntil),
    delays: Array.from({ length: DELAY_YEARS_MAX }, (_, index) => index + 1).flatMap((years) => {
      const later = shareLater(delays, years);
      return later === undefined ? [] : [{ years, later }];
    }),
  };
  return jsonAnswer({ topic: "countries", dataset }, data);
}

/** Few retractions take longer. */
const DELAY_YEARS_MAX = 10;

export async function buildCountries(
  reading: Reading,
  query: z.output<typeof CountriesQuery>,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const { region } = query;
  const isRegion = REGIONS.some(({ slug, parent }) => slug === region && parent === null);
  const rankedWithin = isRegion ? "region" : "subregion";
  const all = sortCountries(
    await store.countries(snapshot, window?.id, rankedWithin),
    query.sort,
    rankedWithin,
  );
  const selected = all.filter((row) => region === undefined || [row.region, row.subregion].includes(region));
  // Papers without a country can't be filtered by region: they count for the whole table.
  const { unattributed } = await store.counts(snapshot, window?.id, "country");
  return buildTable({ ...reading, topic: "countries" }, CountryRow, selected, query, { unattributed });
}

/** The rows ranked by a figure, with the figures for small numbers; as they are without one. */
function sortRows<R extends Rated>(
  rows: readonly R[],
  sort: SortKey | undefined,
  publicationsMin: number,
  codeOf: (row: R) => string,
): readonly R[] {
  if (sort === undefined) return rows;
  return rankBy(withSmallNumbers(rows), publicationsMin, (row) => row[sort], codeOf);
}

function sortCountries(
  rows: readonly CountryRow[],
  sort: SortKey | undefined,
  rankedWithin: "region" | "subregion",
): readonly CountryRow[] {
  if (sort === undefined) return rows;
  const sorted = sortRows(rows, sort, PUBLICATIONS_MIN.country, ({ code }) => code);
  const codes = [...Map.groupBy(sorted, (row) => row[rankedWithin])].flatMap(([group, members]) =>
    group === null
      ? []
      : rankBy(
          members,
          PUBLICATIONS_MIN.country,
          (row) => row[sort] ?? null,
          ({ code }) => code,
        ),
  );
  const rankOf = new Map(codes.map(({ code, rank }) => [code, rank]));
  return sorted.map((row) => ({ ...row, rank_in_region: rankOf.get(row.code) ?? null }));
}

export async function buildInstitutions(
  reading: Reading,
  query: z.output<typeof InstitutionsQuery>,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const { country, sort, stable } = query;
  const facts = { ...reading, topic: "institutions" } as const;
  const counts = await store.counts(snapshot, window?.id, "institution");
  const stored = new Map([
    [undefined, () => store.institutions(snapshot, window?.id, query)],
    ["rate_shrunken", () => store.institutionsByShrunkenRate(snapshot, window?.id, query)],
  ]).get(sort);
  const page = stable || country !== undefined ? undefined : await stored?.();
  if (page !== undefined) return buildTable(facts, InstitutionRow, page, { ...query, offset: 0 }, counts);
  // Most institutions are below, and only counts of some of them need the others' rows.
  const below = query.below || stable || country !== undefined;
  const all = await store.institutions(snapshot, window?.id, { below });
  const sorted = sortRows(all, sort, PUBLICATIONS_MIN.institution, ({ ror }) => ror);
  const selected = sorted.filter((row) => country === undefined || row.country_code === country);
  const known = country === undefined && !stable ? counts : { unattributed: counts.unattributed };
  return buildTable(facts, InstitutionRow, selected, query, known);
}

export async function buildDisciplines(
  reading: Reading,
  query: z.output<typeof DisciplinesQuery>,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const all = await store.disciplines(snapshot, window?.id);
  const sorted = sortRows(all, query.sort, PUBLICATIONS_MIN.discipline, ({ field_id }) => String(field_id));
  const { unattributed } = await store.counts(snapshot, window?.id, "discipline");
  const asked = { ...query, below: true };
  return buildTable({ ...reading, topic: "disciplines" }, DisciplineRow, sorted, asked, { unattributed });
}

/** @param known counts that the rows do not tell */
function buildTable(
  facts: Omit<TableFacts, "counts">,
  schema: z.ZodObject,
  rows: readonly (TableRow & { readonly below: boolean; readonly unstable: boolean })[],
  { below = false, stable, sort, format, limit, offset }: TableQuery,
  known: Partial<Counts> & Pick<Counts, "unattributed">,
): Answer {
  const selected = rows.filter((row) => !(stable && row.unstable));
  const ranked = selected.filter((row) => !row.below);
  const belowCount = selected.length - ranked.length;
  const counts = { total: selected.length, ranked: ranked.length, below: belowCount, ...known };
  const shown = (below ? selected : ranked).slice(offset, limit === undefined ? undefined : offset + limit);
  const columns = Object.keys(schema.shape).filter((name) => sort !== undefined || !SMALL_NUMBERS.has(name));
  return tableAnswer(format, { ...facts, counts, isWhole: shown.some(isCountedWhole) }, columns, shown);
}

/** A refresh of the publications from OpenAlex gives whole counts. */
function isCountedWhole({ publications, publications_fractional }: TableRow): boolean {
  return Number(publications) > 0 && publications_fractional === null;
}

export async function buildCountry(
  reading: Reading,
  country: Country,
  { sort }: PlaceQuery,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const rows = sortCountries(await store.countries(snapshot, window?.id), sort, "subregion");
  const described = describeCountry(country, rows);
  const series = await store.years(snapshot, window?.id, country.code);
  const isWhole = isCountedWhole(described.country);
  return jsonAnswer({ ...reading, topic: "countries", isWhole }, { ...described, series });
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
    rank: positionOf(row, rows),
    comparison: { subregion, ...compareWithSubregion(subregion === null ? nothing : row, peers), peers },
  };
}

function withoutData({ code, name, region, subregion }: Country): CountryRow {
  return {
    ...{ rank: null, rank_in_region: null, code, name, region, subregion },
    ...NO_FIGURES,
  };
}

const NO_FIGURES = {
  ...{ papers: 0, publications: 0, ...ratePer100k(0, 0) },
  ...{ papers_fractional: 0, publications_fractional: 0, rate_fractional: null },
  ...{ below: true, unstable: true },
} as const;

/** @param ror the full identifier */
export async function buildInstitution(reading: Reading, ror: string, { sort }: PlaceQuery): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const all = await store.institutions(snapshot, window?.id, { below: true });
  const rows = sortRows(all, sort, PUBLICATIONS_MIN.institution, (row) => row.ror);
  const nothing = { rank: null, ror, name: null, country_code: null, ...NO_FIGURES };
  const institution = rows.find((row) => row.ror === ror) ?? nothing;
  const series = await store.years(snapshot, window?.id, ror, "institution");
  const data = { institution, rank: positionOf(institution, rows), series };
  const isWhole = isCountedWhole(institution);
  return jsonAnswer({ ...reading, topic: "institutions", isWhole }, data);
}

export async function buildDiscipline(
  reading: Reading,
  fieldId: string,
  { sort }: PlaceQuery,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const all = await store.disciplines(snapshot, window?.id);
  const rows = sortRows(all, sort, PUBLICATIONS_MIN.discipline, (row) => String(row.field_id));
  const { name = "", domain = "" } = findField(Number(fieldId)) ?? {};
  const nothing = { rank: null, field_id: Number(fieldId), name, domain, ...NO_FIGURES };
  const discipline = rows.find((row) => row.field_id === nothing.field_id) ?? nothing;
  const series = await store.years(snapshot, window?.id, fieldId, "discipline");
  const data = { discipline, rank: positionOf(discipline, rows), series };
  const isWhole = isCountedWhole(discipline);
  return jsonAnswer({ ...reading, topic: "disciplines", isWhole }, data);
}

type HasRank = { readonly rank: number | null };

function positionOf({ rank }: HasRank, rows: readonly HasRank[]) {
  return { position: rank, of: rows.filter((row) => row.rank !== null).length };
}

/** The papers behind the figures: a list's `papers` is their number, and `papers_fractional` the sum of their shares. */
export async function buildPapers(
  reading: Reading,
  { format, limit, offset, ...place }: z.output<typeof PapersQuery>,
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  if (window === undefined) return papersAnswer(reading, format, []);
  const rows = await store.papers(snapshot, window, place, { limit, offset });
  const isPart = limit !== undefined || offset > 0;
  const total = isPart ? await store.countPapers(snapshot, window, place) : rows.length;
  return papersAnswer(reading, format, rows, total);
}

function papersAnswer(
  reading: Reading,
  format: "json" | "csv",
  rows: readonly PaperRow[],
  total = rows.length,
): Answer {
  const facts = { ...reading, topic: "papers", counts: { total } } as const;
  return tableAnswer(format, facts, PaperRow.keyof().options, rows);
}

/** The world and its regions. @param known the papers of the window, if they are read already */
export async function buildTotals(
  reading: Reading,
  { format }: z.output<typeof TotalsQuery>,
  known?: readonly PaperRow[],
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const papers = known ?? (window === undefined ? [] : await store.papers(snapshot, window, {}));
  const rows = totalsOf(await store.countries(snapshot, window?.id), papers);
  const shown = window === undefined ? [] : rows;
  const isWhole = shown.some((row) => row.countries > 0 && row.publications_fractional === null);
  return tableAnswer(format, { ...reading, topic: "countries", isWhole }, TotalRow.keyof().options, shown);
}

/** The papers of the world, or of one place, by their reasons. @param known these papers, if they are read already */
export async function buildReasons(
  reading: Reading,
  { format, ...place }: z.output<typeof ReasonsQuery>,
  known?: readonly PaperRow[],
): Promise<Answer> {
  const { snapshot, store, window } = reading;
  const papers = known ?? (window === undefined ? [] : await store.papers(snapshot, window, place));
  const rows = reasonsOf(papers, await publicationsOf(reading, place));
  return tableAnswer(format, { ...reading, topic: "reasons" }, ReasonRow.keyof().options, rows);
}

async function publicationsOf(
  { snapshot, store, window }: Reading,
  { country, institution, discipline }: PaperPlace,
): Promise<number | null> {
  if (institution !== undefined) {
    const rows = await store.institutions(snapshot, window?.id, { below: true });
    return rows.find(({ ror }) => ror === institution)?.publications ?? 0;
  }
  if (discipline !== undefined) {
    const rows = await store.disciplines(snapshot, window?.id);
    return rows.find(({ field_id }) => field_id === discipline)?.publications ?? 0;
  }
  const rows = await store.countries(snapshot, window?.id);
  if (country === undefined) return fractionalPublications(rows);
  return rows.find(({ code }) => code === country)?.publications ?? 0;
}

export async function buildCases(reading: Reading, { type }: z.output<typeof CasesQuery>): Promise<Answer> {
  const { snapshot, store, dataset } = reading;
  return jsonAnswer({ topic: "cases", dataset }, await store.cases(snapshot, type));
}

export async function buildNews({ snapshot, store, dataset }: Reading): Promise<Answer> {
  return jsonAnswer({ topic: "news", dataset }, await store.news(snapshot));
}

export async function buildDataPackage({ dataset }: Reading): Promise<Answer> {
  return textAnswer(
    dataset,
    "application/json; charset=utf-8",
    JSON.stringify(dataPackage(dataset), null, 2),
  );
}

export async function buildCitation({ dataset }: Reading): Promise<Answer> {
  return textAnswer(dataset, "text/yaml; charset=utf-8", citationFile(dataset));
}

/** Everything that is loaded, in one file: each table in each listed window with its papers, the cases, the news and the caveats. */
export function buildEverything(reading: Reading): Promise<Answer> {
  return filesAnswer({ topic: "overview", dataset: reading.dataset }, everythingIn(reading));
}

/** Long tables are read and written in parts, between which other requests are answered. */
async function* everythingIn(reading: Reading): AsyncGenerator<readonly [name: string, content: Uint8Array]> {
  const { snapshot, store, dataset } = reading;
  const query = { format: "csv", sort: "rate_shrunken", below: true, stable: false } as const;
  for (const window of dataset.windows) {
    const of = { ...reading, window };
    const whole = { ...query, offset: 0 };
    yield [`countries-${window.id}.csv`, (await buildCountries(of, whole)).body];
    const institutions = await inParts((part) => buildInstitutions(of, { ...query, ...part }));
    yield [`institutions-${window.id}.csv`, institutions];
    yield [`disciplines-${window.id}.csv`, (await buildDisciplines(of, whole)).body];
    const papers: PaperRow[] = [];
    const listed = await inParts(async (part) => {
      const rows = await store.papers(snapshot, window, {}, part);
      papers.push(...rows);
      return papersAnswer(of, "csv", rows);
    });
    yield [`totals-${window.id}.csv`, (await buildTotals(of, whole, papers)).body];
    yield [`reasons-${window.id}.csv`, (await buildReasons(of, { format: "csv" }, papers)).body];
    yield [`papers-${window.id}.csv`, listed];
  }
  yield ["CITATION.cff", (await buildCitation(reading)).body];
  yield ["cases.json", (await buildCases(reading, {})).body];
  yield ["news.json", (await buildNews(reading)).body];
  const tables = dataset.windows.flatMap((window) =>
    (["countries", "institutions", "disciplines", "reasons", "papers"] as const).map((topic) => ({
      ...{ topic, dataset, window },
    })),
  );
  const caveats = caveatsIn([...tables, { topic: "cases", dataset }, { topic: "news", dataset }]);
  yield ["caveats.txt", Buffer.from(caveats.map((caveat) => `${caveat}\n`).join(""))];
  yield ["sources.json", jsonAnswer({ topic: "overview", dataset }, dataset.windows).body];
}

/** The parts of a table in CSV below one header. */
async function inParts(
  build: (part: { readonly limit: number; readonly offset: number }) => Promise<Answer>,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let offset = 0; ; offset += PART_ROWS) {
    const { body } = await build({ limit: PART_ROWS, offset });
    const rowsFrom = body.indexOf("\n") + 1;
    parts.push(offset === 0 ? body : body.subarray(rowsFrom));
    if (rowsFrom === body.length) return Buffer.concat(parts);
  }
}

/** Reading and writing them takes about 20 ms. */
const PART_ROWS = 2_000;
