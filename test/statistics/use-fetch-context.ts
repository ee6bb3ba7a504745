import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/platform/config.ts";
import {
  type FetchContext,
  SourceFolder,
  type SourceSettings,
} from "../../src/statistics/sources/fetching/fetch-context.ts";
import type { SourceServer } from "../support/servers/source-server.ts";

/** What the clients of the tests of one `describe` are given: each test begins with an empty folder, and without pauses. */
export type FetchContexts = {
  /** The contexts of one test share a folder, as refreshes on different days do. */
  on(server: SourceServer, changes?: ContextChanges): FetchContext;
};

export type ContextChanges = {
  readonly settings?: Partial<SourceSettings>;
  readonly now?: Date;
  readonly signal?: AbortSignal;
};

export const NOON = new Date("2026-11-21T12:00:00Z");

export function useFetchContext(): FetchContexts {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "fetched-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  return {
    on: (server, { settings = {}, now = NOON, signal = new AbortController().signal } = {}) => ({
      settings: { ...settingsFor(server), ...settings },
      folder: new SourceFolder(join(folder, "part")),
      signal,
      now: () => now,
      onProgress: () => undefined,
      pauseFactor: 0,
    }),
  };
}

/** All sources behind one local server, each below a path of its own. */
export function settingsFor({ base }: Pick<SourceServer, "base">): SourceSettings {
  return {
    ...readConfig({}),
    contact: "ops@example.org",
    retractionWatchUrl: `${base}/retraction_watch.csv`,
    openalexUrl: `${base}/openalex`,
    rorDumpUrl: `${base}/zenodo/records/1`,
    wikipediaApiUrl: `${base}/w/api.php`,
    gdeltUrl: `${base}/gdelt`,
  };
}
