import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { makeFindable } from "../../platform/opensearch/whole-answer.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { type ChunkCounts, COUNT_PAGE, countChunksAfter, countChunksOf } from "./chunk-counts.ts";

/**
 * How long a document may be pending, or its removal be noted, before that is a difference: an upload is fingerprinted in
 * a second and a batch of an ingest in a few, while writers are at work all the time.
 */
export const WORK_GRACE_MS = 60_000;

/** What a row and the chunks of its document disagree in. */
export type DifferenceKind =
  /** Fingerprinted, but the index has another number of its chunks: fewer, or more. */
  | "missing"
  /** Not fingerprinted, for longer than the grace. */
  | "pending"
  /** Chunks of a document that has no row. */
  | "extra";

/** `documentIds` ascend, also from page to page of one kind; there are `COUNT_PAGE` of them at most, and never none. */
export type IndexDifference = { readonly kind: DifferenceKind; readonly documentIds: readonly string[] };

export type CompareParts = { readonly database: Database; readonly opensearch: OpenSearch };

export type CompareOptions = {
  /** `WORK_GRACE_MS` unless told. */
  readonly graceMs?: number;
  /** Ends the walk with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each page that was compared, with what it held. */
  readonly onCompared?: (page: Compared) => void;
};

/** What a part of the walk has passed, as it was read. */
export type Compared = {
  /** Documents that have a row, fingerprinted or not. */
  readonly documents: number;
  /** Of these the ones that are not fingerprinted. */
  readonly pending: number;
  /** Chunks that the rows count. */
  readonly chunks: number;
  /** Documents that have chunks in the index, and the chunks. */
  readonly indexedDocuments: number;
  readonly indexedChunks: number;
};

/**
 * Walks the chunks of an index (or of what an alias stands for) and the documents' rows side by side, in the order of
 * identifiers, and gives their differences page by page; memory stays flat whatever the size of the corpus. Writers may
 * be at work meanwhile: each finding was looked at again before it is given. What differs within the text of a chunk is
 * not seen.
 * @throws DomainError `store_unavailable`; Error when there is no such index.
 */
export async function* compareIndex(
  parts: CompareParts,
  index: string,
  options: CompareOptions = {},
): AsyncGenerator<IndexDifference, void, undefined> {
  const { graceMs = WORK_GRACE_MS, signal, onCompared } = options;
  // A walk sees nothing that is newer than the last refresh.
  await makeFindable(parts.opensearch, index);
  let lastKey: string | undefined;
  let after = BEFORE_ALL;
  for (let isLast = false; !isLast; ) {
    // The index first: a document whose chunks were seen has a row by then, if it was not deleted.
    const page = await countChunksAfter(parts.opensearch, index, lastKey);
    const keys = [...page.counts.keys()];
    lastKey = keys.at(-1);
    isLast = page.isLast;
    const upTo = isLast ? AFTER_ALL : (keys.findLast(isUuid) ?? after);
    const unseen = new Map(page.counts);
    for await (const rows of rowPages(parts.database, after, upTo, graceMs)) {
      signal?.throwIfAborted();
      const suspects = rows.filter((row) => isSuspect(row, page.counts));
      for (const { documentId } of rows) unseen.delete(documentId);
      yield* confirmed(
        parts,
        index,
        graceMs,
        suspects.map(({ documentId }) => documentId),
      );
      onCompared?.({ ...NOTHING, ...sumOfRows(rows) });
    }
    signal?.throwIfAborted();
    yield* confirmed(parts, index, graceMs, [...unseen.keys()]);
    onCompared?.({ ...NOTHING, ...sumOfCounts(page.counts) });
    after = upTo;
  }
}

/** What a walk has passed before it begins. */
export const NOTHING: Compared = {
  documents: 0,
  pending: 0,
  chunks: 0,
  indexedDocuments: 0,
  indexedChunks: 0,
};

