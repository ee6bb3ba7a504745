import { z } from "zod";

const Count = z.int().min(0);
const Rate = z.number().min(0).nullable();
const Rank = z.int().min(1).nullable();

/** What every row of a table counts, in the order in which it is written. */
const figures = {
  papers: Count.describe(
    "Retracted papers with at least one core plagiarism reason, by the year of their publication. Whole counting: a paper counts once for each place it has.",
  ),
  publications: Count.describe("All publications of the same years, counted whole."),
  rate: Rate.describe("papers / publications × 100,000, unrounded. Null without publications."),
  rate_ci_low: Rate.describe("Lower limit of the exact 95% Poisson interval (Garwood) of `rate`."),
  rate_ci_high: Rate.describe("Upper limit of that interval."),
  papers_fractional: z
    .number()
    .min(0)
    .describe("The same papers, each divided among all places it has: 1 / their number for each."),
  publications_fractional: z
    .number()
    .min(0)
    .nullable()
    .describe("Publications, divided in the same way. Null where the source gives whole counts only."),
  rate_fractional: Rate.describe(
    "papers_fractional / publications_fractional × 100,000. Whole and fractional counts are never mixed in one rate.",
  ),
  below: z.boolean().describe("Too few publications to be ranked, or none."),
  unstable: z.boolean().describe("Fewer than 20 papers: one more or less changes the rate visibly."),
};

const rank = Rank.describe(
  "Place by descending unrounded rate among all ranked rows. Ties share it (1, 2, 2, 4). Null for rows below.",
);

export const CountryRow = z
  .object({
    rank,
    rank_in_region: Rank.describe(
      "The same within the region that was asked for, or within the country's sub-region when none was.",
    ),
    code: z
      .string()
      .meta({ examples: ["DE"] })
      .describe("ISO 3166-1 alpha-2 code."),
    name: z.string().describe("Name in English."),
    region: z.string().nullable().describe("UN M49 region; null where the standard gives none."),
    subregion: z.string().nullable().describe("UN M49 sub-region."),
    ...figures,
  })
  .meta({ id: "CountryRow" });

export const InstitutionRow = z
  .object({
    rank,
    ror: z
      .string()
      .meta({ examples: ["https://ror.org/02mhbdp94"] })
      .describe("Its ROR identifier, in full."),
    name: z
      .string()
      .nullable()
      .describe("Display name of its ROR record, or of the linked works; null when neither is loaded."),
    country_code: z.string().nullable().describe("ISO 3166-1 alpha-2 code of its country."),
    ...figures,
  })
  .meta({ id: "InstitutionRow" });

export const DisciplineRow = z
  .object({
    rank,
    field_id: z
      .int()
      .meta({ examples: [27] })
      .describe("Number of the OpenAlex field, 11 to 36."),
    name: z.string().describe("Name of the field."),
    domain: z.string().describe("The domain that the field belongs to."),
    ...figures,
  })
  .meta({ id: "DisciplineRow" });
