import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { findCountry } from "../facts/countries.ts";
import { FIELDS } from "../facts/fields.ts";
import { isUnstable, PUBLICATIONS_MIN, type Rankable, rankByRate } from "../rates/ranking.ts";
import { RATE_BASE, ratePer100k } from "../rates/rate.ts";
import { listWindows, type Window } from "../rates/windows.ts";
import { DIMENSIONS, type Dimension } from "../sources/publications/publication-counts.ts";

/** Raise this number with every change to the counting: the same input then gets another `dataset_version`. */
export const READ_MODEL_VERSION = 3;

const TABLES = ["statistics_windows", "statistics_rows", "statistics_counts", "statistics_country_years"];

/**
 * Recomputes all figures from the loaded parts within the transaction of the load: readers see the old ones until it ends.
 * Without publications there are no windows, and nothing to compute.
 */
export async function buildReadModel(db: Queryable): Promise<void> {
  for (const table of TABLES) await db.query(`delete from ${table}`);
  const windows = await loadedWindows(db);
  const windowRows = windows.map(({ id, from, to, provisional, default: isDefault }, position) => ({
    ...{ window_id: id, position, from_year: from, to_year: to, provisional, is_default: isDefault },
  }));
  await insertRows(db, "statistics_windows", windowRows);
  await attributePapers(db);
  for (const window of windows) {
    for (const dimension of DIMENSIONS) await buildRows(db, window, dimension);
  }
  await buildCountryYears(db);
  for (const table of TABLES) await db.query(`analyze ${table}`);
}

async function loadedWindows(db: Queryable): Promise<readonly Window[]> {
  const [span] = await db.query<{ first: number | null; last: number | null; newest: string | null }>(
    `select min(year) as first, max(year) as last,
            (select newest_record from statistics_parts where source = 'retraction-watch') as newest
       from statistics_publications`,
  );
  if (span === undefined || span.first === null || span.last === null) return [];
  const newestYear = span.newest === null ? undefined : Number(span.newest.slice(0, "YYYY".length));
  return listWindows(span.first, span.last, newestYear);
}

/**
 * Fills a temporary table with the keys that each paper counts for: its known countries, the institutions of its work after
 * the succession of withdrawn ones, and its field. `parts` is the number of keys that share a paper in a dimension. Papers
 * without a year are in no window and left out.
 */
async function attributePapers(db: Queryable): Promise<void> {
  await db.query(
    `create temporary table paper_attributions
       (dimension text, paper_key text, year integer, key text collate "C", parts integer) on commit drop`,
  );
  for (const select of [BY_COUNTRY, BY_INSTITUTION, BY_DISCIPLINE]) {
    await db.query(`insert into paper_attributions (dimension, paper_key, year, key, parts) ${select}`);
  }
  await db.query("create index on paper_attributions (dimension, year)");
  await db.query("analyze paper_attributions");
}

const BY_COUNTRY = `
  select 'country', paper_key, year, code, cardinality(countries)
    from statistics_papers cross join unnest(countries) as code
   where year is not null`;

const BY_INSTITUTION = `
  select 'institution', paper_key, year, key, count(*) over (partition by paper_key)
    from (select distinct paper_key, papers.year, coalesce(successor, institution) as key
            from statistics_papers as papers
                 join statistics_works on paper_key = 'doi:' || doi
                 cross join unnest(institutions) as institution
                 left join statistics_successions on ror = institution
           where papers.year is not null) as resolved`;

const BY_DISCIPLINE = `
  select 'discipline', paper_key, papers.year, field_id::text, 1
    from statistics_papers as papers join statistics_works on paper_key = 'doi:' || doi
   where papers.year is not null and field_id is not null`;

/** The rates of each country in every year with papers or publications. */
async function buildCountryYears(db: Queryable): Promise<void> {
  const counted = await db.query<{ code: string; year: number; papers: number; publications: number }>(
    `select key as code, year, coalesce(papers, 0) as papers, coalesce(publications, 0) as publications
       from (select key, year, count(*) as papers
               from paper_attributions where dimension = 'country' group by key, year) as papers
            full join (select key, year, publications
                         from statistics_publications where dimension = 'country') as publications
            using (key, year)`,
  );
  const rows = counted.map((row) => ({ ...row, ...ratePer100k(row.papers, row.publications) }));
  await insertRows(db, "statistics_country_years", rows);
}

/**
 * Writes the rows of one list in one window, and how many there are. Only the ranked rows are held in memory at once; the
 * others, which are most of the institutions, are processed page by page. Needs the table of `attributePapers`.
 */
async function buildRows(db: Queryable, window: Window, dimension: Dimension): Promise<void> {
  const publicationsMin = PUBLICATIONS_MIN[dimension];
  const candidates = new Map<string, RatedKey>();
  let below = 0;
  for await (const page of countFigures(db, window, dimension)) {
    const others: RatedKey[] = [];
    for (const row of page.map(withRates)) {
      if (row.rate !== null && row.publications >= publicationsMin) candidates.set(row.code, row);
      else others.push(row);
    }
    await store(db, window, dimension, rankByRate(others, publicationsMin), below);
    below += others.length;
  }
  await storeRanked(db, window, dimension, candidates);
  await db.query(
    `insert into statistics_counts (window_id, dimension, total, ranked, below, unattributed)
     select $1, $2, $3::integer + $4::integer, $3, $4, count(*)
       from statistics_papers as papers
      where year between $5 and $6
        and not exists (select from paper_attributions as attributed
                         where attributed.dimension = $2 and attributed.paper_key = papers.paper_key)`,
    [window.id, dimension, candidates.size, below, window.from, window.to],
  );
}

