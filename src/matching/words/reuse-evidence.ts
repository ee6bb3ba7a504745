import { wordTerms } from "../../text/word-terms.ts";
import { Bag } from "./bag.ts";
import { ALIGNMENT } from "./model.ts";
import { foundScore, missedScore } from "./scorer.ts";
import { searchWindows, type TermCounts, termShare } from "./search-terms.ts";

/** The evidence that a chunk of the corpus contains reused text of a query chunk. */
export type ReuseEvidence = {
  /** Rare words of the query chunk that the other chunk has too. */
  readonly sharedTerms: number;
  /** Log-odds of the best span, in nats; 0 if there is none. */
  readonly evidence: number;
};

/**
 * Weighs corpus chunks against a query chunk with the alignment's log-odds. The words around each query window are a bag; the corpus
 * span with the greatest sum counts (Kadane's algorithm in Bentley, 1984): reworded chunks share many words close together, chunks on one subject few.
 */
export class ReuseScorer {
  /** The query chunk's terms, numbered from 0. */
  readonly #ids = new Map<string, number>();
  readonly #gains: Float64Array;
  /** The terms that it is searched for by. */
  readonly #rare: ReadonlySet<string>;
  readonly #bags: readonly Bag[];

  constructor(queryForm: string, counts: TermCounts) {
    const terms = wordTerms(queryForm);
    for (const term of terms) if (!this.#ids.has(term)) this.#ids.set(term, this.#ids.size);
    this.#gains = Float64Array.from([...this.#ids.keys()], (term) => gainOf(termShare(counts, term)));
    const ids = Int32Array.from(terms, (term) => this.#ids.get(term) ?? -1);
    const windows = searchWindows(queryForm, counts);
    this.#rare = new Set(windows.flatMap((window) => window.terms.map(({ term }) => term)));
    this.#bags = windows.map(({ firstWord, endWord }) => {
      const from = Math.round((firstWord + endWord - BAG_WORDS) / 2);
      const bag = new Bag(this.#ids.size);
      bag.add(ids, { start: Math.max(0, from), end: Math.min(ids.length, from + BAG_WORDS) });
      return bag;
    });
  }

  of(sourceForm: string): ReuseEvidence {
    const terms = wordTerms(sourceForm);
    const words = this.#knownWords(terms);
    let evidence = 0;
    for (const bag of this.#bags) evidence = Math.max(evidence, this.#bestSpan(bag, words));
    return { sharedTerms: new Set(terms.filter((term) => this.#rare.has(term))).size, evidence };
  }

  /** Most words are unknown: each window passes a row of them in one step. */
  #knownWords(terms: readonly string[]): KnownWords {
    const ids: number[] = [];
    const unknownBefore: number[] = [];
    let unknown = 0;
    for (const term of terms) {
      const id = this.#ids.get(term);
      if (id === undefined) {
        unknown += 1;
      } else {
        ids.push(id);
        unknownBefore.push(unknown);
        unknown = 0;
      }
    }
    return { ids, unknownBefore };
  }

  /** The score of the best span. Words that a span took from the bag are put back before the next span begins. */
  #bestSpan(bag: Bag, { ids, unknownBefore }: KnownWords): number {
    const taken: number[] = [];
    let best = 0;
    let sum = 0;
    const miss = (words: number) => {
      sum += words * MISSED;
      if (sum >= 0) return;
      sum = 0;
      while (taken.length > 0) bag.putBack(taken.pop() ?? 0);
    };
    for (const [at, id] of ids.entries()) {
      miss(unknownBefore[at] ?? 0);
      if (bag.take(id)) {
        taken.push(id);
        sum += this.#gains[id] ?? 0;
        if (sum > best) best = sum;
      } else {
        miss(1);
      }
    }
    for (const id of taken) bag.putBack(id);
    return best;
  }
}

/** The words of a corpus chunk that the query chunk has too, as numbers, and how many other words precede each of them. */
type KnownWords = { readonly ids: readonly number[]; readonly unknownBefore: readonly number[] };

/** A window and half of one on either side: the other text seldom ends its sentences where the window ends. */
const BAG_WORDS = 60;

/** Term shares are shares of chunks, which have about so many words. */
const CHUNK_WORDS = 180;

/** No word is so rare that finding it once is proof, and none so common that it means nothing at all. */
const CHANCE_MIN = 0.004;
const CHANCE_MAX = 0.98;

const MISSED = missedScore(ALIGNMENT.kept);

/** The log-odds of a found word that `share` of the chunks contain. */
function gainOf(share: number): number {
  const inBag = 1 - (1 - share) ** (BAG_WORDS / CHUNK_WORDS);
  return foundScore(Math.min(CHANCE_MAX, Math.max(CHANCE_MIN, inBag)), ALIGNMENT.kept);
}

/** A chunk of the corpus by its document and its number in the document. */
export type ChunkAddress = { readonly documentId: string; readonly chunkIndex: number };

/** Tells chunks of the corpus apart in maps and sets. */
export function chunkKey({ documentId, chunkIndex }: ChunkAddress): string {
  return `${documentId}:${chunkIndex}`;
}

export type WeighedChunk = ChunkAddress & ReuseEvidence;

/** The chunks with enough evidence. `queryChunks` alone decides from how many documents, those with most evidence first. */
export function chooseHits(
  weighed: readonly WeighedChunk[],
  queryChunks: number,
  evidenceMin: number,
): WeighedChunk[] {
  const documentsMax = Math.max(DOCUMENTS_MAX, Math.ceil(DOCUMENTS_OF_SHORT_TEXT / queryChunks));
  const documents = new Set<string>();
  return weighed
    .filter(({ evidence }) => evidence >= evidenceMin)
    .toSorted(byEvidence)
    .filter(({ documentId }) => {
      if (documents.size < documentsMax) documents.add(documentId);
      return documents.has(documentId);
    });
}

/** The evidence from which a chunk is a hit, and from which it is reason enough to align its document, in nats. */
export type EvidenceBounds = { readonly hit: number; readonly document: number };

/**
 * The bounds in a shard of so many chunks. The number of chunks that reach a bound by chance grows with the size of the shard and falls
 * exponentially with the bound (Karlin and Altschul, 1990), so the bounds grow with the logarithm of the size. Most documents that are hit by chance
 * have no chunk above the second bound.
 */
export function evidenceBounds(shardChunks: number): EvidenceBounds {
  const hit = Math.max(EVIDENCE_MIN, EVIDENCE_BEYOND_CHANCE + Math.log(Math.max(1, shardChunks)));
  return { hit, document: hit + DOCUMENT_EVIDENCE };
}

/**
 * 99% of the listed sources of PAN13's passages have 27 nats or more. Among 21,416 chunks, a text of 1,400 words has 16 documents with 14 or
 * more, 21 with 12, 9 with 18; at 18 reworded passages are lost.
 */
const EVIDENCE_MIN = 14;

/** The bound begins to grow at 22,000 chunks. Among a million, 18 nats lose 3 of 1,797 copied and reworded passages that 14 find. */
const EVIDENCE_BEYOND_CHANCE = 4;

/** Documents that are kept for a query chunk of some 180 words. With 6 of them 0.4% of the passages planted in articles are lost. */
const DOCUMENTS_MAX = 9;

/** A text of one paragraph may come from anywhere, and its chunk has no neighbours that find what it misses. */
const DOCUMENTS_OF_SHORT_TEXT = 24;

/** In nats. 99% of the listed sources of PAN13's passages have as much. */
export const STRONG_EVIDENCE = 27;

/** The distance between the two bounds, in nats. */
const DOCUMENT_EVIDENCE = 7;

/**
 * What a shared shingle adds to the evidence of the words, in nats: they stand in one order. A copied sentence of 15 common words has
 * little more than `EVIDENCE_MIN` without it.
 */
export const SHINGLE_EVIDENCE = 7;

function byEvidence(a: WeighedChunk, b: WeighedChunk): number {
  return (
    b.evidence - a.evidence ||
    (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.chunkIndex - b.chunkIndex)
  );
}
