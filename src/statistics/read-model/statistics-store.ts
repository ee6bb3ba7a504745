import type { Queryable } from "../../platform/postgres/database.ts";
import { findCountry } from "../facts/countries.ts";
import { findField } from "../facts/fields.ts";
import { SOURCES } from "../facts/sources.ts";
import type { Window } from "../rates/windows.ts";
import type { CaseType } from "../sources/cases/case-type.ts";
import type { Dimension } from "../sources/publications/publication-counts.ts";
import {
  type ArticleColumns,
  type CaseColumns,
  type FigureColumns,
  toArticle,
  toCase,
  toFigures,
} from "./row-columns.ts";
import type {
  CaseRow,
  CountryComparison,
  CountryRow,
  Counts,
  Dataset,
  DisciplineRow,
  InstitutionRow,
  News,
  NewsMonth,
  SourceState,
  YearPoint,
} from "./rows.ts";

/** As many articles as one answer shows. */
const ARTICLES_MAX = 250;

const NO_COUNTS: Counts = { total: 0, ranked: 0, below: 0, unattributed: 0 };

const NO_COMPARISON: CountryComparison = {
  subregion: null,
  pooledRate: null,
  medianRate: null,
  rateRatio: null,
  rateRatioCiLow: null,
  rateRatioCiHigh: null,
};

/**
 * Reads what the last load computed. Each function is one indexed query, and takes the connection or transaction that it
 * runs on. A window that is not listed has no rows.
 */
export class StatisticsStore {
  /** 0 before the first load. */
  async revision(db: Queryable): Promise<number> {
    const [row] = await db.query<{ revision: number }>("select revision from statistics_dataset");
    return row?.revision ?? 0;
  }

  async dataset(db: Queryable): Promise<Dataset> {
    const [row] = await db.query<{
      revision: number;
      dataset_version: string;
      is_synthetic: boolean;
      generated_at: Date;
    }>("select revision, dataset_version, is_synthetic, generated_at from statistics_dataset");
    return {
      revision: row?.revision ?? 0,
      datasetVersion: row?.dataset_version ?? null,
      isDemo: row?.is_synthetic ?? false,
      generatedAt: row?.generated_at ?? null,
      windows: await this.#windows(db),
      sources: await this.#sources(db),
    };
  }

  /** All countries with publications or papers: the ranked ones by rank and code, then the others by code. */
  async countries(db: Queryable, windowId: string): Promise<readonly CountryRow[]> {
    const rows = await this.#rows(db, windowId, "country", true);
    return rows.map((row) => ({
      code: row.key,
      name: findCountry(row.key)?.name ?? row.key,
      region: findCountry(row.key)?.region ?? null,
      subregion: findCountry(row.key)?.subregion ?? null,
      rankInRegion: row.rank_in_region,
      rankInSubregion: row.rank_in_subregion,
      ...toFigures(row),
    }));
  }

  /** Every country that the program knows has one, with or without papers; nulls for another code. */
  async comparison(db: Queryable, windowId: string, code: string): Promise<CountryComparison> {
    const [row] = await db.query<CountryComparison>(
      `select subregion, pooled_rate as "pooledRate", median_rate as "medianRate", rate_ratio as "rateRatio",
              rate_ratio_ci_low as "rateRatioCiLow", rate_ratio_ci_high as "rateRatioCiHigh"
         from statistics_comparisons where window_id = $1 and code = $2`,
      [windowId, code],
    );
    return row ?? NO_COMPARISON;
  }

  /** Every year of the window, with or without papers. */
  async years(db: Queryable, windowId: string, code: string): Promise<readonly YearPoint[]> {
    return db.query<YearPoint>(
      `select each.year, coalesce(papers, 0) as papers, coalesce(publications, 0) as publications, rate
         from statistics_windows cross join generate_series(from_year, to_year) as each (year)
              left join statistics_country_years on code = $2 and statistics_country_years.year = each.year
        where window_id = $1
        order by each.year`,
      [windowId, code],
    );
  }