/** The counts of one key in one window. */
type CountedKey = {
  readonly key: string;
  /** Of institutions: as ROR has it, else as OpenAlex does. */
  readonly name: string | null;
  readonly country_code: string | null;
  readonly papers: number;
  readonly papers_fractional: number;
  readonly publications: number;
  readonly publications_fractional: number | null;
};

type RatedKey = ReturnType<typeof withRates>;

function withRates(counted: CountedKey) {
  const fractional = counted.publications_fractional ?? 0;
  return {
    ...counted,
    code: counted.key,
    ...ratePer100k(counted.papers, counted.publications),
    rate_fractional: fractional > 0 ? (counted.papers_fractional * RATE_BASE) / fractional : null,
    unstable: isUnstable(counted.papers),
  };
}

/** Rows in one statement. */
const STORED_ROWS_MAX = 5_000;

/** Only the members that decide a rank are copied, so that ranking many rows does not hold each of them several times. */
async function storeRanked(
  db: Queryable,
  window: Window,
  dimension: Dimension,
  candidates: ReadonlyMap<string, RatedKey>,
): Promise<void> {
  const rankable = [...candidates.values()].map(({ code, publications, rate }) => ({
    code,
    publications,
    rate,
  }));
  const ranked = rankByRate(rankable, PUBLICATIONS_MIN[dimension]);
  const inRegion = ranksWithin(ranked, (code) => findCountry(code)?.region);
  const inSubregion = ranksWithin(ranked, (code) => findCountry(code)?.subregion);
  for (let start = 0; start < ranked.length; start += STORED_ROWS_MAX) {
    const rows = ranked.slice(start, start + STORED_ROWS_MAX).map((row) => ({
      ...candidates.get(row.code),
      ...row,
      rank_in_region: inRegion.get(row.code),
      rank_in_subregion: inSubregion.get(row.code),
    }));
    await store(db, window, dimension, rows, start);
  }
}

/** The ranks of countries within their region or sub-region. Rows that are not countries have no rank. */
function ranksWithin(
  ranked: readonly Rankable[],
  groupOf: (code: string) => string | null | undefined,
): Map<string, number | null> {
  const groups = Map.groupBy(ranked, ({ code }) => groupOf(code) ?? undefined);
  groups.delete(undefined);
  const ranks = [...groups.values()].flatMap((group) => rankByRate(group, 0));
  return new Map(ranks.map(({ code, rank }) => [code, rank]));
}

async function store(
  db: Queryable,
  window: Window,
  dimension: Dimension,
  rows: readonly object[],
  positionBefore: number,
): Promise<void> {
  const positioned = rows.map((row, index) => ({
    ...row,
    ...{ window_id: window.id, dimension, position: positionBefore + index },
  }));
  await insertRows(db, "statistics_rows", positioned);
}

/** Keys that are read at a time: there may be hundreds of thousands of institutions. */
const PAGE_ROWS = 5_000;

/**
 * Every key with publications or papers in the window, page by page, in the order of the keys; of the disciplines all 26.
 * Fractions are added as decimal numbers of 20 digits, so that the sum does not depend on the order.
 */
async function* countFigures(
  db: Queryable,
  window: Window,
  dimension: Dimension,
): AsyncGenerator<readonly CountedKey[]> {
  await db.query("drop table if exists pg_temp.counted_keys");
  await db.query(
    `create temporary table counted_keys
       (key text collate "C" primary key, papers integer, papers_fractional double precision, publications bigint,
        publications_fractional double precision) on commit drop`,
  );
  const always = dimension === "discipline" ? FIELDS.map(({ fieldId }) => String(fieldId)) : [];
  await db.query(`insert into counted_keys ${COUNTED}`, [dimension, window.from, window.to, always]);
  for (let after = ""; ; ) {
    const page = await db.query<CountedKey>(
      `select key, coalesce(organisations.name, linked.name) as name,
              coalesce(organisations.country_code, linked.country_code) as country_code,
              papers, papers_fractional, publications, publications_fractional
         from counted_keys
              left join statistics_organisations as organisations on organisations.ror = key
              left join statistics_work_institutions as linked on linked.ror = key
        where key > $1 order by key limit ${PAGE_ROWS}`,
      [after],
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.key;
  }
}

/** Parameters: dimension, first and last year, keys that are there in any case. */
const COUNTED = `
  with papers as (
    select key, count(*) as whole, sum(1::numeric / parts) as fractional
      from paper_attributions
     where dimension = $1 and year between $2 and $3
     group by key),
  publications as (
    select coalesce(successor, key) as key, sum(publications) as whole,
           case when bool_and(publications_fractional is not null) then sum(publications_fractional) end as fractional
      from statistics_publications
           left join statistics_successions on $1 = 'institution' and ror = key
     where dimension = $1 and year between $2 and $3
     group by 1)
  select key, coalesce(papers.whole, 0), coalesce(papers.fractional, 0), coalesce(publications.whole, 0),
         case when publications.key is null then 0 else publications.fractional end
    from papers
         full join publications using (key)
         full join unnest($4::text[]) as always (key) using (key)
   where papers.whole > 0 or publications.whole > 0 or always.key is not null`;
