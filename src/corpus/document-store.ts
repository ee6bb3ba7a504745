import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../platform/postgres/database.ts";
import { holdsText, searchForms } from "../platform/postgres/sql.ts";
import { type ChunkBorders, type Document, type NewDocument, type Origin, TENANT } from "./document.ts";
import { DOCUMENT_COLUMNS, DOCUMENT_TABLES, type DocumentRow, toDocument } from "./document-row.ts";

const NAMED = holdsText(["title", "filename"], ["$1", "$2"]);

export type DocumentSelection = {
  readonly limit: number;
  readonly offset: number;
  readonly title: string | undefined;
};

/**
 * Up to this many documents are counted one by one, in about 10 ms; beyond, the planner's estimate is near enough
 * for "how large was the corpus that this was checked against".
 */
const COUNTED_EXACTLY_MAX = 100_000;

/** The documents' rows. Each function takes the connection or transaction that it runs on. */
export class DocumentStore {
  /**
   * Adds documents, in their order, but for those whose bytes were uploaded, or whose path was taken, before.
   * @returns what was added; undefined at the place of each that was not.
   */
  async insertAll(db: Queryable, documents: readonly NewDocument[]): Promise<(Document | undefined)[]> {
    const ids = documents.map(() => uuidv7());
    const column = <T>(memberOf: (document: NewDocument) => T) => documents.map(memberOf);
    const added = await db.query<DocumentRow>(
      `with added as (
         insert into documents (document_id, tenant, collection, path, filename, title, media_type, language,
           source_url, size_bytes, sha256, char_count, word_count, text_bytes)
         select document_id, tenant, collection, path, filename, title, media_type, language,
           source_url, size_bytes, decode(sha256, 'hex'), char_count, word_count, text_bytes
           from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
             $9::text[], $10::bigint[], $11::text[], $12::integer[], $13::integer[], $14::bigint[])
             as given (document_id, tenant, collection, path, filename, title, media_type, language,
               source_url, size_bytes, sha256, char_count, word_count, text_bytes)
         on conflict do nothing
         returning *
       ), pending as (
         insert into pending_documents (document_id, accepted_at)
         select document_id, case when tenant is not null then created_at end from added
       )
       select *, encode(sha256, 'hex') as sha256, 0 as chunk_count, null::timestamptz as fingerprinted_at from added`,
      [
        ids,
        column(({ origin }) => (origin.scope === "uploaded" ? TENANT : null)),
        column(({ origin }) => (origin.scope === "platform" ? origin.collection : null)),
        column(({ origin }) => (origin.scope === "platform" ? origin.path : null)),
        column(({ filename }) => filename),
        column(({ title }) => title),
        column(({ mediaType }) => mediaType),
        column(({ language }) => language),
        column(({ sourceUrl }) => sourceUrl),
        column(({ sizeBytes }) => sizeBytes),
        column(({ sha256 }) => sha256),
        column(({ charCount }) => charCount),
        column(({ wordCount }) => wordCount),
        column(({ textBytes }) => textBytes),
      ],
    );
    const byId = new Map(added.map((row) => [row.document_id, toDocument(row)]));
    return ids.map((documentId) => byId.get(documentId));
  }

  async findUploadedByHash(db: Queryable, sha256: string): Promise<Document | undefined> {
    const [row] = await db.query<DocumentRow>(
      `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where tenant = $1 and sha256 = decode($2, 'hex')`,
      [TENANT, sha256],
    );
    return row === undefined ? undefined : toDocument(row);
  }

  /** The document that stands where this one would: the same bytes uploaded, or the same path in the collection. */
  async findTwin(db: Queryable, origin: Origin, sha256: string): Promise<Document | undefined> {
    if (origin.scope === "uploaded") return this.findUploadedByHash(db, sha256);
    const [row] = await db.query<DocumentRow>(
      `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where tenant is null and collection = $1 and path = $2`,
      [origin.collection, origin.path],
    );
    return row === undefined ? undefined : toDocument(row);
  }

