import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sampleDocuments } from "../../../src/corpus/documents/document-store.ts";
import type { RebuildInput } from "../../../src/corpus/upkeep/rebuild-index.ts";
import { createVerifyCorpus } from "../../../src/corpus/upkeep/verify-corpus.ts";
import type { Corpus, CorpusOptions } from "../../../src/service/connect-corpus.ts";
import { childEnvironment } from "../../support/processes/child-environment.ts";
import { corpusEnvironment } from "../../support/processes/corpus-environment.ts";
import { prose } from "../../support/work/prose.ts";

/** Each takes 20 ms. */
const COMPARED_IN_FULL = 40;

/** Documents of 2,000 words, some 3,500 chunks, beside which a rebuild takes ten seconds and more, and queries that copy from nine of them. */
export function rebuiltWork() {
  const texts = Array.from({ length: 300 }, (_, at) => prose(1_000 + at, 2_000));
  const queries = [0, 1, 2].map((query) =>
    [0, 1, 2]
      .map(
        (part) => `${prose(query * 10 + part, 60)} ${(texts[query * 90 + part] ?? "").slice(3_000, 5_500)}`,
      )
      .join(" "),
  );
  return { texts, queries };
}

export const PLAIN = { dropOld: false, restart: false, say: () => undefined } as const satisfies RebuildInput;

/** A rebuild that stops as soon as it has written so many chunks; gives the error that it ended with. */
export async function stoppedAfter(corpus: Corpus, chunks: number): Promise<unknown> {
  const stopping = new AbortController();
  const onProgress = ({ done }: { readonly done: number }) => {
    if (done >= chunks) stopping.abort(new Error("stopped by the test"));
  };
  return corpus.rebuildIndex({ ...PLAIN, onProgress, signal: stopping.signal }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Whether rows and index agree, in the number of each document's chunks, and text to text in some of them. */
export async function agrees(corpus: Corpus): Promise<boolean> {
  const sampleIds = await sampleDocuments(corpus.database, COMPARED_IN_FULL);
  return (await createVerifyCorpus(corpus)({ sampleIds })).agrees;
}

/** The number of each index by what it is used for: `{ current: [2], former: [1] }`. */
export async function roles({ indexVersions }: Corpus): Promise<Record<string, number[]>> {
  const versions = await indexVersions.list();
  return Object.fromEntries(
    [...Map.groupBy(versions, ({ role }) => role)].map(([role, ofRole]) => [
      role,
      ofRole.map(({ number }) => number),
    ]),
  );
}

/** Chunks in what a rebuild has begun to fill, findable or not; 0 while there is no such index. */
export async function chunksInNext({ opensearch, chunkIndex }: Corpus): Promise<number> {
  const index = chunkIndex.names.nextAlias;
  const { body: exists } = await opensearch.indices.existsAlias({ name: index });
  if (!exists) return 0;
  await opensearch.indices.refresh({ index });
  return (await opensearch.count({ index })).body.count;
}

export type CommandRun = {
  readonly child: ChildProcess;
  readonly ended: Promise<{
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
};

/** One of the commands in `scripts/`, as an operator runs it. */
export function runCommand(script: string, args: readonly string[], options: CorpusOptions): CommandRun {
  const file = fileURLToPath(new URL(`../../../scripts/${script}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    env: childEnvironment({ LOG_LEVEL: "warn", ...corpusEnvironment(options) }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const ended = once(child, "close").then(() => ({ status: child.exitCode, stdout, stderr }));
  return { child, ended };
}
