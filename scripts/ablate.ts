import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type AblationResult, ablationTable } from "../measure/evaluation/ablation/ablation-table.ts";
import { RULE_ABLATIONS } from "../measure/evaluation/ablation/ablations.ts";
import { constantAblations } from "../measure/evaluation/ablation/constants.ts";
import {
  type Ablation,
  type AblationTexts,
  changedModel,
  measureModel,
} from "../measure/evaluation/ablation/measure-model.ts";
import { sentencePairs, similarArticlePairs } from "../measure/evaluation/ablation/sample-pairs.ts";
import { makeModernTexts } from "../measure/evaluation/modern/modern-texts.ts";
import { openAlignPool } from "../measure/evaluation/pairs/align-pairs.ts";
import { sampleTexts } from "../measure/evaluation/texts/corpus-texts.ts";
import { openBenchmarks } from "../measure/evaluation/texts/open-benchmarks.ts";
import { everyKth, everyKthPair } from "../measure/evaluation/texts/parts.ts";
import {
  MIXED_REUSE_SCRIPT,
  MODERN_DATA,
  PAN13_ARCHIVE,
  PAN13_BASELINE,
} from "../measure/evaluation/texts/places.ts";
import { explainError, readCommand, stopSignal, UsageError } from "../src/platform/terminal/command.ts";

const USAGE = `Usage: npm run ablate -- [OPTION…]

Disables each rule of the alignment, or changes each of its constants, one at a time, and measures the effect: plagdet on the listed pairs of PAN13 and of the mixed benchmark (held-out part), the share of
rewritten paragraphs that are found, the share of copied sentences with exact edges, and reports where nothing was
planted. Prints a Markdown table of the changes. A constant is once made a fifth smaller and once a quarter larger.

  --constants        Change constants instead of disabling rules.
  --only REGEXP      Only the ablations whose names match.
  --together         Apply all chosen changes at once.
  --limit N          At most N pairs of each benchmark, evenly spread.
  --part PART        tune or check (default).
  --threads N        The number of threads.
  --json FILE        Append each result to FILE, one JSON object per line. Results that FILE already contains are not
                     measured again.
  --list             Only list the names.`;

/** Pairs of the most similar articles: about half of the articles with a passage in another one are among them. */
const ARTICLE_PAIRS = 400;

const SENTENCES = 300;

/** As in `npm run evaluate`. */
const MIXED_PAIRS = 600;

type Request = {
  readonly constants: boolean;
  readonly only: RegExp;
  readonly together: boolean;
  readonly limit: number;
  readonly part: "tune" | "check";
  readonly threads: number;
  readonly jsonFile: string | undefined;
  readonly list: boolean;
};

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) process.exitCode = await run(request);

async function run(request: Request): Promise<number> {
  const signal = stopSignal();
  try {
    await ablate(request, signal);
    return 0;
  } catch (error) {
    process.stderr.write(signal.aborted ? "Stopped.\n" : `${explainError(error)}\n`);
    return 1;
  }
}

async function ablate(
  { constants, only, together, jsonFile, list, threads, ...request }: Request,
  signal: AbortSignal,
) {
  const chosen = (constants ? constantAblations() : RULE_ABLATIONS).filter(({ name }) => only.test(name));
  if (list) {
    for (const { name } of chosen) process.stdout.write(`${name}\n`);
    return;
  }
  const texts = await openTexts(request);
  const known = jsonFile === undefined ? new Map<string, AblationResult>() : await readResults(jsonFile);
  const pool = openAlignPool(threads);
  const measure = async (name: string, changes: readonly Ablation[]): Promise<AblationResult> => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const result = { name, ...(await measureModel(changedModel(changes), texts, pool, signal)) };
    if (jsonFile !== undefined) await appendFile(jsonFile, `${JSON.stringify(result)}\n`);
    return result;
  };
  try {
    const baseline = await measure("unmodified", []);
    const results: AblationResult[] = [];
    for (const changes of together ? [chosen] : chosen.map((ablation) => [ablation])) {
      const name = changes.map((change) => change.name).join(" + ");
      say(`${results.length + 1}. ${name}`);
      results.push(await measure(name, changes));
    }
    process.stdout.write(ablationTable(baseline, results));
  } finally {
    await pool.destroy();
  }
}

async function openTexts({ part, limit }: Pick<Request, "part" | "limit">): Promise<AblationTexts> {
  const [pan13, mixed] = await openBenchmarks(
    {
      benchmark: "both",
      part,
      alignsOnly: true,
      corpusPath: PAN13_ARCHIVE,
      baselineFile: PAN13_BASELINE,
      mixedScript: MIXED_REUSE_SCRIPT,
      mixedPairs: MIXED_PAIRS,
    },
    say,
  );
  const modern = await makeModernTexts({ dataDir: MODERN_DATA, englishOnly: true, say });
  if (pan13 === undefined || mixed === undefined || !modern.available)
    throw new UsageError("The ablation needs PAN13, the mixed benchmark and the modern texts.");
  const articles = await sampleTexts(say);
  return {
    pan13: { ...pan13, pairs: everyKthPair(pan13.pairs, limit) },
    mixed: { ...mixed, pairs: everyKthPair(mixed.pairs, limit) },
    modern: { folder: modern.folder, texts: everyKth(modern.texts, limit) },
    sentences: await sentencePairs(articles, Math.min(limit, SENTENCES)),
    articles: await similarArticlePairs(articles, Math.min(limit, ARTICLE_PAIRS)),
  };
}

async function readResults(file: string): Promise<Map<string, AblationResult>> {
  if (!existsSync(file)) return new Map();
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const results: AblationResult[] = lines.map((line) => JSON.parse(line));
  return new Map(results.map((result) => [result.name, result]));
}

function readRequest(args: string[]): Request {
  const { values } = parseArgs({
    args,
    options: {
      constants: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      together: { type: "boolean", default: false },
      limit: { type: "string" },
      part: { type: "string", default: "check" },
      threads: { type: "string", default: String(availableParallelism()) },
      json: { type: "string" },
      list: { type: "boolean", default: false },
    },
  });
  const { constants, together, list, part } = values;
  if (part !== "tune" && part !== "check") throw new UsageError("--part must be tune or check.");
  return {
    constants,
    together,
    list,
    part,
    only: new RegExp(values.only),
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : count("--limit", values.limit),
    threads: count("--threads", values.threads),
    jsonFile:
      values.json === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), values.json),
  };
}

function count(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new UsageError(`${option} must be a whole number of at least 1, not "${value}".`);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
