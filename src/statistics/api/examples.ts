import type { z } from "zod";
import { toCsv } from "../../http/csv.ts";
import type { Examples } from "../../http/docs/operation.ts";
import { SOURCES, type SourceId } from "../facts/sources.ts";
import { isUnstable } from "../rates/ranking.ts";
import { RATE_BASE, ratePer100k } from "../rates/rate.ts";
import {
  type CaseItem,
  CountryRow,
  type Counts,
  DisciplineRow,
  InstitutionRow,
  type NewsData,
} from "../read-model/rows.ts";
import { LICENSE_URL } from "./meta.ts";
import type { CountryData, Meta, OverviewData } from "./schema.ts";

// The figures of these examples are made up, and their intervals computed.

const LOADED_AT = "2026-11-20T09:30:00.000Z";

function meta(
  sources: readonly SourceId[],
  more: { readonly window?: string; readonly counts?: Counts } = {},
): z.output<typeof Meta> {
  return {
    license: "CC-BY-4.0",
    license_url: LICENSE_URL,
    attribution: `Similarity Check statistics, from: ${sources.map((id) => SOURCES[id].name).join("; ")}`,
    generated_at: LOADED_AT,
    dataset_version: "demo-1f0c2a9b6d3e4f58",
    ...more,
    sources: sources.map((id) => ({
      ...{ id, name: SOURCES[id].name, retrieved_at: LOADED_AT, version: null, license: null, url: null },
    })),
    caveats: ["This is a synthetic set that shows shapes: quote none of it."],
  };
}

const RATES = ["retraction-watch", "publications"] as const;

function figures(papers: number, publications: number, fractional: readonly [number, number]) {
  const [papersFractional, publicationsFractional] = fractional;
  return {
    papers,
    publications,
    ...ratePer100k(papers, publications),
    papers_fractional: papersFractional,
    publications_fractional: publicationsFractional,
    rate_fractional: (papersFractional * RATE_BASE) / publicationsFractional,
    below: false,
    unstable: isUnstable(papers),
  };
}

const austria: CountryRow = {
  ...{ rank: 61, rank_in_region: 4, code: "AT", name: "Austria" },
  ...{ region: "europe", subregion: "western-europe" },
  ...figures(8, 75_000, [6.5, 42_000.5]),
};

const germany: CountryRow = {
  ...{ rank: 57, rank_in_region: 3, code: "DE", name: "Germany" },
  ...{ region: "europe", subregion: "western-europe" },
  ...figures(62, 540_000, [50.25, 390_120.75]),
};

const countryMeta = { window: "2013-2017", counts: { total: 9, ranked: 7, below: 2, unattributed: 12 } };

export const countriesExamples: Examples = {
  region: {
    summary: "Two rows of region=western-europe",
    value: { meta: meta(RATES, countryMeta), data: [germany, austria] },
  },
};

export const countriesCsv = toCsv(CountryRow.keyof().options, [germany, austria]);

const country: z.output<typeof CountryData> = {
  country: austria,
  rank: { position: 61, of: 92 },
  comparison: {
    subregion: "western-europe",
    pooled_rate: 11.2,
    median_rate: 10.9,
    rate_ratio: 0.95,
    rate_ratio_ci_low: 0.41,
    rate_ratio_ci_high: 1.9,
    peers: [germany],
  },
  series: [
    { year: 2016, papers: 2, publications: 15_200, rate: (2 * 100_000) / 15_200 },
    { year: 2017, papers: 1, publications: 15_900, rate: 100_000 / 15_900 },
  ],
};

export const countryExamples: Examples = {
  country: {
    summary: "Austria beside one of its peers",
    value: { meta: meta(RATES, { window: "2013-2017" }), data: country },
  },
};

const institution: InstitutionRow = {
  rank: 3,
  ror: "https://ror.org/02mhbdp94",
  name: "Universidad de los Andes",
  country_code: "CO",
  ...figures(3, 12_400, [1.75, 5_020.5]),
};

export const institutionsExamples: Examples = {
  row: {
    summary: "One row",
    value: {
      meta: meta([...RATES, "openalex", "ror"], {
        window: "2013-2017",
        counts: { total: 410, ranked: 385, below: 25, unattributed: 31 },
      }),
      data: [institution],
    },
  },
};

export const institutionsCsv = toCsv(InstitutionRow.keyof().options, [institution]);

const discipline: DisciplineRow = {
  rank: 9,
  field_id: 27,
  name: "Medicine",
  domain: "Health Sciences",
  ...figures(310, 3_200_000, [310, 3_200_000]),
};

export const disciplinesExamples: Examples = {
  row: {
    summary: "One row",
    value: {
      meta: meta([...RATES, "openalex"], {
        window: "2013-2017",
        counts: { total: 26, ranked: 26, below: 0, unattributed: 31 },
      }),
      data: [discipline],
    },
  },
};

export const disciplinesCsv = toCsv(DisciplineRow.keyof().options, [discipline]);

const overview: OverviewData = {
  windows: [
    { id: "2013-2017", from: 2013, to: 2017, provisional: false, default: true },
    { id: "2008-2017", from: 2008, to: 2017, provisional: false, default: false },
  ],
  regions: [
    { slug: "asia", name: "Asia", m49: "142", parent: null },
    { slug: "eastern-asia", name: "Eastern Asia", m49: "030", parent: "asia" },
  ],
  case_types: ["dissertation", "article", "book", "peer_review", "other"],
  thresholds: {
    min_publications: { countries: 10_000, institutions: 1_000, disciplines: 0 },
    unstable_below_papers: 20,
  },
  freshness: [
    {
      source: "retraction-watch",
      status: "current",
      retrieved_at: LOADED_AT,
      newest_record: "2026-11-18",
      stale: false,
    },
    { source: "gdelt", status: "never loaded", retrieved_at: null, newest_record: null, stale: true },
  ],
  endpoints: [
    {
      path: "/v1/countries",
      description: "Rates per country",
      parameters: ["window", "region", "below", "format"],
    },
  ],
};

export const overviewExamples: Examples = {
  index: {
    summary: "The index, shortened",
    value: { meta: meta(RATES), data: overview },
  },
};

const oneCase: CaseItem = {
  case_id: "8c1f5e0b7a2d4936",
  type: "dissertation",
  title: "A. Example",
  year: 2011,
  countries: ["DE"],
  institution: "Example University",
  discipline: "Law",
  outcome: "doctorate revoked",
  summary: "A. Example (Germany): the university revoked the doctorate in 2011.",
  source: {
    page_title: "List of examples",
    revision_id: 1_300_000_001,
    url: "https://en.wikipedia.org/w/index.php?oldid=1300000001",
    license: "CC-BY-SA-4.0",
  },
};

export const casesExamples: Examples = {
  dissertation: {
    summary: "One case of type=dissertation",
    value: { meta: meta(["wikipedia"]), data: [oneCase] },
  },
};

const news: NewsData = {
  series: [
    { month: "2026-09", mentions: 1_204, monitored: 24_500_000, share: 1_204 / 24_500_000 },
    { month: "2026-10", mentions: null, monitored: null, share: null },
  ],
  articles: [
    {
      seen_at: "2026-09-30T18:15:00.000Z",
      title: "A university looks into a thesis",
      url: "https://news.example/thesis",
      domain: "news.example",
      language: "English",
      country_code: "GB",
    },
  ],
};

export const newsExamples: Examples = {
  timeline: {
    summary: "Two months, one of them a gap",
    value: { meta: meta(["gdelt"]), data: news },
  },
};
