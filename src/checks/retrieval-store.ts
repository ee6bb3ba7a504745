import type { FoundChunk, SearchedChunk } from "../matching/words/found-chunks.ts";
import { prepared, type Queryable, WITHOUT_FLUSH } from "../platform/postgres/database.ts";
import { columns, rowsAsJson } from "../platform/postgres/sql.ts";
import type { RunKey } from "./check-store.ts";

/** The results of retrieval of running checks, so that a later run of a check continues from there. */
export class RetrievalStore {
  /**
   * Stores the results of a run, if it owns its check. The lock makes it wait for a deletion of the check that is not
   * committed yet: without it, the row would be found and then violate the foreign key.
   */
  async keep(db: Queryable, run: RunKey, chunks: readonly SearchedChunk[]): Promise<void> {
    await db.query(
      prepared(`insert into check_retrievals (check_id, query_chunk, is_complete, candidates)
       select check_id, query_chunk, is_complete, candidates
         from checks, jsonb_to_recordset($3) as kept (query_chunk integer, is_complete boolean, candidates jsonb)
        where check_id = $1 and run_id = $2 and ${WITHOUT_FLUSH} for key share of checks
       on conflict (check_id, query_chunk) do update
         set is_complete = excluded.is_complete, candidates = excluded.candidates`),
      [
        run.checkId,
        run.runId,
        rowsAsJson(chunks.map(({ found, ...chunk }) => ({ ...chunk, candidates: found }))),
      ],
    );
  }

  /** The results that earlier runs of a check have stored. */
  async find(db: Queryable, checkId: string): Promise<SearchedChunk[]> {
    const chunks = await db.query<Omit<SearchedChunk, "found"> & { candidates: readonly FoundChunk[] }>(
      `select ${columns("query_chunk, is_complete, candidates")} from check_retrievals where check_id = $1`,
      [checkId],
    );
    return chunks.map(({ candidates, ...chunk }) => ({ ...chunk, found: candidates }));
  }

  /** Keeps the vectors of some sentences of a check's text, one after the other, as `keep` does. */
  async keepVectors(
    db: Queryable,
    run: RunKey,
    generation: number,
    firstSentence: number,
    { buffer, byteOffset, byteLength }: Float32Array,
  ): Promise<void> {
    await db.query(
      prepared(`insert into check_vectors (check_id, generation, first_sentence, vectors)
       select check_id, $3, $4, $5 from checks
        where check_id = $1 and run_id = $2 and ${WITHOUT_FLUSH} for key share of checks
       on conflict do nothing`),
      [run.checkId, run.runId, generation, firstSentence, Buffer.from(buffer, byteOffset, byteLength)],
    );
  }

  /** The vectors that earlier runs of a check have kept, by the number of their first sentence. */
  async findVectors(db: Queryable, checkId: string, generation: number): Promise<Map<number, Float32Array>> {
    const rows = await db.query<{ first: number; vectors: Uint8Array }>(
      prepared(
        `select first_sentence as first, vectors from check_vectors where check_id = $1 and generation = $2`,
      ),
      [checkId, generation],
    );
    // Copied, as floats begin at a multiple of four bytes.
    return new Map(
      rows.map(({ first, vectors }) => [first, new Float32Array(Uint8Array.from(vectors).buffer)]),
    );
  }

  /** Forgets all of it, once the check has ended. */
  async drop(db: Queryable, checkId: string): Promise<void> {
    await db.query(
      prepared(
        `with retrievals as (delete from check_retrievals where check_id = $1) delete from check_vectors where check_id = $1`,
      ),
      [checkId],
    );
  }
}
