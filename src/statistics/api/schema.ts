import { z } from "zod";
import { queryBoolean, queryDefault, queryInteger } from "../../http/input/wire-types.ts";
import { findCountry, REGIONS } from "../facts/countries.ts";
import { FIELDS } from "../facts/fields.ts";
import { CASE_TYPES, SOURCE_IDS } from "../facts/sources.ts";
import { SORT_KEYS } from "../rates/ranking.ts";
import {
  CountryComparison,
  CountryRow,
  Counts,
  DisciplineRow,
  InstitutionRow,
  PaperRow,
  YearPoint,
} from "../read-model/rows.ts";
import { normaliseRor } from "../sources/identifiers.ts";

const RetrievedAt = z
  .string()
  .meta({ format: "date-time" })
  .nullable()
  .describe("Null when it was never loaded.");

const SourceEntry = z
  .object({
    id: z.enum(SOURCE_IDS),
    name: z.string(),
    retrieved_at: RetrievedAt,
    version: z.string().nullable().describe("The name of this version at the source or in its file."),
    license: z.string().nullable(),
    url: z.string().nullable(),
    newest_record: z.string().optional().describe("Date or year of its newest record."),
  })
  .meta({ id: "SourceEntry" });

export const Meta = z
  .object({
    license: z.literal("CC-BY-4.0"),
    license_url: z.string(),
    attribution: z.string().describe("The credit to show beside the figures."),
    generated_at: z
      .string()
      .meta({ format: "date-time" })
      .nullable()
      .describe("When the data was loaded; null before any load."),
    dataset_version: z
      .string()
      .nullable()
      .describe(
        "Identifies the loaded data: equal versions give equal answers. `demo-…` for the synthetic set.",
      ),
    window: z.string().optional().describe("The window of the figures, where there is one."),
    counts: Counts.optional().describe("In answers with ranked rows."),
    sources: z.array(SourceEntry).describe("The sources of these figures."),
    caveats: z.array(z.string()).describe("What to know before you quote the figures."),
  })
  .meta({ id: "Meta" });

/** Every answer in JSON: its metadata and its data. */
export function envelope<const T extends z.ZodType>(id: string, data: T) {
  return z.object({ meta: Meta, data }).meta({ id });
}

const PapersMeta = Meta.extend({
  counts: z.object({ total: z.int().min(0).describe("Papers that the filters select, on all pages.") }),
}).meta({ id: "PapersMeta" });

export const PapersAnswer = z.object({ meta: PapersMeta, data: PaperRow.array() }).meta({ id: "Papers" });

const Position = z
  .object({
    position: z.int().min(1).nullable().describe("The rank; null when it is below."),
    of: z.int().min(0).describe("Number of ranked rows."),
  })
  .describe("The position among all ranked rows.");

const Series = z.array(YearPoint).describe("Each year of the window.");

export const CountryData = z
  .object({ country: CountryRow, rank: Position, comparison: CountryComparison, series: Series })
  .meta({ id: "CountryData" });

const Window = z
  .object({
    id: z.string().meta({ examples: ["2013-2017"], description: "The value for the parameter `window`." }),
    from: z.int().describe("First year, inclusive."),
    to: z.int().describe("Last year, inclusive."),
    provisional: z
      .boolean()
      .describe(
        "So recent that many retractions are still to come: it ends less than 3 years before the newest.",
      ),
    default: z.boolean().describe("Whether this is the window of requests that name none."),
  })
  .meta({ id: "Window" });

const Region = z
  .object({
    slug: z
      .string()
      .meta({ examples: ["eastern-asia"], description: "The value for the parameter `region`." }),
    name: z.string(),
    m49: z.string().describe("Its UN M49 code."),
    parent: z.string().nullable().describe("The region of a sub-region; null for a region."),
  })
  .meta({ id: "Region" });

const Thresholds = z
  .object({
    min_publications: z
      .object({ countries: z.int(), institutions: z.int(), disciplines: z.int() })
      .describe("Number of publications in the window from which a row is ranked."),
    unstable_below_papers: z.int().describe("A row with fewer papers is `unstable`."),
  })
  .meta({ id: "Thresholds" });

