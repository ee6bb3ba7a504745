import type { Database, Queryable } from "../../platform/postgres/database.ts";
import { findCountry } from "../facts/countries.ts";
import { findField } from "../facts/fields.ts";
import type { CaseType } from "../facts/sources.ts";
import { SOURCE_IDS, SOURCES, type SourceId } from "../facts/sources.ts";
import { settledUntil, type Window } from "../rates/windows.ts";
import type { Dimension } from "../sources/publications/publication-counts.ts";
import { computeRows, computeYears, countUnattributed, type Span } from "./compute-rows.ts";
import {
  type CaseItem,
  type CountryRow,
  type Counts,
  type DisciplineRow,
  FIGURE_COLUMNS,
  type Figures,
  figuresOf,
  type InstitutionRow,
  type NewsArticle,
  type NewsData,
  type NewsMonth,
  type PaperRow,
  type YearPoint,
} from "./rows.ts";

/** On this channel of PostgreSQL each load sends the new revision, in its own transaction. */
export const STATISTICS_LOADED_CHANNEL = "similarity_statistics_loaded";

/** Runs `read` on one unchanging state of the tables, so that everything it reads is of the same load. */
export function readSnapshot<T>(database: Database, read: (snapshot: Queryable) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.query("set transaction isolation level repeatable read, read only");
    return read(transaction);
  });
}

export type SourceState = {
  readonly id: SourceId;
  readonly name: string;
  /** RFC 3339 in UTC; null when the source was never loaded. */
  readonly retrieved_at: string | null;
  readonly version: string | null;
  readonly license: string | null;
  /** Null when it is a file of the operator's own. */
  readonly url: string | null;
  /** The day or year of the newest record: `2025-03-31`, `2017`. */
  readonly newest_record: string | null;
};

/** The last time that a refresh tried to fetch and load a source. */
export type Attempt = {
  readonly source: SourceId;
  /** RFC 3339 in UTC. */
  readonly attemptedAt: string;
  /** Null when it succeeded. */
  readonly failure: string | null;
};

export type Dataset = {
  /** Grows with every load that changes something; 0 before the first. */
  readonly revision: number;
  readonly datasetVersion: string | null;
  readonly isDemo: boolean;
  /** RFC 3339 in UTC. */
  readonly generatedAt: string | null;
  readonly windows: readonly Window[];
  /** All sources, loaded or not, in their fixed order. */
  readonly sources: readonly SourceState[];
  /** Day of the newest retraction. */
  readonly newestRetraction: string | undefined;
  /** The last year whose papers all had time to be retracted. */
  readonly settledUntil: number;
  /** How many papers were retracted after how many tenths of a year, ascending. */
  readonly delays: readonly Delay[];
  readonly attempts: readonly Attempt[];
};

export type Delay = { readonly tenths: number; readonly papers: number };

const NEVER_LOADED = { revision: 0, datasetVersion: null, isDemo: false, generatedAt: null } as const;

const ARTICLES_MAX = 250;

/**
 * Reads the results of the last load. Each function takes the connection or transaction that it runs on. For a listed window, and
 * the years that the pages show first, it is one indexed query; the figures of any other years are computed.
 */
export class StatisticsStore {
  /** 0 before the first load. */
  async revision(db: Queryable): Promise<number> {
    const [row] = await db.query<{ revision: number }>("select revision from statistics_dataset");
    return row?.revision ?? 0;
  }

  /** Of the sources that were ever refreshed. */
  async attempts(db: Queryable): Promise<readonly Attempt[]> {
    return db.query<Attempt>(
      `select source, ${rfc3339("attempted_at")} as "attemptedAt", failure from statistics_attempts order by source`,
    );
  }

