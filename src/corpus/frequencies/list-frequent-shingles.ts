import { ChunkTerms } from "./chunk-terms.ts";
import type { FrequentShingle } from "./frequent-shingle-store.ts";
import type { FrequencyParts } from "./measure-frequencies.ts";

/** A frequent shingle as a person reads it: with the words of one place at which it stands, and its share of all chunks. */
export type ReadableShingle = FrequentShingle & { readonly example: string; readonly share: number };

/** The most frequent shingles of the table, `limit` at most; none when nothing was measured yet. */
export type ListFrequentShingles = (limit: number) => Promise<ReadableShingle[]>;

export function createListFrequentShingles(parts: FrequencyParts): ListFrequentShingles {
  const { database, opensearch, chunkIndex, frequentShingleStore } = parts;
  return async (limit) => {
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
