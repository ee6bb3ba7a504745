import { v7 as uuidv7 } from "uuid";
import type { MatchableDocument } from "../../matching/set.ts";
import type { ChunkAddress } from "../../matching/words/reuse-evidence.ts";
import { prepared, type Queryable } from "../../platform/postgres/database.ts";
import { columns, holdsText, inBatches, rowsAsJson, searchForms } from "../../platform/postgres/sql.ts";
import type { Span } from "../../text/span.ts";
import {
  COUNTED_EXACTLY_MAX,
  type Document,
  type FingerprintStatus,
  type NewDocument,
  type Origin,
  TENANT,
} from "./document.ts";

const DOCUMENT_COLUMNS = `documents.document_id as "documentId", encode(sha256, 'hex') as sha256,
  case when tenant is null then 'platform' else 'uploaded' end as scope, group_name as "group", coalesce(chunk_count, 0) as "chunkCount",
  case when fingerprinted_at is null then 'pending' else 'fingerprinted' end as "fingerprintStatus",
  case when exists (select from semantic_documents as done join semantic_models using (generation)
                     where is_current and done.document_id = documents.document_id)
    then 'encoded' else 'pending' end as "semanticStatus",
  ${columns("filename, title, author, media_type, language, language_origin, source_url, size_bytes, char_count, word_count, owner, collection, page_notes, created_at, fingerprinted_at")}`;
const INSERTED =
  "document_id, tenant, collection, path, filename, title, author, media_type, language, language_origin, source_url, size_bytes, sha256, char_count, word_count, text_bytes, group_name, owner, page_notes";
/** Of `documents`, as far as the values of a selection, `$2` to `$4`, allow it. */
const IS_SELECTED = `($2::text[] is null or collection = any($2)) and ($3::text is null or owner is distinct from $3)
  and ($4::text is null or group_name is distinct from $4)`;
const DOCUMENTS_WITH_CHUNKS = "documents join document_chunks using (document_id)";
const DOCUMENT_TABLES = "documents left join document_chunks using (document_id)";

const LISTED = `tenant = $3 and ${holdsText(["title", "filename"], ["$1", "$2"])}
  and ($4::text is null or ($4 = 'pending') = (fingerprinted_at is null))`;

/** Identifiers grow with time. The identifier also decides between equal rows, so that pages neither repeat nor miss one. */
const ORDERS = {
  date: { asc: "document_id", desc: "document_id desc" },
  words: { asc: "word_count, document_id", desc: "word_count desc, document_id desc" },
  title: {
    asc: 'lower_case(title) collate "C", document_id',
    desc: 'lower_case(title) collate "C" desc, document_id desc',
  },
} as const;

export const DOCUMENT_SORTS = ["date", "words", "title"] as const satisfies readonly (keyof typeof ORDERS)[];

/** Uploaded documents in an order, optionally filtered by a text in their title or file name, or by status. */
export type DocumentSelection = {
  readonly title: string | undefined;
  readonly status: FingerprintStatus | undefined;
  readonly sort: keyof typeof ORDERS;
  readonly order: "asc" | "desc";
};

/** Which documents of the corpus a text is compared with. Null restricts nothing. */
export type CorpusSelection = {
  readonly collections: readonly string[] | null;
  readonly withoutOwner: string | null;
  readonly withoutGroup: string | null;
};

type SelectedCounts = { readonly matchable: number; readonly encoded: number; readonly lacking: number };

/** The rows of the documents. Every method takes the connection or transaction that it runs on. */
export class DocumentStore {
  /** Adds documents whose bytes and path are new; returns them in their positions, and undefined in the others. */
  async insertAll(db: Queryable, documents: readonly NewDocument[]): Promise<(Document | undefined)[]> {
    if (documents.length === 0) return [];
    const ids = documents.map(() => uuidv7());
    const rows = documents.map(({ origin, belonging, sha256, sections: _, ...facts }, at) => ({
      ...facts,
      documentId: ids[at],
      tenant: origin.scope === "uploaded" ? TENANT : null,
      groupName: belonging?.group,
      owner: belonging?.owner,
      collection: origin.collection,
      path: origin.scope === "platform" ? origin.path : null,
      sha256: `\\x${sha256}`,
    }));
    const added = await db.query<Document>(
      `with added as (
         insert into documents (${INSERTED}) select ${INSERTED} from json_populate_recordset(null::documents, $1)
         on conflict do nothing
         returning *
       ), pending as (
         insert into pending_documents (document_id, accepted_at)
         select document_id, case when tenant is not null then created_at end from added
       )
       select ${DOCUMENT_COLUMNS} from added as ${DOCUMENT_TABLES}`,
      [rowsAsJson(rows)],
    );
    const byId = new Map(added.map((document) => [document.documentId, document]));
    return ids.map((documentId) => byId.get(documentId));
  }

