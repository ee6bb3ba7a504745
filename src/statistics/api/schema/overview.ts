import { z } from "zod";
import { SOURCE_IDS } from "../../facts/sources.ts";
import { CASE_TYPES } from "../../sources/cases/case-type.ts";

const Window = z
  .object({
    id: z
      .string()
      .meta({ examples: ["2013-2017"] })
      .describe("What the parameter `window` takes."),
    from: z.int().describe("First year, included."),
    to: z.int().describe("Last year, included."),
    provisional: z
      .boolean()
      .describe(
        "So recent that many retractions are still to come: it ends less than 3 years before the newest.",
      ),
    default: z.boolean().describe("Whether this is the window that is meant when none is named."),
  })
  .meta({ id: "Window" });

const Region = z
  .object({
    slug: z
      .string()
      .meta({ examples: ["eastern-asia"] })
      .describe("What the parameter `region` takes."),
    name: z.string(),
    m49: z.string().describe("Its UN M49 code."),
    parent: z.string().nullable().describe("The region of a sub-region; null for a region."),
  })
  .meta({ id: "Region" });

const Thresholds = z
  .object({
    min_publications: z
      .object({ countries: z.int(), institutions: z.int(), disciplines: z.int() })
      .describe("Publications in the window from which a row is ranked."),
    unstable_below_papers: z.int().describe("A row with fewer papers is `unstable`."),
  })
  .meta({ id: "Thresholds" });

const Freshness = z
  .object({
    source: z.enum(SOURCE_IDS),
    status: z.enum(["never loaded", "current", "stale"]),
    retrieved_at: z
      .string()
      .meta({ format: "date-time" })
      .nullable()
      .describe("Null when it was never loaded."),
    newest_record: z.string().nullable().describe("Date or year of the newest record in it."),
    stale: z.boolean().describe("Whether it is older than the source's rhythm, or was never loaded."),
  })
  .meta({ id: "Freshness" });

const Endpoint = z
  .object({
    path: z.string(),
    description: z.string(),
    parameters: z.array(z.string()).describe("The parameters of the query."),
  })
  .meta({ id: "Endpoint" });

export const OverviewData = z
  .object({
    windows: z.array(Window).describe("The newest end first, then the shorter first. Empty before any load."),
    regions: z.array(Region),
    case_types: z.array(z.enum(CASE_TYPES)),
    thresholds: Thresholds,
    freshness: z.array(Freshness),
    endpoints: z.array(Endpoint),
  })
  .meta({ id: "OverviewData" });