  /** In the order of the ranks; with `below` the others follow, by identifier. */
  async institutions(
    db: Queryable,
    windowId: string,
    { below }: { readonly below: boolean },
  ): Promise<readonly InstitutionRow[]> {
    const rows = await this.#rows(db, windowId, "institution", below);
    return rows.map((row) => ({
      ror: row.key,
      name: row.name,
      countryCode: row.country_code,
      ...toFigures(row),
    }));
  }

  /** All 26: those with publications by rank and number, then the others. */
  async disciplines(db: Queryable, windowId: string): Promise<readonly DisciplineRow[]> {
    const rows = await this.#rows(db, windowId, "discipline", true);
    return rows.map((row) => ({
      fieldId: Number(row.key),
      name: findField(Number(row.key))?.name ?? row.key,
      domain: findField(Number(row.key))?.domain ?? "",
      ...toFigures(row),
    }));
  }

  /** Of a whole list, the rows that are below included. */
  async counts(db: Queryable, windowId: string, dimension: Dimension): Promise<Counts> {
    const [row] = await db.query<Counts>(
      "select total, ranked, below, unattributed from statistics_counts where window_id = $1 and dimension = $2",
      [windowId, dimension],
    );
    return row ?? NO_COUNTS;
  }

  /** In the order of their pages; of one type when one is named. */
  async cases(db: Queryable, type: CaseType | undefined): Promise<readonly CaseRow[]> {
    const rows = await db.query<CaseColumns>(
      `select case_id, type, title, year, countries, institution, discipline, outcome, summary,
              page_title, revision_id, url, license
         from statistics_cases where $1::text is null or type = $1 order by position`,
      [type ?? null],
    );
    return rows.map(toCase);
  }

  /** Every month from the first to the last of the timeline, and the newest articles, the newest first. */
  async news(db: Queryable): Promise<News> {
    const articles = await db.query<ArticleColumns>(
      `select seen_at, title, url, domain, language, country_code
         from statistics_news_articles order by seen_at desc, url limit ${ARTICLES_MAX}`,
    );
    return { series: await this.#months(db), articles: articles.map(toArticle) };
  }

  async #months(db: Queryable): Promise<readonly NewsMonth[]> {
    return db.query<NewsMonth>(
      `with counted as (
         select date_trunc('month', at at time zone 'UTC') as month, sum(mentions) as mentions, sum(monitored) as monitored
           from statistics_news_timeline group by 1)
       select to_char(month, 'YYYY-MM') as month, mentions, monitored, mentions / nullif(monitored, 0) as share
         from (select generate_series(min(month), max(month), interval '1 month') as month from counted) as months
              left join counted using (month)
        order by month`,
    );
  }

  async #windows(db: Queryable): Promise<readonly Window[]> {
    return db.query<Window>(
      `select window_id as id, from_year as "from", to_year as "to", provisional, is_default as "isDefault"
         from statistics_windows order by position`,
    );
  }

  async #sources(db: Queryable): Promise<readonly SourceState[]> {
    const rows = await db.query<SourceState>(
      `select source as id, name, license, url, retrieved_at as "retrievedAt", version, newest_record as "newestRecord"
         from statistics_parts`,
    );
    const loaded = new Map(rows.map((row) => [row.id, row]));
    return SOURCES.map(({ id, name, license, url }) => {
      const never = { id, name, license, url, retrievedAt: null, version: null, newestRecord: null };
      return loaded.get(id) ?? never;
    });
  }

  async #rows(
    db: Queryable,
    windowId: string,
    dimension: Dimension,
    below: boolean,
  ): Promise<readonly FigureColumns[]> {
    return db.query<FigureColumns>(
      `select key, name, country_code, papers, publications, rate, rate_ci_low, rate_ci_high, papers_fractional,
              publications_fractional, rate_fractional, rank, rank_in_region, rank_in_subregion, below, unstable
         from statistics_rows where window_id = $1 and dimension = $2 and (not below or $3)
        order by below, position`,
      [windowId, dimension, below],
    );
  }
}
