import { z } from "zod";
import { queryInteger } from "../../http/input/wire-types.ts";
import { OFFSET_UNITS, OffsetUnitParameter, ReportParams } from "../schema.ts";
import { SOURCE_TEXT_CHARS_MAX } from "./read-source-text.ts";

export const SourceTextParams = ReportParams.extend({
  source_document_id: z
    .string()
    .meta({ format: "uuid", examples: ["01a1fdd2-fc66-74d3-872a-6fcc3985a6fd"] })
    .describe("Identifier of a source of the check's report."),
});

export const SourceTextQuery = z
  .object({
    start: queryInteger({ min: 0 })
      .optional()
      .describe("Where to begin; the text's beginning when left out."),
    end: queryInteger({ min: 0 })
      .optional()
      .describe("Where to end, exclusive; as far as one answer reaches when left out."),
    offset_unit: OffsetUnitParameter,
  })
  .refine(({ start = 0, end }) => end === undefined || end >= start, {
    path: ["end"],
    error: "must not be less than start",
  });

const Offset = z.int().min(0);

export const SourceText = z
  .object({
    source_document_id: z.string().meta({ format: "uuid" }),
    title: z.string(),
    source_url: z.string().nullable(),
    language: z.string().describe("ISO 639-1 code of the document's language."),
    offset_unit: z.enum(OFFSET_UNITS),
    char_count: z.int().min(0).describe("Length of the whole text."),
    start: Offset.describe("Where `text` begins in the document's extracted text."),
    end: Offset.describe(
      `Exclusive. Less than was asked for at the text's end, and after ${SOURCE_TEXT_CHARS_MAX.toLocaleString("en")} characters.`,
    ),
    text: z.string(),
  })
  .meta({ id: "SourceText" });
