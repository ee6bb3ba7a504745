import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../platform/postgres/database.ts";
import { type Document, type FingerprintStatus, type NewDocument, TENANT } from "./document.ts";

const COLUMNS = `document_id, tenant, filename, title, media_type, language, source_url, size_bytes, sha256,
  char_count, word_count, chunk_count, fingerprint_status, created_at, fingerprinted_at`;

/**
 * Up to this many documents are counted one by one, in about 10 ms; beyond, the planner's estimate is near enough
 * for "how large was the corpus that this was checked against".
 */
const COUNTED_EXACTLY_MAX = 100_000;

/** The documents' rows. Each function takes the connection or transaction that it runs on. */
export class DocumentStore {
  /** Adds a document unless its bytes were uploaded, or its path taken, before: then it gives undefined. */
  async insert(db: Queryable, document: NewDocument): Promise<Document | undefined> {
    const { origin } = document;
    const platform = origin.scope === "platform" ? origin : undefined;
    const [row] = await db.query<DocumentRow>(
      `with added as (
         insert into documents (document_id, tenant, collection, path, filename, title, media_type, language,
           source_url, size_bytes, sha256, char_count, word_count)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict do nothing
         returning ${COLUMNS}),
       text as (insert into document_texts (document_id, extracted_text) select document_id, $14 from added)
       select * from added`,
      [
        uuidv7(),
        platform === undefined ? TENANT : null,
        platform?.collection ?? null,
        platform?.path ?? null,
        document.filename,
        document.title,
        document.mediaType,
        document.language,
        document.sourceUrl,
        document.sizeBytes,
        document.sha256,
        document.charCount,
        document.wordCount,
        document.extractedText,
      ],
    );
    return row === undefined ? undefined : toDocument(row);
  }

  async findUploadedByHash(db: Queryable, sha256: string): Promise<Document | undefined> {
    const [row] = await db.query<DocumentRow>(
      `select ${COLUMNS} from documents where tenant = $1 and sha256 = $2`,
      [TENANT, sha256],
    );
    return row === undefined ? undefined : toDocument(row);
  }

  /** The document that stands where this one would: the same bytes uploaded, or the same path in the collection. */
  async findTwin(db: Queryable, { origin, sha256 }: NewDocument): Promise<Document | undefined> {
    if (origin.scope === "uploaded") return this.findUploadedByHash(db, sha256);
    const [row] = await db.query<DocumentRow>(
      `select ${COLUMNS} from documents where tenant is null and collection = $1 and path = $2`,
      [origin.collection, origin.path],
    );
    return row === undefined ? undefined : toDocument(row);
  }

  async findUploadedWithText(db: Queryable, documentId: string): Promise<DocumentWithText | undefined> {
    const [row] = await db.query<DocumentRow & { extracted_text: string }>(
      `select ${COLUMNS}, extracted_text from documents join document_texts using (document_id)
        where document_id = $1 and tenant = $2`,
      [documentId, TENANT],
    );
    return row === undefined ? undefined : { ...toDocument(row), extractedText: row.extracted_text };
  }

  async findWithText(db: Queryable, documentId: string): Promise<DocumentWithText | undefined> {
    const [row] = await db.query<DocumentRow & { extracted_text: string }>(
      `select ${COLUMNS}, extracted_text from documents join document_texts using (document_id)
        where document_id = $1`,
      [documentId],
    );
    return row === undefined ? undefined : { ...toDocument(row), extractedText: row.extracted_text };
  }

  /** Uploaded documents, newest first; `total` counts all of them. */
  async listUploaded(
    db: Queryable,
    limit: number,
    offset: number,
  ): Promise<{ items: Document[]; total: number }> {
    const rows = await db.query<DocumentRow>(
      `select ${COLUMNS} from documents where tenant = $1 order by document_id desc limit $2 offset $3`,
      [TENANT, limit, offset],
    );
    const [count] = await db.query<{ total: number }>(
      "select count(*) as total from documents where tenant = $1",
      [TENANT],
    );
    return { items: rows.map(toDocument), total: count?.total ?? 0 };
  }

