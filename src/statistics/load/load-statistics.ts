import { basename } from "node:path";
import { DomainError } from "../../platform/domain-error.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import type { Progress } from "../../platform/terminal/progress.ts";
import { SOURCES } from "../facts/sources.ts";
import { buildReadModel } from "../read-model/build-read-model.ts";
import { keepVersion } from "../read-model/kept-versions.ts";
import { STATISTICS_LOADED_CHANNEL } from "../read-model/statistics-store.ts";
import { type InspectedFile, inspectFile, type OnBytes } from "../sources/input/text-file.ts";
import { accumulateNews, PART_LOADERS } from "./part-loaders.ts";
import {
  clearParts,
  datasetVersionOf,
  findDataset,
  findParts,
  lockParts,
  PART_NAMES,
  PART_SOURCES,
  type PartName,
  putDataset,
  putPart,
  type StoredDataset,
  setRetrieved,
} from "./parts.ts";
import { implausibleChanges } from "./plausibility.ts";

/** The paths of the files to load, by part. A part without a file stays as it is. */
export type StatisticsFiles = { readonly [part in PartName]?: string | undefined };

/** How answers are to cite a part, where the source's own entry does not fit. */
export type Origin = { readonly name: string; readonly license: string | null; readonly url: string | null };

export type LoadOptions = {
  /** Marks the data as made up: every answer then says so. */
  readonly isSynthetic?: boolean;
  /** Lets synthetic data replace real data. Real data replace synthetic data in any case. */
  readonly replaceReal?: boolean;
  /** Adds the news to the news of earlier loads. */
  readonly accumulatesNews?: boolean;
  /** Refuses a part whose counts differ so much from those of its last load that its source must have failed. */
  readonly refusesImplausible?: boolean;
  /** When the files were fetched. The default is when each was written, at the latest the time of its first load. */
  readonly retrievedAt?: Date;
  readonly origins?: { readonly [part in PartName]?: Origin };
  readonly clock?: () => Date;
  readonly say?: (line: string) => void;
  /** Receives the number of megabytes that have been read. */
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
};

export type LoadResult = {
  readonly datasetVersion: string;
  readonly revision: number;
  /** The parts that were read. */
  readonly loaded: readonly { readonly part: PartName; readonly notes: readonly string[] }[];
  /** The parts that were not read, because their file has not changed since the last load. */
  readonly unchanged: readonly PartName[];
  readonly seconds: number;
};

/**
 * Replaces the named parts and recomputes all figures in one transaction: readers see the old data until it ends, and
 * a failed load changes nothing. The same files give the same answers, byte for byte; loading them again changes nothing.
 * @throws DomainError `unreadable_file`, naming file, row and column; `invalid_input` when synthetic data would replace real
 * data, and for an implausible part; `store_unavailable`.
 */
export type LoadStatistics = (files: StatisticsFiles, options?: LoadOptions) => Promise<LoadResult>;

export function createLoadStatistics({ database }: { readonly database: Database }): LoadStatistics {
  return async (files, options = {}) => {
    const startedMs = performance.now();
    const inputs: Input[] = [];
    for (const part of PART_NAMES) {
      const file = files[part];
      if (file !== undefined) inputs.push({ part, input: await inspectFile(file) });
    }
    const result = await database.transaction((transaction) => load(transaction, inputs, options));
    return { ...result, seconds: (performance.now() - startedMs) / 1000 };
  };
}

type Input = { readonly part: PartName; readonly input: InspectedFile };

async function load(
  db: Queryable,
  inputs: readonly Input[],
  options: LoadOptions,
): Promise<Omit<LoadResult, "seconds">> {
  await lockParts(db);
  await clearOtherKind(db, options);
  const before = await findParts(db);
  const dataset = await findDataset(db);
  // A new version of the program may read the same file differently.
  const isCurrent = dataset?.version === datasetVersionOf(before);
  const hashes = new Map(before.map(({ source, inputSha256 }) => [source, inputSha256]));
  const isUnchanged = ({ part, input }: Input) =>
    isCurrent && hashes.get(PART_SOURCES[part]) === input.sha256;
  const changed = inputs.filter((one) => !isUnchanged(one));
  const unchanged = inputs.filter(isUnchanged).map(({ part }) => part);
  if (dataset !== undefined && changed.length === 0 && options.retrievedAt === undefined) {
    return { datasetVersion: dataset.version, revision: dataset.revision, loaded: [], unchanged };
  }
  if (changed.length > 0) await keepVersion(db, now(options));
  const loaded = await loadParts(db, changed, before, options);
  if (options.retrievedAt !== undefined) {
    for (const part of unchanged) await setRetrieved(db, PART_SOURCES[part], options.retrievedAt);
  }
  return { ...(await finish(db, dataset, options)), loaded, unchanged };
}

