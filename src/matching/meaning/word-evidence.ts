import { foundScore, missedScore } from "../words/scorer.ts";
import { type TermCounts, termShare } from "../words/search-terms.ts";
import { valueRows } from "./sentence-alignment.ts";

/** The share of a sentence's words that strong rewording keeps: between .15 and .25 the same texts are found. */
const KEPT = 0.2;
const MISSED = missedScore(KEPT);

/** Consecutive source sentences whose words count together: rewording merges sentences, and a summary's sentence stands for several. */
const WINDOW_SENTENCES = 3;

/** Sentences of a chunk, in whose chunks terms are counted. */
const CHUNK_SENTENCES = 6;

/** Bounds on the probability that a word is found by chance. */
const CHANCE_MIN = 0.01;
const CHANCE_MAX = 0.9;

/** The weight of the corpus against the counts in the source itself, in sentences. */
const PRIOR_SENTENCES = 5;
const PRIOR_OCCURRENCES = 0.3;

/**
 * How strongly words say that each source sentence, with up to two after it, is where a query sentence comes from: log-odds in nats,
 * by query sentence and by source sentence. It uses the scorer of the alignment: reuse keeps a word with probability `KEPT`, else chance
 * puts it there. Chance is the word's share of sentences in this source or in the corpus, whichever is greater, so words of
 * the source's subject say little.
 * @param query the terms of each sentence. `source`: the terms of consecutive sentences
 */
export function wordEvidence(
  query: readonly ReadonlySet<string>[],
  source: readonly ReadonlySet<string>[],
  counts: TermCounts,
): Float32Array[] {
  const postings = new Map<string, number[]>();
  for (const terms of query) for (const term of terms) postings.set(term, []);
  for (const [at, terms] of source.entries()) for (const term of terms) postings.get(term)?.push(at);
  const sums = valueRows(WINDOW_SENTENCES, source.length);
  const evidence = valueRows(query.length, source.length);
  for (const [number, best] of evidence.entries()) {
    const terms = query[number] ?? NO_TERMS;
    for (const ofWidth of sums) ofWidth.fill(0);
    for (const term of terms) {
      const places = postings.get(term) ?? [];
      if (places.length === 0) continue;
      const elsewhere = (places.length - 1 + PRIOR_OCCURRENCES) / (source.length + PRIOR_SENTENCES);
      const inSentence = Math.min(CHANCE_MAX, Math.max(termShare(counts, term) / CHUNK_SENTENCES, elsewhere));
      for (const [at, ofWidth] of sums.entries()) {
        const chance = Math.max(CHANCE_MIN, 1 - (1 - inSentence) ** (at + 1));
        addToWindows(ofWidth, places, at + 1, foundScore(chance, KEPT) - MISSED);
      }
    }
    // A window that would reach beyond the source counts as the narrower one.
    for (const [at, ofWidth] of sums.entries())
      for (let start = 0; start + at < source.length; start++)
        best[start] = Math.max(best[start] ?? 0, ofWidth[start] ?? 0);
    for (let start = 0; start < source.length; start++)
      best[start] = terms.size * MISSED + (best[start] ?? 0);
  }
  return evidence;
}

const NO_TERMS: ReadonlySet<string> = new Set();

/** Adds a gain once to each window of `width` sentences that contains one of the ascending `places`. */
function addToWindows(ofWidth: Float32Array, places: readonly number[], width: number, gain: number): void {
  let next = 0;
  for (const place of places) {
    for (let start = Math.max(next, place - width + 1); start <= place; start++)
      ofWidth[start] = (ofWidth[start] ?? 0) + gain;
    next = place + 1;
  }
}