function sumOfRows(rows: readonly Row[]) {
  return {
    documents: rows.length,
    pending: rows.filter(({ chunkCount }) => chunkCount === null).length,
    chunks: rows.reduce((sum, { chunkCount }) => sum + (chunkCount ?? 0), 0),
  };
}

function sumOfCounts(counts: ChunkCounts) {
  return {
    indexedDocuments: counts.size,
    indexedChunks: [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";
const AFTER_ALL = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Whether a key of the index is an identifier as we write it; in that form text and UUIDs have the same order. */
export function isUuid(key: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key);
}

type Row = {
  readonly documentId: string;
  /** Null while the document is pending. */
  readonly chunkCount: number | null;
  /** Whether it came before the grace began. */
  readonly isOld: boolean;
};

function isSuspect({ documentId, chunkCount, isOld }: Row, counts: ChunkCounts): boolean {
  return chunkCount === null ? isOld : chunkCount !== (counts.get(documentId) ?? 0);
}

/**
 * What of the suspicion holds when rows and index are read again. Whoever writes makes the chunks findable before the row
 * says so: a row counts as it stood before the index was read. Whoever deletes removes the row first: a document is gone
 * when it has no row before and after the index was read. Its removal is forgotten as soon as its chunks are gone, so
 * notes are read before that too.
 */
async function* confirmed(
  { database, opensearch }: CompareParts,
  index: string,
  graceMs: number,
  documentIds: readonly string[],
): AsyncGenerator<IndexDifference> {
  if (documentIds.length === 0) return;
  const uuids = documentIds.filter(isUuid);
  const before = await rowsOf(database, uuids, graceMs);
  const sweptBefore = await beingSwept(database, uuids, graceMs);
  const counts = await countChunksOf(opensearch, index, documentIds);
  const now = await rowsOf(database, uuids, graceMs);
  const sweptAfter = await beingSwept(database, uuids, graceMs);

  const isGoing = (id: string) => before.has(id) || sweptBefore.has(id) || sweptAfter.has(id);
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

type RowResult = { document_id: string; chunk_count: number | null; is_old: boolean };

const SELECT_ROWS = `select document_id, chunk_count, created_at <= now() - $1 * interval '1 millisecond' as is_old
  from documents left join document_chunks using (document_id)`;

async function* rowPages(
  database: Database,
  after: string,
  upTo: string,
  graceMs: number,
): AsyncGenerator<readonly Row[]> {
  for (let from = after; from < upTo; ) {
    const rows = await database.query<RowResult>(
      `${SELECT_ROWS} where document_id > $2 and document_id <= $3 order by document_id limit $4`,
      [graceMs, from, upTo, COUNT_PAGE],
    );
    if (rows.length > 0) yield rows.map(toRow);
    if (rows.length < COUNT_PAGE) return;
    from = rows.at(-1)?.document_id ?? upTo;
  }
}

async function rowsOf(
  database: Database,
  documentIds: readonly string[],
  graceMs: number,
): Promise<Map<string, Row>> {
  const rows = await database.query<RowResult>(`${SELECT_ROWS} where document_id = any($2)`, [
    graceMs,
    documentIds,
  ]);
  return new Map(rows.map((row) => [row.document_id, toRow(row)]));
}

/** Those whose removal was noted so short a time ago that their chunks may be on their way out. */
async function beingSwept(
  database: Database,
  documentIds: readonly string[],
  graceMs: number,
): Promise<Set<string>> {
  const rows = await database.query<{ document_id: string }>(
    `select document_id from removed_documents
      where document_id = any($1) and removed_at > now() - $2 * interval '1 millisecond'`,
    [documentIds, graceMs],
  );
  return new Set(rows.map((row) => row.document_id));
}

function toRow({ document_id, chunk_count, is_old }: RowResult): Row {
  return { documentId: document_id, chunkCount: chunk_count, isOld: is_old };
}