/** Real and synthetic data are never mixed. */
async function clearOtherKind(db: Queryable, options: LoadOptions): Promise<void> {
  const { isSynthetic = false, replaceReal = false, say } = options;
  const other = (await findParts(db)).filter((part) => part.isSynthetic !== isSynthetic);
  if (other.length === 0) return;
  await keepVersion(db, now(options));
  if (isSynthetic && !replaceReal) {
    const names = other.map(({ name }) => name).join(", ");
    throw new DomainError("invalid_input", `Real data are loaded (${names}), and would all be replaced.`);
  }
  say?.(isSynthetic ? "Removing the real data" : "Removing the synthetic data");
  await clearParts(db);
}

async function loadParts(
  db: Queryable,
  inputs: readonly Input[],
  before: Awaited<ReturnType<typeof findParts>>,
  options: LoadOptions,
): Promise<LoadResult["loaded"]> {
  const { isSynthetic = false, accumulatesNews = false, say } = options;
  const totalBytes = inputs.reduce((sum, { input }) => sum + input.bytes, 0);
  const onBytes = megabyteProgress(totalBytes, options);
  const loaded: { part: PartName; notes: readonly string[] }[] = [];
  for (const { part, input } of inputs) {
    say?.(`Reading ${basename(input.file)} (${describe(input)})`);
    const loader = part === "news" && accumulatesNews ? accumulateNews : PART_LOADERS[part];
    const { notes, newestRecord, version, sha256, counts } = await loader(db, input, onBytes);
    const source = SOURCES[PART_SOURCES[part]];
    const { name, license, url } = options.origins?.[part] ?? source;
    // Counts of another origin, such as a file of the operator's own, say nothing about this one.
    const last = before.find((one) => one.source === PART_SOURCES[part] && one.url === url);
    const changes = last?.counts == null ? [] : implausibleChanges(last.counts, counts);
    if (options.refusesImplausible && changes.length > 0) {
      throw new DomainError(
        "invalid_input",
        `the new data are not plausible (${changes.join("; ")}); if they are right, --accept loads them.`,
      );
    }
    await putPart(db, {
      counts,
      ...{ source: PART_SOURCES[part], name, license, url, isSynthetic },
      inputSha256: sha256 ?? input.sha256,
      version: version ?? input.sha256.slice(0, VERSION_CHARS),
      newestRecord: newestRecord ?? null,
      retrievedAt: options.retrievedAt ?? earlier(input.modifiedAt, now(options)),
    });
    loaded.push({ part, notes });
  }
  return loaded;
}

/** Short enough to be quoted, long enough to tell files apart. */
const VERSION_CHARS = 12;

const MEGABYTE = 1_000_000;

/** Tells a person the size of a file, and its encoding where that is unusual. */
function describe({ bytes, encoding }: InspectedFile): string {
  const size = `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return encoding === "utf-8" ? size : `${size}, read as ${encoding}`;
}

/** Adds up the bytes that are read of several files, and stops at the signal. */
function megabyteProgress(totalBytes: number, { onProgress, signal }: LoadOptions): OnBytes {
  const total = Math.round(totalBytes / MEGABYTE);
  let read = 0;
  return (bytes) => {
    signal?.throwIfAborted();
    read += bytes;
    onProgress?.({ done: Math.round(read / MEGABYTE), total, totalIsFinal: true, failed: 0 });
  };
}

/** Computes the figures and notifies the readers. */
async function finish(
  db: Queryable,
  dataset: StoredDataset | undefined,
  options: LoadOptions,
): Promise<Pick<LoadResult, "datasetVersion" | "revision">> {
  const datasetVersion = datasetVersionOf(await findParts(db));
  if (datasetVersion !== dataset?.version) {
    options.say?.("Computing the figures");
    await buildReadModel(db);
  }
  const revision = await putDataset(db, datasetVersion, options.isSynthetic ?? false, now(options));
  await db.query("select pg_notify($1, $2)", [STATISTICS_LOADED_CHANNEL, String(revision)]);
  return { datasetVersion, revision };
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function now({ clock }: LoadOptions): Date {
  return clock?.() ?? new Date();
}
