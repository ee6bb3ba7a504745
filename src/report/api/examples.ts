import type { z } from "zod";
import type { Examples } from "../../http/routing/route.ts";
import type { Report } from "../presented-report.ts";
import type { SourceText } from "./schema.ts";

const NOTHING = { matched_chars: 0, similarity_pct: 0 };

export const reportExample: z.output<typeof Report> = {
  check_id: "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf",
  title: "Summer essay",
  display_title: "Summer essay",
  language: "en",
  language_origin: "default",
  overall_similarity_pct: 65.79,
  total_matched_chars: 125,
  compared_chars: 190,
  match_types: {
    identical: { matched_chars: 125, similarity_pct: 65.79 },
    minor_changes: NOTHING,
    paraphrased: NOTHING,
    translated: NOTHING,
  },
  query_text:
    "We visited the coast last summer. Long before electric lamps were invented, keepers carried buckets of whale " +
    "oil up the stairs every evening to feed the flame. My sister liked the view best.",
  char_count: 190,
  word_count: 33,
  duration_seconds: 0.112,
  sources: [
    {
      number: 1,
      source_document_id: "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
      title: "Lighthouses",
      source_filename: "lighthouses.txt",
      source_url: "https://example.org/lighthouses",
      document_url: "/v1/corpus/documents/01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
      language: "en",
      similarity_pct: 65.79,
      matched_chars: 125,
      exclusive_matched_chars: 125,
      passages: [
        {
          query_start: 34,
          query_end: 159,
          source_chunk_index: 0,
          source_start: 56,
          source_end: 181,
          source_document_start: 56,
          source_document_end: 181,
          match_type: "identical",
          runs: [
            {
              query_start: 34,
              query_end: 159,
              source_document_start: 56,
              source_document_end: 181,
              match_type: "identical",
            },
          ],
          overlap_text_preview:
            "Long before electric lamps were invented, keepers carried buckets of whale oil up the stairs every evening " +
            "to feed the flame.",
          meaning: null,
          note: null,
        },
      ],
    },
  ],
  unique_passages: [[34, 159]],
  coverage: "full",
  coverage_reason: null,
  checked_chunks: 1,
  total_chunks: 1,
  corpus_sources: 1_000,
  documents_pending: 0,
  semantic_coverage: "full",
  semantic_coverage_reason: null,
  semantic_documents: 1_000,
  integrity_flags: [],
  page_margins: [],
  batch: null,
  offset_unit: "code_point",
  notes: [],
  filters: null,
  created_at: "2026-11-20T09:30:00.000Z",
  completed_at: "2026-11-20T09:30:00.152Z",
};

const withoutMatch = {
  ...reportExample,
  overall_similarity_pct: 0,
  total_matched_chars: 0,
  match_types: { identical: NOTHING, minor_changes: NOTHING, paraphrased: NOTHING, translated: NOTHING },
  sources: [],
  unique_passages: [],
} satisfies typeof reportExample;

const noted = {
  passage: "34-159-01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
  note: "Quoted in chapter 2, with its source.",
};

export const noteBodyExamples: Examples = {
  set: { summary: "Set a note", value: { text: noted.note } },
  remove: { summary: "Remove it", value: { text: "" } },
};

export const noteExamples: Examples = {
  set: { summary: "The note was set", value: noted },
  removed: { summary: "The note was removed", value: { ...noted, note: null } },
};

export const reportExamples: Examples = {
  match: { summary: "One copied sentence", value: reportExample },
  filtered: {
    summary: "Filtered: min_words=30",
    value: {
      ...withoutMatch,
      filters: { applied: { min_words: 30 }, unfiltered_similarity_pct: 65.79 },
    } satisfies typeof reportExample,
  },
  explained: {
    summary: "Explained: explain=true",
    value: {
      ...reportExample,
      sources: reportExample.sources.map((source) => ({
        ...source,
        passages: source.passages.map((passage) => ({
          ...passage,
          explanation: { matched_words: 21, seeds: 1, similarity: 1, score: 61.35 },
        })),
        explanation: {
          hits: [{ query_chunk_index: 0, source_chunk_index: 0, shared_shingles: 5, shared_terms: 8 }],
          hit_count: 1,
          dropped_matches: [],
          dropped_counts: {},
        },
      })),
      explanation: {
        candidate_count: 2,
        unreported_candidates: [
          {
            source_document_id: "01a1fdd2-fd11-7a52-9cc0-5b1f0a4d7e21",
            title: "Whaling",
            explanation: {
              hits: [{ query_chunk_index: 0, source_chunk_index: 4, shared_shingles: 0, shared_terms: 2 }],
              hit_count: 1,
              dropped_matches: [
                {
                  query_start: 161,
                  query_end: 189,
                  source_document_start: 5_102,
                  source_document_end: 5_163,
                  reason: "weak_meaning",
                  matched_words: 0,
                  score: -2.38,
                  own_names: ["1859", "Bell"],
                },
                {
                  query_start: 92,
                  query_end: 112,
                  source_document_start: 4_310,
                  source_document_end: 4_330,
                  reason: "too_short",
                  matched_words: 4,
                  score: -21.4,
                  own_names: [],
                },
              ],
              dropped_counts: { too_short: 1, weak_meaning: 1 },
            },
          },
        ],
        filtered_out: [],
      },
    } satisfies typeof reportExample,
  },
  partial: {
    summary: "The time budget ended before the corpus was searched",
    value: {
      ...withoutMatch,
      coverage: "partial",
      coverage_reason: "time_cap",
      checked_chunks: 0,
    } satisfies typeof reportExample,
  },
};

const around: z.output<typeof SourceText> = {
  source_document_id: "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
  title: "Lighthouses",
  source_url: "https://example.org/lighthouses",
  language: "en",
  offset_unit: "code_point",
  char_count: 235,
  start: 36,
  end: 201,
  text:
    "t light at its top. Long before electric lamps were invented, keepers carried buckets of whale oil up the stairs " +
    "every evening to feed the flame. Today almost every ",
};

export const sourceTextExamples: Examples = {
  passage: { summary: "A passage with 20 characters on both sides (start=36&end=201)", value: around },
  beyond: {
    summary: "Beyond the end of the text (start=9000)",
    value: { ...around, start: 235, end: 235, text: "" } satisfies typeof around,
  },
};
