import { untilAborted } from "../../platform/flow/concurrency.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { Session } from "../../platform/postgres/session.ts";
import type { CommandOutput, CorpusStores } from "../index/corpus-stores.ts";
import { CollectionSession } from "../ingest/collection-session.ts";

/** Rows of a collection that are compared with a selection in one statement. */
const COMPARED_AT_ONCE = 5_000;

/** Documents deleted in one statement, with their texts and their rows in reports. */
const DELETED_AT_ONCE = 500;

/** Documents that bulk loads have added: those that meet every given condition. */
export type BulkSelection = {
  readonly collection?: string | undefined;
  /** The absolute path of a folder, or of one within or above it. Without effect on documents of a named collection. */
  readonly folder?: string | undefined;
  /** How the address of a document begins. */
  readonly source?: string | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly addedSince?: Date | undefined;
  readonly addedBefore?: Date | undefined;
};

export type BulkCollection = {
  readonly collection: string;
  readonly documents: number;
  /** 0 for documents that are not matchable yet. */
  readonly chunks: number;
  readonly firstAdded: Date;
  readonly lastAdded: Date;
};

type BulkDocument = {
  readonly documentId: string;
  readonly path: string;
  readonly title: string;
  readonly language: string;
  readonly sourceUrl: string | null;
  /** In ISO 8601. */
  readonly createdAt: string;
};

/** The conditions of a selection; its values are `$1` to `$6`. */
const SELECTED = `tenant is null
  and ($1::text is null or collection = $1)
  and ($2::text is null or collection = 'folder:' || $2 or starts_with(collection, 'folder:' || $2 || '/')
       or (starts_with('folder:' || $2, collection || '/')
           and starts_with(path, substr('folder:' || $2, length(collection) + 2) || '/')))
  and ($3::text is null or starts_with(source_url, $3))
  and ($4::text[] is null or language = any($4))
  and ($5::timestamptz is null or created_at >= $5)
  and ($6::timestamptz is null or created_at < $6)`;

function valuesOf({ collection, folder, source, languages, addedSince, addedBefore }: BulkSelection) {
  return [collection, folder, source, languages, addedSince, addedBefore].map((value) => value ?? null);
}

/** The selection without documents that are added from now on. */
export async function addedUntilNow(db: Queryable, selection: BulkSelection): Promise<BulkSelection> {
  const [row] = await db.query<{ until: Date }>("select least(now(), $1::timestamptz) as until", [
    selection.addedBefore ?? null,
  ]);
  return { ...selection, addedBefore: row?.until };
}

/** The selected documents by collection, in the order of their names. */
export async function listBulkCollections(
  { databaseUrl }: Pick<CorpusStores, "databaseUrl">,
  selection: BulkSelection,
  signal: AbortSignal,
): Promise<BulkCollection[]> {
  // Without a limit: counting millions of documents may take longer than a request.
  const session = await Session.open(databaseUrl, 0);
  try {
    const counted = session.query<BulkCollection>(
      `select collection, count(*) as documents, coalesce(sum(chunk_count), 0) as chunks,
              min(created_at) as "firstAdded", max(created_at) as "lastAdded"
         from documents left join document_chunks using (document_id)
        where ${SELECTED} group by collection order by collection`,
      valuesOf(selection),
    );
    return await untilAborted(counted, signal);
  } finally {
    await session.close();
  }
}

/** The selected documents of a collection in the order of their paths, a page at a time. */
export async function* pagesOfBulkDocuments(
  db: Queryable,
  selection: BulkSelection,
  collection: string,
): AsyncGenerator<readonly BulkDocument[]> {
  for (let after: string | null = ""; after !== null; ) {
    const [page]: { last: string | null; selected: BulkDocument[] }[] = await db.query(
      `with page as (
         select *, (${SELECTED}) as is_selected from documents
          where tenant is null and collection = $7 and path > $8 order by path limit $9)
       select max(path) as last,
              coalesce(json_agg(json_build_object('documentId', document_id, 'path', path, 'title', title, 'language', language,
                                  'sourceUrl', source_url, 'createdAt', created_at) order by path)
                       filter (where is_selected), '[]') as selected
         from page`,
      [...valuesOf(selection), collection, after, COMPARED_AT_ONCE],
    );
    if (page !== undefined && page.selected.length > 0) yield page.selected;
    after = page?.last ?? null;
  }
}

type RemoveOptions = CommandOutput & {
  readonly selection: BulkSelection;
  /** The collections of the selection. */
  readonly collections: readonly Pick<BulkCollection, "collection">[];
  /** Called with the number of documents that are removed so far. */
  readonly onRemoved?: ((documents: number) => void) | undefined;
};

/**
 * Deletes the selected documents; returns their number. They are deleted as uploaded ones are: from then on no check matches them, and
 * tombstones remove their chunks. Can be stopped at any time and run again. Waits for an ingest of the same collection.
 * @throws DomainError `store_unavailable`
 */
export async function removeBulkDocuments(
  { databaseUrl, documents }: Pick<CorpusStores, "databaseUrl" | "documents">,
  { selection, collections, onRemoved, say, signal }: RemoveOptions,
): Promise<number> {
  let removed = 0;
  for (const { collection } of collections) {
    const session = await CollectionSession.open({ databaseUrl, collection, keepsSeen: false, say, signal });
    try {
      for await (const page of pagesOfBulkDocuments(session, selection, collection)) {
        for (let from = 0; from < page.length; from += DELETED_AT_ONCE) {
          signal?.throwIfAborted();
          const ids = page.slice(from, from + DELETED_AT_ONCE).map(({ documentId }) => documentId);
          removed += await documents.deletePlatform(session, ids);
          onRemoved?.(removed);
        }
      }
    } finally {
      await session.close();
    }
  }
  return removed;
}
