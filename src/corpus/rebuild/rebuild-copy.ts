import { DomainError } from "../../core/domain-error.ts";
import type { Logger } from "../../platform/logger.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ComputePool } from "../../platform/workers/compute-pool.ts";
import type { ChunkIndex, IndexedDocument } from "../chunk-index.ts";
import type { DocumentStore } from "../document-store.ts";
import { bordersOf, cutDocuments } from "../feeding/fingerprint-documents.ts";
import { inGroups, mapInFlight } from "../folder/in-flight.ts";
import type { WithPatience } from "../folder/store-patience.ts";
import type { IndexVersions } from "../index-versions.ts";
import type { RemovedDocuments } from "../removed-documents.ts";
import type { TextStore } from "../text-store.ts";
import { countChunksOf } from "../upkeep/chunk-counts.ts";
import { removeSurplusChunks } from "../upkeep/surplus-chunks.ts";

/** Documents that are written together, at most. Text counts in characters; two such batches are what is held in memory. */
const BATCH = { countMax: 200, sizeMax: 4_000_000 } as const;

/** One batch is cut while the other is written. */
const BATCHES_IN_FLIGHT = 2;

export type CopyParts = {
  readonly database: Database;
  readonly opensearch: OpenSearch;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly removed: RemovedDocuments;
  readonly compute: ComputePool;
  readonly chunkIndex: ChunkIndex;
  readonly indexVersions: IndexVersions;
  readonly log: Logger;
};

export type CopyOptions = {
  /** The index that is filled. */
  readonly target: string;
  /** Whether it may hold chunks of these documents that are not theirs any more: seeing to that costs a refresh a batch. */
  readonly mayHoldSurplus: boolean;
  readonly withPatience: WithPatience;
  /** Told the number of chunks that were written. */
  readonly onCopied: (chunks: number) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Cuts documents anew and writes their chunks into the index that a rebuild fills. It may be repeated at any point. A
 * document that can't be cut is left out if it is pending: it would be so in any index.
 * @throws DomainError `store_unavailable` when a store stays away; Error naming a fingerprinted document that can't be cut
 *   any more; the signal's reason between two batches.
 */
export async function copyDocuments(
  parts: CopyParts,
  documentIds: readonly string[],
  options: CopyOptions,
): Promise<void> {
  const { withPatience, signal } = options;
  const rows = await withPatience(() => parts.documents.findAll(parts.database, documentIds));
  const groups = inGroups(rows, { ...BATCH, sizeOf: ({ charCount }) => charCount });
  const copies = mapInFlight(groups, BATCHES_IN_FLIGHT, (group) =>
    copyGroup(
      parts,
      group.map(({ documentId }) => documentId),
      options,
    ),
  );
  for await (const _ of copies) signal?.throwIfAborted();
}

/** Where it fails for all together, each is tried alone. */
async function copyGroup(parts: CopyParts, documentIds: readonly string[], options: CopyOptions) {
  try {
    await options.withPatience(() => copy(parts, documentIds, options));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof DomainError) throw error;
    const [only] = documentIds;
    if (only === undefined) return;
    if (documentIds.length > 1) {
      for (const id of documentIds) await copyGroup(parts, [id], options);
      return;
    }
    const [row] = await parts.documents.findAll(parts.database, [only]);
    if (row?.fingerprintStatus === "fingerprinted")
      throw new Error(`Document ${only} can't be put into the new index.`, { cause: error });
    parts.log.error({ documentId: only, err: error }, "a pending document can't be fingerprinted");
  }
}

/**
 * The rows' borders are those of the old cut until here. Where the new cut is another one, they change while checks still
 * search the old index, whose chunk numbers then don't fit them. A release that cuts differently therefore raises the
 * template's `fingerprint_version`: nothing is searched then until the swap. Short of that, word borders of a script
 * without spaces may move with the Unicode tables of another Node.js; such a check aligns beside its hit, by less
 * than the margin of a chunk that it reads around it.
 */
async function copy(parts: CopyParts, documentIds: readonly string[], options: CopyOptions): Promise<void> {
  const { database, documents, removed, chunkIndex } = parts;
  const cut = await cutDocuments(parts, documentIds);
  await chunkIndex.fill(cut);
  if (options.mayHoldSurplus) await removeSurplus(parts, options.target, cut);
  await database.transaction(async (transaction) => {
    const marks = cut.map(({ document, chunks }) => ({
      documentId: document.documentId,
      borders: bordersOf(chunks),
    }));
    const existing = await documents.markFingerprinted(transaction, marks);
    // Those that were deleted meanwhile may have been swept before their chunks were written.
    await removed.note(
      transaction,
      documentIds.filter((id) => !existing.has(id)),
    );
  });
  options.onCopied(cut.reduce((sum, { chunks }) => sum + chunks.length, 0));
}

async function removeSurplus({ opensearch }: CopyParts, target: string, cut: readonly IndexedDocument[]) {
  const counts = await countChunksOf(
    opensearch,
    target,
    cut.map(({ document }) => document.documentId),
  );
  for (const { document, chunks } of cut) {
    if ((counts.get(document.documentId) ?? 0) > chunks.length)
      await removeSurplusChunks(opensearch, target, document.documentId, chunks.length);
  }
}