const Freshness = z
  .object({
    source: z.enum(SOURCE_IDS),
    status: z.enum(["never loaded", "current", "stale"]),
    retrieved_at: RetrievedAt,
    newest_record: z.string().nullable().describe("Date or year of its newest record."),
    stale: z.boolean().describe("Whether it is older than the source's release cycle, or was never loaded."),
    last_attempt_at: z
      .string()
      .meta({ format: "date-time" })
      .optional()
      .describe("When a refresh last tried to fetch and load it; missing when none ever did."),
    last_failure: z
      .string()
      .nullable()
      .optional()
      .describe("Why that attempt failed, so that the old data stay; null when it succeeded."),
  })
  .meta({ id: "Freshness" });

const Endpoint = z
  .object({
    path: z.string(),
    description: z.string(),
    parameters: z.array(z.string()).describe("The query parameters."),
  })
  .meta({ id: "Endpoint" });

export const OverviewData = z
  .object({
    windows: z.array(Window).describe("Newest end first, then shorter first. Empty before any load."),
    regions: z.array(Region),
    case_types: z.array(z.enum(CASE_TYPES)),
    thresholds: Thresholds,
    freshness: z.array(Freshness),
    endpoints: z.array(Endpoint),
  })
  .meta({ id: "OverviewData" });
export type OverviewData = z.output<typeof OverviewData>;

/** Checked against the list of windows by `StatisticsAnswers`, whose error can name them. */
const WindowId = z
  .string()
  .meta({ override: { type: "string", pattern: "^\\d{4}-\\d{4}$" } })
  .describe(
    "A span of years, both inclusive: one of those that `/v1/` lists. The default is the first that is not provisional.",
  )
  .optional();

const DatasetVersion = z
  .string()
  .meta({ examples: ["1f0c2a9b6d3e4f58"] })
  .describe(
    "A `dataset_version` of an earlier answer: the figures of then, for a year after they were replaced. The default is the loaded data.",
  )
  .optional();

const Format = queryDefault(z.enum(["json", "csv"], { error: "must be json or csv" }), "json").describe(
  "`csv` gives the same rows as RFC 4180 CSV.",
);

const Below = queryDefault(queryBoolean(), false).describe(
  "`true` adds the rows with too few publications to be ranked, after the ranked ones.",
);

const RegionSlug = z
  .enum(REGIONS.map(({ slug }) => slug))
  .describe("Only the countries of a UN M49 region or sub-region. `rank` stays global.")
  .optional();

/** Checked against the years of the data by `StatisticsAnswers`. */
const years = {
  from: queryInteger({ min: 1_000, max: 9_999 })
    .optional()
    .describe("First year of any span of years, in place of `window`. The first of the data by default."),
  to: queryInteger({ min: 1_000, max: 9_999 })
    .optional()
    .describe("Last year of that span, inclusive. The last of the data by default."),
};

const Sort = z
  .enum(SORT_KEYS)
  .optional()
  .describe(
    "Orders and ranks the rows by this figure, and adds `rate_shrunken`, `rank_low` and `rank_high` to each. Without it, the order is that of `rate`.",
  );

const page = {
  limit: queryInteger({ min: 1 }).optional().describe("The number of rows to return. All by default."),
  offset: queryDefault(queryInteger({ min: 0 }), 0).describe(
    "The number of rows to skip, in the order of the table.",
  ),
};

/** What tables of figures have in common. The order is that of the list of parameters in the index. */
const table = {
  format: Format,
  ...years,
  sort: Sort,
  stable: queryDefault(queryBoolean(), false).describe("`true` leaves out the rows that are `unstable`."),
  ...page,
  dataset_version: DatasetVersion,
};

export const CountriesQuery = z.object({ window: WindowId, region: RegionSlug, below: Below, ...table });

const CountryFilter = z
  .string()
  .transform((code) => code.toUpperCase())
  .refine((code) => findCountry(code) !== undefined, {
    error: "must be an ISO 3166-1 alpha-2 code, such as DE",
  })
  .meta({ override: { type: "string", pattern: "^[A-Za-z]{2}$" }, examples: ["DE"] })
  .optional();

export const InstitutionsQuery = z.object({
  window: WindowId,
  below: Below,
  ...table,
  country: CountryFilter.describe("Only the institutions of a country, by its ISO 3166-1 alpha-2 code."),
});

export const DisciplinesQuery = z.object({ window: WindowId, ...table });

