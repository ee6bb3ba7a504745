import type { z } from "zod";
import type { Examples } from "../../../http/routing/route.ts";
import type { ComparisonAnswer, ComparisonLinkAnswer } from "./schema.ts";

const queryText =
  "We visited the coast last summer. Long before electric lamps were invented, keepers carried buckets of whale oil " +
  "up the stairs every evening to feed the flame. My sister liked the view best.";

const sourceText =
  "A lighthouse is a tower with a bright light at its top. Long before electric lamps were invented, keepers carried buckets " +
  "of whale oil up the stairs every evening to feed the flame.";

const place = {
  query_start: 34,
  query_end: 159,
  source_document_start: 56,
  source_document_end: 181,
  match_type: "identical",
} as const;

const NOTHING = { matched_chars: 0, similarity_pct: 0 };

const onlyIdentical = (similarity_pct: number) => ({
  identical: { matched_chars: 125, similarity_pct },
  minor_changes: NOTHING,
  paraphrased: NOTHING,
  translated: NOTHING,
});

const side = {
  filename: null,
  language: "en",
  language_origin: "default",
  total_matched_chars: 125,
  integrity_flags: [],
  page_margins: [],
} as const;

const comparison: z.output<typeof ComparisonAnswer> = {
  query: {
    ...side,
    text: queryText,
    char_count: 190,
    word_count: 33,
    overall_similarity_pct: 65.79,
    match_types: onlyIdentical(65.79),
    unique_passages: [[34, 159]],
    integrity_flags: [],
    page_margins: [],
  },
  source: {
    ...side,
    text: sourceText,
    char_count: 181,
    word_count: 33,
    overall_similarity_pct: 69.06,
    match_types: onlyIdentical(69.06),
    unique_passages: [[56, 181]],
    integrity_flags: [],
    page_margins: [],
  },
  passages: [{ ...place, runs: [place], meaning: null }],
  coverage: "full",
  coverage_reason: null,
  semantic_coverage: "full",
  semantic_coverage_reason: null,
  offset_unit: "code_point",
  duration_seconds: 0.084,
};

export const textsExamples: Examples = {
  texts: {
    summary: "Two texts in English",
    value: { query_text: queryText, source_text: sourceText, language: "en", source_language: "en" },
  },
};

export const filesExamples: Examples = {
  files: {
    summary: "Two files",
    value: { query_file: "(the bytes of essay.docx)", source_file: "(the bytes of source.pdf)" },
  },
  mixed: {
    summary: "A file and a text",
    value: { query_file: "(the bytes of essay.docx)", source_text: sourceText },
  },
};

const link: z.output<typeof ComparisonLinkAnswer> = {
  comparison_id: "6f1e0b1c-58a4-4d0e-9b7e-2f3c8d1a7b55",
  comparison_url: "/v1/comparisons/6f1e0b1c-58a4-4d0e-9b7e-2f3c8d1a7b55",
  page_url: "/compare/6f1e0b1c-58a4-4d0e-9b7e-2f3c8d1a7b55",
  expires_at: "2026-12-06T09:30:00.000Z",
};

export const linkExamples: Examples = { link: { summary: "A link for a week", value: link } };

export const keptExamples: Examples = {
  kept: {
    summary: "A kept comparison",
    value: { ...comparison, link_days: 7, expires_at: link.expires_at } satisfies typeof comparison,
  },
};

export const comparisonExamples: Examples = {
  match: { summary: "One copied sentence", value: comparison },
  words: {
    summary: "Compared by words only",
    value: {
      ...comparison,
      semantic_coverage: "none",
      semantic_coverage_reason: "off",
    } satisfies typeof comparison,
  },
};