  /** False when the document is gone meanwhile. */
  async markFingerprinted(db: Queryable, documentId: string, chunkCount: number): Promise<boolean> {
    const rows = await db.query(
      `update documents set fingerprint_status = 'fingerprinted', fingerprinted_at = now(), chunk_count = $2
        where document_id = $1 returning document_id`,
      [documentId, chunkCount],
    );
    return rows.length > 0;
  }

  /** Deletes an uploaded document and with it its rows in reports; false when there is none. */
  async deleteUploaded(db: Queryable, documentId: string): Promise<boolean> {
    const rows = await db.query(
      "delete from documents where document_id = $1 and tenant = $2 returning document_id",
      [documentId, TENANT],
    );
    return rows.length > 0;
  }

  /** What a check needs to know of its candidates; documents that are gone or not matchable yet are left out. */
  async findMatchable(db: Queryable, documentIds: readonly string[]): Promise<MatchableDocument[]> {
    const rows = await db.query<{ document_id: string; language: string; chunk_count: number }>(
      `select document_id, language, chunk_count from documents
        where document_id = any($1) and fingerprint_status = 'fingerprinted'`,
      [documentIds],
    );
    return rows.map((row) => ({
      documentId: row.document_id,
      language: row.language,
      chunkCount: row.chunk_count,
    }));
  }

  /** Those of the documents that still exist, held in existence until the transaction ends. */
  async holdExisting(transaction: Queryable, documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await transaction.query<{ document_id: string }>(
      "select document_id from documents where document_id = any($1) order by document_id for key share",
      [documentIds],
    );
    return new Set(rows.map((row) => row.document_id));
  }

  /** The number of documents that a check runs against; see `#count`. */
  countMatchable(db: Queryable): Promise<number> {
    return this.#count(db, "fingerprint_status = 'fingerprinted'");
  }

  /** The number of all documents, uploaded and platform; see `#count`. */
  countAll(db: Queryable): Promise<number> {
    return this.#count(db, "true");
  }

  /** Exact for small corpora; for large ones the planner's estimate of all documents. */
  async #count(db: Queryable, condition: string): Promise<number> {
    const [row] = await db.query<{ counted: number; estimated: number }>(
      `select count(*) as counted,
              (select greatest(reltuples, 0)::bigint from pg_class where oid = 'documents'::regclass) as estimated
         from (select 1 from documents where ${condition} limit $1) counted`,
      [COUNTED_EXACTLY_MAX + 1],
    );
    const counted = row?.counted ?? 0;
    return counted <= COUNTED_EXACTLY_MAX ? counted : Math.max(counted, row?.estimated ?? 0);
  }

  /** Bulk documents that wait to be fingerprinted, oldest first. */
  async listPendingPlatform(db: Queryable, collection: string): Promise<string[]> {
    const rows = await db.query<{ document_id: string }>(
      `select document_id from documents
        where fingerprint_status = 'pending' and tenant is null and collection = $1 order by document_id`,
      [collection],
    );
    return rows.map((row) => row.document_id);
  }
}

export type DocumentWithText = Document & { readonly extractedText: string };

export type MatchableDocument = {
  readonly documentId: string;
  readonly language: string;
  readonly chunkCount: number;
};

type DocumentRow = {
  document_id: string;
  tenant: string | null;
  filename: string;
  title: string;
  media_type: string;
  language: string;
  source_url: string | null;
  size_bytes: number;
  sha256: string;
  char_count: number;
  word_count: number;
  chunk_count: number;
  fingerprint_status: FingerprintStatus;
  created_at: Date;
  fingerprinted_at: Date | null;
};

function toDocument(row: DocumentRow): Document {
  return {
    documentId: row.document_id,
    scope: row.tenant === null ? "platform" : "uploaded",
    filename: row.filename,
    title: row.title,
    mediaType: row.media_type,
    language: row.language,
    sourceUrl: row.source_url,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    charCount: row.char_count,
    wordCount: row.word_count,
    chunkCount: row.chunk_count,
    fingerprintStatus: row.fingerprint_status,
    createdAt: row.created_at,
    fingerprintedAt: row.fingerprinted_at,
  };
}
