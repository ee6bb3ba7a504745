import { DomainError } from "../../core/domain-error.ts";
import { allOrEach, groupItems, mapConcurrently } from "../../platform/flow/concurrency.ts";
import { bordersOf, cutDocuments } from "../ingest/fingerprint-documents.ts";
import { removeSurplusChunks } from "../reconciliation/surplus-chunks.ts";
import type { Filling } from "./filling.ts";

/** Documents that are written together, at most. Text counts in characters; two such batches are what is held in memory. */
const BATCH = { countMax: 200, sizeMax: 4_000_000 } as const;

/** One batch is cut while the other is written. */
const BATCHES_IN_FLIGHT = 2;

/**
 * Cuts documents anew and writes their chunks into the index that a rebuild fills. It may be repeated at any point. A
 * document that can't be cut is left out if it is pending: it would be so in any index.
 * @param mayHoldSurplus whether the index may hold chunks of these documents that are not theirs any more: seeing to that
 *   costs a refresh a batch.
 * @throws DomainError `store_unavailable` when a store stays away; Error naming a fingerprinted document that can't be cut
 *   any more; the signal's reason between two batches.
 */
export async function copyDocuments(
  filling: Filling,
  documentIds: readonly string[],
  mayHoldSurplus: boolean,
): Promise<void> {
  const { parts, withPatience, signal } = filling;
  const rows = await withPatience(() => parts.documents.findAll(parts.database, documentIds));
  const groups = groupItems(rows, { ...BATCH, sizeOf: ({ charCount }) => charCount });
  const copies = mapConcurrently(groups, BATCHES_IN_FLIGHT, (group) =>
    copyGroup(
      filling,
      group.map(({ documentId }) => documentId),
      mayHoldSurplus,
    ),
  );
  for await (const _ of copies) signal?.throwIfAborted();
}

async function copyGroup(filling: Filling, documentIds: readonly string[], mayHoldSurplus: boolean) {
  const { parts, withPatience, signal } = filling;
  await allOrEach(documentIds, {
    work: (ids) => withPatience(() => copy(filling, ids, mayHoldSurplus)),
    rethrowFatal: (error) => {
      signal?.throwIfAborted();
      if (error instanceof DomainError) throw error;
    },
    onFailed: async (documentId, err) => {
      const [row] = await parts.documents.findAll(parts.database, [documentId]);
      if (row?.fingerprintStatus === "fingerprinted")
        throw new Error(`Document ${documentId} can't be put into the new index.`, { cause: err });
      parts.log.error({ documentId, err }, "a pending document can't be fingerprinted");
    },
  });
}

/**
 * The rows' borders are those of the old cut until here. Where the new cut is another one, they change while checks still
 * search the old index, whose chunk numbers then don't fit them. A release that cuts differently therefore raises the
 * template's `fingerprint_version`: nothing is searched then until the swap. Short of that, word borders of a script
 * without spaces may move with the Unicode tables of another Node.js; such a check aligns beside its hit, by less
 * than the margin of a chunk that it reads around it.
 */
async function copy(
  filling: Filling,
  documentIds: readonly string[],
  mayHoldSurplus: boolean,
): Promise<void> {
  const { parts, target, onCopied } = filling;
  const { database, documents, removed, chunkIndex } = parts;
  const cut = await cutDocuments(parts, documentIds);
  await chunkIndex.fill(cut);
  if (mayHoldSurplus) {
    const counted = cut.map(({ document, chunks }) => ({ ...document, chunkCount: chunks.length }));
    await removeSurplusChunks(parts.opensearch, target.name, counted);
  }
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
  onCopied(cut.reduce((sum, { chunks }) => sum + chunks.length, 0));
}
