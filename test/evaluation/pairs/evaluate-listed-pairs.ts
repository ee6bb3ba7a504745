import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { errorLines } from "../report/error-lines.ts";
import { plainEvaluation } from "../report/plain-evaluation.ts";
import { scoreLines, timeLine } from "../report/score-lines.ts";
import { evaluatePairs } from "../scoring/evaluate-pairs.ts";
import type { Benchmark } from "../texts/open-benchmarks.ts";
import { everyKthPair } from "../texts/parts.ts";
import { alignPairs } from "./align-pairs.ts";
import { alignTimes } from "./align-times.ts";

export type ListedPairsRequest = {
  /** At most so many pairs, evenly spread. */
  readonly limit: number;
  readonly threads: number;
  /** How many errors of each sort are shown. */
  readonly errors: number;
};

/** Aligns the listed pairs of a benchmark, without retrieval; gives what to print and what to keep. */
export async function evaluateListedPairs(
  { name, corpus, pairs: listed }: Benchmark,
  { limit, threads, errors }: ListedPairsRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const pairs = everyKthPair(listed, limit);
  const aligned = await alignPairs(corpus, pairs, {
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
