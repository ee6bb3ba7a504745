import { join } from "node:path";
import { Piscina } from "piscina";
import type { TextPair } from "../texts/pan-corpus.ts";
import type { AlignedSource, AlignTask } from "./align-task.ts";

/** A pair of texts with the passages that alignment found in it. */
export type AlignedPair<P extends TextPair = TextPair> = P & AlignedSource;

export type AlignOptions = {
  readonly threads: number;
  /** Called with the number of pairs done so far. */
  readonly onDone: (pairs: number) => void;
  readonly signal: AbortSignal;
  /** The module that aligns. The ablation passes that of a modified copy of the sources. */
  readonly taskFile?: URL;
  /** Whether each thread aligns some texts untimed first. Default: true. */
  readonly warmUp?: boolean;
  /** The number of sources that a check would compare each text with. Default: 1. */
  readonly pairsCompared?: number;
};

/** All benchmarks for alignment alone are in English. */
const LANGUAGE = "en";

/** Texts per thread that are aligned untimed, so that the inner loops are compiled before times are taken. */
const WARM_UP_TEXTS = 15;

/**
 * Aligns pairs of texts without retrieval; each suspicious text is prepared once. The result keeps the order of the pairs.
 * @param folder contains the suspicious texts in `susp` and the sources in `src`.
 */
export async function alignPairs<P extends TextPair>(
  folder: string,
  pairs: readonly P[],
  {
    threads,
    onDone,
    signal,
    taskFile = new URL("./align-task.ts", import.meta.url),
    warmUp = true,
    pairsCompared = 1,
  }: AlignOptions,
): Promise<AlignedPair<P>[]> {
  const pool = new Piscina<AlignTask, AlignedSource[]>({
    filename: taskFile.href,
    minThreads: threads,
    maxThreads: threads,
  });
  try {
    const groups = [...Map.groupBy(pairs, (pair) => pair.queryName).values()];
    const align = (group: readonly TextPair[]) =>
      pool.run(taskOf(folder, group, pairsCompared), { name: "alignSources", signal });
    if (warmUp) await Promise.all(groups.slice(0, WARM_UP_TEXTS * threads).map(align));
    let done = 0;
    const aligned = new Map<TextPair, AlignedPair<P>>();
    await Promise.all(
      groups.map(async (group) => {
        const found = await align(group);
        for (const [at, pair] of group.entries()) {
          const source = found[at];
          if (source !== undefined) aligned.set(pair, { ...pair, ...source });
        }
        done += group.length;
        onDone(done);
      }),
    );
    return pairs.map((pair) => aligned.get(pair)).filter((pair) => pair !== undefined);
  } finally {
    await pool.destroy();
  }
}

function taskOf(folder: string, group: readonly TextPair[], pairsCompared: number): AlignTask {
  return {
    queryFile: join(folder, "susp", group[0]?.queryName ?? ""),
    sourceFiles: group.map(({ sourceName }) => join(folder, "src", sourceName)),
    language: LANGUAGE,
    pairsCompared,
  };
}

/** Milliseconds per pair; the worst one with the lengths of its texts in characters. */
export type AlignTimes = {
  readonly mean: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  readonly worstQueryChars: number;
  readonly worstSourceChars: number;
  /** The mean time to prepare a source, which the other times exclude. */
  readonly prepareMean: number;
};

/** Summarises the times of the pairs; all are 0 without pairs. */
export function alignTimes(pairs: readonly AlignedPair[]): AlignTimes {
  const sorted = pairs.toSorted((a, b) => a.alignMs - b.alignMs);
  const worst = sorted.at(-1);
  return {
    mean: mean(pairs.map(({ alignMs }) => alignMs)),
    median: sorted[Math.floor(sorted.length / 2)]?.alignMs ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)]?.alignMs ?? 0,
    worst: worst?.alignMs ?? 0,
    worstQueryChars: worst?.queryChars ?? 0,
    worstSourceChars: worst?.sourceChars ?? 0,
    prepareMean: mean(pairs.map(({ prepareMs }) => prepareMs)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
