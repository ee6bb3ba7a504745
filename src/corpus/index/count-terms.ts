import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import type { CountedTerms, TermsCounts } from "../../matching/set.ts";
import type { TermCounts } from "../../matching/words/search-terms.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole } from "../../platform/opensearch/whole-answer.ts";
import { assertIndexUsable, FORM, WORDS } from "./chunk-search.ts";

/**
 * How many chunks contain each term, by the statistics of one shard, since documents are spread over the shards at random.
 * Terms that it does not know, which say most, are counted on all shards and get their average per shard.
 * @throws DomainError `store_unavailable` while the index or a shard is missing: its terms would not be searched for.
 */
export async function countTerms(
  client: OpenSearch,
  index: string,
  { shingles, words }: CountedTerms,
): Promise<TermsCounts> {
  try {
    const [shingleCounts, wordCounts, shards] = await Promise.all([
      countOnOneShard(client, index, FORM, shingles),
      countOnOneShard(client, index, WORDS, words),
      countShards(client, index),
    ]);
    if (shards === 1) return { shingles: shingleCounts, words: wordCounts };
    const unknown = [...unknownTerms(FORM, shingleCounts), ...unknownTerms(WORDS, wordCounts)];
    const counted = await countOnAllShards(client, index, unknown);
    const perShard = unknown.map((term, at) => ({ ...term, chunks: (counted[at] ?? 0) / shards }));
    return {
      shingles: withCounts(FORM, shingleCounts, perShard),
      words: withCounts(WORDS, wordCounts, perShard),
    };
  } catch (error) {
    if (error instanceof errors.ResponseError) assertIndexUsable(Refused.parse(error.body).error, index);
    throw error;
  }
}

/** Every term with its number of chunks on that shard, which may be 0. */
async function countOnOneShard(
  client: OpenSearch,
  index: string,
  field: FieldTerm["field"],
  terms: readonly string[],
): Promise<TermCounts> {
  if (terms.length === 0) return { chunks: 0, chunksWith: new Map() };
  const { body } = await client.termvectors({
    index,
    // Always the same copy of the same shard, so that the same check finds the same.
    routing: "words",
    preference: "words",
    fields: field,
    term_statistics: true,
    field_statistics: true,
    positions: false,
    offsets: false,
    payloads: false,
    body: { doc: { [FORM]: terms.join(" ") }, per_field_analyzer: { [field]: "whitespace" } },
  });
  const vector = TermVectors.parse(body).term_vectors?.[field];
  const found = Object.entries(vector?.terms ?? {});
  return {
    chunks: Math.max(0, vector?.field_statistics.doc_count ?? 0),
    chunksWith: new Map(found.map(([term, { doc_freq }]) => [term, doc_freq])),
  };
}

async function countShards(client: OpenSearch, index: string): Promise<number> {
  const filter_path = "*.settings.index.number_of_shards";
  const { body } = await client.indices.get({ index, filter_path });
  const shards = Object.values(Settings.parse(body)).map(({ settings }) => settings.index.number_of_shards);
  return Math.max(1, ...shards);
}

type FieldTerm = { readonly field: typeof FORM | typeof WORDS; readonly term: string };

function unknownTerms(field: FieldTerm["field"], { chunksWith }: TermCounts): FieldTerm[] {
  return [...chunksWith].filter(([, chunks]) => chunks === 0).map(([term]) => ({ field, term }));
}

/** Counts rare or unknown terms in one search of all shards; it visits only chunks that contain one of them. */
async function countOnAllShards(
  client: OpenSearch,
  index: string,
  terms: readonly FieldTerm[],
): Promise<readonly number[]> {
  if (terms.length === 0) return [];
  const filters = terms.map(({ field, term }) => ({ term: { [field]: { value: term } } }));
  const should = [...Map.groupBy(terms, ({ field }) => field)].map(([field, ofField]) => ({
    terms: { [field]: ofField.map(({ term }) => term) },
  }));
  const { body } = await client.search({
    index,
    allow_partial_search_results: false,
    body: {
      size: 0,
      track_total_hits: false,
      query: { bool: { should } },
      aggs: { terms: { filters: { filters } } },
    },
  });
  assertWhole(body);
  return TermBuckets.parse(body).aggregations.terms.buckets.map(({ doc_count }) => doc_count);
}

function withCounts(
  field: FieldTerm["field"],
  { chunks, chunksWith }: TermCounts,
  counted: readonly (FieldTerm & { readonly chunks: number })[],
): TermCounts {
  const added = counted.filter((one) => one.field === field).map((one) => [one.term, one.chunks] as const);
  return { chunks, chunksWith: new Map([...chunksWith, ...added]) };
}

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

const Settings = z.record(
  z.string(),
  z.object({
    settings: z.object({ index: z.object({ number_of_shards: z.coerce.number().int() }) }),
  }),
);

const TermBuckets = z.object({
  aggregations: z.object({
    terms: z.object({ buckets: z.array(z.object({ doc_count: z.int() })) }),
  }),
});

const Refused = z.object({ error: z.unknown().optional() }).catch({ error: undefined });
