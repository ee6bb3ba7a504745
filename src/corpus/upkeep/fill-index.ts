import { DomainError } from "../../platform/domain-error.ts";
import { allOrEach, groupItems, mapConcurrently } from "../../platform/flow/concurrency.ts";
import { isStoreUnavailable, type RetryPolicy } from "../../platform/flow/retry-policy.ts";
import { makeFindable } from "../../platform/opensearch/whole-answer.ts";
import type { Session } from "../../platform/postgres/session.ts";
import { chunkOffsetsOf } from "../../text/fingerprint-text.ts";
import type { CommandOutput, CorpusStores } from "../index/corpus-stores.ts";
import { COUNT_PAGE, countChunksOf, removeSurplusChunks } from "../index/document-chunks.ts";
import type { IndexVersion } from "../index/index-versions.ts";
import { cutDocuments, markFingerprinted } from "../ingest/fingerprint-documents.ts";
import { compareIndex, WORK_GRACE_MS } from "./compare-index.ts";
import { withWriteLock } from "./rebuild-session.ts";
import { type MendableCorpus, removeExtraChunks } from "./reconcile.ts";

export type RebuildRun = CommandOutput & {
  readonly corpus: MendableCorpus;
  readonly session: Session;
  readonly target: IndexVersion;
  /**
   * Whether pending documents are written as well: they wait for this rebuild when the current index can't be searched. Else they are
   * left to the services, whose index lacks their chunks.
   */
  readonly includesPending: boolean;
  readonly withRetries: RetryPolicy;
  readonly writeLockWaitMs?: number | undefined;
  readonly onCopied: (chunks: number) => void;
};

/** Copying this many documents takes about a second: too few to repeat a pass for, and a short wait for writers. */
const FEW_DOCUMENTS = 200;

/** After this many interrupted passes a store that answers in between needs a person. */
const INTERRUPTED_PASSES_MAX = 10;

/** Each round copies the documents that arrived during the one before; beside an ingest a few bring that down to a batch. */
const ROUNDS_MAX = 5;

/** A row's time is the beginning of its transaction, shortly before the lock; a clock may also have been set back. */
export const MARGIN_MS = 60_000;

/** Limits of the documents that are written together. Text counts in characters; memory holds two such batches. */
const BATCH = { countMax: 200, sizeMax: 4_000_000 } as const;

/** One batch is cut while the other is written. */
const BATCHES_IN_FLIGHT = 2;

/**
 * Fills the index from the rows and leaves chunks that it already holds, so an interrupted rebuild continues without notes.
 * A second pass confirms the first. @returns a time: documents that the index lacks were fingerprinted after it.
 * @throws Error naming a fingerprinted document that can't be cut any more.
 */
export async function fillFromRows(run: RebuildRun): Promise<Date> {
  for (let number = 1, before = Number.POSITIVE_INFINITY; ; number += 1) {
    const since = await timeBeforeWriters(run);
    const found = await patientPass(run, number > 1);
    // Documents that arrive as fast as they are copied are left to `catchUp`.
    if (found === 0 || (number > 1 && (found <= FEW_DOCUMENTS || found > before / 2))) return since;
    before = found;
  }
}

/** Copies the documents that arrived since until few are left. @returns the same for a later time. */
export async function catchUp(run: RebuildRun, since: Date): Promise<Date> {
  let from = since;
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const next = await timeBeforeWriters(run);
    const copied = await copySince(run, from);
    from = next;
    if (copied <= FEW_DOCUMENTS) break;
  }
  return from;
}

/** Copies documents that were fingerprinted since and are missing in the index, and documents that changed since; returns their number. */
export async function copySince(run: RebuildRun, since: Date): Promise<number> {
  let copied = 0;
  for await (const lacking of lackingSince(run, since)) {
    await copyDocuments(run, lacking, true);
    copied += lacking.length;
  }
  return copied + (await copyChanged(run, since));
}

/** Copies documents again that may have changed since the index got their chunks; returns their number. */
export async function copyChanged(run: RebuildRun, since: Date): Promise<number> {
  const changed = await listChangedSince(run.corpus, since);
  for (let from = 0; from < changed.length; from += COUNT_PAGE)
    await copyDocuments(run, changed.slice(from, from + COUNT_PAGE), true);
  return changed.length;
}

/**
 * Documents whose chunks may have changed since in content but not in number: documents that were encoded or were given another
 * language. A comparison of numbers would not find their outdated chunks in another index.
 */
async function listChangedSince(
  { database, documents, meaning }: CorpusStores,
  since: Date,
): Promise<string[]> {
  const encoded = await meaning.listEncodedSince(database, since);
  return [...new Set([...encoded, ...(await documents.listCorrectedSince(database, since))])];
}

/** Pages of the documents that were fingerprinted since and whose chunks the index lacks; the cost depends on their number. */
export async function* lackingSince(run: RebuildRun, since: Date): AsyncGenerator<readonly string[]> {
  const { corpus, target, withRetries } = run;
  const rows = await corpus.database.query<{ document_id: string; chunk_count: number }>(
    "select document_id, chunk_count from document_chunks where fingerprinted_at >= $1",
    [since],
  );
  for (let from = 0; from < rows.length; from += COUNT_PAGE) {
    const page = rows.slice(from, from + COUNT_PAGE);
    const ids = page.map((row) => row.document_id);
    const counts = await withRetries(() => countChunksOf(corpus.opensearch, target.name, ids));
    const lacking = page.filter((row) => (counts.get(row.document_id) ?? 0) !== row.chunk_count);
    if (lacking.length > 0) yield lacking.map((row) => row.document_id);
  }
}

