import { type Span, spanLength } from "../../text/span.ts";
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
 * @param query the terms of each sentence. `known`: these terms, with their places among the sentences of the source
 */
export function wordEvidence(
  query: readonly ReadonlySet<string>[],
  known: ReadonlyMap<string, WindowedTerm>,
  sentences: number,
): Float32Array[] {
  const sums = valueRows(WINDOW_SENTENCES, sentences);
  const evidence = valueRows(query.length, sentences);
  for (const [number, best] of evidence.entries()) {
    const terms = query[number] ?? NO_TERMS;
    for (const ofWidth of sums) ofWidth.fill(0);
    for (const term of terms) {
      const found = known.get(term);
      if (found === undefined || found.places.length === 0) continue;
      for (const [at, ofWidth] of sums.entries())
        addToWindows(ofWidth, found.places, at + 1, found.gainAmong(at + 1));
    }
    // A window that would reach beyond the source counts as the narrower one.
    for (const [at, ofWidth] of sums.entries())
      for (let start = 0; start + at < sentences; start++)
        best[start] = Math.max(best[start] ?? 0, ofWidth[start] ?? 0);
    for (let start = 0; start < sentences; start++) best[start] = terms.size * MISSED + (best[start] ?? 0);
  }
  return evidence;
}

/** A term of some query sentences, and the places of the source sentences that have it, ascending. */
export type WindowedTerm = {
  readonly places: readonly number[];
  /** What it adds where it is found instead of missed, among so many sentences, in nats. */
  readonly gainAmong: (sentences: number) => number;
};

/** The terms of a query that a source may have, with their places in the sentences of the source. */
export function windowedTerms(
  terms: Iterable<string>,
  source: readonly { readonly terms: ReadonlySet<string> }[],
  counts: TermCounts,
): Map<string, WindowedTerm> {
  const places = new Map<string, number[]>();
  for (const term of terms) places.set(term, []);
  for (const [at, sentence] of source.entries())
    for (const term of sentence.terms) places.get(term)?.push(at);
  return new Map(
    [...places].map(([term, of]) => [
      term,
      { places: of, gainAmong: gains(chanceInSentence(counts, term, of.length, source.length)) },
    ]),
  );
}

/**
 * The word evidence of each window: how much more probable these distinct terms are if the window was reworded than by chance, in nats.
 * @param windows as sentence numbers, whose starts and ends ascend
 */
export function windowWords(
  terms: readonly WindowedTerm[],
  windows: readonly Span[],
  sentences: number,
): Float32Array {
  const firstWindow = new Int32Array(sentences).fill(windows.length);
  const lastWindow = new Int32Array(sentences).fill(-1);
  for (const [at, { start, end }] of windows.entries())
    for (let sentence = start; sentence < end; sentence++) {
      firstWindow[sentence] = Math.min(firstWindow[sentence] ?? at, at);
      lastWindow[sentence] = at;
    }
  const words = new Float32Array(windows.length).fill(terms.length * MISSED);
  for (const { places, gainAmong } of terms) {
    let next = 0;
    for (const place of places) {
      const last = lastWindow[place] ?? -1;
      for (let at = Math.max(next, firstWindow[place] ?? 0); at <= last; at++) {
        const window = windows[at];
        if (window !== undefined) words[at] = (words[at] ?? 0) + gainAmong(spanLength(window));
      }
      next = Math.max(next, last + 1);
    }
  }
  return words;
}

/** The probability that a sentence has a term by chance: as in the corpus or, if that is greater, as elsewhere in this source. */
function chanceInSentence(counts: TermCounts, term: string, places: number, sentences: number): number {
  const elsewhere = (Math.max(1, places) - 1 + PRIOR_OCCURRENCES) / (sentences + PRIOR_SENTENCES);
  return Math.min(CHANCE_MAX, Math.max(termShare(counts, term) / CHUNK_SENTENCES, elsewhere));
}

/** The gains of a term, each computed once: many windows have the same number of sentences. */
function gains(inSentence: number): WindowedTerm["gainAmong"] {
  const known: number[] = [];
  return (sentences) => {
    known[sentences] ??= foundScore(Math.max(CHANCE_MIN, 1 - (1 - inSentence) ** sentences), KEPT) - MISSED;
    return known[sentences];
  };
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
