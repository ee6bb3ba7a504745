import type { SourceId } from "../facts/sources.ts";
import type { Comparison } from "../rates/comparison.ts";
import type { Window } from "../rates/windows.ts";
import type { CaseType } from "../sources/cases/case-type.ts";

/** What was counted of one key in one window. Rates are per 100,000 publications, unrounded. */
export type Figures = {
  readonly papers: number;
  /** 0 when none are known. */
  readonly publications: number;
  /** Null without publications, and so is its interval. */
  readonly rate: number | null;
  readonly rateCiLow: number | null;
  readonly rateCiHigh: number | null;
  readonly papersFractional: number;
  /** Null when the loaded publication counts are whole ones only. */
  readonly publicationsFractional: number | null;
  readonly rateFractional: number | null;
};

/** Where a row stands among all of its list. */
export type Standing = {
  readonly rank: number | null;
  /** Has too few publications to be ranked, or none. */
  readonly below: boolean;
  readonly unstable: boolean;
};

export type CountryRow = Figures &
  Standing & {
    readonly code: string;
    readonly name: string;
    readonly region: string | null;
    readonly subregion: string | null;
    readonly rankInRegion: number | null;
    readonly rankInSubregion: number | null;
  };

export type InstitutionRow = Figures &
  Standing & {
    /** The full identifier, `https://ror.org/…`. */
    readonly ror: string;
    /** Null when neither ROR's record nor a linked work names it. */
    readonly name: string | null;
    readonly countryCode: string | null;
  };

export type DisciplineRow = Figures &
  Standing & { readonly fieldId: number; readonly name: string; readonly domain: string };

/** A country beside its sub-region; all of it null for a country without one. */
export type CountryComparison = Comparison & { readonly subregion: string | null };

export type YearPoint = {
  readonly year: number;
  readonly papers: number;
  readonly publications: number;
  readonly rate: number | null;
};

/** How many rows a list has, and how many papers of the window have no place in it. */
export type Counts = {
  readonly total: number;
  readonly ranked: number;
  readonly below: number;
  readonly unattributed: number;
};

export type CaseRow = {
  readonly caseId: string;
  readonly type: CaseType;
  readonly title: string;
  readonly year: number | null;
  /** Alpha-2 codes, ascending. */
  readonly countries: readonly string[];
  readonly institution: string | null;
  readonly discipline: string | null;
  readonly outcome: string | null;
  readonly summary: string;
  readonly source: {
    readonly pageTitle: string;
    readonly revisionId: number;
    readonly url: string;
    readonly license: string;
  };
};

/** A month of the timeline; one without data between others has nulls. */
export type NewsMonth = {
  /** `2026-01` */
  readonly month: string;
  readonly mentions: number | null;
  readonly monitored: number | null;
  /** mentions / monitored */
  readonly share: number | null;
};

export type NewsArticle = {
  /** RFC 3339 in UTC. */
  readonly seenAt: string;
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  readonly language: string | null;
  readonly countryCode: string | null;
};

export type News = { readonly series: readonly NewsMonth[]; readonly articles: readonly NewsArticle[] };

export type SourceState = {
  readonly id: SourceId;
  readonly name: string;
  readonly license: string | null;
  /** Null when it is a file of the operator's own. */
  readonly url: string | null;
  /** Null when the source was never loaded. */
  readonly retrievedAt: Date | null;
  readonly version: string | null;
  /** The day or year of the newest record: `2025-03-31`, `2017`. */
  readonly newestRecord: string | null;
};

export type Dataset = {
  /** Grows with every load that changes something; 0 before the first. */
  readonly revision: number;
  readonly datasetVersion: string | null;
  readonly isDemo: boolean;
  readonly generatedAt: Date | null;
  readonly windows: readonly Window[];
  /** All sources, loaded or not, in their fixed order. */
  readonly sources: readonly SourceState[];
};
