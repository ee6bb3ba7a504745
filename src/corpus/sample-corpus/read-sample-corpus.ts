import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { errorMessage } from "../../platform/error-code.ts";
import { PIP_COMMANDS } from "../../platform/pip-download.ts";
import type { CommandOutput } from "../index/corpus-stores.ts";
import { readSampleCache } from "./sample-cache.ts";
import type { Preparation, PreparationSettings, WorkerMessage } from "./sample-worker.ts";
import type { SampleArticle } from "./select-articles.ts";

export type SampleCorpus =
  | {
      readonly available: true;
      readonly articles: readonly SampleArticle[];
      readonly origin: "package" | "cache";
    }
  | { readonly available: false; readonly reason: string };

export type SampleCorpusOptions = Pick<PreparationSettings, "cacheDir"> &
  Partial<Omit<PreparationSettings, "cacheDir" | "workFolder">> &
  CommandOutput;

const SAMPLE_SIZE = 1000;

/** Measured on the 100 MB: 96 MB of heap is too little, and with 160 MB garbage collection is slow. */
const WORKER_HEAP_MB = 256;
/** A thread that is parsing (2 s) receives the request to stop late. */
const STOP_GRACE_MS = 5000;

/** Always the same encyclopedia articles, from the cache or the package; or the reason why there are none. */
export async function readSampleCorpus(options: SampleCorpusOptions): Promise<SampleCorpus> {
  const limit = Math.min(options.limit ?? SAMPLE_SIZE, SAMPLE_SIZE);
  const cached = await readSampleCache(options.cacheDir, limit);
  if (cached !== null) return { available: true, articles: cached, origin: "cache" };
  const preparation = await prepare(options, limit);
  if (!preparation.available) return preparation;
  const articles = await readSampleCache(options.cacheDir, limit);
  if (articles === null)
    return { available: false, reason: `the cache in ${options.cacheDir} can't be read back` };
  return { available: true, articles, origin: "package" };
}

/** This thread owns the download folder, so that it is removed even when the worker ends early. */
async function prepare(options: SampleCorpusOptions, limit: number): Promise<Preparation> {
  options.signal?.throwIfAborted();
  const workFolder = await mkdtemp(join(tmpdir(), "sample-corpus-"));
  const { signal, say, ...given } = options;
  const settings: PreparationSettings = { pipCommands: PIP_COMMANDS, ...given, workFolder, limit };
  try {
    return await prepareInWorker(settings, say, signal);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

function prepareInWorker(
  settings: PreparationSettings,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<Preparation> {
  // A build changes the file extension, and the compiler does not rewrite the URLs of workers.
  const entry = import.meta.url.endsWith(".ts") ? "./sample-worker.ts" : "./sample-worker.js";
  const worker = new Worker(new URL(entry, import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
  });
  let grace: NodeJS.Timeout | undefined;
  const stop = () => {
    worker.postMessage("stop");
    grace = setTimeout(() => worker.terminate(), STOP_GRACE_MS);
  };
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  return new Promise<Preparation>((resolve) => {
    let result: Preparation = { available: false, reason: "the preparation ended without a result" };
    worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "line") say(message.line);
      else result = message.preparation;
    });
    worker.once("error", (error) => {
      result = { available: false, reason: errorMessage(error) };
    });
    worker.once("exit", () => resolve(result));
  }).then((result) => {
    signal?.removeEventListener("abort", stop);
    clearTimeout(grace);
    if (!result.available) signal?.throwIfAborted();
    return result;
  });
}
