import { meaningTermsOf } from "../../matching/meaning/meaning-terms.ts";
import { groupItems, mapConcurrently } from "../../platform/flow/concurrency.ts";
import type { PackedSection } from "../../platform/packed-text.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import type { WebhookEvent } from "../../platform/webhooks/webhooks.ts";
import {
  chunkOffsetsOf,
  type FingerprintedChunk,
  type FingerprintedPart,
  joinParts,
  PART_LENGTH_MAX,
} from "../../text/fingerprint-text.ts";
import type { Document } from "../documents/document.ts";
import type { FingerprintedDocument } from "../documents/document-store.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import { shareIndexWriteLock } from "../index/index-write-lock.ts";
import type { IndexedDocument } from "../index/indexed-document.ts";

/** Documents that are cut together: while their chunks are written, the next group is cut. */
const GROUP_DOCUMENTS = 100;
const GROUPS_IN_FLIGHT = 2;

/** Makes documents matchable: their chunks are findable when it returns. Returns the number of their chunks. */
export type FingerprintDocuments = (documentIds: readonly string[]) => Promise<number>;

/** Safe to repeat: chunks have fixed ids, and a document counts as fingerprinted only once its chunks are findable. */
export function createFingerprintDocuments(stores: CorpusStores): FingerprintDocuments {
  const { database, tombstones, chunkIndex, meaning, metrics } = stores;

  return async (documentIds) => {
    if (documentIds.length === 0) return 0;
    // Without an index, every attempt would waste the work of cutting the documents.
    await chunkIndex.assertCurrent();
    // Before the lock is taken, so that a few documents are not cut while it is held.
    const first = await cutDocuments(stores, documentIds.slice(0, GROUP_DOCUMENTS));
    const { marked, chunks } = await database.transaction(async (transaction) => {
      await shareIndexWriteLock(transaction);
      const written: FingerprintedDocument[] = [];
      await chunkIndex.write(groups(first, documentIds.slice(GROUP_DOCUMENTS), written));
      // In a fixed order: two transactions that mark the same documents can't deadlock.
      const existing = await markFingerprinted(stores, transaction, written.toSorted(byDocument));
      await meaning.addToBacklog(transaction, [...existing].toSorted());
      // Also for documents that were already gone: an earlier, interrupted call may have written chunks of them.
      await tombstones.add(transaction, [...new Set(documentIds.filter((id) => !existing.has(id)))]);
      const counts = written.map(({ chunkOffsets }) => chunkOffsets.utf16.length - 1);
      return { marked: existing.size, chunks: counts.reduce((sum, count) => sum + count, 0) };
    });
    metrics.documentsFingerprinted.inc(marked);
    return chunks;
  };

  /** The first group, then the other documents group by group; adds each group to `written` before it is given. */
  async function* groups(
    first: readonly IndexedDocument[],
    rest: readonly string[],
    written: FingerprintedDocument[],
  ): AsyncGenerator<readonly IndexedDocument[]> {
    const limits = { countMax: GROUP_DOCUMENTS, sizeMax: Number.POSITIVE_INFINITY, sizeOf: () => 0 };
    const note = (group: readonly IndexedDocument[]) => {
      for (const { document, chunks } of group)
        written.push({ documentId: document.documentId, chunkOffsets: chunkOffsetsOf(chunks) });
    };
    note(first);
    yield first;
    const cut = mapConcurrently(groupItems(rest, limits), GROUPS_IN_FLIGHT, (ids) =>
      cutDocuments(stores, ids),
    );
    for await (const group of cut) {
      note(group);
      yield group;
    }
  }
}

function byDocument(a: FingerprintedDocument, b: FingerprintedDocument): number {
  return a.documentId < b.documentId ? -1 : 1;
}

/**
 * Reads documents and cuts them into chunks on worker threads. Documents whose meaning is encoded keep their semantic terms.
 * Missing documents are skipped.
 */
export async function cutDocuments(
  { database, documents, texts, compute, meaning }: CorpusStores,
  documentIds: readonly string[],
): Promise<IndexedDocument[]> {
  const [rows, sections, sentences] = await Promise.all([
    documents.findAll(database, documentIds),
    texts.findAll(database, documentIds),
    meaning.findSections(database, documentIds),
  ]);
  return Promise.all(
    rows.map(async (document) => {
      const chunks = await fingerprintParts(
        compute,
        sections.get(document.documentId) ?? [],
        document.language,
      );
      const meaningTerms = meaningTermsOf(sentences.get(document.documentId) ?? [], chunkOffsetsOf(chunks));
      return { document, chunks, meaningTerms };
    }),
  );
}

/** Cuts a stored text part by part: tasks of checks and of other documents take their turns between the parts of a long one. */
async function fingerprintParts(
  compute: CorpusStores["compute"],
  sections: readonly PackedSection[],
  language: string,
): Promise<FingerprintedChunk[]> {
  const inOrder = sections.toSorted((a, b) => a.start - b.start);
  const length = inOrder.reduce((sum, section) => sum + section.length, 0);
  const parts: FingerprintedPart[] = [];
  for (let start = 0; start < length; start += parts.at(-1)?.length.utf16 || length) {
    const needed = inOrder.filter(
      (section) => section.start + section.length > start && section.start <= start + PART_LENGTH_MAX,
    );
    parts.push(await compute.run("fingerprintPacked", { sections: needed, start, language }));
  }
  return joinParts(parts);
}

/**
 * Marks documents whose chunks are findable as fingerprinted, and records an event for each upload that was pending. Bulk loads
 * record no events, because they report their own end.
 * @returns the documents that still exist, locked until the transaction ends.
 */
export async function markFingerprinted(
  { documents, webhooks }: CorpusStores,
  transaction: Queryable,
  fingerprinted: readonly FingerprintedDocument[],
): Promise<ReadonlySet<string>> {
  const { existing, pendingUploads } = await documents.markFingerprinted(transaction, fingerprinted);
  if (webhooks.targets.length > 0 && pendingUploads.length > 0) {
    for (const document of await documents.findAll(transaction, pendingUploads))
      await webhooks.record(transaction, presentDocumentEvent(document));
  }
  return existing;
}

/** The event that tells other programs that checks now find an upload. It holds neither title nor text. */
function presentDocumentEvent(document: Document): WebhookEvent {
  const { documentId, fingerprintStatus, createdAt, fingerprintedAt } = document;
  return {
    type: "document.completed",
    objectId: documentId,
    at: fingerprintedAt ?? createdAt,
    data: {
      document_id: documentId,
      fingerprint_status: fingerprintStatus,
      created_at: createdAt.toISOString(),
      fingerprinted_at: fingerprintedAt?.toISOString() ?? null,
      document_url: `/v1/corpus/documents/${documentId}`,
    },
  };
}
