import { z } from "zod";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole } from "../../platform/opensearch/whole-answer.ts";

/** Chunks that are read in one answer, about 1.5 MB of narrow forms. */
const PAGE = 1_000;

/** A chunk as the index holds it. */
export type StoredChunk = {
  readonly chunkIndex: number;
  readonly wordCount: number;
  readonly charCount: number;
  readonly form: string;
};

/** The chunks of a document on its own shard, as searches find them, by their number. @throws DomainError `store_unavailable`. */
export async function readStoredChunks(
  opensearch: OpenSearch,
  index: string,
  documentId: string,
): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  for (;;) {
    const last = chunks.at(-1);
    const { body } = await askOpenSearch(() =>
      opensearch.search({
        index,
        routing: documentId,
        allow_partial_search_results: false,
        body: {
          size: PAGE,
          track_total_hits: false,
          _source: ["chunk_index", "word_count", "char_count", "fingerprint"],
          query: { term: { document_id: { value: documentId } } },
          sort: [{ chunk_index: "asc" }],
          ...(last !== undefined && { search_after: [last.chunkIndex] }),
        },
      }),
    );
    assertWhole(body);
    const { hits } = Found.parse(body).hits;
    chunks.push(...hits.map(({ _source }) => _source));
    if (hits.length < PAGE) return chunks;
  }
}

const Found = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _source: z
          .object({ chunk_index: z.int(), word_count: z.int(), char_count: z.int(), fingerprint: z.string() })
          .transform((source) => ({
            chunkIndex: source.chunk_index,
            wordCount: source.word_count,
            charCount: source.char_count,
            form: source.fingerprint,
          })),
      }),
    ),
  }),
});
