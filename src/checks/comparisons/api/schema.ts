import { z } from "zod";
import { optionalMember } from "../../../http/input/parse.ts";
import { FilePart } from "../../../http/input/upload.ts";
import {
  Count,
  formPart,
  LANGUAGE_RULE,
  Language,
  LanguageOriginName,
  Offset,
  Percentage,
  storableText,
  Timestamp,
  Uuid,
  uuidParameter,
} from "../../../http/input/wire-types.ts";
import { DocumentLanguage } from "../../../http/languages/document-language.ts";
import { MemberPassage, SharedSchemas } from "../../../report/index.ts";
import { QUERY_TEXT_CHARS_MAX } from "../../submit-check.ts";
import { comparisonNotFound } from "../comparison-links.ts";

const SideText = storableText({ charsMin: 1, charsMax: QUERY_TEXT_CHARS_MAX });
const QUERY_LANGUAGE = `ISO 639-1 code of the query's language. ${LANGUAGE_RULE}`;
const SOURCE_LANGUAGE = `ISO 639-1 code of the source's language. ${LANGUAGE_RULE}`;

export const CompareTextsBody = z
  .object({
    query_text: SideText.describe("The text whose passages are looked for."),
    source_text: SideText.describe("The text in which they are looked for."),
    language: optionalMember(Language).describe(QUERY_LANGUAGE),
    source_language: optionalMember(Language).describe(SOURCE_LANGUAGE),
  })
  .meta({ id: "CompareTextsBody" });

export const CompareFilesForm = z
  .object({
    query_file: FilePart.optional().describe("PDF, DOCX or TXT, at most 10 MiB."),
    query_text: formPart(SideText, "In place of `query_file`."),
    source_file: FilePart.optional().describe("PDF, DOCX or TXT, at most 10 MiB."),
    source_text: formPart(SideText, "In place of `source_file`."),
    language: formPart(Language, QUERY_LANGUAGE),
    source_language: formPart(Language, SOURCE_LANGUAGE),
  })
  .meta({ id: "CompareFilesForm" });

export const ComparisonQuery = SharedSchemas.UnitsQuery;

export const ComparisonPdfQuery = z.object({ language: DocumentLanguage });

export const ComparisonParams = z.object({
  comparison_id: uuidParameter(
    "Identifier of the kept comparison, from its link.",
    "6f1e0b1c-58a4-4d0e-9b7e-2f3c8d1a7b55",
    comparisonNotFound,
  ),
});

export const ComparisonLinkAnswer = z
  .object({
    comparison_id: Uuid,
    comparison_url: z.string().describe("Where the comparison is read as JSON."),
    page_url: z.string().describe("The link: the page that shows both texts."),
    expires_at: Timestamp.describe("When both texts are deleted."),
  })
  .meta({ id: "ComparisonLink" });

/** As in a report; there is no document, so `source_document_start` counts from the start of the source's text. */
const ComparedPassage = z.object(MemberPassage.shape).meta({ id: "ComparedPassage" });

const Spans = z.array(z.array(Offset).length(2));

const ComparedSide = z
  .object({
    text: z.string().describe("The text as sent, or as extracted from the file."),
    filename: z.string().nullable().describe("Null for a text."),
    language: z.string(),
    language_origin: LanguageOriginName,
    char_count: Count,
    word_count: Count,
    overall_similarity_pct: Percentage.describe("The share of this text that the other one contains."),
    total_matched_chars: Count.describe("Length of unique_passages."),
    match_types: SharedSchemas.MatchTypeShares.describe(
      "The matched text by match type. Each character is counted once, with the closest type, so that these add up to " +
        "total_matched_chars and overall_similarity_pct.",
    ),
    unique_passages: Spans.describe("[start, end) pairs over `text`: ascending, disjoint."),
    integrity_flags: z
      .array(SharedSchemas.IntegrityFlag)
      .describe(
        "Ascending. If there are more than 1,000, one flag of each kind gives the number of the others.",
      ),
    page_margins: Spans.describe(
      "[start, end) pairs over `text`: headers, footers, and the numbers of pages and lines of a PDF, which are not compared.",
    ),
    page_notes: z
      .array(SharedSchemas.PageNote)
      .optional()
      .describe("Missing where all pages were read as usual."),
  })
  .meta({ id: "ComparedSide" });

export const ComparisonAnswer = z
  .object({
    query: ComparedSide,
    source: ComparedSide,
    passages: z
      .array(ComparedPassage)
      .describe(
        "Passages of the query with their places in the source, ascending by query_start. Source text may serve several passages. " +
          "`source_document_start` counts from the start of the source's text.",
      ),
    coverage: z.enum(["full", "partial"]),
    coverage_reason: z
      .literal("time_cap")
      .nullable()
      .describe(
        "`time_cap`: the time ended when only verbatim copies were found. Null when coverage is full.",
      ),
    semantic_coverage: z
      .enum(["full", "partial", "none"])
      .describe("Whether all, some or none of the sentences were compared by their meaning."),
    semantic_coverage_reason: z
      .enum(["off", "unavailable", "time_cap", "no_sentences"])
      .nullable()
      .describe(
        "Null when coverage is full. `off`: switched off. `unavailable`: the encoder is not available. `time_cap`: the time " +
          "ended. `no_sentences`: one of the texts has none.",
      ),
    offset_unit: SharedSchemas.UnitsQuery.shape.offset_unit.unwrap(),
    duration_seconds: z.number().min(0),
    link_days: Count.optional().describe(
      "How many days a link to a comparison lasts; missing if the operator allows no links.",
    ),
    expires_at: Timestamp.optional().describe(
      "When it is deleted; missing for a comparison that is not kept.",
    ),
  })
  .meta({ id: "Comparison" });
