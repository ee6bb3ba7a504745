import { join } from "node:path";
import { Piscina } from "piscina";
import type { PanCorpus, TextPair } from "../texts/pan-corpus.ts";
import type { AlignedSource, AlignTask } from "./align-task.ts";

/** A listed pair with what the aligner found in it. */
export type AlignedPair = TextPair & AlignedSource;

export type AlignOptions = {
  readonly threads: number;
  /** Called as pairs are done, with their number so far. */
  readonly onDone: (pairs: number) => void;
  readonly signal: AbortSignal;
};

/** Both corpora are in English. */
const LANGUAGE = "en";

/** Suspicious texts that each thread aligns beforehand: by then the compiler has seen the inner loops. */
const WARM_UP_TEXTS = 15;

/** Aligns the given pairs of a corpus without retrieval, each suspicious text prepared once; the pairs keep their order. */
export async function alignPairs(
  corpus: PanCorpus,
  pairs: readonly TextPair[],
  { threads, onDone, signal }: AlignOptions,
): Promise<AlignedPair[]> {
  const pool = new Piscina<AlignTask, AlignedSource[]>({
    filename: new URL("./align-task.ts", import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
  });
  try {
    const groups = [...Map.groupBy(pairs, (pair) => pair.queryName).values()];
    const align = (group: readonly TextPair[]) =>
      pool.run(taskOf(corpus, group), { name: "alignSources", signal });
    await Promise.all(groups.slice(0, WARM_UP_TEXTS * threads).map(align));
    let done = 0;
    const aligned = new Map<TextPair, AlignedPair>();
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

function taskOf({ folder }: PanCorpus, group: readonly TextPair[]): AlignTask {
  return {
    queryFile: join(folder, "susp", group[0]?.queryName ?? ""),
    sourceFiles: group.map(({ sourceName }) => join(folder, "src", sourceName)),
    language: LANGUAGE,
  };
}
