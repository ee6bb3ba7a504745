import { z } from "zod";
import { queryBoolean, queryDefault } from "../../http/input/wire-types.ts";
import { findCountry, REGIONS } from "../facts/countries.ts";
import { FIELDS } from "../facts/fields.ts";
import { CASE_TYPES, SOURCE_IDS } from "../facts/sources.ts";
import { CountryComparison, CountryRow, Counts, YearPoint } from "../read-model/rows.ts";
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

export const CountryData = z
  .object({
    country: CountryRow,
    rank: z
      .object({
        position: z.int().min(1).nullable().describe("The country's rank; null when it is below."),
        of: z.int().min(0).describe("Number of ranked countries."),
      })
      .describe("The country's position among all ranked countries."),
    comparison: CountryComparison,
    series: z.array(YearPoint).describe("Each year of the window."),
  })
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
  .meta({ override: { type: "string", pattern: "^\\d{4}-\\d{4}$" }, examples: ["2013-2017"] })
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

export const CountriesQuery = z.object({
  window: WindowId,
  region: RegionSlug,
  below: Below,
  format: Format,
  dataset_version: DatasetVersion,
});

export const InstitutionsQuery = z.object({
  window: WindowId,
  below: Below,
  format: Format,
  dataset_version: DatasetVersion,
});

export const DisciplinesQuery = z.object({
  window: WindowId,
  format: Format,
  dataset_version: DatasetVersion,
});

export const PapersQuery = z.object({
  window: WindowId,
  country: z
    .string()
    .transform((code) => code.toUpperCase())
    .refine((code) => findCountry(code) !== undefined, {
      error: "must be an ISO 3166-1 alpha-2 code, such as DE",
    })
    .meta({ override: { type: "string", pattern: "^[A-Za-z]{2}$" }, examples: ["DE"] })
    .describe("Only the papers of a country, by its ISO 3166-1 alpha-2 code.")
    .optional(),
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
  dataset_version: DatasetVersion,
});

export const CountryParams = z.object({
  code: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166-1 alpha-2 code: two letters, such as DE")
    .meta({ examples: ["DE"] })
    .describe("ISO 3166-1 alpha-2 code, in any case."),
});

export const CountryQuery = z.object({ window: WindowId, dataset_version: DatasetVersion });

export const NewsQuery = z.object({ dataset_version: DatasetVersion });

export const CasesQuery = z.object({
  type: z.enum(CASE_TYPES).optional().describe("Only the cases of this type."),
  dataset_version: DatasetVersion,
});
