import { z } from "zod";
import { CASE_TYPES } from "../../sources/cases/case-type.ts";

export const CaseItem = z
  .object({
    case_id: z.string().describe("Identifier; the same after each load."),
    type: z.enum(CASE_TYPES).describe("What was plagiarised, by keywords of the entry."),
    title: z.string().describe("The name that the entry sets in bold, or its first words."),
    year: z.int().nullable().describe("The year, when exactly one stands in the entry."),
    countries: z
      .array(z.string())
      .describe("ISO 3166-1 alpha-2 codes of the countries named in parentheses."),
    institution: z.string().nullable().describe("A university that the entry links to."),
    discipline: z.string().nullable().describe("The section in which the entry stands."),
    outcome: z.string().nullable().describe("What came of it, in the entry's words."),
    summary: z.string().describe("The entry's text without markup."),
    source: z
      .object({
        page_title: z.string(),
        revision_id: z.int().describe("The revision of the page that was read."),
        url: z.string().describe("That revision."),
        license: z.string().describe("The licence of the text."),
      })
      .describe("The page that documents the case."),
  })
  .meta({ id: "CaseItem" });
