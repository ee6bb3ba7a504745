type SourceFacts = {
  readonly name: string;
  /** An SPDX identifier; null where the source has no licence or the licence depends on the operator's file. */
  readonly license: string | null;
  /** Null where it depends on the operator's file. */
  readonly url: string | null;
  /** Days after which retrieved data count as stale: about twice the time between two releases of the source. */
  readonly staleAfterDays: number;
};

/** Retraction Watch's file and the news change every day; ROR is released about monthly. */
const DAILY = 3;
const MONTHLY = 60;

/** OpenAlex's counts and works and the encyclopedia change slowly: a quarter changes no figure much. */
const QUARTERLY = 100;

/** Where the figures come from, in the order of answers. One source may be loaded without the others. */
export const SOURCES = {
  "retraction-watch": {
    name: "Retraction Watch Database (Crossref)",
    license: null,
    url: "https://gitlab.com/crossref/retraction-watch-data",
    staleAfterDays: DAILY,
  },
  publications: { name: "Publication counts", license: null, url: null, staleAfterDays: QUARTERLY },
  openalex: {
    name: "OpenAlex (works of the retracted papers)",
    license: "CC0-1.0",
    url: "https://openalex.org/",
    staleAfterDays: QUARTERLY,
  },
  ror: {
    name: "Research Organization Registry",
    license: "CC0-1.0",
    url: "https://ror.org/",
    staleAfterDays: MONTHLY,
  },
  wikipedia: {
    name: "Wikipedia",
    license: "CC-BY-SA-4.0",
    url: "https://en.wikipedia.org/",
    staleAfterDays: QUARTERLY,
  },
  gdelt: {
    name: "The GDELT Project (DOC 2.0)",
    license: null,
    url: "https://www.gdeltproject.org/",
    staleAfterDays: DAILY,
  },
} as const satisfies Record<string, SourceFacts>;
export type SourceId = keyof typeof SOURCES;

export const SOURCE_IDS = [
  "retraction-watch",
  "publications",
  "openalex",
  "ror",
  "wikipedia",
  "gdelt",
] as const satisfies readonly SourceId[];

/** The licence of the figures that are made from all sources. */
export const LICENSE_URL = "https://creativecommons.org/licenses/by/4.0/";

/** The kind of work with the plagiarism; `peer_review` if a reviewer took the text. */
export const CASE_TYPES = ["dissertation", "article", "book", "peer_review", "other"] as const;
export type CaseType = (typeof CASE_TYPES)[number];

/** What the sentence that says plagiarism tells: somebody found it, the page states it, or somebody alleged it. */
export const FINDINGS = ["found", "stated", "alleged"] as const;
export type Finding = (typeof FINDINGS)[number];
