import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import type { TermCounts } from "../../core/retrieval/search-terms.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole } from "../../platform/opensearch/whole-answer.ts";
import { assertNotMissing } from "./chunk-search.ts";
import { FORM, WORDS } from "./fields.ts";

/** Sampled shingles and word terms. */
export type CountedTerms = { readonly shingles: readonly string[]; readonly words: readonly string[] };

/** In how many chunks each of them stands. */
export type TermsCounts = { readonly shingles: TermCounts; readonly words: TermCounts };

/**
 * In how many chunks terms stand, as one shard sees it: with the deleted chunks that are not merged away yet, which change next
 * to nothing about what is rare. They go there as they are in the index, so that nothing is to be analysed.
 *
 * Documents are spread over the shards by chance, so that one shard tells how common a term is in all of them, and what
 * a search for it costs each. The rarest terms, which say most, may stand on the others only: those that this shard
 * doesn't know are counted in all, and come with their average for a shard, which may be less than 1.
 * @throws DomainError `store_unavailable` while the index is missing, or a shard is: a term that is on no other would
 *   not be searched for.
 */
export async function countTerms(
  client: OpenSearch,
  index: string,
  terms: CountedTerms,
): Promise<TermsCounts> {
  try {
    const [counts, shards] = await Promise.all([
      countOnOneShard(client, index, terms),
      countShards(client, index),
    ]);
    return shards === 1 ? counts : await withOtherShards(client, index, counts, shards);
  } catch (error) {
    if (error instanceof errors.ResponseError) assertNotMissing(Refused.parse(error.body).error, index);
    throw error;
  }
}

async function withOtherShards(
  client: OpenSearch,
  index: string,
  counts: TermsCounts,
  shards: number,
): Promise<TermsCounts> {
  const unknown = [...unknownTerms(FORM, counts.shingles), ...unknownTerms(WORDS, counts.words)];
  const found = await countEverywhere(client, index, unknown);
  const perShard = unknown.map(({ field, term }, at) => ({ field, term, chunks: (found[at] ?? 0) / shards }));
  return {
    shingles: withCounts(
      counts.shingles,
      perShard.filter(({ field }) => field === FORM),
    ),
    words: withCounts(
      counts.words,
      perShard.filter(({ field }) => field === WORDS),
    ),
  };
}

/** Each term with its chunks on that shard, also if there are none. */
async function countOnOneShard(client: OpenSearch, index: string, terms: CountedTerms): Promise<TermsCounts> {
  const [shingles, words] = await Promise.all([
    countField(client, index, FORM, terms.shingles),
    countField(client, index, WORDS, terms.words),
  ]);
  return { shingles, words };
}

async function countField(
  client: OpenSearch,
  index: string,
  field: FieldTerm["field"],
  terms: readonly string[],
): Promise<TermCounts> {
  if (terms.length === 0) return toCounts(undefined);
  const { body } = await client.termvectors({
    index,
    // Always the same shard and the same copy of it, so that the same check finds the same.
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
  return toCounts(TermVectors.parse(body).term_vectors?.[field]);
}

function toCounts(vector: z.output<typeof TermVector> | undefined): TermCounts {
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

/** Counts terms that are rare or nowhere, in one search of all shards: it passes only chunks that have one of them. */
async function countEverywhere(
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
  { chunks, chunksWith }: TermCounts,
  more: readonly { readonly term: string; readonly chunks: number }[],
): TermCounts {
  const added = more.map((one): [string, number] => [one.term, one.chunks]);
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