  async dataset(db: Queryable): Promise<Dataset> {
    const [row] = await db.query<Pick<Dataset, "revision" | "datasetVersion" | "isDemo" | "generatedAt">>(
      `select revision, dataset_version as "datasetVersion", is_synthetic as "isDemo", ${rfc3339("generated_at")} as "generatedAt"
         from statistics_dataset`,
    );
    const windows = await db.query<Window>(
      `select window_id as id, from_year as "from", to_year as "to", provisional, is_default as "default"
         from statistics_windows order by position`,
    );
    const loaded = await db.query<SourceState>(
      `select source as id, name, ${rfc3339("retrieved_at")} as retrieved_at, version, license, url, newest_record
         from statistics_parts`,
    );
    const sources = SOURCE_IDS.map((id) => {
      const { name, license, url } = SOURCES[id];
      const never = { id, name, retrieved_at: null, version: null, license, url, newest_record: null };
      return loaded.find((source) => source.id === id) ?? never;
    });
    const delays = await db.query<Delay>(
      `select floor((noticed_on - published_on) / 36.52425)::integer as tenths, count(*) as papers
         from statistics_papers where noticed_on >= published_on group by 1 order by 1`,
    );
    const newestRetraction = sources.find(({ id }) => id === "retraction-watch")?.newest_record ?? undefined;
    const settled = settledUntil(newestRetraction);
    const attempts = await this.attempts(db);
    return {
      ...{ ...(row ?? NEVER_LOADED), windows, sources, attempts },
      ...{ newestRetraction, settledUntil: settled, delays },
    };
  }

  /**
   * All countries with publications or papers: the ranked ones by rank and code, then the others by code.
   * @param rankedWithin the kind of region that `rank_in_region` refers to.
   */
  async countries(
    db: Queryable,
    windowId: string | undefined,
    rankedWithin: "region" | "subregion" = "subregion",
  ): Promise<readonly CountryRow[]> {
    const rows = await rowsOf(db, windowId, "country");
    return rows.map((row) => {
      const { key: code, rank } = row;
      const country = findCountry(code);
      const place = { name: country?.name ?? code, region: country?.region ?? null };
      const rank_in_region = row[`rank_in_${rankedWithin}`];
      return {
        ...{ rank, rank_in_region, code, ...place, subregion: country?.subregion ?? null },
        ...figuresOf(row),
      };
    });
  }

  /** Every year of the window, with or without papers, of a country, an institution or a discipline. */
  async years(
    db: Queryable,
    windowId: string | undefined,
    key: string,
    dimension: Dimension = "country",
  ): Promise<YearPoint[]> {
    const span = spanOf(windowId);
    return span === undefined ? [] : computeYears(db, span, dimension, key);
  }

  /** In the order of the ranks; with `below` the others follow, by identifier. */
  async institutions(
    db: Queryable,
    windowId: string | undefined,
    part: Part,
  ): Promise<readonly InstitutionRow[]> {
    const rows = await rowsOf(db, windowId, "institution", part);
    return rows.map((row) => {
      const { rank, key: ror, name, country_code } = row;
      return { rank, ror, name, country_code, ...figuresOf(row) };
    });
  }

