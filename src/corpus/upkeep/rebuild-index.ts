import { DomainError } from "../../platform/domain-error.ts";
import { errorMessage } from "../../platform/error-code.ts";
import { createRetryPolicy, STORE_WAIT_MS } from "../../platform/flow/retry-policy.ts";
import { askOpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import type { Session } from "../../platform/postgres/session.ts";
import { sampleDocuments } from "../documents/document-store.ts";
import type { CommandOutput, CorpusStores } from "../index/corpus-stores.ts";
import { countChunks } from "../index/document-chunks.ts";
import type { IndexVersion, IndexVersions } from "../index/index-versions.ts";
import { catchUp, copyChanged, fillFromRows, MARGIN_MS, type RebuildRun } from "./fill-index.ts";
import { OtherRebuild, openRebuildSession } from "./rebuild-session.ts";
import type { MendableCorpus } from "./reconcile.ts";
import { assertSamplesFound, swapIndex } from "./swap-index.ts";

/** Each is a chunk of another document: a fault in one document of twenty is missed by fifty samples once in 13 times. */
const SAMPLED_CHUNKS = 50;

export type RebuildInput = CommandOutput & {
  /** Whether indices without an alias are deleted at the end. */
  readonly dropOld: boolean;
  /** Whether an unfinished index is deleted instead of continued. */
  readonly restart: boolean;
  /** Called with numbers of chunks. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
};

type Rebuilt = {
  readonly index: string;
  /** Fingerprinted documents and their chunks by the rows, after the swap. */
  readonly documents: number;
  readonly chunks: number;
  /** As counted before the rebuild, which may have repaired losses; undefined where there was no index. */
  readonly chunksOfOld: number | undefined;
  /** As counted after the swap. It differs from `chunks` by documents that came or went between the two counts. */
  readonly chunksOfNew: number;
  /** Written by this run; the rest was already there. */
  readonly chunksWritten: number;
  readonly sampledChecks: number;
  /** How long writers of chunks waited for the swap, in milliseconds. Searches do not wait. */
  readonly swapMs: number;
  readonly seconds: number;
};

export type RebuildOutcome = {
  /** Undefined when former indices were deleted and nothing was rebuilt. */
  readonly rebuilt: Rebuilt | undefined;
  readonly dropped: readonly string[];
  readonly former: readonly IndexVersion[];
};

/**
 * Builds the next index from the rows while everything else goes on, and swaps it in once it is complete: a second pass
 * confirmed every document, sampled chunks are found, and the latest documents are copied while writers wait. It may be
 * interrupted; the next call continues. With `dropOld`, where only former indices are left to handle, it deletes those.
 * @throws DomainError `invalid_input` while another rebuild runs; RebuildMismatch. The aliases are then unchanged, or the
 * message says that OpenSearch does not tell.
 */
type RebuildIndex = (input: RebuildInput) => Promise<RebuildOutcome>;

/** @param writeLockWaitMs how long the swap waits for writers of chunks. */
export function createRebuildIndex(corpus: MendableCorpus, writeLockWaitMs?: number): RebuildIndex {
  const { indexVersions } = corpus;
  return async (input) => {
    const session = await openRebuildSession(corpus.databaseUrl);
    try {
      const versions = await indexVersions.list();
      const onlyDrops =
        input.dropOld &&
        !input.restart &&
        versions.some(({ role }) => role === "former") &&
        !versions.some(({ role }) => role === "next");
      if (onlyDrops) return { rebuilt: undefined, ...(await tidyUp(indexVersions, true)) };
      const rebuilt = await rebuild(corpus, session, input, writeLockWaitMs);
      const tidied = await tidyUp(indexVersions, input.dropOld).catch((error: unknown) => {
        input.say(`Former indices were not ${input.dropOld ? "deleted" : "listed"}. ${errorMessage(error)}`);
      });
      return { rebuilt, ...(tidied ?? { dropped: [], former: [] }) };
    } finally {
      await session.close();
    }
  };
}

async function tidyUp(
  versions: IndexVersions,
  dropOld: boolean,
): Promise<Pick<RebuildOutcome, "dropped" | "former">> {
  const former = (await versions.list()).filter(({ role }) => role === "former");
  if (!dropOld) return { dropped: [], former };
  const dropped = former.map(({ name }) => name);
  await versions.drop(dropped);
  return { dropped, former: [] };
}

async function rebuild(
  corpus: MendableCorpus,
  session: Session,
  input: RebuildInput,
  writeLockWaitMs: number | undefined,
): Promise<Rebuilt> {
  const { opensearch, indexVersions } = corpus;
  const { say, signal } = input;
  const started = performance.now();
  const { current, isOutdated, target, changedSince } = await chooseTarget(indexVersions, input);
  await corpus.chunkIndex.addFieldsToNext();
  const chunksOfOld = current === undefined ? undefined : await countChunks(opensearch, current.name);
  const expected = await countRows(session);
  const present = await countChunks(opensearch, target.name);
  let chunksWritten = 0;
  const tell = (done: number) =>
    input.onProgress?.({ done: Math.min(done, expected.chunks), total: expected.chunks });
  tell(present);
  const run: RebuildRun = {
    corpus,
    session,
    target,
    includesPending: isOutdated,
    writeLockWaitMs,
    withRetries: createRetryPolicy({ waitMs: STORE_WAIT_MS, say, signal }),
    onCopied: (chunks) => {
      chunksWritten += chunks;
      tell(present + chunksWritten);
    },
    say,
    signal,
  };

  const filled = await fillFromRows(run);
  if (changedSince !== undefined) await copyChanged(run, changedSince);
  const samples = await sampleDocuments(corpus.database, SAMPLED_CHUNKS);
  // After the draw, so that the index holds every sampled document.
  const since = await catchUp(run, filled);
  await indexVersions.finishFilling(target.name);
  const sampledChecks = await assertSamplesFound(run, samples);
  const latest = await catchUp(run, since);
  await run.withRetries(() => corpus.cleanUpTombstones({ signal }));
  const counts = { ...(await countRows(session)), chunksOfNew: await countChunks(opensearch, target.name) };
  const swapMs = await swapIndex(run, latest);
  say(`Checks now search ${target.name}; writers waited ${Math.round(swapMs)} ms for the swap.`);
  const seconds = (performance.now() - started) / 1000;
  return { ...counts, index: target.name, chunksOfOld, chunksWritten, sampledChecks, swapMs, seconds };
}

async function countRows(db: Queryable): Promise<{ readonly documents: number; readonly chunks: number }> {
  const [row] = await db.query<{ documents: number; chunks: number }>(
    "select count(*) as documents, coalesce(sum(chunk_count), 0) as chunks from document_chunks",
  );
  if (row === undefined) throw new Error("PostgreSQL returned no count");
  return row;
}

type Choice = {
  readonly current: IndexVersion | undefined;
  readonly isOutdated: boolean;
  readonly target: IndexVersion;
  /** Chunks in the target may be older than changes of their documents since then; undefined where it got these as well. */
  readonly changedSince: Date | undefined;
};

/** An unfinished index, the latest one if all have lost their aliases, or a new one. @throws DomainError `invalid_input` */
async function chooseTarget(versions: IndexVersions, input: RebuildInput): Promise<Choice> {
  const { say, restart } = input;
  const listed = await versions.list();
  const current = listed.find(({ role }) => role === "current");
  const isOutdated = current?.isSearchable !== true;
  const unfinished = listed.find(({ role }) => role === "next");
  const isWanted = unfinished?.isSearchable === true && unfinished.shards === versions.layout.shards;
  if (unfinished !== undefined && !restart && isWanted) {
    say(`Continuing with ${unfinished.name}, which an earlier rebuild began.`);
    return { current, isOutdated, target: unfinished, changedSince: beginOf(unfinished) };
  }
  if (unfinished !== undefined) {
    say(`Deleting ${unfinished.name}, which an earlier rebuild began.`);
    await versions.drop([unfinished.name]);
  }
  const former = listed.findLast(({ role, isSearchable }) => role === "former" && isSearchable);
  if (current === undefined && former !== undefined && !restart) {
    say(`Continuing with ${former.name}, which has lost its aliases.`);
    await versions.markNext(former.name);
    // It got all changes while it was the current one, and services wait for it.
    return { current, isOutdated, target: { ...former, role: "next" }, changedSince: undefined };
  }
  const target = await createTarget(versions, versions.nameAfter(listed));
  const replaced = current === undefined ? "an index that is missing" : described(current);
  say(`Building ${described(target)} to replace ${replaced}.`);
  return { current, isOutdated, target, changedSince: beginOf(target) };
}

function beginOf({ createdAt }: IndexVersion): Date {
  return new Date(createdAt.getTime() - MARGIN_MS);
}

/** Includes the number of shards, so that a mistaken setting is seen before it matters. */
function described({ name, shards }: IndexVersion): string {
  return `${name} (${shards === 1 ? "1 shard" : `${shards} shards`})`;
}

async function createTarget(versions: IndexVersions, name: string): Promise<IndexVersion> {
  await versions.createNext(name);
  const created = (await versions.list()).find((version) => version.name === name);
  if (created?.isSearchable === true && created.role === "next") return created;
  await versions.drop([name]);
  throw new DomainError(
    "invalid_input",
    "The index templates in OpenSearch belong to another release. Stop its services and start the rebuild again.",
  );
}

/** Builds the chunk index where none exists and no other process builds it. @throws as RebuildIndex. */
export type RestoreIndex = (options: CommandOutput) => Promise<void>;

/** A lost index is put in place only when it is complete: otherwise checks would claim to have searched the whole corpus. */
export function createRestoreIndex(
  { database, documents, chunkIndex }: CorpusStores,
  rebuildIndex: RebuildIndex,
): RestoreIndex {
  return async ({ say, signal }) => {
    if (await askOpenSearch(() => chunkIndex.isPresent())) return;
    // An upgrade may have put other templates since this process began; the new index is for this release.
    await chunkIndex.putTemplates();
    if ((await documents.countMatchable(database)) === 0) return chunkIndex.createFirst();
    say("The chunk index is missing in OpenSearch; rebuilding it from PostgreSQL.");
    try {
      await rebuildIndex({ dropOld: false, restart: false, say, signal });
    } catch (error) {
      if (!(error instanceof OtherRebuild)) throw error;
    }
  };
}
