import { writeFile } from "node:fs/promises";
import { ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import { mochaGlobalTeardown } from "../../test/support/stores.ts";
import { type BatchesRequest, evaluateBatches } from "./batches/evaluate-batches.ts";
import { type CheckRequest, evaluateChecks } from "./checks/evaluate-checks.ts";
import { evaluateManuals, evaluateModern, type ModernRequest } from "./modern/evaluate-modern.ts";
import { evaluateParagraphs, type ParagraphsRequest } from "./modern/evaluate-paragraphs.ts";
import { evaluateListedPairs, type ListedPairsRequest } from "./pairs/evaluate-listed-pairs.ts";
import { evaluatePdf, type PdfRequest } from "./pdf/evaluate-pdf.ts";
import { evaluateArticles } from "./sample/evaluate-articles.ts";
import { evaluateLanguages } from "./sample/evaluate-languages.ts";
import { evaluateSentences } from "./sample/evaluate-sentences.ts";
import { type BenchmarkRequest, openBenchmarks, WrongScorer } from "./texts/open-benchmarks.ts";

export type EvaluationRequest = BenchmarkRequest &
  ListedPairsRequest &
  CheckRequest &
  ModernRequest &
  ParagraphsRequest &
  BatchesRequest &
  PdfRequest & {
    /**
     * `pairs` aligns the listed pairs; `checks` checks the suspicious texts against a corpus; `articles` checks the articles
     * of the sample corpus against the other half; `languages` checks texts in some 450 languages and scripts; `sentences` checks single sentences of them in other text; `modern` measures
     * rewritten paragraphs, with or without the service; `manuals` measures translated ones; `paragraphs` measures papers written by language models; `batches`
     * compares texts with planted rings with each other; `pdf` checks PDFs of many layouts.
     */
    readonly mode:
      | "pairs"
      | "checks"
      | "articles"
      | "languages"
      | "sentences"
      | "modern"
      | "manuals"
      | "paragraphs"
      | "batches"
      | "pdf";
    readonly jsonFile: string | undefined;
  };

/** Runs an evaluation and prints it; resolves to the exit status. */
export async function runEvaluation(request: EvaluationRequest, signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const display = new ProgressDisplay(process.stderr, {
    unit: request.alignsOnly ? "pairs" : "checks",
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
    // Removes the databases and indices, if any were used.
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
    case "languages":
      yield { name: "Languages", ...(await evaluateLanguages(request, display, signal)) };
      return;
    case "sentences":
      yield { name: "Sentences", ...(await evaluateSentences(request, display, signal)) };
      return;
    case "modern":
    case "manuals": {
      const evaluate = request.mode === "modern" ? evaluateModern : evaluateManuals;
      const evaluated = await evaluate(request, display, signal);
      const name = request.mode === "modern" ? "Modern" : "Manuals";
      if (evaluated !== undefined) yield { name, ...evaluated };
      return;
    }
    case "paragraphs": {
      const evaluated = await evaluateParagraphs(request, display, signal);
      if (evaluated !== undefined) yield { name: "Paragraphs", ...evaluated };
      return;
    }
    case "batches":
      yield { name: "Batches with planted rings", ...(await evaluateBatches(request, display, signal)) };
      return;
    case "pdf":
      yield { name: `PDF, ${request.part}`, ...(await evaluatePdf(request, display, signal)) };
      return;
    case "pairs":
    case "checks": {
      const evaluate = request.mode === "pairs" ? evaluateListedPairs : evaluateChecks;
      for (const benchmark of await openBenchmarks(request, (line) => display.say(line)))
        yield { name: benchmark.name, ...(await evaluate(benchmark, request, display, signal)) };
    }
  }
}
