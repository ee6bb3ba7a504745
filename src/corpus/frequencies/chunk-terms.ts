import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { SHINGLE_WORDS } from "../../core/fingerprint/fingerprint-form.ts";
import { sampledShingles } from "../../core/fingerprint/sampled-shingles.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole, Extent, makeFindable } from "../../platform/opensearch/whole-answer.ts";
import type { FrequentShingle } from "./frequent-shingle-store.ts";

/** Chunks whose terms are asked for in one request: 0.25 s of one thread of OpenSearch, an answer of 1.3 MB. */
const CHUNKS_AT_ONCE = 500;

/** Terms that are counted in one request, at 0.2 ms each. */
const TERMS_AT_ONCE = 500;

/** A term of a chunk and how many chunks of the same shard have it, deleted ones included that are not merged away yet. */
export type ChunkTerm = { readonly term: string; readonly docFreq: number };

/** The terms of one chunk, and the number of chunks of its shard, deleted ones included. */
export type TermsOfChunk = { readonly shardChunks: number; readonly terms: readonly ChunkTerm[] };

/** Where a chunk is in the index: its identifier, and what its shard follows from. */
export type ChunkPlace = { readonly id: string; readonly routing: string };

/**
 * What the index knows of its terms.
 * Every method throws DomainError `store_unavailable` when OpenSearch does not answer.
 */
export class ChunkTerms {
  readonly #client: OpenSearch;
  readonly #index: string;

  constructor(client: OpenSearch, index: string) {
    this.#client = client;
    this.#index = index;
  }

  /** The chunks of the corpus. */
  async countChunks(): Promise<number> {
    await makeFindable(this.#client, this.#index);
    const { body } = await askOpenSearch(() => this.#client.count({ index: this.#index }));
    assertWhole(body);
    return Count.parse(body).count;
  }

  /**
   * Gives the addresses of random chunks, page by page: each chunk is drawn with the probability `share` (all with 1),
   * always the same ones for the same `seed`. What is read in one page does not depend on the others, so that nothing
   * has to be kept.
   */
  async *sampleChunks(share: number, seed: number): AsyncGenerator<readonly ChunkPlace[]> {
    const query =
      share >= 1
        ? { match_all: {} }
        : {
            function_score: {
              random_score: { seed, field: "_seq_no" },
              boost_mode: "replace" as const,
              min_score: 1 - share,
            },
          };
    for (let after: readonly (string | number)[] | undefined; ; ) {
      const { body } = await askOpenSearch(() =>
        this.#client.search({
          index: this.#index,
          allow_partial_search_results: false,
          body: {
            size: CHUNKS_AT_ONCE,
            _source: false,
            track_total_hits: false,
            query,
            sort: ["document_id", "chunk_index"],
            ...(after !== undefined && { search_after: [...after] }),
          },
        }),
      );
      assertWhole(body);
      const { hits } = Page.parse(body).hits;
      if (hits.length > 0) yield hits.map(({ _id, _routing }) => ({ id: _id, routing: _routing ?? _id }));
      if (hits.length < CHUNKS_AT_ONCE) return;
      after = hits.at(-1)?.sort;
    }
  }

