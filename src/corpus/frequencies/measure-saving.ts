import { randomInt } from "node:crypto";
import { ChunkTerms, type TermsOfChunk } from "./chunk-terms.ts";
import type { FrequentShingles } from "./frequent-shingles.ts";
import type { FrequencyParts } from "./measure-frequencies.ts";

/** As checks search: so many chunks in a request, so many hits for each. */
const SEARCH_BATCH = 16;
const HITS = 20;
const SEARCH_TIMEOUT_MS = 10_000;

/** Every batch is searched for so often in both ways; the first time warms the caches and does not count. */
const ROUNDS = 3;

/** What searches for chunks of the corpus cost with all of their terms, and without the frequent ones. */
export type Saving = {
  readonly queries: number;
  readonly terms: number;
  readonly frequentTerms: number;
  /** Entries of the index that the searches go through: the sum of the chunks of each term. */
  readonly postings: number;
  readonly postingsWithout: number;
  /** In all, of `queries` searches. */
  readonly searchMs: number;
  readonly searchMsWithout: number;
};

/** Searches for random chunks of the corpus, `queries` of them, in both ways by turns. */
export type MeasureSaving = (queries: number) => Promise<Saving>;

type Parts = FrequencyParts & { readonly frequentShingles: FrequentShingles };

export function createMeasureSaving({
  database,
  opensearch,
  chunkIndex,
  frequentShingles,
}: Parts): MeasureSaving {
  return async (queries) => {
    const chunks = await sampleTerms(new ChunkTerms(opensearch, chunkIndex.readAlias), queries);
    const terms = chunks.flatMap((chunk) => chunk.terms);
    const frequent = await frequentShingles.among(
      database,
      terms.map(({ term }) => term),
    );
    const rare = terms.filter(({ term }) => !frequent.has(term));
    const lists = chunks.map((chunk) => chunk.terms.map(({ term }) => term));
    return {
      queries: chunks.length,
      terms: terms.length,
      frequentTerms: terms.length - rare.length,
      postings: sum(terms.map(({ docFreq }) => docFreq)),
      postingsWithout: sum(rare.map(({ docFreq }) => docFreq)),
      ...(await timeSearches(lists, frequent)),
    };
  };

  async function timeSearches(lists: readonly (readonly string[])[], frequent: ReadonlySet<string>) {
    let [searchMs, searchMsWithout] = [0, 0];
    for (let from = 0; from < lists.length; from += SEARCH_BATCH) {
      const whole = lists.slice(from, from + SEARCH_BATCH);
      const without = whole.map((list) => list.filter((term) => !frequent.has(term)));
      for (let round = 0; round < ROUNDS; round++) {
        const [ms, msWithout] = [await timeSearch(whole), await timeSearch(without)];
        if (round === 0) continue;
        searchMs += ms / (ROUNDS - 1);
        searchMsWithout += msWithout / (ROUNDS - 1);
      }
    }
    return { searchMs, searchMsWithout };
  }

  async function timeSearch(lists: readonly (readonly string[])[]): Promise<number> {
    const wanted = lists.filter((list) => list.length > 0);
    const started = performance.now();
    if (wanted.length > 0) await chunkIndex.search(wanted, HITS, SEARCH_TIMEOUT_MS);
    return performance.now() - started;
  }
}

async function sampleTerms(chunkTerms: ChunkTerms, count: number): Promise<TermsOfChunk[]> {
  const chunks = await chunkTerms.countChunks();
  const sampled: TermsOfChunk[] = [];
  for await (const places of chunkTerms.sampleChunks(count / Math.max(1, chunks), randomInt(2 ** 31))) {
    sampled.push(...(await chunkTerms.readTerms(places)));
  }
  return sampled;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