  /**
   * The same with the figures for small numbers, ranked by `rate_shrunken`; ties by identifier. Undefined where the figures are not
   * stored: for most years that are not listed, and for loads of earlier releases.
   */
  async institutionsByShrunkenRate(
    db: Queryable,
    windowId: string | undefined,
    { below, limit, offset = 0 }: Part,
  ): Promise<readonly InstitutionRow[] | undefined> {
    const shrunken = "case when not below then rate_shrunken end";
    const rows = await db.query<Omit<InstitutionRow, "rank">>(
      `select key as ror, name, country_code, ${FIGURE_COLUMNS}, rate_shrunken, rank_low, rank_high
         from statistics_rows where window_id = $1 and dimension = 'institution' and (not below or $2)
        order by below, ${shrunken} desc, key collate "C" limit $3 offset $4`,
      [windowId, below, limit ?? null, offset],
    );
    const [before] = await db.query<{ higher: number; isStored: boolean }>(
      `select count(*) filter (where ${shrunken} > $2)::integer as higher,
              bool_and(${shrunken} is not null) is not false
                and exists (select from statistics_counts where window_id = $1) as "isStored"
         from (select below, rate_shrunken from statistics_rows
                where window_id = $1 and dimension = 'institution' and not below
                  and (${shrunken} > $2 or ${shrunken} is null)) as before`,
      [windowId, rows[0]?.rate_shrunken ?? null],
    );
    if (before?.isStored !== true || rows.some((row) => row.rate !== null && row.rate_shrunken === null))
      return undefined;
    let rank = 1 + before.higher;
    return rows.map((row, index) => {
      // Rows of one rate share a rank.
      if (index > 0 && row.rate_shrunken !== rows[index - 1]?.rate_shrunken) rank = 1 + offset + index;
      return { rank: row.below ? null : rank, ...row };
    });
  }

  /** All 26: those with publications by rank and number, then the others. */
  async disciplines(db: Queryable, windowId: string | undefined): Promise<readonly DisciplineRow[]> {
    const rows = await rowsOf(db, windowId, "discipline");
    return rows.map((row) => {
      const field_id = Number(row.key);
      const { name, domain } = findField(field_id) ?? { name: row.key, domain: "" };
      return { rank: row.rank, field_id, name, domain, ...figuresOf(row) };
    });
  }

  /** Of a whole list, including the rows that are below. */
  async counts(db: Queryable, windowId: string | undefined, dimension: Dimension): Promise<Counts> {
    const [row] = await db.query<Counts>(
      "select total, ranked, below, unattributed from statistics_counts where window_id = $1 and dimension = $2",
      [windowId, dimension],
    );
    if (row !== undefined) return row;
    const rows = await rowsOf(db, windowId, dimension);
    const below = rows.filter((one) => one.below).length;
    const span = spanOf(windowId);
    const unattributed = span === undefined ? 0 : await countUnattributed(db, span, dimension);
    return { total: rows.length, ranked: rows.length - below, below, unattributed };
  }

  /** The papers behind a figure, each once: newest first, then by key. Without a place, all papers of the window. */
  async papers(
    db: Queryable,
    window: Pick<Window, "from" | "to">,
    place: PaperPlace,
    { limit, offset = 0 }: Omit<Part, "below"> = {},
  ): Promise<readonly PaperRow[]> {
    const values = papersValues(window, place);
    return db.query<PaperRow>(
      `select case when paper_key like 'doi:%' then substr(paper_key, 5) end as doi,
              case when paper_key like 'record:%' then substr(paper_key, 8) end as record_id,
              title, papers.year, array_to_string(countries, ';') as countries,
              coalesce((select string_agg(distinct coalesce(successor, listed), ';' order by coalesce(successor, listed))
                          from unnest(institutions) as listed left join statistics_successions on ror = listed), '') as institutions,
              field_id, coalesce(array_to_string(notice_dois, ';'), '') as notice_doi,
              to_char(noticed_on, 'YYYY-MM-DD') as retracted_on, coalesce(array_to_string(reasons, ';'), '') as reasons
         from (${PAPERS} order by papers.year desc, paper_key collate "C" limit $6 offset $7) as papers
        order by papers.year desc, paper_key collate "C"`,
      [...values, limit ?? null, offset],
    );
  }

  /** How many `papers` has on all its pages. */
  async countPapers(db: Queryable, window: Pick<Window, "from" | "to">, place: PaperPlace): Promise<number> {
    const [row] = await db.query<{ total: number }>(
      `select count(*)::integer as total from (${PAPERS}) as papers`,
      papersValues(window, place),
    );
    return row?.total ?? 0;
  }

