import { z } from "zod";
import type { ChunkSearch, SentenceTerms, StoredForm } from "../../matching/set.ts";
import type { ChunkAddress } from "../../matching/words/reuse-evidence.ts";
import type { WeightedTerm } from "../../matching/words/search-terms.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { closedIndex, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { Extent, isWhole } from "../../platform/opensearch/whole-answer.ts";
import type { CorpusSelection } from "../documents/document-store.ts";

/** The field that holds the normalised form, from which the index makes sampled shingles. */
export const FORM = "fingerprint";

/** Its sub-field with the words. */
export const WORDS = "fingerprint.words";

/** The field with the cells of a chunk's sentences. */
const MEANING = "semantic_terms";

/** The chunks of these documents. */
export function selectedChunks({ collections, withoutOwner, withoutGroup }: CorpusSelection): object {
  const left = [
    ...(withoutOwner === null ? [] : [{ term: { owner: withoutOwner } }]),
    ...(withoutGroup === null ? [] : [{ term: { group: withoutGroup } }]),
  ];
  return {
    bool: {
      ...(collections !== null && { filter: [{ terms: { collection: collections } }] }),
      ...(left.length > 0 && { must_not: left }),
    },
  };
}

/** The identifier of a chunk in the index. */
export function chunkId({ documentId, chunkIndex }: ChunkAddress): string {
  return `${documentId}:${chunkIndex}`;
}

/** Why part of the corpus was not searched: the time was up, shards did not answer, or the search was rejected. */
export type IncompleteReason = "timed_out" | "shards_missing" | "refused";

export const MISSING_INDEX =
  "The chunk index is missing in OpenSearch. A worker rebuilds it from PostgreSQL, as does `npm run corpus:rebuild`; checks and uploads wait until it is done.";

/**
 * Equal scores are ordered by the age of the document. Otherwise a merge of segments would change which of 300 copies are hits.
 * Only the sort values of a hit are read, because stored fields are compressed in blocks. Over 91,572 chunks this takes .53 of the
 * time of a plain query (20 hits) and .36 (200 hits).
 */
const BEST_FIRST = {
  sort: [{ _score: "desc" }, { document_id: "asc" }, { chunk_index: "asc" }],
  stored_fields: "_none_",
} as const;

/** The body of a search for the best chunks of at least `scoreMin`, within `timeoutMs` in the index. */
export function bestChunks(query: object, size: number, timeoutMs: number, scoreMin: number) {
  return {
    size,
    ...(scoreMin > 0 && { min_score: scoreMin }),
    timeout: `${timeoutMs}ms`,
    track_total_hits: false,
    _source: false,
    ...BEST_FIRST,
    query,
  };
}

/** Matches chunks that share any of the terms, scored by their number. */
export function sharesTerms(terms: readonly string[]) {
  return {
    bool: { should: terms.map((value) => ({ term: { [FORM]: { value } } })), minimum_should_match: 1 },
  };
}

/**
 * Matches chunks that share any of the terms, scored by their weight, as far as they may reach `scoreMin`. The lightest terms, which are
 * the commonest, can't reach it together: they only add to the score of chunks that have another, and the other chunks are not visited (as
 * in MaxScore: Turtle and Flood, 1995). (Asking for two terms takes OpenSearch a third longer.)
 */
export function sharesWords(terms: readonly WeightedTerm[], scoreMin: number) {
  const lightestFirst = terms.toSorted((a, b) => a.weight - b.weight);
  let sum = 0;
  const decisive = lightestFirst.findIndex(({ weight }) => {
    sum += weight;
    return sum >= scoreMin - SCORE_ROUNDING;
  });
  const clauses = lightestFirst.map(({ term, weight }) => ({
    term: { [WORDS]: { value: term, boost: weight } },
  }));
  if (decisive <= 0) return { bool: { should: clauses, minimum_should_match: 1 } };
  const must = { bool: { should: clauses.slice(decisive), minimum_should_match: 1 } };
  return { bool: { must, should: clauses.slice(0, decisive) } };
}

/** OpenSearch adds the weights as floats. */
const SCORE_ROUNDING = 0.001;

/**
 * Matches chunks with a term of any of the sentences. Each sentence counts by its best term, with its weight and the term's
 * inverse document frequency, which OpenSearch's default similarity gives a field without frequencies.
 */
