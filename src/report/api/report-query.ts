import { z } from "zod";
import {
  passageList,
  queryBoolean,
  queryInteger,
  uuidList,
  uuidParameter,
  wordList,
} from "../../http/input/wire-types.ts";

export const MATCH_TYPES = ["identical", "minor_changes", "paraphrased", "translated"] as const;
export const OFFSET_UNITS = ["code_point", "utf16"] as const;

/** The filters, under the names of their parameters. */
export const FILTER_NAMES = [
  "exclude_quotes",
  "exclude_bibliography",
  "min_words",
  "exclude_sources",
  "exclude_passages",
  "match_types",
] as const;

export const OffsetUnitParameter = z
  .enum(OFFSET_UNITS)
  .default("code_point")
  .describe(
    "The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string.",
  );

export const ReportFiltersQuery = z.object({
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
  match_types: wordList(MATCH_TYPES).optional().describe("The types of match to keep."),
} satisfies Record<(typeof FILTER_NAMES)[number], z.ZodType>);

/** The units of an answer. */
export const UnitsQuery = z.object({
  offset_unit: OffsetUnitParameter,
  length_unit: z
    .enum(OFFSET_UNITS)
    .optional()
    .describe("The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets."),
});

/** The units of a report, and its filters. */
export const ReportSelectionQuery = UnitsQuery.extend(ReportFiltersQuery.shape);

export const ReportQuery = ReportSelectionQuery.extend({
  explain: queryBoolean()
    .optional()
    .describe(
      "Adds an `explanation` to the report, its sources and its passages: why they were reported or not.",
    ),
});

export const ReportParams = z.object({
  check_id: uuidParameter("Identifier of the check.", "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf"),
});
