import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { errorLines } from "../report/error-lines.ts";
import { plainEvaluation, scoreLines, timeLine } from "../report/score-lines.ts";
import { evaluatePairs } from "../scoring/evaluate-pairs.ts";
import type { Benchmark } from "../texts/open-benchmarks.ts";
import { everyKthPair } from "../texts/parts.ts";
import { alignPairs, alignTimes } from "./align-pairs.ts";

export type ListedPairsRequest = {
  /** The maximum number of pairs, evenly spread. */
  readonly limit: number;
  readonly threads: number;
  /** The number of errors of each kind to show. */
  readonly errors: number;
};

/** Aligns the listed pairs of a benchmark without retrieval. */
export async function evaluateListedPairs(
  { name, corpus, pairs: listed }: Benchmark,
  { limit, threads, errors }: ListedPairsRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const pairs = everyKthPair(listed, limit);
  const aligned = await alignPairs(corpus.folder, pairs, {
    threads,
    signal,
    onDone: (done) => display.update({ done, total: pairs.length, totalIsFinal: true, failed: 0 }),
  });
  const evaluation = evaluatePairs(aligned);
  const times = alignTimes(aligned);
  return {
    lines: [
      ...scoreLines(evaluation),
      "",
      timeLine(times),
      ...(errors > 0 ? await errorLines(corpus, evaluation.pairs, errors) : []),
    ],
    result: { name, ...plainEvaluation(evaluation), times },
  };
}
