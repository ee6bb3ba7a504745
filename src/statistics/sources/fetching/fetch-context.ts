import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../../../platform/config.ts";
import { downloadFile, FileVersion } from "../../../platform/http-client/download-file.ts";
import { type HttpAccess, HttpFailure } from "../../../platform/http-client/polite-request.ts";
import type { Progress } from "../../../platform/terminal/progress.ts";
import { writeWhole } from "../../../platform/write-whole.ts";

/** The addresses of the sources, and the identity of the operator. */
export type SourceSettings = Pick<
  Config,
  | "contact"
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

/** Reports the progress of a fetch. */
export type OnFetched = (progress: Progress, unit: "MB" | "requests") => void;

/** The dependencies of every client of a source. */
export type FetchContext = {
  readonly settings: SourceSettings;
  /** The files of this part, from this fetch and earlier ones. */
  readonly folder: SourceFolder;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onProgress: OnFetched;
  /** Multiplies the pauses between requests; 1 except in tests. */
  readonly pauseFactor: number;
  /** Multiplies the time limits of requests; 1 except in tests. */
  readonly timeoutFactor?: number;
};

/** A fetched part, ready to be loaded. */
export type FetchedPart = {
  readonly file: string;
  readonly retrievedAt: Date;
  /** The citation that replaces the source's own entry in answers. */
  readonly origin?: { readonly name: string; readonly license: string | null; readonly url: string | null };
  /** Sentences for the person who refreshes. */
  readonly notes: readonly string[];
  /** Called after the file is loaded. */
  readonly loaded?: () => Promise<void>;
};

export function httpAccess(context: FetchContext, pauseMs: number): HttpAccess {
  const { settings, signal, pauseFactor, timeoutFactor = 1 } = context;
  return {
    purpose: "statistics",
    contact: settings.contact ?? null,
    pauseMs: pauseMs * pauseFactor,
    timeoutFactor,
    signal,
  };
}

/** The result of `read` for a server's answer. @throws HttpFailure when the answer has another form. */
export function readAnswer<T>(host: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new HttpFailure(`the answer of ${host} has an unknown form`, { cause: error });
  }
}

const MEGABYTE = 1_000_000;

/** Shows a download in megabytes. */
export function downloadProgress(onProgress: OnFetched): (done: number, total: number | undefined) => void {
  return (done, total) =>
    onProgress(
      {
        ...{ done: Math.round(done / MEGABYTE), total: Math.round((total ?? done) / MEGABYTE) },
        ...{ totalIsFinal: total !== undefined, failed: 0 },
      },
      "MB",
    );
}

const State = z.object({ url: z.string(), version: FileVersion });

/** A download is a single request. */
const PAUSE_MS = 0;

/** Fetches a part that is one file on the web; an unchanged one is not sent again. @throws HttpFailure; the signal's reason. */
export async function downloadedPart(
  context: FetchContext,
  address: string,
  fileName: string,
): Promise<FetchedPart> {
  const { folder, onProgress, now } = context;
  const file = await folder.file(fileName);
  const state = await folder.readState(State, file);
  const known = state?.url === address ? state.version : undefined;
  const download = await downloadFile(httpAccess(context, PAUSE_MS), new URL(address), file, {
    known,
    onBytes: downloadProgress(onProgress),
  });
  if (download.kind === "fetched") await folder.writeState({ url: address, version: download.version });
  return { file, retrievedAt: now(), notes: [] };
}

const STATE_FILE = "state.json";

/** The folder of one part: its files and their state. If it is lost, everything is fetched again. */
export class SourceFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The path of a file in the folder, which is created when needed. */
  async file(name: string): Promise<string> {
    await mkdir(this.#path, { recursive: true });
    return join(this.#path, name);
  }

  /**
   * The last state; undefined when there is none, or when another version of the program wrote it in another form.
   * @param file without this file, the state is void.
   */
  async readState<S extends z.ZodType>(schema: S, file?: string): Promise<z.output<S> | undefined> {
    if (file !== undefined && !existsSync(file)) return undefined;
    try {
      return schema.parse(JSON.parse(await readFile(join(this.#path, STATE_FILE), "utf8")));
    } catch {
      return undefined;
    }
  }

  async writeState(state: unknown): Promise<void> {
    await writeWhole(join(this.#path, STATE_FILE), JSON.stringify(state));
  }

  /** Removes everything: the next fetch starts from scratch. */
  async clear(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }
}
