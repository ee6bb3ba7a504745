import { join } from "node:path";
import { DomainError } from "../platform/domain-error.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { Database, Queryable } from "../platform/postgres/database.ts";
import { exclusiveWork } from "../platform/postgres/session.ts";
import type { LoadResult, LoadStatistics } from "./load/load-statistics.ts";
import { type PartName, putAttempt } from "./load/parts.ts";
import { fetchCases } from "./sources/cases/fetch-cases.ts";
import {
  downloadedPart,
  type FetchContext,
  type FetchedPart,
  type OnFetched,
  SourceFolder,
  type SourceSettings,
} from "./sources/fetching/fetch-context.ts";
import { DamagedJournal } from "./sources/fetching/journal.ts";
import { fetchNews } from "./sources/news/fetch-news.ts";
import { fetchWorks } from "./sources/openalex/fetch-works.ts";
import { fetchPublications } from "./sources/publications/fetch-publications.ts";
import { fetchOrganisations } from "./sources/ror/fetch-organisations.ts";

/** The order of a refresh: works need the papers, which must be loaded by then; nothing waits for the counts, which take longest. */
export const FETCH_ORDER = [
  "retractions",
  "works",
  "organisations",
  "cases",
  "news",
  "publications",
] as const satisfies readonly PartName[];

/** Another refresh is running. */
export class OtherRefresh extends DomainError {}

export type RefreshOptions = {
  /** All of them by default. */
  readonly parts?: readonly PartName[];
  /** Discards the files of earlier fetches. */
  readonly anew?: boolean;
  /** Loads also data that differ implausibly from those of the last load. */
  readonly accepts?: boolean;
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
 * Fetches parts of the statistics from their sources, one after the other, and loads each at once in a transaction of its
 * own. A part that can't be fetched or loaded, or is not plausible, keeps its old data, and the others are still refreshed. Fetched files stay in
 * the data folder, so that an interrupted refresh resumes where it stopped.
 * @throws OtherRefresh (`invalid_input`) while another refresh runs on the same database; DomainError `store_unavailable`; the
 * signal's reason.
 */
type RefreshStatistics = (options: RefreshOptions) => Promise<RefreshResult>;

type RefreshParts = {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly loadStatistics: LoadStatistics;
  readonly settings: SourceSettings;
  readonly dataDir: string;
  readonly clock?: () => Date;
  /** Multiplies the pauses between requests, for tests with a server of their own. */
  readonly pauseFactor?: number;
  readonly timeoutFactor?: number;
};

export function createRefreshStatistics(parts: RefreshParts): RefreshStatistics {
  return async (options) => {
    const result = await exclusiveWork(parts.databaseUrl, REFRESH_KEY, () => refresh(parts, options));
    if (result !== undefined) return result;
    throw new OtherRefresh("invalid_input", "Another refresh of the statistics is already running.");
  };
}

/** Any number that no other advisory lock of the database has. */
const REFRESH_KEY = 7_305_811_206;

async function refresh(parts: RefreshParts, options: RefreshOptions): Promise<RefreshResult> {
  const wanted = options.parts ?? FETCH_ORDER;
  const outcomes: PartOutcome[] = [];
  const attemptedAt = parts.clock ?? (() => new Date());
  let datasetVersion: string | null = null;
  for (const part of FETCH_ORDER.filter((one) => wanted.includes(one))) {
    try {
      const { fetched, result } = await refreshPart(parts, part, options);
      datasetVersion = result.datasetVersion;
      const notes = [...fetched.notes, ...result.loaded.flatMap((one) => one.notes)];
      outcomes.push({ part, kind: result.loaded.length > 0 ? "loaded" : "unchanged", notes });
      await putAttempt(parts.database, part, attemptedAt(), null);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof DomainError && error.code === "store_unavailable") throw error;
      const reason = errorMessage(error);
      options.say?.(`${part}: failed, the old data stay: ${reason}`);
      outcomes.push({ part, kind: "failed", reason, notes: [] });
      await putAttempt(parts.database, part, attemptedAt(), reason);
    }
  }
  return { outcomes, datasetVersion };
}

async function refreshPart(
  parts: RefreshParts,
  part: PartName,
  { anew = false, accepts = false, say, onProgress = () => undefined, signal }: RefreshOptions,
): Promise<{ readonly fetched: FetchedPart; readonly result: LoadResult }> {
  const { database, loadStatistics, settings, dataDir, clock = () => new Date(), ...factors } = parts;
  const folder = new SourceFolder(join(dataDir, "statistics", part));
  if (anew) await folder.clear();
  const context: FetchContext = {
    pauseFactor: 1,
    ...factors,
    settings,
    folder,
    signal,
    now: clock,
    onProgress,
  };
  say?.(`${part}: fetching`);
  const fetched = await fetchPart(part, context, database).catch(async (error: unknown) => {
    if (!(error instanceof DamagedJournal)) throw error;
    say?.(`${part}: the files of the last fetch are unreadable; fetching again (${error.message})`);
    await folder.clear();
    return fetchPart(part, context, database);
  });
  try {
    const result = await loadStatistics(
      { [part]: fetched.file },
      {
        ...(say === undefined ? {} : { say }),
        ...(fetched.origin === undefined ? {} : { origins: { [part]: fetched.origin } }),
        accumulatesNews: true,
        refusesImplausible: !accepts,
        retrievedAt: fetched.retrievedAt,
        clock,
        signal,
      },
    );
    await fetched.loaded?.();
    return { fetched, result };
  } catch (error) {
    if (error instanceof DomainError && error.code === "unreadable_file") await folder.clear();
    throw error;
  }
}

/** @throws HttpFailure; DomainError `unreadable_file`, `invalid_input` when works are requested before papers are loaded. */
async function fetchPart(part: PartName, context: FetchContext, db: Queryable): Promise<FetchedPart> {
  switch (part) {
    case "retractions":
      // Crossref renews the file every working day.
      return downloadedPart(context, context.settings.retractionWatchUrl, "retraction_watch.csv");
    case "works":
      return fetchWorks(context, await retractedDois(db));
    case "organisations":
      return fetchOrganisations(context);
    case "cases":
      return fetchCases(context);
    case "news":
      return fetchNews(context);
    case "publications":
      return fetchPublications(context);
  }
}

/** The normalised DOIs of the retracted papers that are loaded and real. */
async function retractedDois(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ doi: string }>(
    `select substr(paper_key, 5) as doi from statistics_papers
      where paper_key like 'doi:%' and exists (
              select from statistics_parts where source = 'retraction-watch' and not is_synthetic)
      order by paper_key collate "C"`,
  );
  if (rows.length > 0) return rows.map(({ doi }) => doi);
  throw new DomainError(
    "invalid_input",
    "there are no retracted papers to look up in OpenAlex; fetch the retractions first",
  );
}
