import type { z } from "zod";
import { runsOf, type SourcePassage } from "../matching/words/source-passage.ts";
import type { Span } from "../text/span.ts";
import { byMatchType } from "./figures/exclusive-spans.ts";
import { passageInUnit, type ReportInUnit, type UnitConversion } from "./figures/offset-unit.ts";
import type { MemberPassage, WirePassage } from "./presented-report.ts";

/** A passage of two members of a batch. */
export function presentMemberPassage(
  passage: SourcePassage,
  conversion: UnitConversion,
): z.output<typeof MemberPassage> {
  return presentPassageOfTwo(passageInUnit(passage, conversion));
}

/** A passage of two texts whose source is not in the corpus. Only its places in both texts are known. */
export function presentPassageOfTwo(passage: SourcePassage<Span>): z.output<typeof MemberPassage> {
  const shown = presentPassage(passage);
  const { query_start, query_end, source_document_start, source_document_end } = shown;
  const { match_type, runs, meaning } = shown;
  return { query_start, query_end, source_document_start, source_document_end, match_type, runs, meaning };
}

export function presentMatchTypes(shares: ReportInUnit["byMatchType"]) {
  return byMatchType((type) => ({
    matched_chars: shares[type].matchedChars,
    similarity_pct: shares[type].similarityPct,
  }));
}

export function presentPassage(
  passage: SourcePassage<Span>,
): Omit<WirePassage, "note" | "match_group" | "acknowledgement"> {
  return {
    query_start: passage.query.start,
    query_end: passage.query.end,
    source_chunk_index: passage.sourceChunkIndex,
    source_start: passage.sourceChunk.start,
    source_end: passage.sourceChunk.end,
    source_document_start: passage.sourceDocument.start,
    source_document_end: passage.sourceDocument.end,
    match_type: passage.matchType,
    runs: runsOf(passage).map(({ query, sourceDocument, matchType }) => ({
      ...presentPlaces(query, sourceDocument),
      match_type: matchType,
    })),
    overlap_text_preview: passage.preview,
    meaning: presentMeaning(passage.evidence),
  };
}

/** Where a piece of the query and its counterpart in the source lie. */
export function presentPlaces(query: Span, source: Span) {
  return {
    query_start: query.start,
    query_end: query.end,
    source_document_start: source.start,
    source_document_end: source.end,
  };
}

function presentMeaning(evidence: SourcePassage<Span>["evidence"]): WirePassage["meaning"] {
  if (evidence?.meaning === undefined) return null;
  const { pairs, sharedWords, ownNames = [], languages } = evidence.meaning;
  return {
    sentence_pairs: pairs.map(({ query, source, margin }) => ({ ...presentPlaces(query, source), margin })),
    shared_words: [...sharedWords],
    own_names: [...ownNames],
    query_language: languages?.query ?? null,
    source_language: languages?.source ?? null,
  };
}
