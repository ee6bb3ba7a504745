import type { CaseType } from "../sources/cases/case-type.ts";
import type { CaseRow, Figures, NewsArticle, Standing } from "./rows.ts";

/** The columns of `statistics_rows` that make up a row of a list. */
export type FigureColumns = {
  readonly key: string;
  readonly name: string | null;
  readonly country_code: string | null;
  readonly papers: number;
  readonly publications: number;
  readonly rate: number | null;
  readonly rate_ci_low: number | null;
  readonly rate_ci_high: number | null;
  readonly papers_fractional: number;
  readonly publications_fractional: number | null;
  readonly rate_fractional: number | null;
  readonly rank: number | null;
  readonly rank_in_region: number | null;
  readonly rank_in_subregion: number | null;
  readonly below: boolean;
  readonly unstable: boolean;
};

export function toFigures(row: FigureColumns): Figures & Standing {
  return {
    papers: row.papers,
    publications: row.publications,
    rate: row.rate,
    rateCiLow: row.rate_ci_low,
    rateCiHigh: row.rate_ci_high,
    papersFractional: row.papers_fractional,
    publicationsFractional: row.publications_fractional,
    rateFractional: row.rate_fractional,
    rank: row.rank,
    below: row.below,
    unstable: row.unstable,
  };
}

export type CaseColumns = {
  readonly case_id: string;
  readonly type: CaseType;
  readonly title: string;
  readonly year: number | null;
  readonly countries: readonly string[];
  readonly institution: string | null;
  readonly discipline: string | null;
  readonly outcome: string | null;
  readonly summary: string;
  readonly page_title: string;
  readonly revision_id: number;
  readonly url: string;
  readonly license: string;
};

export function toCase(row: CaseColumns): CaseRow {
  const { case_id, page_title, revision_id, url, license, ...rest } = row;
  return {
    caseId: case_id,
    ...rest,
    source: { pageTitle: page_title, revisionId: revision_id, url, license },
  };
}

export type ArticleColumns = {
  readonly seen_at: Date;
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  readonly language: string | null;
  readonly country_code: string | null;
};

export function toArticle(row: ArticleColumns): NewsArticle {
  return {
    seenAt: row.seen_at.toISOString(),
    title: row.title,
    url: row.url,
    domain: row.domain,
    language: row.language,
    countryCode: row.country_code,
  };
}
