import { z } from "zod";
import { DomainError } from "../../platform/domain-error.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole, makeFindable } from "../../platform/opensearch/whole-answer.ts";
import { chunkId, FORM } from "./chunk-search.ts";

/** Most documents counted in one request: 5,000 of 100,000 take 10 to 25 ms, and OpenSearch allows 65,000 terms. */
export const COUNT_PAGE = 5_000;

/** OpenSearch accepts 4,096 bytes in the request line, and each identifier takes 39; more documents are asked of all shards. */
const ROUTED_DOCUMENTS_MAX = 50;

/** A removal of many chunks may take this long; it does not hold up searches. */
const REMOVAL_TIMEOUT_MS = 120_000;

/** The number of chunks in an index (or behind an alias) by document, in the order of identifiers. */
export type ChunkCounts = ReadonlyMap<string, number>;

export type CountedPage = { readonly counts: ChunkCounts; readonly isLast: boolean };

/**
 * @param query which chunks; all of the index by default.
 * @throws DomainError `store_unavailable`; Error when there is no such index.
 */
export async function countChunks(opensearch: OpenSearch, index: string, query?: object): Promise<number> {
  await makeFindable(opensearch, index);
  const { body } = await askOpenSearch(() =>
    opensearch.count({ index, ...(query !== undefined && { body: { query } }) }),
  );
  assertWhole(body);
  return Counted.parse(body).count;
}

/** The number of chunks of each of these documents, at most `COUNT_PAGE`; documents without chunks are missing. */
export async function countChunksOf(
  opensearch: OpenSearch,
  index: string,
  documentIds: readonly string[],
): Promise<ChunkCounts> {
  await makeFindable(opensearch, index);
  const query = { terms: { document_id: [...documentIds] } };
  return (await countPage(opensearch, index, { query })).counts;
}

/** One page of a walk over all documents with chunks: those after `after`, or the first. */
export async function countChunksAfter(
  opensearch: OpenSearch,
  index: string,
  after: string | undefined,
): Promise<CountedPage> {
  return countPage(opensearch, index, after === undefined ? {} : { after });
}

type CountRange = { readonly after?: string; readonly query?: { terms: { document_id: string[] } } };

/** A composite aggregation over the one keyword visits the terms in order and stops when its page is full. */
async function countPage(opensearch: OpenSearch, index: string, { after, query }: CountRange) {
  const { body } = await askOpenSearch(() =>
    opensearch.search({
      index,
      allow_partial_search_results: false,
      body: {
        size: 0,
        track_total_hits: false,
        ...(query !== undefined && { query }),
        aggs: {
          documents: {
            composite: {
              size: COUNT_PAGE,
              sources: [{ document_id: { terms: { field: "document_id" } } }],
              ...(after !== undefined && { after: { document_id: after } }),
            },
          },
        },
      },
    }),
  );
  assertWhole(body);
  const { buckets } = CountedDocuments.parse(body).aggregations.documents;
  return {
    counts: new Map(buckets.map(({ key, doc_count }) => [key.document_id, doc_count])),
    isLast: buckets.length < COUNT_PAGE,
  };
}

/** A chunk of a member of a batch, with its normalised form. */
export type MemberChunk = { readonly ordinal: number; readonly chunkIndex: number; readonly form: string };

/** Chunks read in one request: 0.7 MB, which is parsed in a few milliseconds. */
const FORMS_AT_ONCE = 500;

/** All findable chunks of a batch by members and chunks, page by page. @throws DomainError `store_unavailable` */
export async function* memberChunks(
  opensearch: OpenSearch,
  index: string,
  batchId: string,
): AsyncGenerator<readonly MemberChunk[]> {
  for (let after: readonly number[] | undefined; ; ) {
    const { body } = await askOpenSearch(() =>
      opensearch.search({
        index,
        allow_partial_search_results: false,
        body: {
          size: FORMS_AT_ONCE,
          _source: [FORM],
          track_total_hits: false,
          query: { bool: { filter: [{ term: { batch_id: { value: batchId } } }] } },
          sort: ["member_ordinal", "chunk_index"],
          ...(after !== undefined && { search_after: [...after] }),
        },
      }),
    );
    assertWhole(body);
    const { hits } = MemberChunks.parse(body).hits;
    yield hits.map(({ sort: [ordinal, chunkIndex], _source }) => ({
      ordinal,
      chunkIndex,
      form: _source[FORM],
    }));
    if (hits.length < FORMS_AT_ONCE) return;
    after = hits.at(-1)?.sort;
  }
}

type Chunks = {
  /** An index, an alias or a pattern. */
  readonly index: string;
  readonly documentIds: readonly string[];
  /** Whether only those shards are asked on which this program puts the chunks of these documents. */
  readonly isRouted: boolean;
  readonly keptIds?: readonly string[];
};

/** Removes the findable chunks of a few hundred documents. @throws `store_unavailable` also when others changed them. */
export async function removeChunks(
  opensearch: OpenSearch,
  { index, documentIds, isRouted, keptIds = [] }: Chunks,
): Promise<void> {
  const query = {
    bool: {
      filter: [{ terms: { document_id: [...documentIds] } }],
      must_not: [{ ids: { values: [...keptIds] } }],
    },
  };
  const routing =
    isRouted && documentIds.length <= ROUTED_DOCUMENTS_MAX ? { routing: documentIds.join(",") } : {};
  const { body } = await askOpenSearch(() =>
    opensearch.deleteByQuery(
      { index, ...routing, conflicts: "proceed", refresh: true, body: { query } },
      { requestTimeout: REMOVAL_TIMEOUT_MS },
    ),
  );
  const { timed_out, version_conflicts, failures } = Removal.parse(body);
  if (timed_out || version_conflicts > 0 || failures.length > 0)
    throw new DomainError("store_unavailable", "OpenSearch has not removed all chunks of a document.");
}

/** Removes the chunks of these documents (at most `COUNT_PAGE`) beyond `chunkCount`; returns the documents that lack some. */
export async function removeSurplusChunks(
  opensearch: OpenSearch,
  index: string,
  documents: readonly { readonly documentId: string; readonly chunkCount: number }[],
): Promise<string[]> {
  const ids = documents.map(({ documentId }) => documentId);
  const counts = await countChunksOf(opensearch, index, ids);
  for (const { documentId, chunkCount } of documents) {
    if ((counts.get(documentId) ?? 0) <= chunkCount) continue;
    const keptIds = Array.from({ length: chunkCount }, (_, chunkIndex) =>
      chunkId({ documentId, chunkIndex }),
    );
    await removeChunks(opensearch, { index, documentIds: [documentId], isRouted: false, keptIds });
  }
  const lacking = documents.filter(
    ({ documentId, chunkCount }) => (counts.get(documentId) ?? 0) < chunkCount,
  );
  return lacking.map(({ documentId }) => documentId);
}

const Counted = z.object({ count: z.int() });

const MemberChunks = z.object({
  hits: z.object({
    hits: z.array(z.object({ sort: z.tuple([z.int(), z.int()]), _source: z.object({ [FORM]: z.string() }) })),
  }),
});

const CountedDocuments = z.object({
  aggregations: z.object({
    documents: z.object({
      buckets: z.array(z.object({ key: z.object({ document_id: z.string() }), doc_count: z.int() })),
    }),
  }),
});

/** OpenSearch answers a delete by query with 200 even when it has removed only a part. */
const Removal = z.object({
  timed_out: z.boolean(),
  version_conflicts: z.int(),
  failures: z.array(z.unknown()),
});
