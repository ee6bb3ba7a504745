import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { findCountry } from "../facts/countries.ts";
import { type Rankable, rankByRate } from "../rates/ranking.ts";
import { RATE_BASE, ratePer100k } from "../rates/rate.ts";
import { isUnstable, PUBLICATIONS_MIN } from "../rates/thresholds.ts";
import type { Window } from "../rates/windows.ts";
import type { Dimension } from "../sources/publications/publication-counts.ts";
import { type CountedKey, countFigures } from "./count-figures.ts";

/**
 * Writes the rows of one list in one window, and how many there are. Only the rows that are ranked are held in memory at
 * once; the others, most of the institutions, pass through in pages.
 */
export async function buildRows(db: Queryable, window: Window, dimension: Dimension): Promise<void> {
  const publicationsMin = PUBLICATIONS_MIN[dimension];
  const candidates = new Map<string, RatedKey>();
  let below = 0;
  for await (const page of countFigures(db, window, dimension)) {
    const others: RatedKey[] = [];
    for (const row of page.map(withRates)) {
      if (mayRank(row, publicationsMin)) candidates.set(row.code, row);
      else others.push(row);
    }
    await store(db, window.id, dimension, rankByRate(others, publicationsMin), below);
    below += others.length;
  }
  await storeRanked(db, window.id, dimension, candidates);
  await storeCounts(db, window, dimension, { ranked: candidates.size, below });
}

type RatedKey = CountedKey & {
  readonly code: string;
  readonly rate: number | null;
  readonly rate_ci_low: number | null;
  readonly rate_ci_high: number | null;
  readonly rate_fractional: number | null;
  readonly unstable: boolean;
};

function withRates(counted: CountedKey): RatedKey {
  const rate = ratePer100k(counted.papers, counted.publications);
  const fractional = counted.publications_fractional ?? 0;
  return {
    ...counted,
    code: counted.key,
    rate: rate?.rate ?? null,
    rate_ci_low: rate?.low ?? null,
    rate_ci_high: rate?.high ?? null,
    rate_fractional: fractional > 0 ? (counted.papers_fractional * RATE_BASE) / fractional : null,
    unstable: isUnstable(counted.papers),
  };
}

function mayRank({ rate, publications }: RatedKey, publicationsMin: number): boolean {
  return rate !== null && publications >= publicationsMin;
}

/** Rows that go over in one statement. */
const STORED_ROWS_MAX = 5_000;

/** What decides a rank is copied out of the rows, so that ranking many does not hold each of them several times. */
async function storeRanked(
  db: Queryable,
  windowId: string,
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
    await store(db, windowId, dimension, rows, start);
  }
}

/** The ranks of countries among those of their region or sub-region; rows that are no countries have none. */
function ranksWithin(
  ranked: readonly Rankable[],
  groupOf: (code: string) => string | null | undefined,
): Map<string, number | null> {
  const groups = Map.groupBy(ranked, ({ code }) => groupOf(code) ?? undefined);
  groups.delete(undefined);
  return new Map(
    [...groups.values()].flatMap((group) =>
      rankByRate(group, 0).map(({ code, rank }) => [code, rank] as const),
    ),
  );
}

async function store(
  db: Queryable,
  windowId: string,
  dimension: Dimension,
  rows: readonly object[],
  positionBefore: number,
): Promise<void> {
  const positioned = rows.map((row, index) => ({
    ...row,
    window_id: windowId,
    dimension,
    position: positionBefore + index,
  }));
  await insertRows(db, "statistics_rows", positioned);
}

async function storeCounts(
  db: Queryable,
  window: Window,
  dimension: Dimension,
  { ranked, below }: { readonly ranked: number; readonly below: number },
): Promise<void> {
  await db.query(
    `insert into statistics_counts (window_id, dimension, total, ranked, below, unattributed)
     select $1, $2, $3::integer + $4::integer, $3, $4, count(*)
       from statistics_papers as papers
      where year between $5 and $6
        and not exists (select from paper_attributions as attributed
                         where attributed.dimension = $2 and attributed.paper_key = papers.paper_key)`,
    [window.id, dimension, ranked, below, window.from, window.to],
  );
}