  /** In the order of their pages; of one type when one is named. Cases of loads before statements were read are not shown. */
  async cases(db: Queryable, type: CaseType | undefined): Promise<readonly CaseItem[]> {
    return db.query<CaseItem>(
      `select case_id, type, title, year, countries, institution, discipline, finding, statement, outcome, summary,
              json_build_object('page_title', page_title, 'revision_id', revision_id, 'revised_at', ${rfc3339("revised_at")},
                                'url', url, 'license', license) as source
         from statistics_cases where statement is not null and ($1::text is null or type = $1) order by position`,
      [type ?? null],
    );
  }

  /** Every month from the first to the last of the timeline, and the newest articles, newest first. */
  async news(db: Queryable): Promise<NewsData> {
    const series = await db.query<NewsMonth>(
      `with counted as (
         select date_trunc('month', at at time zone 'UTC') as month, sum(mentions) as mentions, sum(monitored) as monitored
           from statistics_news_timeline group by 1)
       select to_char(month, 'YYYY-MM') as month, mentions, monitored, mentions / nullif(monitored, 0) as share
         from (select generate_series(min(month), max(month), interval '1 month') as month from counted) as months
              left join counted using (month)
        order by months.month`,
    );
    const articles = await db.query<NewsArticle>(
      `select ${rfc3339("articles.seen_at")} as seen_at, title, url, domain, language, country_code
         from statistics_news_articles as articles order by articles.seen_at desc, url limit ${ARTICLES_MAX}`,
    );
    return { series, articles };
  }
}

/** A row as it is stored, of any dimension. */
type StoredRow = Figures & {
  readonly key: string;
  readonly name: string | null;
  readonly country_code: string | null;
  readonly rank: number | null;
  readonly rank_in_region: number | null;
  readonly rank_in_subregion: number | null;
};

/** A key of each dimension, or of some; with several, papers must have all. */
export type PaperPlace = {
  readonly country?: string | undefined;
  readonly institution?: string | undefined;
  readonly discipline?: number | undefined;
};

/** The papers of a place with their linked works. Parameters: `papersValues`. */
const PAPERS = `
  select papers.*, institutions, field_id
    from statistics_papers as papers left join statistics_works as works on paper_key = 'doi:' || works.doi
   where papers.year between $1 and $2 and ($3::text is null or $3 = any (countries)) and ($5::integer is null or field_id = $5)
     and ($4::text is null or exists (select from unnest(institutions) as listed left join statistics_successions on ror = listed
                                       where coalesce(successor, listed) = $4))`;

function papersValues(
  { from, to }: Pick<Window, "from" | "to">,
  { country, institution, discipline }: PaperPlace,
): readonly (string | number | null)[] {
  return [from, to, country ?? null, institution ?? null, discipline ?? null];
}

/** The rows of a list that are wanted; all without a limit. */
type Part = {
  readonly below: boolean;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

/** The rows of a list with their figures. */
async function rowsOf(
  db: Queryable,
  windowId: string | undefined,
  dimension: Dimension,
  { below, limit, offset = 0 }: Part = { below: true },
): Promise<readonly StoredRow[]> {
  const span = spanOf(windowId);
  if (span === undefined) return [];
  const [stored] = await db.query("select from statistics_counts where window_id = $1 limit 1", [windowId]);
  if (stored === undefined) {
    const rows = (await computeRows(db, span, dimension)).filter((row) => below || !row.below);
    return rows.slice(offset, limit === undefined ? undefined : offset + limit);
  }
  return db.query<StoredRow>(
    `select key, name, country_code, rank, rank_in_region, rank_in_subregion, ${FIGURE_COLUMNS}
       from statistics_rows where window_id = $1 and dimension = $2 and (not below or $3)
      order by below, position limit $4 offset $5`,
    [windowId, dimension, below, limit ?? null, offset],
  );
}

function spanOf(windowId: string | undefined): Span | undefined {
  const [from, to] = windowId?.split("-").map(Number) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** SQL that writes a point in time as answers do. */
function rfc3339(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
