import { z } from "zod";
import type { Database } from "../../../src/platform/postgres/database.ts";
import type { NamedText } from "./load-texts.ts";

/** The chunks of each text of the corpus that a check aligned its query with, by the text's name. */
export type Retrieved = ReadonlyMap<string, ReadonlySet<number>>;

const Candidates = z.array(z.object({ documentId: z.string(), chunkIndex: z.number() }));

/**
 * Keeps what checks retrieve. The service forgets it when a check ends; a trigger in the evaluation's own database copies
 * each row as it goes, so that what is measured is what the check itself went by.
 */
export class RetrievalRecord {
  readonly #database: Database;
  readonly #documents: ReadonlyMap<string, NamedText>;

  private constructor(database: Database, documents: ReadonlyMap<string, NamedText>) {
    this.#database = database;
    this.#documents = documents;
  }

  static async open(database: Database, documents: ReadonlyMap<string, NamedText>): Promise<RetrievalRecord> {
    await database.query("create table evaluated_retrievals (check_id uuid, candidates jsonb)");
    await database.query(
      `create function keep_retrieval() returns trigger language plpgsql as $$
       begin
         insert into evaluated_retrievals (check_id, candidates) values (old.check_id, old.candidates);
         return null;
       end $$`,
    );
    await database.query(
      `create trigger keep_retrieval after delete on check_retrievals for each row execute function keep_retrieval()`,
    );
    return new RetrievalRecord(database, documents);
  }

  /** What a check that has ended had retrieved. */
  async of(checkId: string): Promise<Retrieved> {
    const rows = await this.#database.query<{ candidates: unknown }>(
      "select candidates from evaluated_retrievals where check_id = $1",
      [checkId],
    );
    const retrieved = new Map<string, Set<number>>();
    for (const { documentId, chunkIndex } of rows.flatMap(({ candidates }) => Candidates.parse(candidates))) {
      const name = this.#documents.get(documentId)?.name ?? documentId;
      const chunks = retrieved.get(name) ?? new Set();
      retrieved.set(name, chunks.add(chunkIndex));
    }
    return retrieved;
  }
}
