import { z } from "zod";
import { queryBoolean, queryDefault } from "../../../http/input/wire-types.ts";
import { REGIONS } from "../../facts/regions.ts";
import { CASE_TYPES } from "../../sources/cases/case-type.ts";

/** Held against the list of windows by `chooseWindow`, which can name those that there are. */
const WindowId = z
  .string()
  .meta({ override: { type: "string", pattern: "^\\d{4}-\\d{4}$" }, examples: ["2013-2017"] })
  .describe(
    "A span of years, both included: one of those that `/v1/` lists. The first that is not provisional when left out.",
  );

const Format = queryDefault(z.enum(["json", "csv"], { error: "must be json or csv" }), "json").describe(
  "`csv` gives the same rows as RFC 4180 CSV.",
);

const Below = queryDefault(queryBoolean(), false).describe(
  "`true` adds the rows with too few publications to be ranked, after the ranked ones.",
);

const RegionSlug = z
  .enum(REGIONS.map(({ slug }) => slug))
  .describe("Only the countries of a UN M49 region or sub-region. `rank` stays global.");

export const CountriesQuery = z.object({
  window: WindowId.optional(),
  region: RegionSlug.optional(),
  below: Below,
  format: Format,
});

export const InstitutionsQuery = z.object({ window: WindowId.optional(), below: Below, format: Format });

export const DisciplinesQuery = z.object({ window: WindowId.optional(), format: Format });

export const CountryParams = z.object({
  code: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166-1 alpha-2 code: two letters, such as DE")
    .meta({ examples: ["DE"] })
    .describe("ISO 3166-1 alpha-2 code, in any case."),
});

export const CountryQuery = z.object({ window: WindowId.optional() });

export const CasesQuery = z.object({
  type: z.enum(CASE_TYPES).optional().describe("Only the cases of this type."),
});
