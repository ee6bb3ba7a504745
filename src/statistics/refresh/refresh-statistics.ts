import { join } from "node:path";
import { DomainError } from "../../core/domain-error.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import { exclusiveWork } from "../../platform/postgres/exclusive-work.ts";
import type { LoadResult, LoadStatistics } from "../load/load-statistics.ts";
import type { PartName } from "../load/parts.ts";
import { fetchCases } from "../sources/cases/fetch-cases.ts";
import {
  downloadedPart,
  type FetchContext,
  type FetchedPart,
  type OnFetched,
  SourceFolder,
  type SourceSettings,
} from "../sources/fetching/fetch-context.ts";
import { DamagedJournal } from "../sources/fetching/journal.ts";
import { fetchNews } from "../sources/news/fetch-news.ts";
import { fetchWorks } from "../sources/openalex/fetch-works.ts";
import { fetchPublications } from "../sources/publications/fetch-publications.ts";
import { fetchOrganisations } from "../sources/ror/fetch-organisations.ts";

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

/** The works are those of the papers, which must be loaded by then; the counts take longest, and nothing waits for them. */
export const FETCH_ORDER = [
  "retractions",
  "works",
  "organisations",
  "cases",
  "news",
  "publications",
] as const satisfies readonly PartName[];

/**
 * Fetches one part from its source.
 * @throws HttpFailure; DomainError `unreadable_file`, `invalid_input` when the works are wanted before there are papers; the
 * signal's reason.
 */
export async function fetchSource(
  part: PartName,
  context: FetchContext,
  db: Queryable,
): Promise<FetchedPart> {
  switch (part) {
    case "retractions":
      return fetchRetractions(context);
    case "works":
      return fetchWorks(context, await papersOf(db));
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

async function papersOf(db: Queryable): Promise<readonly string[]> {
  const dois = await retractedDois(db);
  if (dois.length > 0) return dois;
  throw new DomainError(
    "invalid_input",
    "no retracted papers are loaded, whose works are to be asked about; fetch the retractions first",
  );
}

/** The normalised DOIs of the retracted papers that are loaded and real, in their order. */
export async function retractedDois(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ doi: string }>(
    `select substr(paper_key, 5) as doi from statistics_papers
      where paper_key like 'doi:%' and exists (
              select from statistics_parts where source = 'retraction-watch' and not is_synthetic)
      order by paper_key collate "C"`,
  );
  return rows.map(({ doi }) => doi);
}

/** Retraction Watch's file, which Crossref renews every working day; it is not sent again while it is the same. */
export function fetchRetractions(context: FetchContext): Promise<FetchedPart> {
  return downloadedPart(context, context.settings.retractionWatchUrl, "retraction_watch.csv");
}
