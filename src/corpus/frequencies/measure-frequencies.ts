import { randomInt } from "node:crypto";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import { ChunkTerms, type TermsOfChunk } from "./chunk-terms.ts";
import type { FrequencyTable, FrequentShingle, FrequentShingleStore } from "./frequent-shingle-store.ts";

/** Chunks that are drawn: a shingle of 0.05% of all chunks is missed by them once in 22,000 (e^-10). They take 10 s. */
export const SAMPLE_CHUNKS = 20_000;

/**
 * The share of all chunks from which a shingle is frequent, where the corpus is large enough for a share to say anything.
 * In 6,480 encyclopedia articles (48,924 chunks) 0.05% leaves 140 shingles. The rarest of them read like the commonest:
 * "at the base of the", "is considered to be one", "of a pluriform multi party" (a sentence of 25 articles on politics);
 * 0.1% leaves 38, among them nothing of what a program wrote into 40 articles on cities.
 */
export const FREQUENT_SHARE = 0.0005;

/**
 * The documents in which a frequent shingle stands at least, however small the corpus: there a share is a handful, and what
 * a handful of documents share is a finding. Documents, for one that repeats its own words (the register of a court:
 * "common pleas capias a 311", 32 times) makes no set phrase. In 1,000 articles (7,631 chunks) two shingles stand in 20
 * documents, "it should be noted that" and "at the time of the"; in 3,230 texts of the web (13,791 chunks) three, among them
 * "from wikipedia the free encyclopedia"; from 10 documents on it would be 28 and 32, still set phrases and page
 * furniture, but at 8 names and sentences of one subject are among them. Of the 58 passages that 150 articles share with
 * 1,000, 16 go by what was measured in the 6,480 with these limits, 26 with 10 documents, and none of them was copied.
 * A passage that goes unreported is worse than a phrase that is reported, so 19 copies of one text stay in sight.
 */
export const FREQUENT_DOCUMENTS_MIN = 20;

/**
 * Most shingles that the table keeps, the most frequent ones. A chunk has some 40, so no more than 80,000 can stand in
 * 0.05% of the chunks each; the corpora looked at had 140 at most.
 */
export const FREQUENT_SHINGLES_MAX = 100_000;

/**
 * A term is counted in the whole corpus when the sample shows it in at least this part of the threshold. What the sample
 * shows is the count of one shard, which differs from the others' by chance.
 */
const CANDIDATE_PART = 0.5;

/** How often the progress is told, in chunks. */
const TOLD_EVERY = 5_000;

export type MeasureInput = {
  /** `SAMPLE_CHUNKS` unless told. */
  readonly sampleChunks?: number;
  /** `FREQUENT_SHARE` unless told. */
  readonly share?: number;
  /** `FREQUENT_DOCUMENTS_MIN` unless told. */
  readonly documentsMin?: number;
  /** Another sample for another seed; a random one unless told. */
  readonly seed?: number;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

export type MeasuredFrequencies = FrequencyTable & { readonly seconds: number };

/**
 * Measures which shingles stand in too many chunks to say anything, and puts them in the place of those measured before,
 * in one step. Running checks go on with what they began with; the next ones take the new table.
 * @throws DomainError `store_unavailable`, and the table stays as it was; the signal's reason.
 */
export type MeasureFrequencies = (input: MeasureInput) => Promise<MeasuredFrequencies>;

export type FrequencyParts = {
  readonly database: Database;
  readonly opensearch: OpenSearch;
  readonly chunkIndex: ChunkIndex;
  readonly frequentShingleStore: FrequentShingleStore;
};

/**
 * Makes the use case. A sample of chunks shows which terms may be frequent: `_mtermvectors` gives with each of their terms
 * the number of chunks that have it, in the chunk's own shard and with the deleted ones that are not merged away. So it
 * is compared with the size of that shard, and only chooses: each chosen term is then counted by a search, which sees
 * all shards and no deleted chunk. The same corpus gives the same table on any number of shards.
 */
export function createMeasureFrequencies(parts: FrequencyParts): MeasureFrequencies {
  const { database, opensearch, chunkIndex, frequentShingleStore } = parts;
  return async (input) => {
    const { share = FREQUENT_SHARE, documentsMin = FREQUENT_DOCUMENTS_MIN, say, signal } = input;
    const started = performance.now();
    await chunkIndex.assertCurrent();
    const chunkTerms = new ChunkTerms(opensearch, chunkIndex.readAlias);
    const chunks = await chunkTerms.countChunks();
    const chunksMin = Math.max(documentsMin, Math.ceil(share * chunks));

    const { candidates, sampledChunks } = await findCandidates(chunkTerms, input, { chunks, chunksMin });
    say(`Counting ${candidates.length} shingles that may be frequent`);
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
      for (const term of termsOver(shareMin, chunk)) candidates.add(term);
    }
    if (Math.floor((sampledChunks + places.length) / TOLD_EVERY) > Math.floor(sampledChunks / TOLD_EVERY))
      say(`Read ${sampledChunks + places.length} chunks`);
    sampledChunks += places.length;
  }
  return { candidates: [...candidates], sampledChunks };
}

function termsOver(shareMin: number, { shardChunks, terms }: TermsOfChunk): string[] {
  return terms.filter(({ docFreq }) => docFreq >= shareMin * shardChunks).map(({ term }) => term);
}

function byFrequency(a: FrequentShingle, b: FrequentShingle): number {
  return b.chunks - a.chunks || (a.term < b.term ? -1 : 1);
}
