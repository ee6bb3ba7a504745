import { z } from "zod";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole, makeFindable } from "../../platform/opensearch/whole-answer.ts";

/** Documents that are counted in one request, at most: 5,000 of 100,000 take 10 to 25 ms, and OpenSearch allows 65,000. */
export const COUNT_PAGE = 5_000;

/** The number of chunks that an index (or what an alias stands for) holds of each document, in the order of identifiers. */
export type ChunkCounts = ReadonlyMap<string, number>;

/** @throws DomainError `store_unavailable`; Error when there is no such index. */
export async function countChunks(opensearch: OpenSearch, index: string): Promise<number> {
  await makeFindable(opensearch, index);
  const { body } = await askOpenSearch(() => opensearch.count({ index }));
  assertWhole(body);
  return Counted.parse(body).count;
}

/**
 * The chunks of these documents, `COUNT_PAGE` of them at most, as they are now. A document without chunks is not in the answer.
 * @throws DomainError `store_unavailable`; Error when there is no such index.
 */
export async function countChunksOf(
  opensearch: OpenSearch,
  index: string,
  documentIds: readonly string[],
): Promise<ChunkCounts> {
  await makeFindable(opensearch, index);
  const query = { terms: { document_id: [...documentIds] } };
  return (await countPage(opensearch, index, { query })).counts;
}

/** One page of a walk through all documents that have chunks: those that come after `after`, or the first. */
export async function countChunksAfter(
  opensearch: OpenSearch,
  index: string,
  after: string | undefined,
): Promise<{ readonly counts: ChunkCounts; readonly isLast: boolean }> {
  return countPage(opensearch, index, after === undefined ? {} : { after });
}

type CountRange = { readonly after?: string; readonly query?: { terms: { document_id: string[] } } };

/** A composite aggregation over the one keyword goes through the terms in their order, and stops when its page is full. */
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

const Counted = z.object({ count: z.int() });

const CountedDocuments = z.object({
  aggregations: z.object({
    documents: z.object({
      buckets: z.array(z.object({ key: z.object({ document_id: z.string() }), doc_count: z.int() })),
    }),
  }),
});
