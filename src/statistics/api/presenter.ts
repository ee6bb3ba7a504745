import type { z } from "zod";
import type {
  CaseRow,
  CountryComparison,
  CountryRow,
  Counts,
  DisciplineRow,
  Figures,
  InstitutionRow,
  NewsArticle,
  NewsMonth,
  Standing,
  YearPoint,
} from "../read-model/rows.ts";
import type { CaseItem } from "./schema/cases.ts";
import type { CountryData } from "./schema/country.ts";
import type { NewsData } from "./schema/news.ts";
import type {
  CountryRow as WireCountryRow,
  DisciplineRow as WireDisciplineRow,
  InstitutionRow as WireInstitutionRow,
} from "./schema/rows.ts";

/** @param isRegion whether a region was asked for, and not a sub-region or nothing: it is what `rank_in_region` is within. */
export function presentCountryRow(row: CountryRow, isRegion = false): z.output<typeof WireCountryRow> {
  return {
    rank: row.rank,
    rank_in_region: isRegion ? row.rankInRegion : row.rankInSubregion,
    code: row.code,
    name: row.name,
    region: row.region,
    subregion: row.subregion,
    ...presentFigures(row),
  };
}

export function presentInstitutionRow(row: InstitutionRow): z.output<typeof WireInstitutionRow> {
  return {
    rank: row.rank,
    ror: row.ror,
    name: row.name,
    country_code: row.countryCode,
    ...presentFigures(row),
  };
}

export function presentDisciplineRow(row: DisciplineRow): z.output<typeof WireDisciplineRow> {
  return {
    rank: row.rank,
    field_id: row.fieldId,
    name: row.name,
    domain: row.domain,
    ...presentFigures(row),
  };
}

/** A country beside all others of the window: `rows` are those of the answer to `/v1/countries`, in its order. */
export function presentCountry(
  country: CountryRow,
  rows: readonly CountryRow[],
  comparison: CountryComparison,
  years: readonly YearPoint[],
): z.output<typeof CountryData> {
  const peers = rows.filter(
    ({ code, subregion }) => subregion === country.subregion && code !== country.code,
  );
  return {
    country: presentCountryRow(country),
    rank: { position: country.rank, of: rows.filter(({ rank }) => rank !== null).length },
    comparison: {
      subregion: comparison.subregion,
      pooled_rate: comparison.pooledRate,
      median_rate: comparison.medianRate,
      rate_ratio: comparison.rateRatio,
      rate_ratio_ci_low: comparison.rateRatioCiLow,
      rate_ratio_ci_high: comparison.rateRatioCiHigh,
      peers: country.subregion === null ? [] : peers.map((peer) => presentCountryRow(peer)),
    },
    series: years.map(({ year, papers, publications, rate }) => ({ year, papers, publications, rate })),
  };
}

export function presentCase(row: CaseRow): z.output<typeof CaseItem> {
  return {
    case_id: row.caseId,
    type: row.type,
    title: row.title,
    year: row.year,
    countries: [...row.countries],
    institution: row.institution,
    discipline: row.discipline,
    outcome: row.outcome,
    summary: row.summary,
    source: {
      page_title: row.source.pageTitle,
      revision_id: row.source.revisionId,
      url: row.source.url,
      license: row.source.license,
    },
  };
}

export function presentNews(news: {
  readonly series: readonly NewsMonth[];
  readonly articles: readonly NewsArticle[];
}): z.output<typeof NewsData> {
  return {
    series: news.series.map(({ month, mentions, monitored, share }) => ({
      month,
      mentions,
      monitored,
      share,
    })),
    articles: news.articles.map((article) => ({
      seen_at: article.seenAt,
      title: article.title,
      url: article.url,
      domain: article.domain,
      language: article.language,
      country_code: article.countryCode,
    })),
  };
}

/** What was counted of the rows that a filter selects; the papers without a place are those of the whole table. */
export function countRows(rows: readonly Standing[], { unattributed }: Counts): Counts {
  const below = rows.filter((row) => row.below).length;
  return { total: rows.length, ranked: rows.length - below, below, unattributed };
}

function presentFigures(row: Figures & Standing) {
  return {
    papers: row.papers,
    publications: row.publications,
    rate: row.rate,
    rate_ci_low: row.rateCiLow,
    rate_ci_high: row.rateCiHigh,
    papers_fractional: row.papersFractional,
    publications_fractional: row.publicationsFractional,
    rate_fractional: row.rateFractional,
    below: row.below,
    unstable: row.unstable,
  };
}
