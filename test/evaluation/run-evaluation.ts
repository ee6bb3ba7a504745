import { writeFile } from "node:fs/promises";
import { ProgressDisplay } from "../../src/platform/terminal/progress-display.ts";
import { mochaGlobalTeardown } from "../support/stores.ts";
import { type CheckRequest, evaluateChecks } from "./checks/evaluate-checks.ts";
import { evaluateListedPairs, type ListedPairsRequest } from "./pairs/evaluate-listed-pairs.ts";
import { type BenchmarkRequest, openBenchmarks, WrongScorer } from "./texts/open-benchmarks.ts";

export type EvaluationRequest = BenchmarkRequest &
  ListedPairsRequest &
  CheckRequest & {
    /** `pairs`: the listed pairs are aligned; `checks`: the suspicious texts are checked against a corpus. */
    readonly mode: "pairs" | "checks";
    readonly jsonFile: string | undefined;
  };

/** Runs an evaluation and prints it; resolves to the exit status. */
export async function runEvaluation(request: EvaluationRequest, signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const display = new ProgressDisplay(process.stderr, {
    unit: request.mode === "pairs" ? "pairs" : "checks",
  });
  const say = (line: string) => display.say(line);
  try {
    const results: unknown[] = [];
    const benchmarks = await openBenchmarks(request, say);
    if (benchmarks.length === 0) say("There is nothing to evaluate.");
    for (const benchmark of benchmarks) {
      const { lines, result } =
        request.mode === "pairs"
          ? await evaluateListedPairs(benchmark, request, display, signal)
          : await evaluateChecks(benchmark, request, display, signal);
      display.close();
      process.stdout.write(`\n# ${benchmark.name}\n\n${lines.join("\n")}\n`);
      results.push(result);
    }
    if (request.jsonFile !== undefined) await writeFile(request.jsonFile, JSON.stringify(results));
    if (benchmarks.length > 0) say(`Evaluated in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    return 0;
  } catch (error) {
    if (!(error instanceof WrongScorer)) throw error;
    say(error.message);
    return 1;
  } finally {
    display.close();
    // What ends the tests' use of the stores ends ours: databases and indices go, and nothing happens where none were used.
    await mochaGlobalTeardown();
  }
}
