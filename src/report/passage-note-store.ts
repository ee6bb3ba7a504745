import type { Queryable } from "../platform/postgres/database.ts";
import { columns } from "../platform/postgres/sql.ts";
import type { PassageReference } from "./figures/filters.ts";

export const NOTE_CHARS_MAX = 2_000;

/** A reader's note on a passage of the report without filters. */
export type PassageNote = PassageReference & { readonly note: string };

/** The notes' rows. Each method takes the connection or transaction that it runs on. */
export class PassageNoteStore {
  /** In the order of the text. */
  list(db: Queryable, checkId: string): Promise<PassageNote[]> {
    return db.query<PassageNote>(
      `select ${columns("document_id, note")}, query_start as start, query_end as "end"
         from passage_notes where check_id = $1 order by query_start, query_end, document_id`,
      [checkId],
    );
  }

  async save(db: Queryable, checkId: string, { documentId, start, end, note }: PassageNote): Promise<void> {
    await db.query(
      `insert into passage_notes (check_id, document_id, query_start, query_end, note) values ($1, $2, $3, $4, $5)
       on conflict (check_id, document_id, query_start, query_end) do update set note = excluded.note`,
      [checkId, documentId, start, end, note],
    );
  }

  /** @returns whether there was a note */
  async delete(
    db: Queryable,
    checkId: string,
    { documentId, start, end }: PassageReference,
  ): Promise<boolean> {
    const deleted = await db.query(
      `delete from passage_notes where check_id = $1 and document_id = $2 and query_start = $3 and query_end = $4
       returning check_id`,
      [checkId, documentId, start, end],
    );
    return deleted.length > 0;
  }
}
