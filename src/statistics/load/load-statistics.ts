import { basename } from "node:path";
import { DomainError } from "../../core/domain-error.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import type { Progress } from "../../platform/terminal/progress.ts";
import { SOURCES, type SourceId } from "../facts/sources.ts";
import { buildReadModel } from "../read-model/build-read-model.ts";
import { STATISTICS_LOADED_CHANNEL } from "../read-model/read-snapshot.ts";
import { type InspectedFile, inspectFile } from "../sources/input/inspect-file.ts";
import { describe, megabyteProgress } from "./file-progress.ts";
import { loadCases } from "./load-cases.ts";
import { accumulateNews, loadNews } from "./load-news.ts";
import { loadOrganisations } from "./load-organisations.ts";
import { loadPublications } from "./load-publications.ts";
import { loadRetractions } from "./load-retractions.ts";
import { loadWorks } from "./load-works.ts";
import { type LoadPart, PART_NAMES, PART_SOURCES, type PartName } from "./part.ts";
import { datasetVersionOf, PartStore, type StoredDataset } from "./part-store.ts";

/** The paths of the files to load, by part; the others stay as they are. */
export type StatisticsFiles = { readonly [part in PartName]?: string | undefined };

/** How answers are to cite a part, where the source's own entry does not fit. */
export type Origin = { readonly name: string; readonly license: string | null; readonly url: string | null };

export type LoadOptions = {
  /** Marks what is loaded as made up: every answer then says so. */
  readonly isSynthetic?: boolean;
  /** Lets synthetic data take the place of real ones; real data take that of synthetic ones in any case. */
  readonly replaceReal?: boolean;
  /** Adds the news to those that were loaded before. */
  readonly accumulatesNews?: boolean;
  /** When the files were fetched; by default the time of the load, and for an unchanged file that of its first load. */
  readonly retrievedAt?: Date;
  readonly origins?: { readonly [part in PartName]?: Origin };
  readonly clock?: () => Date;
  readonly say?: (line: string) => void;
  /** Is told how many megabytes are read. */
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
};

export type LoadResult = {
  readonly datasetVersion: string;
  readonly revision: number;
  /** The parts that were read; those whose file has not changed since the last load are not. */
  readonly loaded: readonly { readonly part: PartName; readonly notes: readonly string[] }[];
  readonly unchanged: readonly PartName[];
  readonly seconds: number;
};

/**
 * Replaces the named parts and computes all figures anew, in one transaction: until it ends, readers see the old data whole, and when it fails
 * nothing has changed. The same files give the same answers, byte for byte; loading them again changes nothing.
 * @throws DomainError `unreadable_file`, naming file, row and column; `invalid_input` when synthetic data would replace real
 * ones; `store_unavailable`.
 */
export type LoadStatistics = (files: StatisticsFiles, options?: LoadOptions) => Promise<LoadResult>;

export function createLoadStatistics({ database }: { readonly database: Database }): LoadStatistics {
  return async (files, options = {}) => {
    const startedMs = performance.now();
    const inputs = await inspectFiles(files);
    const result = await database.transaction((transaction) => load(transaction, inputs, options));
    return { ...result, seconds: (performance.now() - startedMs) / 1000 };
  };
}

type Input = { readonly part: PartName; readonly input: InspectedFile };

async function inspectFiles(files: StatisticsFiles): Promise<readonly Input[]> {
  const inputs: Input[] = [];
  for (const part of PART_NAMES) {
    const file = files[part];
    if (file !== undefined) inputs.push({ part, input: await inspectFile(file) });
  }
  return inputs;
}

