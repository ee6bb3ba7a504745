import type { Queryable } from "../platform/postgres/database.ts";

/**
 * The documents that are gone while the index may still hold chunks of them. A trigger of the database notes every
 * deletion; whoever writes chunks notes those that it was too late for.
 */
export class RemovedDocuments {
  async note(db: Queryable, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    await db.query(
      "insert into removed_documents (document_id) select unnest($1::uuid[]) on conflict do nothing",
      [documentIds],
    );
  }

  /** The oldest of them. Until the transaction ends nobody else gets the same ones. */
  async take(transaction: Queryable, limit: number): Promise<string[]> {
    const rows = await transaction.query<{ document_id: string }>(
      "select document_id from removed_documents order by removed_at, document_id limit $1 for update skip locked",
      [limit],
    );
    return rows.map((row) => row.document_id);
  }

  async forget(transaction: Queryable, documentIds: readonly string[]): Promise<void> {
    await transaction.query("delete from removed_documents where document_id = any($1)", [documentIds]);
  }
}
