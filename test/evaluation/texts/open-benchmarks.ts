import { existsSync } from "node:fs";
import { baselineDifferences } from "../scoring/baseline.ts";
import { type MixedPart, mixedBenchmark } from "./mixed-benchmark.ts";
import { openPanCorpus } from "./open-pan-corpus.ts";
import type { PanCorpus, TextPair } from "./pan-corpus.ts";
import { type Part, pairsOfPart } from "./parts.ts";

/** Texts in which reuse was planted, and the pairs of them that are evaluated together. */
export type Benchmark = {
  readonly name: string;
  readonly corpus: PanCorpus;
  readonly pairs: readonly TextPair[];
};

export type BenchmarkRequest = {
  readonly benchmark: "pan13" | "mixed" | "both";
  readonly part: Part;
  /** Whether pairs are aligned without the engine, which holds out other texts. */
  readonly alignsOnly: boolean;
  /** PAN13's training corpus, a folder or an archive. */
  readonly corpusPath: string;
  /** The detections of its baseline. */
  readonly baselineFile: string;
  /** The program that makes the mixed texts, and how many pairs of them. */
  readonly mixedScript: string;
  readonly mixedPairs: number;
};

/** The scorer does not give the official figures, so that no figure of it means anything. */
export class WrongScorer extends Error {
  override readonly name = "WrongScorer";
}

/**
 * The benchmarks that are asked for, as far as they are there; what is left out, and why, is said.
 * @throws WrongScorer when the scorer can be put to the proof and fails.
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
    say(`PAN13 is left out: ${corpusPath} is not there`);
    return [];
  }
  await proveScorer(corpus, baselineFile, say);
  return [{ name: `PAN13, ${part}`, corpus, pairs: pairsOfPart(corpus.pairs, part, alignsOnly) }];
}

async function proveScorer(
  corpus: PanCorpus,
  baselineFile: string,
  say: (line: string) => void,
): Promise<void> {
  if (!existsSync(baselineFile)) {
    say(`The scorer goes unproven: ${baselineFile} is not there`);
    return;
  }
  const differences = await baselineDifferences(corpus.pairs, baselineFile);
  if (differences.length > 0) {
    throw new WrongScorer(
      `The scorer, or ${corpus.folder}, is not as it should be. Of the baseline's detections,\n  ${differences.join("\n  ")}`,
    );
  }
  say("The scorer gives the official figures of PAN13's baseline");
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
    else say(`The mixed texts are left out: ${made.reason}`);
  }
  return benchmarks;
}
