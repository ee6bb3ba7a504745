import { z } from "zod";
import { CountryRow } from "./rows.ts";

const Rate = z.number().min(0).nullable();

const Comparison = z
  .object({
    subregion: z.string().nullable().describe("The UN M49 sub-region that the country is compared within."),
    pooled_rate: Rate.describe(
      "Rate of all its countries taken together, this one and those below included.",
    ),
    median_rate: Rate.describe("Median of the rates of its ranked countries, this one included."),
    rate_ratio: Rate.describe(
      "The country's rate divided by that of all others together. Null when it is infinite or nothing to compare with is known.",
    ),
    rate_ratio_ci_low: Rate.describe("Lower limit of the ratio's exact conditional 95% interval."),
    rate_ratio_ci_high: Rate.describe("Upper limit; null when it is infinite."),
    peers: z.array(CountryRow).describe("All other countries of the sub-region, the ranked ones first."),
  })
  .meta({ id: "CountryComparison" });

const YearPoint = z
  .object({
    year: z.int(),
    papers: z.int().min(0),
    publications: z.int().min(0),
    rate: Rate,
  })
  .meta({ id: "YearPoint" });

export const CountryData = z
  .object({
    country: CountryRow,
    rank: z
      .object({
        position: z.int().min(1).nullable().describe("The country's rank; null when it is below."),
        of: z.int().min(0).describe("How many countries are ranked."),
      })
      .describe("Where the country stands among all that are ranked."),
    comparison: Comparison,
    series: z.array(YearPoint).describe("Each year of the window."),
  })
  .meta({ id: "CountryData" });
