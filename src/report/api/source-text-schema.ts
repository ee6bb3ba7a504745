import { z } from "zod";
import { Count, Offset, queryInteger, Uuid, uuidParameter } from "../../http/input/wire-types.ts";
import { SOURCE_TEXT_CHARS_MAX } from "../../text/excerpt.ts";
import { OFFSET_UNITS, OffsetUnitParameter, ReportParams } from "./report-query.ts";

export const SourceTextParams = ReportParams.extend({
  source_document_id: uuidParameter(
    "Identifier of a source of the check's report.",
    "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
  ),
});

export const SourceTextQuery = z
  .object({
    start: queryInteger({ min: 0 }).optional().describe("Start of the part; 0 by default."),
    end: queryInteger({ min: 0 })
      .optional()
      .describe("End of the part, exclusive; by default as far as one answer reaches."),
    offset_unit: OffsetUnitParameter,
  })
  .refine(({ start = 0, end }) => end === undefined || end >= start, {
    path: ["end"],
    error: "must not be less than start",
  });

export const SourceText = z
  .object({
    source_document_id: Uuid,
    title: z.string(),
    source_url: z.string().nullable(),
    language: z.string().describe("ISO 639-1 code of the document's language."),
    offset_unit: z.enum(OFFSET_UNITS),
    char_count: Count.describe("Length of the whole text."),
    start: Offset.describe("Where `text` begins in the document's extracted text."),
    end: Offset.describe(
      `Exclusive. Less than requested at the end of the text, and after ${SOURCE_TEXT_CHARS_MAX.toLocaleString("en")} characters.`,
    ),
    text: z.string(),
  })
  .meta({ id: "SourceText" });
