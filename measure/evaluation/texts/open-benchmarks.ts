import { existsSync } from "node:fs";
import { baselineDifferences } from "../scoring/baseline.ts";
import { type MixedPart, mixedBenchmark } from "./mixed-benchmark.ts";
import type { PanCorpus, TextPair } from "./pan-corpus.ts";
import { openPanCorpus } from "./pan-corpus.ts";
import { type Part, pairsOfPart } from "./parts.ts";

/** Texts with planted reuse, and their pairs that are evaluated together. */
export type Benchmark = {
  readonly name: string;
  readonly corpus: PanCorpus;
  readonly pairs: readonly TextPair[];
};

export type BenchmarkRequest = {
  readonly benchmark: "pan13" | "mixed" | "both";
  readonly part: Part;
  /** Whether pairs are aligned without the service; another part of the texts is held out then. */
  readonly alignsOnly: boolean;
  /** PAN13's training corpus, a folder or an archive. */
  readonly corpusPath: string;
  /** The detections of its baseline. */
  readonly baselineFile: string;
  /** The program that makes the mixed texts, and the number of pairs. */
  readonly mixedScript: string;
  readonly mixedPairs: number;
};

/** The scorer does not reproduce the official figures, so none of its figures can be trusted. */
export class WrongScorer extends Error {
  override readonly name = "WrongScorer";
}

/**
 * Opens the requested benchmarks. Those that are not available are skipped with a message.
 * @throws WrongScorer when the scorer does not reproduce the official figures.
 */
export async function openBenchmarks(
  request: BenchmarkRequest,
  say: (line: string) => void,
): Promise<Benchmark[]> {
  const pan13 = request.benchmark === "mixed" ? [] : await openPan13(request, say);
  const mixed = request.benchmark === "pan13" ? [] : await openMixed(request, say);
  return [...pan13, ...mixed];
}

async function openPan13(
  { corpusPath, baselineFile, part, alignsOnly }: BenchmarkRequest,
  say: (line: string) => void,
): Promise<Benchmark[]> {
  const corpus = await openPanCorpus(corpusPath);
  if (corpus === undefined) {
    say(`PAN13 is skipped: ${corpusPath} does not exist`);
    return [];
  }
  await verifyScorer(corpus, baselineFile, say);
  return [{ name: `PAN13, ${part}`, corpus, pairs: pairsOfPart(corpus.pairs, part, alignsOnly) }];
}

async function verifyScorer(
  corpus: PanCorpus,
  baselineFile: string,
  say: (line: string) => void,
): Promise<void> {
  if (!existsSync(baselineFile)) {
    say(`The scorer is not verified: ${baselineFile} does not exist`);
    return;
  }
  const differences = await baselineDifferences(corpus.pairs, baselineFile);
  if (differences.length > 0) {
    throw new WrongScorer(
      `The scorer or the corpus in ${corpus.folder} is wrong. For the detections of the baseline,\n  ${differences.join("\n  ")}`,
    );
  }
  say("The scorer reproduces the official figures of PAN13's baseline");
}

async function openMixed(
  { mixedScript, mixedPairs, part }: BenchmarkRequest,
  say: (line: string) => void,
): Promise<Benchmark[]> {
  const parts: readonly MixedPart[] = part === "all" ? ["tune", "check"] : [part];
  const benchmarks: Benchmark[] = [];
  for (const one of parts) {
    const made = await mixedBenchmark(one, { script: mixedScript, pairs: mixedPairs, say });
    if (made.available)
      benchmarks.push({ name: `Mixed, ${one}`, corpus: made.corpus, pairs: made.corpus.pairs });
    else say(`The mixed texts are skipped: ${made.reason}`);
  }
  return benchmarks;
}
