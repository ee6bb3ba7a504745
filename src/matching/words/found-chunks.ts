import type { ChunkAddress } from "./reuse-evidence.ts";

/** A chunk of a document that retrieval found for a chunk of the query, and what they share. */
export type ChunkPair = {
  readonly queryChunk: number;
  readonly chunkIndex: number;
  /** Sampled shingles that both chunks have. */
  readonly sharedShingles: number;
  /** Rare words of the query's chunk that the other has too. */
  readonly sharedTerms: number;
};

/** A hit whose shingles or words are evidence of reuse. */
export type FoundChunk = ChunkAddress &
  Omit<ChunkPair, "queryChunk"> & {
    /** How strongly shared words and shingles suggest that the chunk contains reused text, in nats. */
    readonly evidence: number;
    /** Whether this chunk is reason enough to align its document with the query. */
    readonly isSufficient: boolean;
  };

/** A chunk of the query and what the searches for it have found. */
export type SearchedChunk = {
  readonly queryChunk: number;
  /** False when a part of the set was not searched: the chunk is to be searched for again. */
  readonly isComplete: boolean;
  readonly found: readonly FoundChunk[];
};

/** The evidence for each chunk of a document, in nats. */
export type EvidenceByChunk = ReadonlyMap<number, number>;