export const PapersQuery = z.object({
  window: WindowId,
  country: CountryFilter.describe("Only the papers of a country, by its ISO 3166-1 alpha-2 code."),
  institution: z
    .string()
    .transform((ror) => normaliseRor(ror) ?? "")
    .refine((ror) => ror !== "", { error: "must be a ROR identifier, such as https://ror.org/05a28rw58" })
    .meta({ override: { type: "string" }, examples: ["https://ror.org/05a28rw58"] })
    .describe("Only the papers of an institution, by its ROR identifier.")
    .optional(),
  discipline: z
    .enum(FIELDS.map(({ fieldId }) => String(fieldId)))
    .transform(Number)
    .describe("Only the papers of an OpenAlex field, by its number.")
    .optional(),
  format: Format,
  ...years,
  ...page,
  dataset_version: DatasetVersion,
});

export const TotalsQuery = z.object({
  window: WindowId,
  format: Format,
  ...years,
  dataset_version: DatasetVersion,
});

/** Publications are known of one place, not of its works in a discipline. */
export const ReasonsQuery = PapersQuery.omit({ limit: true, offset: true }).refine(
  ({ country, institution, discipline }) =>
    [country, institution, discipline].filter((one) => one !== undefined).length <= 1,
  { error: "only one of country, institution and discipline may be given", path: ["country"] },
);

/** The query of a country, an institution or a discipline. */
export type PlaceQuery = z.output<typeof InstitutionQuery>;

/** The query of one table. */
export type TableQuery = z.output<z.ZodObject<typeof table>> & { readonly below?: boolean };

export const CountryParams = z.object({
  code: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166-1 alpha-2 code: two letters, such as DE")
    .meta({ examples: ["DE"] })
    .describe("ISO 3166-1 alpha-2 code, in any case."),
});

/** A replaced version does not keep the publications of each institution in each year. */
export const InstitutionQuery = z.object({ window: WindowId, ...years, sort: Sort });

export const PlaceQuery = InstitutionQuery.extend({ dataset_version: DatasetVersion });

export const InstitutionParams = z.object({
  ror: z
    .string()
    .refine((text) => normaliseRor(text) !== undefined, "must be a ROR identifier, such as 02mhbdp94")
    .meta({ examples: ["02mhbdp94"] })
    .describe("The end of a ROR identifier."),
});

export const DisciplineParams = z.object({
  field_id: z
    .string()
    .regex(/^(?:1[1-9]|2\d|3[0-6])$/, "must be the number of an OpenAlex field: 11 to 36")
    .meta({ examples: ["27"] })
    .describe("Number of the OpenAlex field, 11 to 36."),
});

export const InstitutionData = z
  .object({ institution: InstitutionRow, rank: Position, series: Series })
  .meta({ id: "InstitutionData" });

export const DisciplineData = z
  .object({ discipline: DisciplineRow, rank: Position, series: Series })
  .meta({ id: "DisciplineData" });

export const WindowsData = z
  .object({
    first_year: z.int().nullable().describe("First year of the publications data; null before any load."),
    last_year: z
      .int()
      .nullable()
      .describe("Last year of that data. `from` and `to` may be any years between."),
    newest_retraction: z.string().nullable().describe("Date of the newest retraction."),
    settled_until: z
      .int()
      .nullable()
      .describe(
        "The last year whose papers all had three years to be retracted, by the dates. Later years are not complete.",
      ),
    newest_settled: z
      .string()
      .nullable()
      .describe("The newest three settled years, which the pages show first: `2019-2021`."),
    delays: z
      .array(
        z.object({
          years: z.int().describe("Years since the publication of a paper."),
          later: z.number().describe("Share of the retractions that came later than that."),
        }),
      )
      .describe(
        "How long retractions take, over all papers with both dates. Recent papers can have short delays only, so the true shares are higher.",
      ),
  })
  .meta({ id: "WindowsData" });
export type WindowsData = z.output<typeof WindowsData>;
/** The query of an endpoint that has no other parameters. */
export const VersionQuery = z.object({ dataset_version: DatasetVersion });

export const CasesQuery = z.object({
  type: z.enum(CASE_TYPES).optional().describe("Only the cases of this type."),
  dataset_version: DatasetVersion,
});
