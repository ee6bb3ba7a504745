import { z } from "zod";
import { SOURCE_IDS } from "../../facts/sources.ts";

const SourceEntry = z
  .object({
    id: z.enum(SOURCE_IDS),
    name: z.string(),
    retrieved_at: z
      .string()
      .meta({ format: "date-time" })
      .nullable()
      .describe("Null when it was never loaded."),
    version: z.string().nullable().describe("What the source or its file calls this state."),
    license: z.string().nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: "SourceEntry" });

export const Counts = z
  .object({
    total: z.int().min(0).describe("Rows that the filters select, ranked or below."),
    ranked: z.int().min(0),
    below: z.int().min(0).describe("Rows with too few publications; `below=true` shows them."),
    unattributed: z
      .int()
      .min(0)
      .describe("Papers of the window without a known place; they are in no row, and not in `total`."),
  })
  .meta({ id: "Counts" });

export const Meta = z
  .object({
    license: z.literal("CC-BY-4.0"),
    license_url: z.string(),
    attribution: z.string().describe("What to write beside the figures."),
    generated_at: z
      .string()
      .meta({ format: "date-time" })
      .nullable()
      .describe("When the data was loaded; null before any load."),
    dataset_version: z
      .string()
      .nullable()
      .describe("Names the loaded data: equal versions give equal answers. `demo-…` for the synthetic set."),
    window: z.string().optional().describe("The window of the figures, where there is one."),
    counts: Counts.optional().describe("In answers with rows that are ranked."),
    sources: z.array(SourceEntry).describe("Where these figures come from."),
    caveats: z.array(z.string()).describe("What to know before the figures are quoted."),
  })
  .meta({ id: "Meta" });

/** Every answer in JSON: where it comes from, and what it says. */
export function envelope<const T extends z.ZodType>(id: string, data: T) {
  return z.object({ meta: Meta, data }).meta({ id });
}
