import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { explainError, readCommand, stopSignal, UsageError } from "../src/platform/terminal/command.ts";
import { SAMPLE } from "../test/evaluation/checks/corpus-texts.ts";
import { type EvaluationRequest, runEvaluation } from "../test/evaluation/run-evaluation.ts";
import { MIXED_REUSE_SCRIPT, PAN13_ARCHIVE, PAN13_BASELINE } from "../test/evaluation/texts/places.ts";

/** About 800 passages: half a point of plagdet is told from chance, and all of them are aligned in some seconds. */
const MIXED_PAIRS = 600;

/** Constants are chosen on pairs; the rest is reported. */
const PART_BY_DEFAULT = { pairs: "tune", checks: "check", articles: "all", sentences: "all" } as const;

const USAGE = `Usage: npm run evaluate -- [--pairs] [OPTION…]

Measures how well reuse is found, on texts in which it was planted: they are checked by a service over a corpus of their
sources, as users would. Where the texts are not there, it says so and ends. The stores are those of the
tests: TEST_DATABASE_URL and TEST_OPENSEARCH_URL, or embedded ones.

  --pairs            only aligns the listed pairs of texts: no service, no retrieval
  --benchmark NAME   pan13, mixed or both (by default); or, nothing being planted, articles: those of the sample corpus
                     against each other; or sentences: single ones of them in other text
  --part PART        check: the texts that are held out, by default; tune: those on which constants may be chosen, by
                     default with --pairs; all, by default for articles
  --limit N          at most N texts (with --pairs, pairs) of each benchmark, evenly spread
  --errors N         shows the N worst errors of each sort, with the texts
  --json FILE        writes figures and detections there
  --threads N        with --pairs: threads to align in
  --at-once N        without it: checks that are under way at once; 1 by default
  --distractors D    without it: other texts for the corpus; sample, or a folder of .txt files
  --unlisted N       without it: shows N of the detections in sources with which a text is not listed, or what was found
                     of N articles
  --corpus PATH      the training corpus of PAN 2013, a folder or an archive
  --baseline FILE    the detections of its baseline, which prove the scorer
  --mixed-script F   the Python program that makes the mixed texts out of the sample corpus
  --mixed-pairs N    how many pairs of them; ${MIXED_PAIRS} by default`;

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
      distractors: { type: "string" },
      unlisted: { type: "string", default: "0" },
      corpus: { type: "string", default: PAN13_ARCHIVE },
      baseline: { type: "string", default: PAN13_BASELINE },
      "mixed-script": { type: "string", default: MIXED_REUSE_SCRIPT },
      "mixed-pairs": { type: "string", default: String(MIXED_PAIRS) },
    },
  });
  const { mode, benchmark } = whatToEvaluate(values.benchmark, values.pairs);
  return {
    mode,
    benchmark,
    alignsOnly: mode === "pairs",
    part: oneOf("--part", values.part ?? PART_BY_DEFAULT[mode], ["tune", "check", "all"]),
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : count("--limit", values.limit, 1),
    errors: count("--errors", values.errors, 0),
    jsonFile: values.json === undefined ? undefined : fromCaller(values.json),
    threads: count("--threads", values.threads, 1),
    atOnce: count("--at-once", values["at-once"], 1),
    distractors: distractors(values.distractors),
    unlisted: count("--unlisted", values.unlisted, 0),
    corpusPath: fromCaller(values.corpus),
    baselineFile: fromCaller(values.baseline),
    mixedScript: fromCaller(values["mixed-script"]),
    mixedPairs: count("--mixed-pairs", values["mixed-pairs"], 1),
  };
}

function whatToEvaluate(name: string, pairs: boolean): Pick<EvaluationRequest, "mode" | "benchmark"> {
  const chosen = oneOf("--benchmark", name, ["pan13", "mixed", "both", "articles", "sentences"]);
  if (chosen !== "articles" && chosen !== "sentences")
    return { mode: pairs ? "pairs" : "checks", benchmark: chosen };
  if (pairs) throw new UsageError(`--pairs aligns listed pairs, and ${chosen} have none.`);
  return { mode: chosen, benchmark: "both" };
}

/** npm runs scripts in the package's own directory; this is where it was called. */
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

function distractors(given: string | undefined): string | undefined {
  if (given === undefined || given === SAMPLE) return given;
  const folder = fromCaller(given);
  if (!existsSync(folder)) throw new UsageError(`--distractors names no folder: ${folder} is not there.`);
  return folder;
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new UsageError(`${option} must be one of ${allowed.join(", ")}, and is "${value}".`);
  return found;
}

function count(option: string, value: string, least: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
  throw new UsageError(`${option} must be a number from ${least} up, and is "${value}".`);
}
