import type { PackedSection } from "../platform/packed-text.ts";
import type { ChunkOffsets } from "../text/fingerprint-text.ts";
import type { Span } from "../text/span.ts";
import type { ReadyModel } from "./encoder/sentence-encoder.ts";
import type { SentenceSection } from "./meaning/sentence-section.ts";
import type { PlacedSentence } from "./meaning/whole-sentences.ts";
import type { ChunkAddress } from "./words/reuse-evidence.ts";
import type { TermCounts, WeightedTerm } from "./words/search-terms.ts";

/** The texts that a query is matched against: the corpus, the members of a batch, or one text. Places are in UTF-16 units. */
export type SearchableSet = {
  /** The index by which texts are found that share words with the query; or the only text of the set, which needs no search. */
  readonly words: WordIndex | WholeText;
  /** Whether all texts are about one subject, as in a batch: shared words and similar sentences are then weaker evidence. */
  readonly isOneSubject: boolean;
  /** The number of texts that could match by chance: the documents found (the default), all earlier members of a batch, or one. */
  readonly sourcesCompared?: number;
  /** Which of these shingles occur in so many texts that they are no evidence. */
  readonly findFrequent: (shingles: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Texts that are gone are missing. */
  readonly findDocuments: (documentIds: readonly string[]) => Promise<readonly MatchableDocument[]>;
  /** The sections of text that overlap the ranges, by document. */
  readonly readTexts: (
    ranges: readonly TextRange[],
  ) => Promise<ReadonlyMap<string, readonly PackedSection[]>>;
  /** For each part of the query, the chunks that are nearest in meaning to its sentences, at most `size`. */
  readonly findNear: (
    parts: readonly (readonly SentenceTerms[])[],
    size: number,
    timeMs: number,
  ) => Promise<readonly ChunkSearch[]>;
  /** Where chunks begin and end in the texts; undefined for deleted texts. */
  readonly findChunks: (chunks: readonly ChunkAddress[]) => Promise<readonly (Span | undefined)[]>;
  /** The sections of the sentences' fingerprints that overlap the ranges, by document. */
  readonly readSentences: (
    ranges: readonly TextRange[],
    generation: number,
  ) => Promise<ReadonlyMap<string, readonly SentenceSection[]>>;
  /** How many texts have fingerprints of their sentences, and how many lack them. */
  readonly countEncoded: (
    generation: number,
  ) => Promise<{ readonly encoded: number; readonly lacking: number }>;
  /** Called after the last search by meaning. @throws when the index or the fingerprints may have been replaced meanwhile. */
  readonly assertSearched: (generation: number) => Promise<void>;
};

/** An index of chunks by their words. */
export type WordIndex = {
  readonly countTerms: CountTerms;
  /** For each list of sampled shingles, the `size` chunks that share most of them, as far as `timeMs` allows, best first. */
  readonly findShared: (
    shingleLists: readonly (readonly string[])[],
    size: number,
    timeMs: number,
  ) => Promise<readonly ChunkSearch[]>;
  /** As `findShared`, for words: the chunks that share the most weight, and at least `scoreMin`. */
  readonly findWords: (
    termLists: readonly (readonly WeightedTerm[])[],
    size: number,
    timeMs: number,
    scoreMin: number,
  ) => Promise<readonly ChunkSearch[]>;
  /** The normalised forms of chunks, in their order. */
  readonly readForms: (chunks: readonly ChunkAddress[]) => Promise<readonly StoredForm[]>;
  /** Called after a search and its reads. @throws when the index may have been replaced meanwhile. */
  readonly assertCurrent: () => Promise<void>;
};

/** A text that is compared whole, and whose sentences are fingerprinted for this comparison. */
export type WholeText = {
  readonly countTerms: CountTerms;
  /** As one chunk. */
  readonly document: MatchableDocument;
  readonly sentences: readonly PlacedSentence[];
  /** Fingerprints sentences while there is time; returns their number. @throws EncoderUnavailable; the signal's reason. */
  readonly fingerprint: (ready: ReadyModel, hasTime: () => boolean, signal: AbortSignal) => Promise<number>;
};

export function isWholeText(words: WordIndex | WholeText): words is WholeText {
  return "document" in words;
}

/** Counts in how many chunks each term occurs, which tells how rare it is. */
export type CountTerms = (terms: CountedTerms) => Promise<TermsCounts>;

export type MatchableDocument = {
  readonly documentId: string;
  readonly language: string;
  readonly chunkOffsets: ChunkOffsets;
};

/** A range of a document's text, in UTF-16 units. */
export type TextRange = { readonly documentId: string; readonly start: number; readonly end: number };

/** A chunk that shares search terms with a part of the query; `score` is their number or their weight. */
export type ChunkHit = ChunkAddress & { readonly score: number };

/** The result of one search. Unless it is `complete`, part of the set was not searched. */
export type ChunkSearch = { readonly hits: readonly ChunkHit[]; readonly complete: boolean };

/** The terms of one sentence of the query; `weight`: how near the sentence is to the term's cell. */
export type SentenceTerms = readonly WeightedTerm[];

/** `form` is undefined for a chunk that is gone. Unless it `isRead`, the shard did not answer and the chunk may exist. */
export type StoredForm = { readonly form: string | undefined; readonly isRead: boolean };

export type CountedTerms = { readonly shingles: readonly string[]; readonly words: readonly string[] };

/** How many chunks contain each of them. */
export type TermsCounts = { readonly shingles: TermCounts; readonly words: TermCounts };
