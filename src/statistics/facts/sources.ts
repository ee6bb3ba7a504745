/** Where the figures come from; one source may be loaded without the others. */
export const SOURCE_IDS = [
  "retraction-watch",
  "publications",
  "openalex",
  "ror",
  "wikipedia",
  "gdelt",
] as const;
export type SourceId = (typeof SOURCE_IDS)[number];

export type SourceFacts = {
  readonly id: SourceId;
  readonly name: string;
  /** An SPDX identifier where there is one; null where it depends on what the operator loads. */
  readonly license: string | null;
  /** Null where it depends on what the operator loads. */
  readonly url: string | null;
  /** Days after which what was retrieved counts as stale: about twice the time between two releases of the source. */
  readonly staleAfterDays: number;
};

/** Retraction Watch's file and the news change every day; ROR is released about monthly. */
const DAILY = 3;
const MONTHLY = 60;

/** OpenAlex counts, works and the encyclopedia move slowly: a quarter changes no figure much. */
const QUARTERLY = 100;

export const SOURCES: readonly SourceFacts[] = [
  {
    id: "retraction-watch",
    name: "Retraction Watch Database (Crossref)",
    license: null,
    url: "https://gitlab.com/crossref/retraction-watch-data",
    staleAfterDays: DAILY,
  },
  {
    id: "publications",
    name: "Publication counts",
    license: null,
    url: null,
    staleAfterDays: QUARTERLY,
  },
  {
    id: "openalex",
    name: "OpenAlex (works of the retracted papers)",
    license: "CC0-1.0",
    url: "https://openalex.org/",
    staleAfterDays: QUARTERLY,
  },
  {
    id: "ror",
    name: "Research Organization Registry",
    license: "CC0-1.0",
    url: "https://ror.org/",
    staleAfterDays: MONTHLY,
  },
  {
    id: "wikipedia",
    name: "Wikipedia",
    license: "CC-BY-SA-4.0",
    url: "https://en.wikipedia.org/",
    staleAfterDays: QUARTERLY,
  },
  {
    id: "gdelt",
    name: "The GDELT Project (DOC 2.0)",
    license: null,
    url: "https://www.gdeltproject.org/",
    staleAfterDays: DAILY,
  },
];
