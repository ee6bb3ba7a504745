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
  /** The terms that it is searched for by. */
  readonly #rare: ReadonlySet<string>;
  readonly #bags: readonly Int16Array[];

  constructor(queryForm: string, counts: TermCounts) {
    const terms = wordTerms(queryForm);
    for (const term of terms) if (!this.#ids.has(term)) this.#ids.set(term, this.#ids.size);
    this.#gains = Float64Array.from([...this.#ids.keys()], (term) => gainOf(termShare(counts, term)));
    const windows = wordWindows(queryForm, counts);
    this.#rare = new Set(windows.flatMap((window) => window.terms.map(({ term }) => term)));
    this.#bags = windows.map(({ firstWord, endWord }) => {
      const from = Math.round((firstWord + endWord - BAG_WORDS) / 2);
      return this.#bagOf(terms.slice(Math.max(0, from), from + BAG_WORDS));
    });
  }

  of(sourceForm: string): ReuseEvidence {
    const terms = wordTerms(sourceForm);
    const words = this.#knownWords(terms);
    let evidence = 0;
    for (const bag of this.#bags) evidence = Math.max(evidence, this.#bestStretch(bag, words));
    return { sharedTerms: new Set(terms.filter((term) => this.#rare.has(term))).size, evidence };
  }

  /** Most words are unknown: each window passes over a row of them in one step. */
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

  #bagOf(terms: readonly string[]): Int16Array {
    const bag = new Int16Array(this.#ids.size);
    for (const term of terms) {
      const id = this.#ids.get(term);
      if (id !== undefined) changeCount(bag, id, 1);
    }
    return bag;
  }

  /**
   * A word that stands in the bag once is found once: more of it says nothing for the stretch. What a stretch takes is given
   * back before the next one begins, and at the end.
   */
  #bestStretch(bag: Int16Array, { ids, unknownBefore }: KnownWords): number {
    const taken: number[] = [];
    let best = 0;
    let sum = 0;
    const lose = (words: number) => {
      sum += words * LOSS;
      if (sum >= 0) return;
      sum = 0;
      while (taken.length > 0) changeCount(bag, taken.pop() ?? 0, 1);
    };
    for (const [at, id] of ids.entries()) {
      lose(unknownBefore[at] ?? 0);
      if ((bag[id] ?? 0) > 0) {
        changeCount(bag, id, -1);
        taken.push(id);
        sum += this.#gains[id] ?? 0;
        if (sum > best) best = sum;
      } else {
        lose(1);
      }
    }
    for (const id of taken) changeCount(bag, id, 1);
    return best;
  }
}

/** The words of a corpus chunk that the query chunk has as well, as its terms' numbers, and how many others stand before each. */
type KnownWords = { readonly ids: readonly number[]; readonly unknownBefore: readonly number[] };

function changeCount(bag: Int16Array, id: number, by: number): void {
  bag[id] = (bag[id] ?? 0) + by;
}

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