  /** The document that has the place of this one: the same uploaded bytes, or the same path in the collection. */
  async findDuplicate(db: Queryable, origin: Origin, sha256: string): Promise<Document | undefined> {
    if (origin.scope === "uploaded")
      return this.#findOne(db, "tenant = $1 and sha256 = decode($2, 'hex')", [TENANT, sha256]);
    const { collection, path } = origin;
    return this.#findOne(db, "tenant is null and collection = $1 and path = $2", [collection, path]);
  }

  async findByPaths(
    db: Queryable,
    collection: string,
    paths: readonly string[],
  ): Promise<Map<string, Document>> {
    const rows = await db.query<Document & { path: string }>(
      `select ${DOCUMENT_COLUMNS}, path from ${DOCUMENT_TABLES} where tenant is null and collection = $1 and path = any($2)`,
      [collection, paths],
    );
    return new Map(rows.map(({ path, ...document }) => [path, document]));
  }

  async hasPlatform(db: Queryable, collection: string): Promise<boolean> {
    const rows = await db.query("select 1 from documents where tenant is null and collection = $1 limit 1", [
      collection,
    ]);
    return rows.length > 0;
  }

  async findUploaded(db: Queryable, documentId: string): Promise<Document | undefined> {
    return this.#findOne(db, "document_id = $1 and tenant = $2", [documentId, TENANT]);
  }

