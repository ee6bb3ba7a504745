import { join } from "node:path";
import { DomainError } from "../../core/domain-error.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { exclusiveWork } from "../../platform/postgres/exclusive-work.ts";
import type { LoadResult, LoadStatistics } from "../load/load-statistics.ts";
import type { PartName } from "../load/part.ts";
import type {
  FetchContext,
  FetchedPart,
  OnFetched,
  SourceSettings,
} from "../sources/fetching/fetch-context.ts";
import { DamagedJournal } from "../sources/fetching/journal.ts";
import { SourceFolder } from "../sources/fetching/source-folder.ts";
import { FETCH_ORDER, fetchSource } from "./fetch-source.ts";

/** Names the lock among all advisory locks of the database; any fixed number does. */
const REFRESH_KEY = 7_305_811_206;

/** Below the folder for data. */
const FOLDER = "statistics";

/** Somebody else is at it. */
export class OtherRefresh extends DomainError {}

export type RefreshOptions = {
  /** All of them by default. */
  readonly parts?: readonly PartName[];
  /** Forgets what was fetched before. */
  readonly anew?: boolean;
  readonly say?: (line: string) => void;
  readonly onProgress?: OnFetched;
  readonly signal: AbortSignal;
};

export type PartOutcome = { readonly part: PartName; readonly notes: readonly string[] } & (
  | { readonly kind: "loaded" | "unchanged" }
  | { readonly kind: "failed"; readonly reason: string }
);

export type RefreshResult = {
  readonly outcomes: readonly PartOutcome[];
  /** Null when nothing was loaded, now or before. */
  readonly datasetVersion: string | null;
};

/**
 * Fetches parts of the statistics from their sources, one after the other, and loads each as soon as it is there, in a
 * transaction of its own. A part that can't be fetched or loaded leaves its old data, and the others are refreshed all the same.
 * What was fetched is kept in the folder for data, so that a refresh that is broken off goes on where it stopped.
 * @throws OtherRefresh (`invalid_input`) while another refresh runs on the same database; DomainError `store_unavailable`; the
 * signal's reason.
 */
export type RefreshStatistics = (options: RefreshOptions) => Promise<RefreshResult>;

export type RefreshParts = {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly loadStatistics: LoadStatistics;
  readonly settings: SourceSettings;
  readonly dataDir: string;
  readonly clock?: () => Date;
  /** Multiplies the pauses between requests; for tests against a server of their own. */
  readonly pauseFactor?: number;
};

export function createRefreshStatistics(parts: RefreshParts): RefreshStatistics {
  return async (options) => {
    const result = await exclusiveWork(parts.databaseUrl, REFRESH_KEY, () => refresh(parts, options));
    if (result !== undefined) return result;
    throw new OtherRefresh("invalid_input", "Another refresh of the statistics is under way.");
  };
}

async function refresh(parts: RefreshParts, options: RefreshOptions): Promise<RefreshResult> {
  const wanted = options.parts ?? FETCH_ORDER;
  const outcomes: PartOutcome[] = [];
  let datasetVersion: string | null = null;
  for (const part of FETCH_ORDER.filter((one) => wanted.includes(one))) {
    try {
      const { fetched, loaded } = await refreshPart(parts, part, options);
      datasetVersion = loaded.datasetVersion;
      const notes = [...fetched.notes, ...loaded.loaded.flatMap((one) => one.notes)];
      outcomes.push({ part, kind: loaded.loaded.length > 0 ? "loaded" : "unchanged", notes });
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof DomainError && error.code === "store_unavailable") throw error;
      const reason = error instanceof Error ? error.message : String(error);
      options.say?.(`${part}: failed, the data of before stay: ${reason}`);
      outcomes.push({ part, kind: "failed", reason, notes: [] });
    }
  }
  return { outcomes, datasetVersion };
}

type RefreshedPart = { readonly fetched: FetchedPart; readonly loaded: LoadResult };

async function refreshPart(
  parts: RefreshParts,
  part: PartName,
  { anew = false, say, onProgress, signal }: RefreshOptions,
): Promise<RefreshedPart> {
  const { database, loadStatistics, settings, dataDir, clock = () => new Date(), pauseFactor = 1 } = parts;
  const folder = new SourceFolder(join(dataDir, FOLDER, part));
  if (anew) await folder.clear();
  const context: FetchContext = {
    ...{ settings, folder, signal, pauseFactor },
    now: clock,
    onProgress: onProgress ?? (() => undefined),
  };
  say?.(`${part}: fetching`);
  const fetched = await fetchSource(part, context, database).catch(async (error: unknown) => {
    if (!(error instanceof DamagedJournal)) throw error;
    say?.(`${part}: what was fetched before can't be read, and is fetched anew (${error.message})`);
    await folder.clear();
    return fetchSource(part, context, database);
  });
  try {
    const loaded = await loadStatistics(
      { [part]: fetched.file },
      {
        ...(say === undefined ? {} : { say }),
        ...(fetched.origin === undefined ? {} : { origins: { [part]: fetched.origin } }),
        accumulatesNews: true,
        retrievedAt: fetched.retrievedAt,
        clock,
        signal,
      },
    );
    await fetched.loaded?.();
    return { fetched, loaded };
  } catch (error) {
    if (error instanceof DomainError && error.code === "unreadable_file") await fetched.refused();
    throw error;
  }
}