  /** The platform documents of a collection that have one of these paths, by path. */
  async findByPaths(
    db: Queryable,
    collection: string,
    paths: readonly string[],
  ): Promise<Map<string, Document>> {
    const rows = await db.query<DocumentRow & { path: string }>(
      `select ${DOCUMENT_COLUMNS}, path from ${DOCUMENT_TABLES} where tenant is null and collection = $1 and path = any($2)`,
      [collection, paths],
    );
    return new Map(rows.map((row) => [row.path, toDocument(row)]));
  }

  /** Whether there are platform documents of the collection. */
  async hasPlatform(db: Queryable, collection: string): Promise<boolean> {
    const rows = await db.query("select 1 from documents where tenant is null and collection = $1 limit 1", [
      collection,
    ]);
    return rows.length > 0;
  }

  async findUploaded(db: Queryable, documentId: string): Promise<Document | undefined> {
    const [row] = await db.query<DocumentRow>(
      `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where document_id = $1 and tenant = $2`,
      [documentId, TENANT],
    );
    return row === undefined ? undefined : toDocument(row);
  }

  async findAll(db: Queryable, documentIds: readonly string[]): Promise<Document[]> {
    const rows = await db.query<DocumentRow>(
      `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where document_id = any($1) order by document_id`,
      [documentIds],
    );
    return rows.map(toDocument);
  }

  /**
   * A page of the uploaded documents, newest first; `total` counts all of them. With `title`, only those whose title or
   * file name holds it.
   */
  async listUploaded(
    db: Queryable,
    { limit, offset, title }: DocumentSelection,
  ): Promise<{ items: Document[]; total: number }> {
    const selected = [...searchForms(title), TENANT];
    const rows = await db.query<DocumentRow>(
      `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where tenant = $3 and ${NAMED} order by document_id desc limit $4 offset $5`,
      [...selected, limit, offset],
    );
    const [count] = await db.query<{ total: number }>(
      `select count(*) as total from documents where tenant = $3 and ${NAMED}`,
      selected,
    );
    return { items: rows.map(toDocument), total: count?.total ?? 0 };
  }

  /**
   * Marks documents whose chunks are findable as fingerprinted, with their borders. Until the transaction ends none of
   * them can be deleted.
   * @returns those of them that still exist.
   */
  async markFingerprinted(
    db: Queryable,
    documents: readonly { readonly documentId: string; readonly borders: ChunkBorders }[],
  ): Promise<Set<string>> {
    const held = await this.holdExisting(
      db,
      documents.map(({ documentId }) => documentId),
    );
    const rows = documents.filter(({ documentId }) => held.has(documentId)).map(chunksRow);
    if (rows.length > 0) {
      await db.query(
        `insert into document_chunks (document_id, chunk_count, borders, code_point_borders)
         select document_id, chunk_count, borders, code_point_borders
           from jsonb_to_recordset($1) as given
             (document_id uuid, chunk_count integer, borders integer[], code_point_borders integer[])
         on conflict (document_id) do update set chunk_count = excluded.chunk_count, borders = excluded.borders,
           code_point_borders = excluded.code_point_borders
           where (document_chunks.borders, document_chunks.code_point_borders)
             is distinct from (excluded.borders, excluded.code_point_borders)`,
        [JSON.stringify(rows)],
      );
    }
    // After the rows above: two that mark the same documents wait for each other there, in the same order.
    await db.query("delete from pending_documents where document_id = any($1)", [[...held]]);
    return held;
  }

  /** Deletes an uploaded document and with it its rows in reports; false when there is none. */
  async deleteUploaded(db: Queryable, documentId: string): Promise<boolean> {
    const rows = await db.query(
      "delete from documents where document_id = $1 and tenant = $2 returning document_id",
      [documentId, TENANT],
    );
    return rows.length > 0;
  }