/** A time such that all writers that began before it have finished, as the function waits for the write lock. */
async function timeBeforeWriters(run: RebuildRun): Promise<Date> {
  const { session } = run;
  const [row] = await session.query<{ since: Date }>(
    "select clock_timestamp() - $1 * interval '1 millisecond' as since",
    [MARGIN_MS],
  );
  if (row === undefined) throw new Error("PostgreSQL returned no time");
  await withWriteLock(session, async () => undefined, run);
  return row.since;
}

/** Starts an interrupted pass again when the store is back; finished copies are not repeated. */
async function patientPass(run: RebuildRun, isRepeated: boolean): Promise<number> {
  for (let interrupted = 1; ; interrupted += 1) {
    try {
      return await pass(run, isRepeated || interrupted > 1);
    } catch (error) {
      if (!isStoreUnavailable(error) || interrupted === INTERRUPTED_PASSES_MAX) throw error;
      await run.withRetries(() => makeFindable(run.corpus.opensearch, run.target.name));
    }
  }
}

/** Returns the number of documents whose chunks in the index did not match the rows. */
async function pass(run: RebuildRun, isRepeated: boolean): Promise<number> {
  const { corpus, target, includesPending, withRetries, signal } = run;
  const graceMs = includesPending ? 0 : WORK_GRACE_MS;
  let found = 0;
  for await (const { kind, documentIds } of compareIndex(corpus, target.name, { graceMs, signal })) {
    if (kind === "extra")
      // OpenSearch refuses one of two processes that remove the same chunks at once; that one tries again.
      await removeExtraChunks(corpus, documentIds, () =>
        withRetries(() => corpus.cleanUpTombstones({ signal })),
      );
    else if (kind === "missing" || includesPending) {
      await copyDocuments(run, documentIds, isRepeated);
      found += documentIds.length;
    }
  }
  return found;
}

/** Cuts documents again into the target. `mayHoldSurplus`: whether it may hold outdated chunks, at the cost of a refresh. */
async function copyDocuments(
  run: RebuildRun,
  documentIds: readonly string[],
  mayHoldSurplus: boolean,
): Promise<void> {
  const { corpus, includesPending, withRetries, signal } = run;
  const rows = await withRetries(() => corpus.documents.findAll(corpus.database, documentIds));
  const wanted = rows.filter((row) => includesPending || row.fingerprintStatus === "fingerprinted");
  const groups = groupItems(wanted, { ...BATCH, sizeOf: ({ charCount }) => charCount });
  const copies = mapConcurrently(groups, BATCHES_IN_FLIGHT, (group) =>
    allOrEach(
      group.map(({ documentId }) => documentId),
      {
        work: (ids) => withRetries(() => copyBatch(run, ids, mayHoldSurplus)),
        rethrowFatal: (error) => {
          signal?.throwIfAborted();
          if (error instanceof DomainError) throw error;
        },
        onFailed: async (documentId, err) => {
          const [row] = await corpus.documents.findAll(corpus.database, [documentId]);
          if (row?.fingerprintStatus === "fingerprinted")
            throw new Error(`Document ${documentId} can't be written to the new index.`, { cause: err });
          corpus.log.error({ documentId, err }, "cannot fingerprint a pending document");
        },
      },
    ),
  );
  for await (const _ of copies) signal?.throwIfAborted();
}

/**
 * Until the swap, checks search the current index with the chunk offsets of the new cut. A release that cuts differently
 * raises the template's `fingerprint_version`; a shift by another Node.js's Unicode tables is within the margin around every
 * chunk.
 */
async function copyBatch(
  run: RebuildRun,
  documentIds: readonly string[],
  mayHoldSurplus: boolean,
): Promise<void> {
  const { corpus, target, includesPending, onCopied } = run;
  const { database, documents, tombstones, chunkIndex } = corpus;
  const cut = await cutDocuments(corpus, documentIds);
  await chunkIndex.fill(cut);
  const counted = cut.map(({ document, chunks }) => ({ ...document, chunkCount: chunks.length }));
  const lacking = mayHoldSurplus ? await removeSurplusChunks(corpus.opensearch, target.name, counted) : [];
  await database.transaction(async (transaction) => {
    // Held, none of them becomes pending.
    const existing = await documents.holdExisting(transaction, documentIds);
    const marked = includesPending ? existing : await documents.listFingerprinted(transaction, documentIds);
    const marks = cut
      .filter(({ document }) => marked.has(document.documentId))
      .map(({ document, chunks }) => ({
        documentId: document.documentId,
        chunkOffsets: chunkOffsetsOf(chunks),
      }));
    await markFingerprinted(corpus, transaction, marks);
    const lost = lacking.find((id) => existing.has(id));
    if (lost !== undefined) throw new Error(`OpenSearch has not kept all chunks of document ${lost}.`);
    // The cleanup may have handled documents that were deleted meanwhile before their chunks were written.
    await tombstones.add(
      transaction,
      documentIds.filter((id) => !existing.has(id)),
    );
  });
  onCopied(cut.reduce((sum, { chunks }) => sum + chunks.length, 0));
}
