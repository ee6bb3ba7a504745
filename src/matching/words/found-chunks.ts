import { type ChunkAddress, chunkKey, SHINGLE_EVIDENCE } from "./reuse-evidence.ts";

/** A chunk of a document that retrieval found for a chunk of the query, and what they share. */
export type ChunkPair = {
  readonly queryChunk: number;
  readonly chunkIndex: number;
  /** Sampled shingles that both chunks have. */
  readonly sharedShingles: number;
  /** Rare words of the query's chunk that the other has too. */
  readonly sharedTerms: number;
};

/** How much two chunks share, for choosing the strongest pairs. */
export function pairStrength({ sharedShingles, sharedTerms }: ChunkPair): number {
  return sharedShingles + sharedTerms;
}

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

/** The chunks that shingles and words have found for a query chunk: each once, with the counts of both. `score`: the shared shingles. */
export function joinFound(
  byShingles:
    | {
        readonly certain: readonly (ChunkAddress & { readonly score: number })[];
        readonly doubtful: readonly ChunkAddress[];
      }
    | undefined,
  byWords: readonly Omit<FoundChunk, "sharedShingles">[] = [],
): FoundChunk[] {
  const all = new Map<string, FoundChunk>();
  for (const { documentId, chunkIndex, score } of byShingles?.certain ?? []) {
    const found = { documentId, chunkIndex, sharedShingles: score, sharedTerms: 0 };
    all.set(chunkKey(found), { ...found, evidence: SHINGLE_EVIDENCE * score, isSufficient: true });
  }
  const doubtful = new Set(byShingles?.doubtful.map(chunkKey));
  for (const found of byWords) {
    const key = chunkKey(found);
    const known = all.get(key);
    all.set(key, {
      documentId: found.documentId,
      chunkIndex: found.chunkIndex,
      sharedShingles: known?.sharedShingles ?? Number(doubtful.has(key)),
      sharedTerms: found.sharedTerms,
      evidence: found.evidence + (known?.evidence ?? 0),
      isSufficient: found.isSufficient || known !== undefined,
    });
  }
  return [...all.values()];
}