  /**
   * Deletes platform documents and with them their rows in reports; gives the number of them. The rows are locked in the
   * order in which `holdExisting` does it, so that a deletion and a report that is written wait for each other in no circle.
   */
  async deletePlatform(db: Queryable, documentIds: readonly string[]): Promise<number> {
    const rows = await db.query(
      `with held as materialized (
         select document_id from documents where document_id = any($1) and tenant is null
          order by document_id for update)
       delete from documents using held where documents.document_id = held.document_id returning documents.document_id`,
      [documentIds],
    );
    return rows.length;
  }

  /** Of these documents those that are matchable, with what aligning needs to know of them. */
  async findMatchable(db: Queryable, documentIds: readonly string[]): Promise<MatchableDocument[]> {
    const rows = await db.query<MatchableRow>(
      `select document_id, language, borders, code_point_borders from documents join document_chunks using (document_id)
        where document_id = any($1) order by document_id`,
      [documentIds],
    );
    return rows.map((row) => ({
      documentId: row.document_id,
      language: row.language,
      borders: { utf16: row.borders, codePoints: row.code_point_borders ?? row.borders },
    }));
  }

  /** Which of these documents exist; until the transaction ends none of them can be deleted. */
  async holdExisting(db: Queryable, documentIds: readonly string[]): Promise<Set<string>> {
    const rows = await db.query<{ document_id: string }>(
      "select document_id from documents where document_id = any($1) order by document_id for key share",
      [documentIds],
    );
    return new Set(rows.map((row) => row.document_id));
  }

  /** The number of documents that a check runs against; see `#count`. */
  countMatchable(db: Queryable): Promise<number> {
    return this.#count(db, "document_chunks");
  }

  /** The number of all documents, uploaded and platform; see `#count`. */
  countAll(db: Queryable): Promise<number> {
    return this.#count(db, "documents");
  }

  /** Exact for small tables; for large ones the planner's estimate. */
  async #count(db: Queryable, table: "documents" | "document_chunks"): Promise<number> {
    const [row] = await db.query<{ counted: number; estimated: number }>(
      `select count(*) as counted,
              (select greatest(reltuples, 0)::bigint from pg_class where oid = '${table}'::regclass) as estimated
         from (select 1 from ${table} limit $1) counted`,
      [COUNTED_EXACTLY_MAX + 1],
    );
    const counted = row?.counted ?? 0;
    return counted <= COUNTED_EXACTLY_MAX ? counted : Math.max(counted, row?.estimated ?? 0);
  }

  /** How many documents are stored and not matchable yet. */
  async countPending(db: Queryable): Promise<number> {
    const [row] = await db.query<{ count: number }>("select count(*) as count from pending_documents");
    return row?.count ?? 0;
  }

  /**
   * Documents of a collection that wait to be fingerprinted, oldest first. What this takes depends on the pending documents
   * of all collections, and not on the others: 0.4 ms for 200 of 200,000.
   */
  async listPendingPlatform(db: Queryable, collection: string, limit: number): Promise<string[]> {
    // A join might begin with the documents of the collection, of which there may be millions.
    const rows = await db.query<{ document_id: string }>(
      `select document_id from pending_documents
        where (select collection from documents
                where documents.document_id = pending_documents.document_id and tenant is null) = $1
        order by document_id limit $2`,
      [collection, limit],
    );
    return rows.map((row) => row.document_id);
  }
}

export type MatchableDocument = {
  readonly documentId: string;
  readonly language: string;
  readonly borders: ChunkBorders;
};

type MatchableRow = {
  document_id: string;
  language: string;
  borders: number[];
  code_point_borders: number[] | null;
};

/** Null in a text of the basic plane, where both units are the same. */
function differingCodePoints({ utf16, codePoints }: ChunkBorders): readonly number[] | null {
  return utf16.at(-1) === codePoints.at(-1) ? null : codePoints;
}

function chunksRow({ documentId, borders }: { readonly documentId: string; readonly borders: ChunkBorders }) {
  return {
    document_id: documentId,
    chunk_count: borders.utf16.length - 1,
    borders: borders.utf16,
    code_point_borders: differingCodePoints(borders),
  };
}
