import { join } from "node:path";
import { Piscina } from "piscina";
import type { AlignmentModel } from "../../../src/matching/words/model.ts";
import { mean } from "../scoring/score.ts";
import type { TextPair } from "../texts/pan-corpus.ts";
import type { AlignedSource, AlignTask } from "./align-task.ts";

/** A pair of texts with the passages that alignment found in it. */
export type AlignedPair<P extends TextPair = TextPair> = P & AlignedSource;

export type AlignOptions = {
  readonly threads: number;
  /** Called with the number of pairs done so far. */
  readonly onDone: (pairs: number) => void;
  readonly signal: AbortSignal;
};

/** Threads that align. */
export type AlignPool = Piscina<AlignTask, AlignedSource[]>;

/** All benchmarks for alignment alone are in English. */
const LANGUAGE = "en";

/** Texts per thread that are aligned untimed, so that the inner loops are compiled before times are taken. */
const WARM_UP_TEXTS = 15;

/**
 * Aligns pairs of texts without retrieval; each suspicious text is prepared once. The result keeps the order of the pairs.
 * Some texts are aligned untimed first.
 * @param folder contains the suspicious texts in `susp` and the sources in `src`.
 */
export async function alignPairs<P extends TextPair>(
  folder: string,
  pairs: readonly P[],
  { threads, onDone, signal }: AlignOptions,
): Promise<AlignedPair<P>[]> {
  const pool = openAlignPool(threads);
  try {
    const queries = [...Map.groupBy(pairs, ({ queryName }) => queryName).values()];
    await alignInPool(pool, folder, queries.slice(0, WARM_UP_TEXTS * threads).flat(), { signal });
    return await alignInPool(pool, folder, pairs, { onDone, signal });
  } finally {
    await pool.destroy();
  }
}

/** Starts the threads; `destroy` stops them. */
export function openAlignPool(threads: number): AlignPool {
  const { href } = new URL("./align-task.ts", import.meta.url);
  return new Piscina({ filename: href, minThreads: threads, maxThreads: threads });
}

/** How pairs are aligned. */
type AlignedAs = {
  /** The number of sources that a check would compare each text with; 1 by default. */
  readonly sourcesCompared?: number;
  /** That of every check by default. */
  readonly model?: AlignmentModel;
};

/** The same in the given threads, without untimed texts. */
export async function alignInPool<P extends TextPair>(
  pool: AlignPool,
  folder: string,
  pairs: readonly P[],
  options: Pick<AlignOptions, "signal"> & Partial<AlignOptions> & AlignedAs,
): Promise<AlignedPair<P>[]> {
  const { signal, onDone } = options;
  const groups = [...Map.groupBy(pairs, ({ queryName }) => queryName).values()];
  const aligned = new Map<TextPair, AlignedPair<P>>();
  await Promise.all(
    groups.map(async (group) => {
      const found = await pool.run(taskOf(folder, group, options), { name: "alignSources", signal });
      for (const [at, pair] of group.entries()) {
        const source = found[at];
        if (source !== undefined) aligned.set(pair, { ...pair, ...source });
      }
      onDone?.(aligned.size);
    }),
  );
  return pairs.map((pair) => aligned.get(pair)).filter((pair) => pair !== undefined);
}

function taskOf(
  folder: string,
  group: readonly TextPair[],
  { sourcesCompared = 1, model }: AlignedAs,
): AlignTask {
  return {
    queryFile: join(folder, "susp", group[0]?.queryName ?? ""),
    sourceFiles: group.map(({ sourceName }) => join(folder, "src", sourceName)),
    language: LANGUAGE,
    sourcesCompared,
    ...(model && { model }),
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
