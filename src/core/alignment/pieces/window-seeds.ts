import type { Pair } from "../pair/pair.ts";
import { WINDOW_STEP, WINDOW_WORDS, windowCount } from "../pair/window-index.ts";
import type { Box, WordRange } from "../pair/word-range.ts";
import { chanceInBag, foundScore } from "../scoring/chance.ts";

/** A pair of windows that share more rare words than chance gives. */
export type WindowSeed = Box & { readonly segment: WordRange; readonly score: number };

/**
 * The pairs of windows in which reworded text may lie, best first. A pair scores by the rare words that both windows
 * hold; common ones only cost time.
 * Time: for each source window, the query windows that share a word with it.
 */
export function windowSeeds(pair: Pair): WindowSeed[] {
  const found = new BestSeeds();
  const scoreOf = wordScores(pair);
  for (const segment of pair.segments) {
    const count = windowCount(segment.end - segment.start);
    for (let i = 0; i < count; i++) {
      const start = segment.start + i * WINDOW_STEP;
      const source = { start, end: Math.min(segment.end, start + WINDOW_WORDS) };
      for (const { window, score } of matchWindow(pair, source, scoreOf)) {
        if (score >= found.scoreMin) found.add({ query: queryWindow(pair, window), source, segment, score });
      }
    }
  }
  return found.bestFirst();
}

/** A pair below this shares two rare words or fewer; seeds of 5 find nothing more. */
const SEED_SCORE_MIN = 6;

/** Share of the words that reuse is taken to keep, for the score of a pair of windows. */
const KEPT = 0.5;

/** Words that score less stand in so many windows that looking at them costs more than they tell. */
const WORD_SCORE_MIN = 0.05;

/** Seeds held at once: far more than are ever tried, and a bound for long texts on one matter. */
const SEEDS_HELD_MAX = 4_000;

class BestSeeds {
  scoreMin = SEED_SCORE_MIN;
  #seeds: WindowSeed[] = [];

  add(seed: WindowSeed): void {
    this.#seeds.push(seed);
    if (this.#seeds.length < 2 * SEEDS_HELD_MAX) return;
    this.#seeds = this.bestFirst().slice(0, SEEDS_HELD_MAX);
    this.scoreMin = this.#seeds.at(-1)?.score ?? SEED_SCORE_MIN;
  }

  bestFirst(): WindowSeed[] {
    return this.#seeds.sort((a, b) => b.score - a.score);
  }
}

function queryWindow({ query }: Pair, window: number): WordRange {
  const start = window * WINDOW_STEP;
  return { start, end: Math.min(query.ids.length, start + WINDOW_WORDS) };
}

/** What a word tells that two windows share, computed once for each word. */
function wordScores(pair: Pair): (id: number) => number {
  const { counts, scratch } = pair.query;
  const known = new Map<number, number>();
  return (id) => {
    let score = known.get(id);
    if (score === undefined) {
      const outside = Math.max(0, (counts[id] ?? 0) + (scratch.sourceCounts[id] ?? 0) - 2);
      score = foundScore(chanceInBag(pair, id, outside, 2 * WINDOW_WORDS, WINDOW_WORDS), KEPT);
      known.set(id, score);
    }
    return score;
  };
}

/** The query windows that share enough with a window of the source. */
function matchWindow(pair: Pair, source: WordRange, scoreOf: (id: number) => number) {
  const { query, sourceSide } = pair;
  const { windowScores } = query.scratch;
  const touched: number[] = [];
  const seen = new Set<number>();
  for (let i = source.start; i < source.end; i++) {
    const id = sourceSide.ids[i] ?? -1;
    if (id < 0 || query.common[id] === 1 || seen.has(id)) continue;
    seen.add(id);
    const score = scoreOf(id);
    if (score < WORD_SCORE_MIN) continue;
    const last = query.windows.starts[id + 1] ?? 0;
    for (let k = query.windows.starts[id] ?? 0; k < last; k++) {
      const window = query.windows.windows[k] ?? 0;
      if (windowScores[window] === 0) touched.push(window);
      windowScores[window] = (windowScores[window] ?? 0) + score;
    }
  }
  const matches: { window: number; score: number }[] = [];
  for (const window of touched) {
    const score = windowScores[window] ?? 0;
    if (score >= SEED_SCORE_MIN) matches.push({ window, score });
    windowScores[window] = 0;
  }
  return matches;
}
