import { makeFindable } from "../../platform/opensearch/whole-answer.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import { type ChunkCounts, COUNT_PAGE, countChunksAfter, countChunksOf } from "../index/document-chunks.ts";

/** How long a document may be pending or have a tombstone: a batch of an ingest is fingerprinted within a few seconds. */
export const WORK_GRACE_MS = 60_000;

export type DifferenceKind =
  /** Fingerprinted, but the index holds fewer or more of its chunks. */
  | "missing"
  /** Pending for longer than the grace period. */
  | "pending"
  /** Chunks of a document that has no row. */
  | "extra";

/** `documentIds` ascend, also from page to page of one kind; there are 1 to `COUNT_PAGE` of them. */
type IndexDifference = { readonly kind: DifferenceKind; readonly documentIds: readonly string[] };

type CompareOptions = {
  readonly graceMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onCompared?: (page: Compared) => void;
};

/** Numbers of compared items; `documents` have a row, fingerprinted or not. */
export type Compared = Readonly<Record<keyof typeof NOTHING_COMPARED, number>>;

/**
 * Walks the chunks of an index and the rows of the documents side by side, in the order of identifiers, and yields their
 * confirmed differences page by page, so that memory stays flat. Differences within the text of a chunk are not seen.
 */
export async function* compareIndex(
  stores: CorpusStores,
  index: string,
  options: CompareOptions = {},
): AsyncGenerator<IndexDifference, void, undefined> {
  const { graceMs = WORK_GRACE_MS, signal, onCompared } = options;
  // A walk sees nothing newer than the last refresh.
  await makeFindable(stores.opensearch, index);
  let lastKey: string | undefined;
  let after = BEFORE_ALL;
  for (let isLast = false; !isLast; ) {
    // The index first: a document whose chunks were seen already has a row, unless it was deleted.
    const page = await countChunksAfter(stores.opensearch, index, lastKey);
    const keys = [...page.counts.keys()];
    lastKey = keys.at(-1);
    isLast = page.isLast;
    const upTo = isLast ? AFTER_ALL : (keys.findLast(isUuid) ?? after);
    const unseen = new Map(page.counts);
    for await (const rows of rowPages(stores.database, after, upTo, graceMs)) {
      signal?.throwIfAborted();
      const suspects = rows.filter((row) => isSuspect(row, page.counts));
      for (const { documentId } of rows) unseen.delete(documentId);
      yield* confirmed(
        stores,
        index,
        graceMs,
        suspects.map(({ documentId }) => documentId),
      );
      onCompared?.({
        ...NOTHING_COMPARED,
        documents: rows.length,
        pending: rows.filter(({ chunkCount }) => chunkCount === null).length,
        chunks: rows.reduce((sum, { chunkCount }) => sum + (chunkCount ?? 0), 0),
      });
    }
    signal?.throwIfAborted();
    yield* confirmed(stores, index, graceMs, [...unseen.keys()]);
    onCompared?.({
      ...NOTHING_COMPARED,
      indexedDocuments: page.counts.size,
      indexedChunks: [...page.counts.values()].reduce((sum, count) => sum + count, 0),
    });
    after = upTo;
  }
}

export const NOTHING_COMPARED = {
  documents: 0,
  pending: 0,
  chunks: 0,
  indexedDocuments: 0,
  indexedChunks: 0,
};

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";
const AFTER_ALL = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Whether a key of the index is an identifier in our notation, for which text and UUIDs sort alike. */
export function isUuid(key: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key);
}

type Row = {
  readonly documentId: string;
  /** Null while the document is pending. */
  readonly chunkCount: number | null;
  readonly isOld: boolean;
};

function isSuspect({ documentId, chunkCount, isOld }: Row, counts: ChunkCounts): boolean {
  return chunkCount === null ? isOld : chunkCount !== (counts.get(documentId) ?? 0);
}

/**
 * The suspects that still differ when both are read again. Writers make chunks findable before they write the row, so a row
 * counts as it was before the index was read. A deletion removes the row first and leaves a tombstone until the chunks are
 * gone.
 */
async function* confirmed(
  { database, opensearch }: CorpusStores,
  index: string,
  graceMs: number,
  documentIds: readonly string[],
): AsyncGenerator<IndexDifference> {
  if (documentIds.length === 0) return;
  const uuids = documentIds.filter(isUuid);
  const before = await rowsOf(database, uuids, graceMs);
  const tombstonesBefore = await recentTombstones(database, uuids, graceMs);
  const counts = await countChunksOf(opensearch, index, documentIds);
  const now = await rowsOf(database, uuids, graceMs);
  const tombstonesNow = await recentTombstones(database, uuids, graceMs);

  const isGoing = (id: string) => before.has(id) || tombstonesBefore.has(id) || tombstonesNow.has(id);
  const kindOf = (id: string): DifferenceKind | undefined => {
    const row = now.get(id);
    const count = counts.get(id) ?? 0;
    if (row === undefined) return count > 0 && !isGoing(id) ? "extra" : undefined;
    if (row.chunkCount === null) return row.isOld ? "pending" : undefined;
    return row.chunkCount !== count && row.chunkCount === before.get(id)?.chunkCount ? "missing" : undefined;
  };
  const found = Map.groupBy(documentIds, kindOf);
  for (const [kind, ids] of found) if (kind !== undefined) yield { kind, documentIds: ids };
}

const SELECT_ROWS = `select document_id as "documentId", chunk_count as "chunkCount",
  created_at not between now() - $1 * interval '1 millisecond' and now() + interval '1 minute' as "isOld"
  from documents left join document_chunks using (document_id)`;

async function* rowPages(
  database: Database,
  after: string,
  upTo: string,
  graceMs: number,
): AsyncGenerator<readonly Row[]> {
  for (let from = after; from < upTo; ) {
    const rows = await database.query<Row>(
      `${SELECT_ROWS} where document_id > $2 and document_id <= $3 order by document_id limit $4`,
      [graceMs, from, upTo, COUNT_PAGE],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < COUNT_PAGE) return;
    from = rows.at(-1)?.documentId ?? upTo;
  }
}

async function rowsOf(
  database: Database,
  documentIds: readonly string[],
  graceMs: number,
): Promise<Map<string, Row>> {
  const rows = await database.query<Row>(`${SELECT_ROWS} where document_id = any($2)`, [
    graceMs,
    documentIds,
  ]);
  return new Map(rows.map((row) => [row.documentId, row]));
}

/** Documents whose tombstone is so recent that the cleanup may be at work on their chunks. */
async function recentTombstones(
  database: Database,
  documentIds: readonly string[],
  graceMs: number,
): Promise<Set<string>> {
  const rows = await database.query<{ document_id: string }>(
    `select document_id from removed_documents
      where document_id = any($1) and removed_at between now() - $2 * interval '1 millisecond' and now() + interval '1 minute'`,
    [documentIds, graceMs],
  );
  return new Set(rows.map((row) => row.document_id));
}