  /** The terms of chunks; one that is gone is left out. */
  async readTerms(places: readonly ChunkPlace[]): Promise<TermsOfChunk[]> {
    const { body } = await askOpenSearch(() =>
      this.#client.mtermvectors({
        index: this.#index,
        fields: FIELD,
        term_statistics: true,
        positions: false,
        offsets: false,
        payloads: false,
        realtime: false,
        body: { docs: places.map(({ id, routing }) => ({ _id: id, routing })) },
      }),
    );
    return TermVectors.parse(body).docs.flatMap(({ error, term_vectors }) => {
      if (error !== undefined) throw unread(error);
      const vector = term_vectors?.[FIELD];
      if (vector === undefined) return [];
      const terms = Object.entries(vector.terms).map(([term, { doc_freq: docFreq }]) => ({ term, docFreq }));
      return [{ shardChunks: vector.field_statistics.doc_count, terms }];
    });
  }

  /** In how many chunks and documents each term stands now, whatever their shards; documents to within some percent. */
  async count(terms: readonly string[], signal?: AbortSignal): Promise<FrequentShingle[]> {
    const options = {
      size: 0,
      track_total_hits: true,
      aggs: { documents: { cardinality: { field: "document_id" } } },
    };
    const counted: FrequentShingle[] = [];
    for await (const [term, { hits, aggregations }] of this.#search(terms, options)) {
      signal?.throwIfAborted();
      const documents = aggregations?.documents.value ?? 0;
      counted.push({ term, chunks: hits.total?.value ?? 0, documents });
    }
    return counted;
  }

  /** The words of one place at which each term stands, for people: "bag" of `balancgre` says more than the term. */
  async readExamples(terms: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const options = { size: 1, track_total_hits: false, _source: [FIELD] };
    const examples = new Map<string, string>();
    for await (const [term, { hits }] of this.#search(terms, options)) {
      examples.set(term, wordsOf(term, hits.hits[0]?._source?.[FIELD] ?? ""));
    }
    return examples;
  }

  /** One search for each term, all of them with the same options; in the order of the terms. */
  async *#search(terms: readonly string[], options: object): AsyncGenerator<readonly [string, TermAnswer]> {
    for (let from = 0; from < terms.length; from += TERMS_AT_ONCE) {
      const some = terms.slice(from, from + TERMS_AT_ONCE);
      const body = some.flatMap((value) => [
        { allow_partial_search_results: false },
        { ...options, query: { term: { [FIELD]: { value } } } },
      ]);
      const answer = await askOpenSearch(() => this.#client.msearch({ index: this.#index, body }));
      const { responses } = TermAnswers.parse(answer.body);
      for (const [at, term] of some.entries()) {
        const response = responses[at];
        if (response === undefined || "error" in response) throw unread(response?.error);
        assertWhole(response);
        yield [term, response];
      }
    }
  }
}

/** A shard that does not answer, or an index that has just gone: the measurement may be made again. */
function unread(cause: unknown): DomainError {
  return new DomainError("store_unavailable", "OpenSearch could not read all terms; try again in a moment.", {
    cause,
  });
}

/** The words of a narrow form that a term was made of; empty when it holds none. */
function wordsOf(term: string, form: string): string {
  const words = form.split(" ");
  for (let first = 0; first + SHINGLE_WORDS <= words.length; first++) {
    const place = words.slice(first, first + SHINGLE_WORDS).join(" ");
    if (sampledShingles(place)[0] === term) return place;
  }
  return "";
}

const FIELD = "fingerprint";

const Count = z.object({ count: z.int() });

const Page = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _id: z.string(),
        _routing: z.string().optional(),
        sort: z.array(z.union([z.string(), z.number()])),
      }),
    ),
  }),
});

const TermVectors = z.object({
  docs: z.array(
    z.object({
      error: z.unknown().optional(),
      term_vectors: z
        .object({
          [FIELD]: z.object({
            field_statistics: z.object({ doc_count: z.int() }),
            terms: z.record(z.string(), z.object({ doc_freq: z.int() })),
          }),
        })
        .partial()
        .optional(),
    }),
  ),
});

const TermAnswer = Extent.extend({
  hits: z.object({
    total: z.object({ value: z.int() }).optional(),
    hits: z.array(z.object({ _source: z.object({ [FIELD]: z.string() }).optional() })),
  }),
  aggregations: z.object({ documents: z.object({ value: z.int() }) }).optional(),
});
type TermAnswer = z.infer<typeof TermAnswer>;

const TermAnswers = z.object({
  responses: z.array(z.union([z.object({ error: z.unknown() }).required(), TermAnswer])),
});
