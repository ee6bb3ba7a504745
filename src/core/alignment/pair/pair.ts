import { sourceEdgePriors } from "./edge-priors.ts";
import { edgeTypes } from "./edge-types.ts";
import { nameMarks } from "./name-marks.ts";
import type { PreparedQuery, Side, TokenisedText } from "./prepared-query.ts";
import { BARRIER_ID, numberWords } from "./word-numbers.ts";
import type { WordRange } from "./word-range.ts";

/** A query and one source, made ready to be compared. Its use ends before the query meets another source. */
export type Pair = {
  readonly query: PreparedQuery;
  readonly source: TokenisedText;
  readonly sourceSide: Side;
  /** Words of both. */
  readonly words: number;
  /** The parts of the source between barriers, none of them empty: no passage crosses from one to another. */
  readonly segments: readonly WordRange[];
  /** What a piece has to be worth, in log-odds: a chance match is the likelier the more places there are. */
  readonly threshold: number;
};

/** Log-odds against reuse at a given place of two texts of 1,000 words each. From 41 to 44 neither benchmark changes by .001. */
const THRESHOLD = 44;

/** What each e-fold of the number of places adds. The benchmarks' texts are too much alike in length to tell (.001). */
const THRESHOLD_PER_SIZE = 4.8;

/** Places in two texts of 1,000 words, below which the threshold stays. */
const PLACES_MIN = 1e6;

/** Prepares a source; linear in its words. */
export function pairOf(query: PreparedQuery, source: TokenisedText): Pair {
  const ids = numberWords(query, source.tokens.words);
  const edges = edgeTypes(source);
  countWords(query.scratch.sourceCounts, ids);
  const places = (query.ids.length * ids.length) / PLACES_MIN;
  return {
    query,
    source,
    sourceSide: { ids, edges, edgePriors: sourceEdgePriors(edges), names: nameMarks(source, edges) },
    words: query.ids.length + ids.length,
    segments: segmentsOf(ids),
    threshold: THRESHOLD + THRESHOLD_PER_SIZE * Math.log(Math.max(1, places)),
  };
}

function countWords(counts: Int32Array, ids: Int32Array): void {
  counts.fill(0);
  for (const id of ids) if (id >= 0) counts[id] = (counts[id] ?? 0) + 1;
}

function segmentsOf(ids: Int32Array): WordRange[] {
  const segments: WordRange[] = [];
  let start = 0;
  for (let at = 0; at <= ids.length; at++) {
    if (at < ids.length && ids[at] !== BARRIER_ID) continue;
    if (at > start) segments.push({ start, end: at });
    start = at + 1;
  }
  return segments;
}