async function load(
  db: Queryable,
  inputs: readonly Input[],
  options: LoadOptions,
): Promise<Omit<LoadResult, "seconds">> {
  const store = new PartStore();
  await store.lock(db);
  await clearOtherKind(db, store, options);
  const before = await store.findAll(db);
  const dataset = await store.findDataset(db);
  // After an update of the program the same file may be read in another way.
  const isCurrent = dataset?.version === datasetVersionOf(before);
  const hashes = new Map(before.map(({ source, inputSha256 }) => [source, inputSha256]));
  const isUnchanged = ({ part, input }: Input) =>
    isCurrent && hashes.get(PART_SOURCES[part]) === input.sha256;
  const unchanged = inputs.filter(isUnchanged);
  const changed = inputs.filter((one) => !isUnchanged(one));
  if (dataset !== undefined && changed.length === 0 && options.retrievedAt === undefined) {
    return {
      datasetVersion: dataset.version,
      revision: dataset.revision,
      loaded: [],
      unchanged: partsOf(inputs),
    };
  }
  const loaded = await loadParts(db, store, changed, options);
  if (options.retrievedAt !== undefined) {
    for (const { part } of unchanged) await store.setRetrieved(db, PART_SOURCES[part], options.retrievedAt);
  }
  return { ...(await finish(db, store, dataset, options)), loaded, unchanged: partsOf(unchanged) };
}

/** Real and synthetic data are never mixed. */
async function clearOtherKind(
  db: Queryable,
  store: PartStore,
  { isSynthetic = false, replaceReal = false, say }: LoadOptions,
): Promise<void> {
  const other = (await store.findAll(db)).filter((part) => part.isSynthetic !== isSynthetic);
  if (other.length === 0) return;
  if (isSynthetic && !replaceReal) {
    const names = other.map(({ name }) => name).join(", ");
    throw new DomainError("invalid_input", `Real data are loaded (${names}), and would all be replaced.`);
  }
  say?.(isSynthetic ? "Removing the real data" : "Removing the synthetic data");
  await store.clear(db);
}

async function loadParts(
  db: Queryable,
  store: PartStore,
  inputs: readonly Input[],
  options: LoadOptions,
): Promise<LoadResult["loaded"]> {
  const onBytes = megabyteProgress(
    inputs.map(({ input }) => input),
    options,
  );
  const loaded: { part: PartName; notes: readonly string[] }[] = [];
  for (const { part, input } of inputs) {
    options.say?.(`Reading ${basename(input.file)} (${describe(input)})`);
    const { notes, newestRecord, version, sha256 } = await loaderOf(part, options)(db, input, onBytes);
    await store.put(db, {
      source: PART_SOURCES[part],
      ...(options.origins?.[part] ?? defaultOrigin(PART_SOURCES[part])),
      inputSha256: sha256 ?? input.sha256,
      isSynthetic: options.isSynthetic ?? false,
      version: version ?? input.sha256.slice(0, VERSION_CHARS),
      newestRecord: newestRecord ?? null,
      retrievedAt: retrievedAt(options),
    });
    loaded.push({ part, notes });
  }
  return loaded;
}

/** Short enough to be quoted, long enough to tell files apart. */
const VERSION_CHARS = 12;

function loaderOf(part: PartName, { accumulatesNews = false }: LoadOptions): LoadPart {
  if (part === "news" && accumulatesNews) return accumulateNews;
  return {
    retractions: loadRetractions,
    publications: loadPublications,
    works: loadWorks,
    organisations: loadOrganisations,
    cases: loadCases,
    news: loadNews,
  }[part];
}

/** Computes what depends on the parts, and tells the readers. */
async function finish(
  db: Queryable,
  store: PartStore,
  dataset: StoredDataset | undefined,
  options: LoadOptions,
): Promise<Pick<LoadResult, "datasetVersion" | "revision">> {
  const datasetVersion = datasetVersionOf(await store.findAll(db));
  if (datasetVersion !== dataset?.version) {
    options.say?.("Computing the figures");
    await buildReadModel(db);
  }
  const revision = await store.putDataset(db, datasetVersion, options.isSynthetic ?? false, now(options));
  await db.query("select pg_notify($1, $2)", [STATISTICS_LOADED_CHANNEL, String(revision)]);
  return { datasetVersion, revision };
}

function partsOf(inputs: readonly Input[]): PartName[] {
  return inputs.map(({ part }) => part);
}

function defaultOrigin(source: SourceId): Origin {
  const { name, license, url } = SOURCES.find(({ id }) => id === source) ?? {
    name: source,
    license: null,
    url: null,
  };
  return { name, license, url };
}

function retrievedAt(options: LoadOptions): Date {
  return options.retrievedAt ?? now(options);
}

function now({ clock }: LoadOptions): Date {
  return clock?.() ?? new Date();
}
