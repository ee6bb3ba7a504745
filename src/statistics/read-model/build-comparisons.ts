import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { COUNTRIES, type Country } from "../facts/countries.ts";
import { type CountedPlace, compareWithSubregion } from "../rates/comparison.ts";
import type { CountryRow } from "./rows.ts";

/** A country of which nothing is known takes part with nothing. */
const NOTHING: CountedPlace = { papers: 0, publications: 0, rate: null, rank: null };

/** Compares each country, with or without a row, with those of its sub-region in one window. */
export async function buildComparisons(
  db: Queryable,
  windowId: string,
  rows: readonly CountryRow[],
): Promise<void> {
  await insertRows(
    db,
    "statistics_comparisons",
    COUNTRIES.map((country) => toColumns(windowId, country, rows)),
  );
}

function toColumns(windowId: string, { code, subregion }: Country, rows: readonly CountryRow[]) {
  if (subregion === null) return { window_id: windowId, code };
  const place = rows.find((row) => row.code === code) ?? NOTHING;
  const others = rows.filter((row) => row.subregion === subregion && row.code !== code);
  const comparison = compareWithSubregion(place, others);
  return {
    window_id: windowId,
    code,
    subregion,
    pooled_rate: comparison.pooledRate,
    median_rate: comparison.medianRate,
    rate_ratio: comparison.rateRatio,
    rate_ratio_ci_low: comparison.rateRatioCiLow,
    rate_ratio_ci_high: comparison.rateRatioCiHigh,
  };
}