export function sharesMeaning(sentences: readonly SentenceTerms[]) {
  const should = sentences.map((terms) => ({
    dis_max: {
      queries: terms.map(({ term, weight }) => ({ term: { [MEANING]: { value: term, boost: weight } } })),
    },
  }));
  return { bool: { should, minimum_should_match: 1 } };
}

/** @throws DomainError `store_unavailable` when the alias does not exist. */
export function toChunkSearch(answer: SearchAnswer | undefined, alias: string): ChunkSearch {
  if (answer === undefined) return { hits: [], complete: false };
  assertIndexUsable(answer.error, alias);
  const hits = (answer.hits?.hits ?? []).map(({ sort: [score, documentId, chunkIndex] = [] }) => ({
    documentId: String(documentId),
    chunkIndex: Number(chunkIndex),
    score: Number(score),
  }));
  return { hits, complete: incompleteReason(answer) === undefined };
}

/** Undefined for an answer that covers the whole corpus. */
export function incompleteReason(answer: SearchAnswer | undefined): IncompleteReason | undefined {
  const extent = Extent.safeParse(answer);
  if (answer?.error !== undefined || !extent.success) return "refused";
  if (isWhole(extent.data)) return undefined;
  return extent.data.timed_out ? "timed_out" : "shards_missing";
}

/** Whether an overloaded node has rejected a search, or the part of a shard: its queue was full, or a circuit breaker has tripped. */
export function isRejected(answer: SearchAnswer | undefined): boolean {
  const { status, _shards } = Rejection.safeParse(answer).data ?? {};
  return status === 429 || _shards?.failures?.some(({ reason }) => REJECTED_TYPE.test(reason.type)) === true;
}

const REJECTED_TYPE = /^(rejected_execution|circuit_breaking)_exception$/;

const Rejection = z.object({
  status: z.int().optional(),
  _shards: z
    .object({ failures: z.array(z.object({ reason: z.object({ type: z.string() }) })).optional() })
    .optional(),
});

/**
 * Only a missing alias counts: a numbered index may disappear during a search, as after a swap. Nobody but an operator closes
 * an index. @throws `store_unavailable`
 */
export function assertIndexUsable(error: unknown, alias: string): void {
  const { type, index } = Refused.safeParse(error).data ?? {};
  if (type === "index_not_found_exception" && index === alias)
    throw new DomainError("store_unavailable", MISSING_INDEX);
  if (type === "index_closed_exception") throw new DomainError("store_unavailable", closedIndex(alias));
}

/** A shard reads the chunks of one request one after another, 0.27 ms each; two requests use two cores. */
const REQUESTS_AT_ONCE = 2;
const FORMS_PER_REQUEST_MIN = 16;

/** The normalised forms of chunks, in their order. @throws DomainError `store_unavailable` while the index is missing. */
export async function readNormalisedForms(
  client: OpenSearch,
  index: string,
  addresses: readonly ChunkAddress[],
): Promise<StoredForm[]> {
  const length = Math.max(FORMS_PER_REQUEST_MIN, Math.ceil(addresses.length / REQUESTS_AT_ONCE));
  const parts: (readonly ChunkAddress[])[] = [];
  for (let from = 0; from < addresses.length; from += length)
    parts.push(addresses.slice(from, from + length));
  return (await Promise.all(parts.map((part) => readPart(client, index, part)))).flat();
}

async function readPart(
  client: OpenSearch,
  index: string,
  addresses: readonly ChunkAddress[],
): Promise<StoredForm[]> {
  const docs = addresses.map((address) => ({ _id: chunkId(address), routing: address.documentId }));
  const { body } = await client.mget({ index, _source: [FORM], realtime: false, body: { docs } });
  const stored = StoredForms.parse(body).docs;
  return docs.map((_, position) => {
    const { error, found, _source } = stored[position] ?? {};
    assertIndexUsable(error, index);
    return { form: _source?.[FORM], isRead: error === undefined && found !== undefined };
  });
}

const Refused = z.object({ type: z.string(), index: z.string().optional() });

/** `sort` holds the values of `BEST_FIRST`. */
type SearchAnswer = {
  readonly error?: unknown;
  readonly hits?: { readonly hits?: readonly { readonly sort?: readonly unknown[] }[] };
};

const StoredForms = z.object({
  docs: z.array(
    z.object({
      error: z.unknown().optional(),
      found: z.boolean().optional(),
      _source: z.object({ [FORM]: z.string() }).optional(),
    }),
  ),
});
