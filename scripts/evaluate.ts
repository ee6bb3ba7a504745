import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type EvaluationRequest, runEvaluation } from "../measure/evaluation/run-evaluation.ts";
import { SAMPLE } from "../measure/evaluation/texts/corpus-texts.ts";
import {
  GENERATED_DATA,
  MIXED_REUSE_SCRIPT,
  MODERN_DATA,
  PAN13_ARCHIVE,
  PAN13_BASELINE,
} from "../measure/evaluation/texts/places.ts";
import { explainError, readCommand, stopSignal, UsageError } from "../src/platform/terminal/command.ts";

/** About 800 passages: enough to distinguish .005 of plagdet from chance, and aligned within seconds. */
const MIXED_PAIRS = 600;

/** Constants are chosen on pairs; all other figures are for reporting. */
const DEFAULT_PART = {
  pairs: "tune",
  checks: "check",
  articles: "all",
  languages: "all",
  sentences: "all",
  modern: "all",
  manuals: "all",
  paragraphs: "all",
  batches: "all",
  pdf: "all",
} as const;

const BENCHMARKS = [
  "pan13",
  "mixed",
  "both",
  "modern",
  "manuals",
  "paragraphs",
  "articles",
  "languages",
  "sentences",
  "batches",
  "pdf",
] as const;

const USAGE = `Usage: npm run evaluate -- [--pairs] [OPTION…]

Measures how well planted reuse is found. By default, a service checks the texts against a corpus of their sources, as
it does for users. Benchmarks without their texts are skipped with a message. The stores are the same as for the tests:
TEST_DATABASE_URL and TEST_OPENSEARCH_URL, or embedded ones.

  --pairs            Align the listed pairs of texts only, without service and retrieval.
  --benchmark NAME   pan13, mixed or both (default);
                     modern: paragraphs rewritten by language models, students and translators, per language and in
                     the other direction; rules are fitted on the half of --part tune;
                     manuals: paragraphs of two manuals translated by people; the corpus has the English text of one of them;
                     paragraphs: papers that language models wrote from articles and papers, with paragraphs of their own;
                     articles: articles of the sample corpus against the other half, in which nothing was planted;
                     languages: the Universal Declaration of Human Rights in some 450 languages and scripts, first halves against second ones;
                     batches: sets of 100 and 1,000 texts with planted rings (--limit 100: only the first);
                     sentences: single sentences of these articles in other text, and shuffled sentences;
                     pdf: passages in PDFs of many layouts, made with LaTeX and LibreOffice or shipped by Debian; rules
                     are fitted on the half of --part tune (default all).
  --part PART        check: the texts that are held out (default); tune: those for choosing constants (default with
                     --pairs); all (default for articles).
  --limit N          Use at most N texts (with --pairs: pairs; articles: of each half) of each benchmark, evenly spread.
  --errors N         Show the N worst errors of each kind, with the texts; of pdf, N breaks in paragraphs of each file.
  --json FILE        Write the figures and detections to FILE.
  --threads N        With --pairs: the number of threads.
  --at-once N        Without --pairs: the number of concurrent checks (default 1).
  --words-only       Without --pairs: do not compare the meaning.
  --distractors D    Without --pairs: other texts to add to the corpus: "sample", or a folder of .txt files.
  --unlisted N       Without --pairs: show N detections in sources that are not listed with a text, or the passages of N
                     articles.
  --corpus PATH      The training corpus of PAN 2013: a folder or an archive.
  --baseline FILE    The detections of its baseline, which verify the scorer.
  --mixed-script F   The Python program that makes the mixed texts from the sample corpus.
  --mixed-pairs N    The number of mixed pairs (default ${MIXED_PAIRS}).
  --modern-data DIR  The data of the modern benchmark; manuals and pdf use its essays, too.
  --generated-data DIR  The data of the paragraphs benchmark.`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) process.exitCode = await run(request);

async function run(request: EvaluationRequest): Promise<number> {
  const signal = stopSignal();
  try {
    return await runEvaluation(request, signal);
  } catch (error) {
    process.stderr.write(signal.aborted ? "Stopped.\n" : `${explainError(error)}\n`);
    return 1;
  }
}

function readRequest(args: string[]): EvaluationRequest {
  const { values } = parseArgs({
    args,
    options: {
      pairs: { type: "boolean", default: false },
      benchmark: { type: "string", default: "both" },
      part: { type: "string" },
      limit: { type: "string" },
      errors: { type: "string", default: "0" },
      json: { type: "string" },
      threads: { type: "string", default: String(availableParallelism()) },
      "at-once": { type: "string", default: "1" },
      "words-only": { type: "boolean", default: false },
      distractors: { type: "string" },
      unlisted: { type: "string", default: "0" },
      corpus: { type: "string", default: PAN13_ARCHIVE },
      baseline: { type: "string", default: PAN13_BASELINE },
      "mixed-script": { type: "string", default: MIXED_REUSE_SCRIPT },
      "mixed-pairs": { type: "string", default: String(MIXED_PAIRS) },
      "modern-data": { type: "string", default: MODERN_DATA },
      "generated-data": { type: "string", default: GENERATED_DATA },
    },
  });
  const { mode, benchmark } = modeOf(values.benchmark, values.pairs);
  return {
    mode,
    benchmark,
    alignsOnly: values.pairs,
    part: oneOf("--part", values.part ?? DEFAULT_PART[mode], ["tune", "check", "all"]),
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : count("--limit", values.limit, 1),
    errors: count("--errors", values.errors, 0),
    jsonFile: values.json === undefined ? undefined : fromCaller(values.json),
    threads: count("--threads", values.threads, 1),
    atOnce: count("--at-once", values["at-once"], 1),
    wordsOnly: values["words-only"],
    distractors: distractors(values.distractors),
    unlisted: count("--unlisted", values.unlisted, 0),
    corpusPath: fromCaller(values.corpus),
    baselineFile: fromCaller(values.baseline),
    mixedScript: fromCaller(values["mixed-script"]),
    mixedPairs: count("--mixed-pairs", values["mixed-pairs"], 1),
    modernDir: fromCaller(values["modern-data"]),
    generatedDir: fromCaller(values["generated-data"]),
  };
}

function modeOf(name: string, pairs: boolean): Pick<EvaluationRequest, "mode" | "benchmark"> {
  const chosen = oneOf("--benchmark", name, BENCHMARKS);
  if (chosen === "pan13" || chosen === "mixed" || chosen === "both")
    return { mode: pairs ? "pairs" : "checks", benchmark: chosen };
  if (pairs && chosen !== "modern")
    throw new UsageError(`--pairs aligns listed pairs, but ${chosen} lists no pairs.`);
  return { mode: chosen, benchmark: "both" };
}

/** Resolves a path against the directory in which npm was called; npm runs scripts in the package's directory. */
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

function distractors(given: string | undefined): string | undefined {
  if (given === undefined || given === SAMPLE) return given;
  const folder = fromCaller(given);
  if (!existsSync(folder)) throw new UsageError(`--distractors: the folder ${folder} does not exist.`);
  return folder;
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new UsageError(`${option} must be one of ${allowed.join(", ")}, not "${value}".`);
  return found;
}

function count(option: string, value: string, least: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
  throw new UsageError(`${option} must be a whole number of at least ${least}, not "${value}".`);
}
