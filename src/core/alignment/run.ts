/** Words that are equal one by one on both sides: `words` of them, from the given word positions on. */
export type Run = { readonly queryWord: number; readonly sourceWord: number; readonly words: number };

/**
 * Runs in the same order on both sides, disjoint and near each other: a passage while it is still counted in words.
 * It begins where its first run begins and ends where its last run ends. Never empty.
 */
export type Chain = { readonly runs: readonly [Run, ...Run[]]; readonly matchedWords: number };

/** The chain of the given runs; undefined when there are none. */
export function chainOf(runs: readonly Run[]): Chain | undefined {
  const [first, ...others] = runs;
  if (first === undefined) return undefined;
  return { runs: [first, ...others], matchedWords: runs.reduce((words, run) => words + run.words, 0) };
}

/**
 * The chain's equal words less its changed ones (of each gap, those of the longer side): what it weighs as evidence of
 * reuse. A few short runs that happen to stand near each other weigh next to nothing.
 */
export function netWords(chain: Chain): number {
  let words = 0;
  let before = chain.runs[0];
  for (const run of chain.runs) {
    if (run !== before) words -= gapLength(gapBetween(before, run));
    words += run.words;
    before = run;
  }
  return words;
}

/** The words between two runs: `[queryStart, queryEnd)` of the query and `[sourceStart, sourceEnd)` of the source. */
export type Gap = {
  readonly queryStart: number;
  readonly queryEnd: number;
  readonly sourceStart: number;
  readonly sourceEnd: number;
};

/** What lies between two disjoint runs, the first of them before the second on both sides. */
export function gapBetween(before: Run, after: Run): Gap {
  return {
    queryStart: before.queryWord + before.words,
    queryEnd: after.queryWord,
    sourceStart: before.sourceWord + before.words,
    sourceEnd: after.sourceWord,
  };
}

/** Words on the longer side of a gap. */
export function gapLength(gap: Gap): number {
  return Math.max(gap.queryEnd - gap.queryStart, gap.sourceEnd - gap.sourceStart);
}

/** The words `[start, end)` of the query between the chain's two ends, changed words inside included. */
export function queryWords(chain: Chain): { readonly start: number; readonly end: number } {
  const last = lastRun(chain);
  return { start: chain.runs[0].queryWord, end: last.queryWord + last.words };
}

/** The run that the chain ends with. */
export function lastRun(chain: Chain): Run {
  return chain.runs.at(-1) ?? chain.runs[0];
}

/** The run without its first `skipped` words. */
export function skipWords(run: Run, skipped: number): Run {
  return {
    queryWord: run.queryWord + skipped,
    sourceWord: run.sourceWord + skipped,
    words: run.words - skipped,
  };
}
