import { z } from "zod";
import { stringWith } from "../../http/input/parse.ts";
import {
  Count,
  Offset,
  passageList,
  queryBoolean,
  queryInteger,
  readPassageReference,
  storableText,
  Uuid,
  uuidList,
  uuidParameter,
  wordList,
} from "../../http/input/wire-types.ts";
import { DocumentLanguage } from "../../http/languages/document-language.ts";
import { SOURCE_TEXT_CHARS_MAX } from "../../text/excerpt.ts";
import { MATCH_TYPES_CLOSEST_FIRST } from "../figures/exclusive-spans.ts";
import { MATCH_GROUPS } from "../figures/match-groups.ts";
import { passageNotFound } from "../passage-notes.ts";
import { type FILTER_NAMES, OFFSET_UNITS, OffsetUnitParameter, UnitsQuery } from "../presented-report.ts";
import { checkNotFound } from "../read-report.ts";
import { sourceNotFound } from "../read-source-text.ts";
import { NOTE_CHARS_MAX } from "../report-store.ts";

export const ReportParams = z.object({
  check_id: uuidParameter("Identifier of the check.", "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf", checkNotFound),
});

const ReportFiltersQuery = z.object({
  exclude_quotes: queryBoolean().optional().describe("Excludes text in quotation marks and block quotes."),
  exclude_bibliography: queryBoolean().optional().describe("Excludes the bibliography."),
  min_words: queryInteger({ min: 0, max: 1_000_000 })
    .optional()
    .describe("Excludes passages of fewer words than this."),
  exclude_sources: uuidList().optional().describe("Identifiers of source documents to exclude."),
  exclude_passages: passageList()
    .optional()
    .describe(
      "Passages to exclude, each as `START-END-DOCUMENT`: its query_start and query_end in code points, and its source. " +
        "Passages of this source that overlap the range are excluded.",
    ),
  match_types: wordList(MATCH_TYPES_CLOSEST_FIRST).optional().describe("The types of match to keep."),
  standing_exclusions: queryBoolean()
    .optional()
    .describe("`false` shows the report with what the operator leaves out of all reports."),
  match_groups: wordList(MATCH_GROUPS).optional().describe("The match groups to keep, in whole passages."),
} satisfies Record<(typeof FILTER_NAMES)[number], z.ZodType>);

/** The filters of a report in a request, or those that were kept. */
const ReportViewQuery = ReportFiltersQuery.extend({
  review: queryBoolean()
    .optional()
    .describe(
      "Shows what was kept of the report: its status and comment, and its filters, unless the request names a filter itself.",
    ),
});

/** The same, and the language of the document's own words. */
export const ReportDocumentQuery = ReportViewQuery.extend({
  language: DocumentLanguage,
});

/** The units of a report, and its filters. */
export const ReportSelectionQuery = UnitsQuery.extend(ReportViewQuery.shape);

export const ReportQuery = ReportSelectionQuery.extend({
  explain: queryBoolean()
    .optional()
    .describe(
      "Adds an `explanation` to the report, its sources and its passages: why they were reported or not.",
    ),
});

const PASSAGE_EXAMPLE = "34-159-01a1fdd2-fc66-74d3-872a-6fcc3985a6fd";

export const PassageParams = ReportParams.extend({
  passage: z
    .string()
    .transform((text) => {
      const reference = readPassageReference(text);
      if (reference === undefined) throw passageNotFound();
      return reference;
    })
    .meta(
      stringWith({
        description:
          "`START-END-DOCUMENT`: the passage's query_start and query_end in code points, and its source, as in `exclude_passages`.",
        examples: [PASSAGE_EXAMPLE],
      }),
    ),
});

export const NoteBody = z
  .object({
    text: storableText({ charsMin: 0, charsMax: NOTE_CHARS_MAX }).describe(
      "Plain text of up to 2,000 characters. An empty one removes the note.",
    ),
  })
  .meta({ id: "NoteBody" });

export const PassageNote = z
  .object({
    passage: z.string().describe("Names the whole passage, also if the request named a part of it."),
    note: z.string().nullable(),
  })
  .meta({ id: "PassageNote" });

export const SourceTextParams = ReportParams.extend({
  source_document_id: uuidParameter(
    "Identifier of a source of the check's report.",
    "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
    sourceNotFound,
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
