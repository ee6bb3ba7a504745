import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../../../platform/config.ts";
import { downloadFile, FileVersion } from "../../../platform/http-client/download-file.ts";
import type { HttpAccess } from "../../../platform/http-client/polite-request.ts";
import type { Progress } from "../../../platform/terminal/progress.ts";
import { writeWhole } from "../../../platform/write-whole.ts";

/** Where the sources are, and who asks them. */
export type SourceSettings = Pick<
  Config,
  | "statisticsContact"
  | "retractionWatchUrl"
  | "openalexUrl"
  | "openalexApiKey"
  | "openalexCountedTypes"
  | "rorDumpUrl"
  | "wikipediaApiUrl"
  | "wikipediaCasePages"
  | "gdeltUrl"
  | "gdeltQuery"
>;

/** Tells a person how far a fetch has come. */
export type OnFetched = (progress: Progress, unit: "MB" | "requests") => void;

/** What every client of a source needs. */
export type FetchContext = {
  readonly settings: SourceSettings;
  /** What was fetched of this part before, and where more goes. */
  readonly folder: SourceFolder;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onProgress: OnFetched;
  /** Multiplies the pauses between requests; 1 but in tests. */
  readonly pauseFactor: number;
};

/** A part as it was fetched, ready to be loaded. */
export type FetchedPart = {
  readonly file: string;
  readonly retrievedAt: Date;
  /** What answers cite, where it is more than the source's own entry. */
  readonly origin?: { readonly name: string; readonly license: string | null; readonly url: string | null };
  /** What a person should know, in a sentence each. */
  readonly notes: readonly string[];
  /** Called once the file is loaded. */
  readonly loaded?: () => Promise<void>;
  /** Called when the file is refused: the next fetch begins anew. */
  readonly refused: () => Promise<void>;
};

export function httpAccess(context: FetchContext, pauseMs: number): HttpAccess {
  const { settings, signal, pauseFactor } = context;
  return {
    purpose: "statistics",
    contact: settings.statisticsContact ?? null,
    pauseMs: pauseMs * pauseFactor,
    signal,
  };
}

const MEGABYTE = 1_000_000;

/** Shows a download in megabytes. */
export function downloadProgress(onProgress: OnFetched): (done: number, total: number | undefined) => void {
  return (done, total) =>
    onProgress(
      {
        done: Math.round(done / MEGABYTE),
        total: Math.round((total ?? done) / MEGABYTE),
        totalIsFinal: total !== undefined,
        failed: 0,
      },
      "MB",
    );
}

const State = z.object({ url: z.string(), version: FileVersion });

/** A download is one request, of which the pause before it does not matter. */
const PAUSE_MS = 0;

/**
 * Fetches a part that is one file on the web; a file that has not changed is not sent again.
 * @throws HttpFailure; the signal's reason.
 */
export async function downloadedPart(
  context: FetchContext,
  address: string,
  fileName: string,
): Promise<FetchedPart> {
  const { folder, onProgress, now } = context;
  const file = await folder.file(fileName);
  const state = existsSync(file) ? await folder.readState(State) : undefined;
  const known = state?.url === address ? state.version : undefined;
  const download = await downloadFile(httpAccess(context, PAUSE_MS), new URL(address), file, {
    known,
    onBytes: downloadProgress(onProgress),
  });
  if (download.kind === "fetched") await folder.writeState({ url: address, version: download.version });
  return { file, retrievedAt: now(), notes: [], refused: () => folder.forgetState() };
}

const STATE_FILE = "state.json";

/** The folder of one part: what was fetched, and what is known of it. Losing it costs a fetch, and nothing else. */
export class SourceFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The path of a file in the folder, which is made if need be. */
  async file(name: string): Promise<string> {
    await mkdir(this.#path, { recursive: true });
    return join(this.#path, name);
  }

  /** What was kept last; undefined when there is nothing, or it is of another form, as after an update of the program. */
  async readState<S extends z.ZodType>(schema: S): Promise<z.output<S> | undefined> {
    try {
      return schema.parse(JSON.parse(await readFile(join(this.#path, STATE_FILE), "utf8")));
    } catch {
      return undefined;
    }
  }

  async writeState(state: unknown): Promise<void> {
    await writeWhole(join(this.#path, STATE_FILE), JSON.stringify(state));
  }

  /** Removes what is known, so that the next fetch takes nothing for unchanged. */
  async forgetState(): Promise<void> {
    await rm(join(this.#path, STATE_FILE), { force: true });
  }

  /** Removes everything. */
  async clear(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }
}
