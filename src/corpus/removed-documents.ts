import type { Queryable } from "../platform/postgres/database.ts";

/** Says that chunks of a document may be left; there may be several of one document. */
export type RemovalNote = { readonly noteId: number; readonly documentId: string };

/**
 * The documents that are gone while the index may still hold chunks of them. A trigger of the database notes every
 * deletion; whoever writes chunks notes those that it was too late for.
 */
export class RemovedDocuments {
  async note(db: Queryable, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    await db.query("insert into removed_documents (document_id) select unnest($1::uuid[])", [documentIds]);
  }

  /** The oldest of them. Until the transaction ends nobody else gets the same ones. */
  async take(transaction: Queryable, limit: number): Promise<RemovalNote[]> {
    const rows = await transaction.query<{ note_id: number; document_id: string }>(
      "select note_id, document_id from removed_documents order by note_id limit $1 for update skip locked",
      [limit],
    );
    return rows.map((row) => ({ noteId: row.note_id, documentId: row.document_id }));
  }

  /** Those that were noted since stay, also of the same documents: their chunks may have been written since. */
  async forget(transaction: Queryable, notes: readonly RemovalNote[]): Promise<void> {
    await transaction.query("delete from removed_documents where note_id = any($1::bigint[])", [
      notes.map(({ noteId }) => noteId),
    ]);
  }
}
