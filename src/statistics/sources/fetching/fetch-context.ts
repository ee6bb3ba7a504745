import type { Config } from "../../../platform/config.ts";
import type { HttpAccess } from "../../../platform/http-client/polite-request.ts";
import type { Progress } from "../../../platform/terminal/progress.ts";
import type { SourceFolder } from "./source-folder.ts";

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
