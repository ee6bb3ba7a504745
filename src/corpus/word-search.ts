import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import type { ChunkAddress } from "../core/retrieval/choose-candidates.ts";
import type { TermCounts } from "../core/retrieval/term-counts.ts";
import type { WeightedTerm } from "../core/retrieval/word-windows.ts";
import type { OpenSearch } from "../platform/opensearch/opensearch.ts";
import { assertNotMissing } from "./chunk-search.ts";

/** The chunks that share at least two of the terms; the score is the weight of those. */
export function sharesWords(terms: readonly WeightedTerm[]) {
  return {
    bool: {
      should: terms.map(({ term, weight }) => ({ term: { [WORDS]: { value: term, boost: weight } } })),
      minimum_should_match: 2,
    },
  };
}

/** In how many chunks the sampled shingles and the words of a text stand. */
export type FormCounts = { readonly shingles: TermCounts; readonly words: TermCounts };

/**
 * In how many chunks the shingles and words of the narrow forms stand, as one shard sees it: with the deleted chunks that are
 * not merged away yet, which change next to nothing about what is rare. A text of 1,400 words takes 10 ms.
 * The forms are taken for one, so that of the first shingle of each but the first it may not be known where it stands.
 * @throws DomainError `store_unavailable` while the index is missing.
 */
export async function countTerms(
  client: OpenSearch,
  index: string,
  forms: readonly string[],
): Promise<FormCounts> {
  const { body } = await client
    .termvectors({
      index,
      // Always the same shard, so that the same check finds the same.
      routing: "words",
      fields: [FORM, WORDS].join(),
      term_statistics: true,
      field_statistics: true,
      positions: false,
      offsets: false,
      payloads: false,
      body: { doc: { [FORM]: forms.join(" ") } },
    })
    .catch((error: unknown) => {
      if (error instanceof errors.ResponseError) assertNotMissing(Refused.parse(error.body).error, index);
      throw error;
    });
  const { term_vectors: vectors } = TermVectors.parse(body);
  return { shingles: toCounts(vectors?.[FORM]), words: toCounts(vectors?.[WORDS]) };
}

function toCounts(vector: z.output<typeof TermVector> | undefined): TermCounts {
  const found = Object.entries(vector?.terms ?? {});
  return {
    chunks: Math.max(0, vector?.field_statistics.doc_count ?? 0),
    chunksWith: new Map(found.map(([term, { doc_freq }]) => [term, doc_freq])),
  };
}

/**
 * A narrow form as it was read; undefined for a chunk that is gone. Where `isRead` is false the shard did not answer: the
 * chunk may be there all the same.
 */
export type StoredForm = { readonly form: string | undefined; readonly isRead: boolean };

/** The narrow forms of chunks, in their order. @throws DomainError `store_unavailable` while the index is missing. */
export async function readForms(
  client: OpenSearch,
  index: string,
  addresses: readonly ChunkAddress[],
): Promise<StoredForm[]> {
  if (addresses.length === 0) return [];
  const ids = addresses.map(({ documentId, chunkIndex }) => `${documentId}:${chunkIndex}`);
  const { body } = await client.mget({ index, _source: [FORM], realtime: false, body: { ids } });
  const { docs } = StoredForms.parse(body);
  return ids.map((_, position) => {
    const { error, found, _source } = docs[position] ?? {};
    assertNotMissing(error, index);
    return { form: _source?.[FORM], isRead: error === undefined && found !== undefined };
  });
}

const FORM = "fingerprint";
const WORDS = "fingerprint.words";

const TermVector = z.object({
  field_statistics: z.object({ doc_count: z.int() }),
  terms: z.record(z.string(), z.object({ doc_freq: z.int().default(0) })),
});

const TermVectors = z.object({
  term_vectors: z
    .object({ [FORM]: TermVector, [WORDS]: TermVector })
    .partial()
    .optional(),
});

const StoredForms = z.object({
  docs: z.array(
    z.object({
      error: z.unknown().optional(),
      found: z.boolean().optional(),
      _source: z.object({ [FORM]: z.string() }).optional(),
    }),
  ),
});

const Refused = z.object({ error: z.unknown().optional() }).catch({ error: undefined });
