import { wordTerms } from "../fingerprint/word-terms.ts";
import { type TermCounts, termShare } from "./term-counts.ts";
import { wordWindows } from "./word-windows.ts";

/** What speaks for it that a chunk of the corpus holds something of a query chunk. */
export type ReuseEvidence = {
  /** Rare words of the query chunk that the other has too. */
  readonly sharedTerms: number;
  /** Log-odds of the best stretch, in nats; 0 when there is none. */
  readonly evidence: number;
};

/**
 * Weighs corpus chunks against one query chunk. Around each window of the query chunk its words are a bag; going through
 * the corpus chunk, each word is found in the bag or not. Found is likelier where text was reused, most of all for rare
 * words; not found is likelier by chance. The best stretch, by the sum of the log-odds, is what counts (maximum subarray:
 * Kadane, 1977): chunks on the same subject share words here and there, reworded ones share many close together.
 */
export class EvidenceOfReuse {
  /** The query chunk's terms, numbered from 0. */
  readonly #ids = new Map<string, number>();
  readonly #gains: Float64Array;
  /** 1 for the terms that it is searched for by. */
  readonly #isRare: Uint8Array;
  readonly #bags: readonly Int16Array[];

  constructor(queryForm: string, counts: TermCounts) {
    const terms = wordTerms(queryForm);
    for (const term of terms) if (!this.#ids.has(term)) this.#ids.set(term, this.#ids.size);
    this.#gains = Float64Array.from([...this.#ids.keys()], (term) => gainOf(termShare(counts, term)));
    const windows = wordWindows(queryForm, counts);
    this.#isRare = new Uint8Array(this.#ids.size);
    for (const { term } of windows.flatMap((window) => window.terms)) {
      this.#isRare[this.#ids.get(term) ?? UNKNOWN] = 1;
    }
    this.#bags = windows.map(({ firstWord, endWord }) => {
      const from = Math.round((firstWord + endWord - BAG_WORDS) / 2);
      return this.#bagOf(terms.slice(Math.max(0, from), from + BAG_WORDS));
    });
  }

  of(sourceForm: string): ReuseEvidence {
    const words = Int16Array.from(wordTerms(sourceForm), (term) => this.#ids.get(term) ?? UNKNOWN);
    let evidence = 0;
    for (const bag of this.#bags) evidence = Math.max(evidence, this.#bestStretch(bag, words));
    return { sharedTerms: this.#sharedTerms(words), evidence };
  }

  #sharedTerms(words: Int16Array): number {
    const isRare = this.#isRare.slice();
    let shared = 0;
    for (const id of words) {
      shared += isRare[id] ?? 0;
      isRare[id] = 0;
    }
    return shared;
  }

  #bagOf(terms: readonly string[]): Int16Array {
    const bag = new Int16Array(this.#ids.size);
    for (const term of terms) {
      const id = this.#ids.get(term) ?? UNKNOWN;
      bag[id] = (bag[id] ?? 0) + 1;
    }
    return bag;
  }

  /** A word that stands in the bag once is found once: more of it says nothing for the stretch. */
  #bestStretch(bag: Int16Array, words: Int16Array): number {
    const left = bag.slice();
    let best = 0;
    let sum = 0;
    let isTaken = false;
    for (const id of words) {
      const isFound = id !== UNKNOWN && (left[id] ?? 0) > 0;
      sum += isFound ? (this.#gains[id] ?? 0) : LOSS;
      if (isFound) {
        left[id] = (left[id] ?? 0) - 1;
        isTaken = true;
      }
      if (sum < 0) {
        sum = 0;
        if (isTaken) left.set(bag);
        isTaken = false;
      }
      if (sum > best) best = sum;
    }
    return best;
  }
}

/** Stands for a word that the query chunk has not. */
const UNKNOWN = -1;

/** A window and half of one on either side: the other text seldom cuts its sentences where the window is cut. */
const BAG_WORDS = 60;

/** About so many of a reworded passage's words stand in its source as well, beyond what chance would have there. */
const FOUND_IN_REUSE = 0.42;

const LOSS = Math.log(1 - FOUND_IN_REUSE);

/** Shares are those of chunks, which have about so many words. */
const CHUNK_WORDS = 180;

/** No word is so rare that finding it once is proof, and none so common that it says nothing at all. */
const CHANCE_LEAST = 0.004;
const CHANCE_MOST = 0.98;

/** In nats; `share` of the chunks have the word, so a bag has it with the chance p, and with reuse ρ + (1 - ρ)p. */
function gainOf(share: number): number {
  const inBag = 1 - (1 - share) ** (BAG_WORDS / CHUNK_WORDS);
  const chance = Math.min(CHANCE_MOST, Math.max(CHANCE_LEAST, inBag));
  return Math.log(1 + (FOUND_IN_REUSE * (1 - chance)) / chance);
}