  async #findOne(db: Queryable, condition: string, values: readonly string[]): Promise<Document | undefined> {
    const [found] = await db.query<Document>(
      `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where ${condition}`,
      values,
    );
    return found;
  }

  async findAll(db: Queryable, documentIds: readonly string[]): Promise<Document[]> {
    return db.query<Document>(
      `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where document_id = any($1) order by document_id`,
      [documentIds],
    );
  }

  /** A page of the selected documents; `total` counts all of them. */
  async listUploaded(
    db: Queryable,
    selection: DocumentSelection,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ items: Document[]; total: number }> {
    const selected = parametersOf(selection);
    const items = await db.query<Document>(
      `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where ${LISTED} order by ${orderOf(selection)} limit $5 offset $6`,
      [...selected, limit, offset],
    );
    const [count] = await db.query<{ total: number }>(
      `select count(*) as total from ${DOCUMENT_TABLES} where ${LISTED}`,
      selected,
    );
    return { items, total: count?.total ?? 0 };
  }

  /** The selected documents, a batch at a time. */
  async exportUploaded(
    db: Queryable,
    selection: DocumentSelection,
  ): Promise<AsyncIterable<readonly Document[]>> {
    const rows = await db.query<{ document_id: string }>(
      `select document_id from ${DOCUMENT_TABLES} where ${LISTED} order by ${orderOf(selection)}`,
      parametersOf(selection),
    );
    const ids = rows.map((row) => row.document_id);
    return inBatches(ids, (batch) =>
      db.query<Document>(
        `select ${DOCUMENT_COLUMNS} from ${DOCUMENT_TABLES} where document_id = any($1)
          order by array_position($1, document_id)`,
        [batch],
      ),
    );
  }

  /** Marks documents as fingerprinted. */
  async markFingerprinted(db: Queryable, documents: readonly FingerprintedDocument[]): Promise<Marked> {
    const held = await this.holdExisting(
      db,
      documents.map(({ documentId }) => documentId),
    );
    const rows = documents
      .filter(({ documentId }) => held.has(documentId))
      .map(({ documentId, chunkOffsets: { utf16, codePoints } }) => ({
        document_id: documentId,
        chunk_count: utf16.length - 1,
        borders: utf16,
        // Null in a text of the basic plane, where both units are the same.
        code_point_borders: utf16.at(-1) === codePoints.at(-1) ? null : codePoints,
      }));
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
    // After the rows above: two transactions that mark the same documents wait for each other there, in the same order.
    const pending = await db.query<{ documentId: string; isUploaded: boolean }>(
      `delete from pending_documents where document_id = any($1)
       returning document_id as "documentId", accepted_at is not null as "isUploaded"`,
      [[...held]],
    );
    const uploads = pending.filter(({ isUploaded }) => isUploaded).map(({ documentId }) => documentId);
    return { existing: held, pendingUploads: [...new Set(uploads)] };
  }

  /** An uploaded document, locked: nobody else changes or marks it until the transaction ends. */
  async lockUploaded(transaction: Queryable, documentId: string): Promise<Document | undefined> {
    await transaction.query("select from documents where document_id = $1 for update", [documentId]);
    return this.findUploaded(transaction, documentId);
  }

  /** Stores a language that somebody has stated, and the number of words in it. */
  async setLanguage(
    transaction: Queryable,
    documentId: string,
    { language, wordCount }: Pick<Document, "language" | "wordCount">,
  ): Promise<void> {
    await transaction.query(
      "update documents set language = $2, word_count = $3, language_origin = 'stated' where document_id = $1",
      [documentId, language, wordCount],
    );
  }

  /** Makes a document pending again: checks that begin from now on wait for it. */
  async markPending(transaction: Queryable, documentId: string): Promise<void> {
    await transaction.query("delete from document_chunks where document_id = $1", [documentId]);
    await transaction.query("insert into pending_documents (document_id, accepted_at) values ($1, now())", [
      documentId,
    ]);
  }

  /** Deletes an uploaded document and its rows in reports; false when there is none. */
  async deleteUploaded(db: Queryable, documentId: string): Promise<boolean> {
    const rows = await db.query(
      "delete from documents where document_id = $1 and tenant = $2 returning document_id",
      [documentId, TENANT],
    );
    return rows.length > 0;
  }

  /** Deletes platform documents; returns their number. Rows are locked in the order of `holdExisting`, against deadlocks. */
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

  /** Those of the documents that are fingerprinted and selected. */
  async findMatchable(
    db: Queryable,
    documentIds: readonly string[],
    selection?: CorpusSelection,
  ): Promise<MatchableDocument[]> {
    const all = `select document_id as "documentId", language,
              json_build_object('utf16', borders, 'codePoints', coalesce(code_point_borders, borders)) as "chunkOffsets"
         from ${DOCUMENTS_WITH_CHUNKS} where document_id = any($1)`;
    return selection === undefined
      ? db.query<MatchableDocument>(prepared(`${all} order by document_id`), [documentIds])
      : db.query<MatchableDocument>(`${all} and ${IS_SELECTED} order by document_id`, [
          documentIds,
          ...valuesOf(selection),
        ]);
  }

  /** Where chunks begin and end in the texts of their documents, in UTF-16 units; undefined for deleted documents. */
  async findChunkSpans(db: Queryable, chunks: readonly ChunkAddress[]): Promise<(Span | undefined)[]> {
    return readChunkSpans(
      db,
      `select place, borders[chunk + 1 : chunk + 2] as borders
         from unnest($1::uuid[], $2::integer[]) with ordinality as wanted (document_id, chunk, place)
         join document_chunks using (document_id)`,
      chunks,
    );
  }

  /** Which of these documents exist; none of them can be deleted until the transaction ends. */
  async holdExisting(db: Queryable, documentIds: readonly string[]): Promise<Set<string>> {
    const rows = await db.query<{ document_id: string }>(
      prepared(
        "select document_id from documents where document_id = any($1) order by document_id for key share",
      ),
      [documentIds],
    );
    return new Set(rows.map((row) => row.document_id));
  }

  /** The number of documents that a check compares with; beyond `exactMax`, the planner's estimate. */
  countMatchable(db: Queryable, exactMax = COUNTED_EXACTLY_MAX): Promise<number> {
    return this.#count(db, "document_chunks", exactMax);
  }

  /** As `countMatchable`, of a selection, and how many of these are encoded and how many lack it. */
  async countSelected(db: Queryable, selection: CorpusSelection, exactMax: number): Promise<SelectedCounts> {
    const values = valuesOf(selection);
    const matchable = await countRows(db, `${DOCUMENTS_WITH_CHUNKS} where ${IS_SELECTED}`, values, exactMax);
    if (matchable > exactMax) {
      const waiting = `documents join semantic_backlog using (document_id) where ${IS_SELECTED}`;
      const lacking = Math.min(matchable, await countRows(db, waiting, values, exactMax));
      return { matchable, encoded: matchable - lacking, lacking };
    }
    const isEncoded = `exists (select from semantic_documents as done join semantic_models using (generation)
                                where is_current and done.document_id = documents.document_id)`;
    const of = `${DOCUMENTS_WITH_CHUNKS} where ${isEncoded} and ${IS_SELECTED}`;
    const encoded = Math.min(matchable, await countRows(db, of, values, exactMax));
    return { matchable, encoded, lacking: matchable - encoded };
  }

  /** The number of all documents, uploaded and platform; exact up to `COUNTED_EXACTLY_MAX`. */
  countAll(db: Queryable): Promise<number> {
    return this.#count(db, "documents", COUNTED_EXACTLY_MAX);
  }

  async #count(db: Queryable, table: "documents" | "document_chunks", exactMax: number): Promise<number> {
    const [row] = await db.query<{ counted: number; estimated: number }>(
      prepared(`select count(*) as counted,
              (select greatest(reltuples, 0)::bigint from pg_class where oid = '${table}'::regclass) as estimated
         from (select 1 from ${table} limit $1) counted`),
      [exactMax + 1],
    );
    const counted = row?.counted ?? 0;
    return counted <= exactMax ? counted : Math.max(counted, row?.estimated ?? 0);
  }

  /** Which of these documents are fingerprinted. */
  async listFingerprinted(db: Queryable, documentIds: readonly string[]): Promise<Set<string>> {
    const rows = await db.query<{ document_id: string }>(
      "select document_id from document_chunks where document_id = any($1)",
      [documentIds],
    );
    return new Set(rows.map((row) => row.document_id));
  }

  /** Uploaded documents that were fingerprinted since in a stated language, among them all whose language was corrected. */
  async listCorrectedSince(db: Queryable, since: Date): Promise<string[]> {
    const rows = await db.query<{ document_id: string }>(
      `select document_id from documents join document_chunks using (document_id)
        where fingerprinted_at >= $1 and tenant is not null and language_origin = 'stated'`,
      [since],
    );
    return rows.map((row) => row.document_id);
  }

  async countPending(db: Queryable): Promise<number> {
    const [row] = await db.query<{ count: number }>("select count(*) as count from pending_documents");
    return row?.count ?? 0;
  }

  /** Pending documents of a collection, oldest first: 0.4 ms for 200 of 200,000 documents. */
  async listPendingPlatform(db: Queryable, collection: string, limit: number): Promise<string[]> {
    // A join might start from the documents of the collection, and there may be millions.
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

function parametersOf({ title, status }: DocumentSelection) {
  return [...searchForms(title), TENANT, status ?? null];
}

function valuesOf({ collections, withoutOwner, withoutGroup }: CorpusSelection) {
  return [collections, withoutOwner, withoutGroup];
}

/** Counts rows that `$2` to `$4` select; beyond `exactMax`, the planner's estimate for these values. `$1` is the limit. */
async function countRows(
  db: Queryable,
  from: string,
  values: readonly unknown[],
  exactMax: number,
): Promise<number> {
  const [row] = await db.query<{ counted: number }>(
    `select count(*) as counted from (select 1 from ${from} limit $1::bigint) as found`,
    [exactMax + 1, ...values],
  );
  const counted = row?.counted ?? 0;
  if (counted <= exactMax) return counted;
  const [plan] = await db.query<{ "QUERY PLAN": readonly { Plan: { "Plan Rows": number } }[] }>(
    `explain (format json) select 1 from ${from} limit $1::bigint`,
    [null, ...values],
  );
  return Math.max(counted, plan?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0);
}

function orderOf({ sort, order }: DocumentSelection): string {
  return ORDERS[sort][order];
}

type Marked = {
  /** The documents that still exist, held until the transaction ends. */
  readonly existing: ReadonlySet<string>;
  /** The uploads that were pending until now. */
  readonly pendingUploads: readonly string[];
};

export type FingerprintedDocument = Pick<MatchableDocument, "documentId" | "chunkOffsets">;

/**
 * Spans by a statement that selects the `borders` of chunks and their `place`, from 1 on, among the given ones: documents as `$1`, numbers of
 * chunks as `$2`. Undefined without a row or without both borders.
 */
export async function readChunkSpans(
  db: Queryable,
  statement: string,
  chunks: readonly ChunkAddress[],
): Promise<(Span | undefined)[]> {
  const rows = await db.query<{ place: number; borders: readonly number[] }>(prepared(statement), [
    chunks.map(({ documentId }) => documentId),
    chunks.map(({ chunkIndex }) => chunkIndex),
  ]);
  const spans = new Array<Span | undefined>(chunks.length).fill(undefined);
  for (const { place, borders } of rows) {
    const [start, end] = borders;
    if (start !== undefined && end !== undefined) spans[place - 1] = { start, end };
  }
  return spans;
}

/** A table of up to this many rows is sampled as a whole, in 25 ms; of a larger one only some pages are read. */
const SAMPLED_AS_A_WHOLE = 200_000;

/** Rows read per sampled row, so that the sample comes from many pages. */
const READ_PER_SAMPLE = 200;

/** At most `count` random fingerprinted documents; each call draws again. */
export async function sampleDocuments(db: Queryable, count: number): Promise<string[]> {
  const [size] = await db.query<{ rows: number }>(
    "select greatest(reltuples, 0)::bigint as rows from pg_class where oid = 'document_chunks'::regclass",
  );
  const rows = size?.rows ?? 0;
  const wanted = Math.max(SAMPLED_AS_A_WHOLE, count * READ_PER_SAMPLE);
  const percent = rows <= wanted ? 100 : (100 * wanted) / rows;
  const drawn = await db.query<{ document_id: string }>(
    `select document_id from document_chunks tablesample system ($1) order by random() limit $2`,
    [percent, count],
  );
  return drawn.map((row) => row.document_id);
}
