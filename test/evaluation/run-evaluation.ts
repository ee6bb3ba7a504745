import { writeFile } from "node:fs/promises";
import { ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import { mochaGlobalTeardown } from "../support/stores.ts";
import { type CheckRequest, evaluateChecks } from "./checks/evaluate-checks.ts";
import { evaluateListedPairs, type ListedPairsRequest } from "./pairs/evaluate-listed-pairs.ts";
import { evaluateArticles } from "./sample/evaluate-articles.ts";
import { evaluateSentences } from "./sample/evaluate-sentences.ts";
import { type BenchmarkRequest, openBenchmarks, WrongScorer } from "./texts/open-benchmarks.ts";

export type EvaluationRequest = BenchmarkRequest &
  ListedPairsRequest &
  CheckRequest & {
    /**
     * `pairs`: the listed pairs are aligned; `checks`: the suspicious texts are checked against a corpus; `articles`: the
     * articles of the sample corpus against each other; `sentences`: single sentences of them in other text.
     */
    readonly mode: "pairs" | "checks" | "articles" | "sentences";
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
    const evaluations = evaluationsOf(request, display, signal);
    const results: unknown[] = [];
    for await (const { name, lines, result } of evaluations) {
      display.close();
      process.stdout.write(`\n# ${name}\n\n${lines.join("\n")}\n`);
      results.push(result);
    }
    if (request.jsonFile !== undefined) await writeFile(request.jsonFile, JSON.stringify(results));
    if (results.length === 0) say("There is nothing to evaluate.");
    else say(`Evaluated in ${((performance.now() - started) / 1000).toFixed(0)} s`);
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

type NamedEvaluation = {
  readonly name: string;
  readonly lines: readonly string[];
  readonly result: unknown;
};

async function* evaluationsOf(
  request: EvaluationRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): AsyncGenerator<NamedEvaluation> {
  switch (request.mode) {
    case "articles":
      yield { name: `Articles, ${request.part}`, ...(await evaluateArticles(request, display, signal)) };
      return;
    case "sentences":
      yield { name: "Sentences", ...(await evaluateSentences(request, display, signal)) };
      return;
    case "pairs":
    case "checks": {
      const evaluate = request.mode === "pairs" ? evaluateListedPairs : evaluateChecks;
      for (const benchmark of await openBenchmarks(request, (line) => display.say(line)))
        yield { name: benchmark.name, ...(await evaluate(benchmark, request, display, signal)) };
    }
  }
}
