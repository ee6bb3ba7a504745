import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import type { WeightedTerm } from "../../core/retrieval/search-terms.ts";
import { Extent, isWhole } from "../../platform/opensearch/whole-answer.ts";
import { FORM, WORDS } from "./fields.ts";

/** A chunk of the corpus that shares search terms with a part of the query; `score`: their number, or their weight. */
export type ChunkHit = {
  readonly documentId: string;
  readonly chunkIndex: number;
  readonly score: number;
};

/** What one search gave. Without `complete`, part of the corpus was not searched. */
export type ChunkSearch = { readonly hits: readonly ChunkHit[]; readonly complete: boolean };

/** Why part of the corpus was not searched: its time was over, shards did not answer, or the search was turned away. */
export type IncompleteReason = "timed_out" | "shards_missing" | "refused";

export const MISSING_INDEX =
  "The chunk index is missing in OpenSearch. A worker makes it anew from PostgreSQL, as does `npm run corpus:rebuild`; checks and uploads wait until it is done.";

/**
 * Of chunks that share as many terms, the one whose document came first is first: identifiers ascend with time. Without
 * this it would be for the segments of the index to say which of 300 copies of a paragraph are among the hits, and a
 * rebuild or a merge would change the report.
 *
 * The values of the sort are all that is read of a hit, and nothing from the stored fields, which are compressed in
 * blocks. Over 91,572 chunks, 168 queries of 45 terms, one run: the sort alone takes 1.07 times the time of a plain query
 * (20 and 200 hits), both together 0.53 times (20 hits) and 0.36 times (200 hits).
 */
const BEST_FIRST = {
  sort: [{ _score: "desc" }, { document_id: "asc" }, { chunk_index: "asc" }],
  stored_fields: "_none_",
} as const;

/** Asks for the chunks that match, best first, within `timeoutMs` of the index. */
export function bestChunks(query: object, size: number, timeoutMs: number) {
  return {
    size,
    timeout: `${timeoutMs}ms`,
    track_total_hits: false,
    _source: false,
    ...BEST_FIRST,
    query,
  };
}

/** The chunks that share any of the terms; the score is their number. */
export function sharesTerms(terms: readonly string[]) {
  return {
    bool: { should: terms.map((value) => ({ term: { [FORM]: { value } } })), minimum_should_match: 1 },
  };
}

/** The chunks that share at least two of the terms; the score is the weight of those. */
export function sharesWords(terms: readonly WeightedTerm[]) {
  return {
    bool: {
      should: terms.map(({ term, weight }) => ({ term: { [WORDS]: { value: term, boost: weight } } })),
      minimum_should_match: 2,
    },
  };
}

/**
 * What one search gave.
 * @throws DomainError `store_unavailable` when `alias` stands for nothing.
 */
export function toChunkSearch(answer: SearchAnswer | undefined, alias: string): ChunkSearch {
  if (answer === undefined) return { hits: [], complete: false };
  assertNotMissing(answer.error, alias);
  const hits = (answer.hits?.hits ?? []).map(({ sort: [score, documentId, chunkIndex] = [] }) => ({
    documentId: String(documentId),
    chunkIndex: Number(chunkIndex),
    score: Number(score),
  }));
  return { hits, complete: incompleteReason(answer) === undefined };
}

/** Undefined for an answer that is about the whole corpus. */
export function incompleteReason(answer: SearchAnswer | undefined): IncompleteReason | undefined {
  const extent = Extent.safeParse(answer);
  if (answer?.error !== undefined || !extent.success) return "refused";
  if (isWhole(extent.data)) return undefined;
  return extent.data.timed_out ? "timed_out" : "shards_missing";
}

/**
 * Nothing of that name may be there. A numbered index may go while it is searched, as the one before a swap does:
 * that search has missed its shards, and is done again.
 * @param error as OpenSearch has it in the answer to a part of a request.
 * @throws DomainError `store_unavailable` when `alias` stands for nothing.
 */
export function assertNotMissing(error: unknown, alias: string): void {
  const { success, data } = NotFound.safeParse(error);
  if (success && data.index === alias) throw new DomainError("store_unavailable", MISSING_INDEX);
}

const NotFound = z.object({ type: z.literal("index_not_found_exception"), index: z.string() });

type SearchAnswer = {
  readonly error?: unknown;
  readonly hits?: { readonly hits?: readonly SearchHit[] };
};

/** The values by which it was sorted: as in `BEST_FIRST`. */
type SearchHit = { readonly sort?: readonly unknown[] };
