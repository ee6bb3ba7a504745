import type { Passage, Source } from "../../../../src/client/index.ts";

/** A source as a report has it, with passages of these places. */
export function wireSource(
  id: string,
  places: readonly (readonly [start: number, end: number])[],
  more: Partial<Passage> = {},
): Source {
  const passages = places.map(
    ([query_start, query_end]): Passage => ({
      query_start,
      query_end,
      source_chunk_index: 0,
      source_start: query_start,
      source_end: query_end,
      source_document_start: query_start + 1_000,
      source_document_end: query_end + 1_000,
      match_type: "identical",
      runs: [
        {
          query_start,
          query_end,
          source_document_start: query_start + 1_000,
          source_document_end: query_end + 1_000,
          match_type: "identical",
        },
      ],
      overlap_text_preview: "",
      meaning: null,
      note: null,
      ...more,
    }),
  );
  const matched = places.reduce((sum, [start, end]) => sum + end - start, 0);
  return {
    number: 1,
    source_document_id: id,
    title: `Document ${id}`,
    source_filename: `${id}.txt`,
    source_url: null,
    document_url: null,
    language: "en",
    similarity_pct: matched,
    matched_chars: matched,
    exclusive_matched_chars: matched,
    passages,
  };
}
