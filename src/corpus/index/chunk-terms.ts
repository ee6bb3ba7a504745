import { z } from "zod";
import { DomainError } from "../../platform/domain-error.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole, Extent } from "../../platform/opensearch/whole-answer.ts";
import { SHINGLE_WORDS } from "../../text/fingerprint-form.ts";
import { sampledShingles } from "../../text/sampled-shingles.ts";
import { FORM } from "./chunk-search.ts";
import type { FrequentShingle } from "./frequent-shingle-store.ts";

/** Chunks whose terms are read in one request: 0.25 s of one thread of OpenSearch, and an answer of 1.3 MB. */
const CHUNKS_AT_ONCE = 500;

/** Terms counted in one request, at 0.2 ms each. */
const TERMS_AT_ONCE = 500;

/** A term of a chunk, and the number of chunks of the same shard with it, including deleted ones not merged away yet. */
type ChunkTerm = { readonly term: string; readonly docFreq: number };

/** The terms of one chunk, and the number of chunks of its shard, including deleted ones. */
type TermsOfChunk = { readonly shardChunks: number; readonly terms: readonly ChunkTerm[] };

/** The location of a chunk in the index; `routing` determines its shard. */
type ChunkPlace = { readonly id: string; readonly routing: string };

/** The terms of the chunk index and their statistics. Every method throws DomainError `store_unavailable`. */
export class ChunkTerms {
  readonly #client: OpenSearch;
  readonly #index: string;

  constructor(client: OpenSearch, index: string) {
    this.#client = client;
    this.#index = index;
  }

  /** Yields random chunks page by page, each drawn with the probability `share`; the same `seed` draws the same chunks. */
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
      if (hits.length > 0) yield hits.map(({ _id, _routing }) => ({ id: _id, routing: _routing }));
      if (hits.length < CHUNKS_AT_ONCE) return;
      after = hits.at(-1)?.sort;
    }
  }

  async readTerms(places: readonly ChunkPlace[]): Promise<TermsOfChunk[]> {
    const { body } = await askOpenSearch(() =>
      this.#client.mtermvectors({
        index: this.#index,
        fields: FORM,
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
      const vector = term_vectors?.[FORM];
      if (vector === undefined) return [];
      const terms = Object.entries(vector.terms).map(([term, { doc_freq: docFreq }]) => ({ term, docFreq }));
      return [{ shardChunks: vector.field_statistics.doc_count, terms }];
    });
  }

  /** How many chunks and documents contain each term now, on all shards; documents to within a few percent. */
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

  /** The words of one occurrence of each term, for people: they say more than a term such as `balancgre`. */
  async readExamples(terms: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const options = { size: 1, track_total_hits: false, _source: [FORM] };
    const examples = new Map<string, string>();
    for await (const [term, { hits }] of this.#search(terms, options)) {
      examples.set(term, wordsOf(term, hits.hits[0]?._source?.[FORM] ?? ""));
    }
    return examples;
  }

  /** One search per term with the same options, in the order of the terms. */
  async *#search(terms: readonly string[], options: object): AsyncGenerator<readonly [string, TermAnswer]> {
    for (let from = 0; from < terms.length; from += TERMS_AT_ONCE) {
      const some = terms.slice(from, from + TERMS_AT_ONCE);
      const body = some.flatMap((value) => [
        { allow_partial_search_results: false },
        { ...options, query: { term: { [FORM]: { value } } } },
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

/** A shard that does not answer, or an index that was just deleted: the measurement may be repeated. */
function unread(cause: unknown): DomainError {
  return new DomainError("store_unavailable", "OpenSearch could not read all terms; try again in a moment.", {
    cause,
  });
}

/** The words of a normalised form from which a term was made; empty when there are none. */
function wordsOf(term: string, form: string): string {
  const words = form.split(" ");
  for (let first = 0; first + SHINGLE_WORDS <= words.length; first++) {
    const place = words.slice(first, first + SHINGLE_WORDS).join(" ");
    if (sampledShingles(place)[0] === term) return place;
  }
  return "";
}

const Page = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _id: z.string(),
        _routing: z.string(),
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
          [FORM]: z.object({
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
    hits: z.array(z.object({ _source: z.object({ [FORM]: z.string() }).optional() })),
  }),
  aggregations: z.object({ documents: z.object({ value: z.int() }) }).optional(),
});
type TermAnswer = z.infer<typeof TermAnswer>;

const TermAnswers = z.object({
  responses: z.array(z.union([z.object({ error: z.unknown() }).required(), TermAnswer])),
});
