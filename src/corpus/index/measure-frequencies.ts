import { randomInt } from "node:crypto";
import { ChunkTerms } from "./chunk-terms.ts";
import type { CommandOutput, CorpusStores } from "./corpus-stores.ts";
import { countChunks } from "./document-chunks.ts";
import type { FrequencyTable, FrequentShingle } from "./frequent-shingle-store.ts";

/** Chunks in the sample: it misses a shingle of 0.05% of all chunks once in 22,000 (e^-10), and takes 10 s. */
export const SAMPLE_CHUNKS = 20_000;

/**
 * The share of all chunks from which a shingle is frequent. In 6,480 encyclopedia articles (48,924 chunks) 0.05% selects 140
 * shingles, and the rarest read like the commonest; 0.1% selects 38, among them no sentence written into 40 articles.
 */
export const FREQUENT_SHARE = 0.0005;

/**
 * Fewest documents with a frequent shingle, as in a small corpus a share is a handful of documents, whose common text is a
 * finding. In 1,000 articles two shingles reach 20 documents, in 3,230 web texts three; from 10 it would be 28 and 32, from
 * 8 names are among them. Of 58 passages that 150 articles share with 1,000 these limits remove 16, none of them copied.
 * Missing a passage is worse than reporting boilerplate.
 */
export const FREQUENT_DOCUMENTS_MIN = 20;

/** A chunk has about 40 shingles, so at most 80,000 can occur in 0.05% of the chunks; the measured corpora had at most 140. */
const FREQUENT_SHINGLES_MAX = 100_000;

/** The share of the threshold from which a term is counted in the whole corpus: the sample is from one shard, and shards differ. */
const CANDIDATE_PART = 0.5;

/** How often the progress is reported, in chunks. */
const TOLD_EVERY = 5_000;

type MeasureInput = CommandOutput & {
  readonly sampleChunks?: number;
  readonly share?: number;
  readonly documentsMin?: number;
  /** Determines the sample; random by default. */
  readonly seed?: number;
};

export type MeasuredFrequencies = FrequencyTable & { readonly seconds: number };

/** Measures which shingles are too frequent to mean anything, and replaces the table for later checks. */
type MeasureFrequencies = (input: MeasureInput) => Promise<MeasuredFrequencies>;

/** A sample with the counts of its shards selects candidates, which are then counted exactly on all shards. */
export function createMeasureFrequencies(stores: CorpusStores): MeasureFrequencies {
  const { database, opensearch, chunkIndex, frequentShingleStore } = stores;
  return async (input) => {
    const { share = FREQUENT_SHARE, documentsMin = FREQUENT_DOCUMENTS_MIN, say, signal } = input;
    const started = performance.now();
    await chunkIndex.assertCurrent();
    const chunkTerms = new ChunkTerms(opensearch, chunkIndex.readAlias);
    const chunks = await countChunks(opensearch, chunkIndex.readAlias);
    const chunksMin = Math.max(documentsMin, Math.ceil(share * chunks));

    const { candidates, sampledChunks } = await findCandidates(chunkTerms, input, { chunks, chunksMin });
    say(`Counting ${candidates.length} candidate shingles`);
    const counted = await chunkTerms.count(candidates, signal);
    const frequent = counted
      .filter((shingle) => shingle.chunks >= chunksMin && shingle.documents >= documentsMin)
      .toSorted(byFrequency)
      .slice(0, FREQUENT_SHINGLES_MAX);

    const measured = { sampledChunks, chunks, chunksMin, documentsMin };
    const table = await database.transaction((transaction) =>
      frequentShingleStore.replace(transaction, measured, frequent),
    );
    return { ...table, seconds: (performance.now() - started) / 1000 };
  };
}

async function findCandidates(
  chunkTerms: ChunkTerms,
  { sampleChunks = SAMPLE_CHUNKS, seed = randomInt(2 ** 31), say, signal }: MeasureInput,
  { chunks, chunksMin }: { readonly chunks: number; readonly chunksMin: number },
): Promise<{ readonly candidates: readonly string[]; readonly sampledChunks: number }> {
  const candidates = new Set<string>();
  const shareMin = (CANDIDATE_PART * chunksMin) / Math.max(1, chunks);
  let sampledChunks = 0;
  say(`Reading the shingles of about ${Math.min(sampleChunks, chunks)} of ${chunks} chunks`);
  for await (const places of chunkTerms.sampleChunks(sampleChunks / Math.max(1, chunks), seed)) {
    signal?.throwIfAborted();
    for (const chunk of await chunkTerms.readTerms(places)) {
      for (const { term, docFreq } of chunk.terms)
        if (docFreq >= shareMin * chunk.shardChunks) candidates.add(term);
    }
    if (Math.floor((sampledChunks + places.length) / TOLD_EVERY) > Math.floor(sampledChunks / TOLD_EVERY))
      say(`Read ${sampledChunks + places.length} chunks`);
    sampledChunks += places.length;
  }
  return { candidates: [...candidates], sampledChunks };
}

function byFrequency(a: FrequentShingle, b: FrequentShingle): number {
  return b.chunks - a.chunks || (a.term < b.term ? -1 : 1);
}

/** A frequent shingle for people: with the words of one occurrence, and its share of all chunks. */
export type ReadableShingle = FrequentShingle & { readonly example: string; readonly share: number };

/** Lists at most `limit` of the most frequent shingles; none before the first measurement. */
export function createListFrequentShingles(stores: CorpusStores) {
  const { database, opensearch, chunkIndex, frequentShingleStore } = stores;
  return async (limit: number): Promise<ReadableShingle[]> => {
    const table = await frequentShingleStore.find(database);
    const shingles = await frequentShingleStore.listMostFrequent(database, limit);
    const examples = await new ChunkTerms(opensearch, chunkIndex.readAlias).readExamples(
      shingles.map(({ term }) => term),
    );
    return shingles.map((shingle) => ({
      ...shingle,
      example: examples.get(shingle.term) ?? "",
      share: shingle.chunks / Math.max(1, table?.chunks ?? 0),
    }));
  };
}
