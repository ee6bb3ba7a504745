import type { FoundChunk, SearchedChunk } from "../matching/words/found-chunks.ts";
import { prepared, type Queryable, WITHOUT_FLUSH } from "../platform/postgres/database.ts";
import { columns, rowsAsJson } from "../platform/postgres/sql.ts";
import type { Coverage } from "../report/figures/report.ts";
import type { Margins } from "../text/margins.ts";
import { fromFlat, joinSpans } from "../text/span.ts";
import type { CheckScope, CheckStage } from "./check.ts";

/** Every change of a check's progress is sent on this channel, so that any process can stream it. */
export const PROGRESS_CHANNEL = "similarity_check_progress";

/** Sends the check's own state when the statement before it changed a row. */
const ANNOUNCE = `select pg_notify('${PROGRESS_CHANNEL}', json_build_object('check_id', check_id, 'status', status,
  'seq', progress_seq, 'stage', stage, 'chunks_done', chunks_done, 'chunks_total', chunks_total)::text) from changed`;

const ANNOUNCED = "check_id, status, progress_seq, stage, chunks_done, chunks_total";

/** One run of one check. It may write until a later run starts. */
export type RunKey = { readonly checkId: string; readonly runId: string };

export type RunProgress = {
  readonly stage: CheckStage;
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly retrievingMs: number;
  /** Uploads that the check is not compared with. Uploads that an earlier run missed stay missed: its searches are not repeated. */
  readonly documentsPending: number;
  /** The first of them. */
  readonly uncompared: readonly string[];
};

/** The data of a check that its run needs. */
export type StartedRun = CheckScope & {
  readonly queryText: string;
  /** Spans that are not compared: page margins and text from templates. */
  readonly uncompared: Margins;
  readonly language: string;
  readonly wordCount: number;
  /** Whether it is a member of a batch. */
  readonly isMember: boolean;
  /** The time since the submission; null in a later run. */
  readonly waitSeconds: number | null;
  readonly failedAttempts: number;
  readonly interruptions: number;
  /** Time that earlier runs spent retrieving. */
  readonly retrievingMs: number;
};

export type PendingUploads = {
  readonly pending: number;
  readonly expected: number;
  /** The identifiers of the oldest. */
  readonly uncompared: readonly string[];
};

/** A report names this many of the uploads that were not compared; nobody reads more. */
const UNCOMPARED_NAMED_MAX = 20;

/**
 * The changes that a run makes to its check, and the results that it keeps, so that a later run continues from there. Each method takes
 * the connection or transaction that it runs on.
 */
export class RunStore {
  /**
   * Starts the run `runId` of a check: from now on no earlier run may write. An unfinished earlier run that did not release
   * the check counts as an interruption. Undefined when the check is gone or has ended.
   */
  async start(db: Queryable, checkId: string, runId: string): Promise<StartedRun | undefined> {
    const [started] = await db.query<Omit<StartedRun, "uncompared"> & { flat: number[] }>(
      prepared(`update checks set status = 'running', run_id = $2, started_at = coalesce(started_at, now()),
              interruptions = interruptions + (run_id is not null)::int, updated_at = now()
        where check_id = $1 and status in ('pending', 'running')
       returning ${columns("query_text, language, word_count, failed_attempts, interruptions, retrieving_ms, owner, leave_out, collections")}, check_group as "group",
                 page_margins || template_spans as flat, batch_id is not null as "isMember",
                 case when started_at = now() then greatest(0, extract(epoch from started_at - created_at)) end as "waitSeconds"`),
      [checkId, runId],
    );
    if (started === undefined) return undefined;
    const { flat, ...run } = started;
    return { ...run, uncompared: joinSpans(fromFlat(flat)) };
  }

  /** Records and announces progress; counts of chunks never fall. False when the check was deleted or taken over. */
  async advance(db: Queryable, { checkId, runId }: RunKey, progress: RunProgress): Promise<boolean> {
    const { stage, chunksDone, chunksTotal, retrievingMs, documentsPending, uncompared } = progress;
    const rows = await db.query(
      prepared(`with changed as (
         update checks set stage = $3, chunks_done = greatest(chunks_done, $4),
                chunks_total = greatest(chunks_total, $5), retrieving_ms = $6,
                uncompared_documents = case when documents_pending < $7 then $8 else uncompared_documents end,
                documents_pending = greatest(documents_pending, $7),
                progress_seq = progress_seq + 1, updated_at = now()
          where check_id = $1 and run_id = $2 and status = 'running' and ${WITHOUT_FLUSH} returning ${ANNOUNCED})
       ${ANNOUNCE}`),
      [
        ...[checkId, runId, stage, chunksDone, chunksTotal, Math.round(retrievingMs)],
        ...[documentsPending, uncompared],
      ],
    );
    return rows.length > 0;
  }

  /**
   * Counts the uploads that were accepted before the check and are not fingerprinted, and names the first of them. Uploads that
   * the check leaves out do not count. Uploads that
   * have been pending for less than `waitMs` are expected to be soon. Undefined when the run no longer owns the check.
   */
  async countPendingUploads(db: Queryable, run: RunKey, waitMs: number): Promise<PendingUploads | undefined> {
    const [row] = await db.query<PendingUploads>(
      prepared(`select count(accepted_at) as pending,
              coalesce((array_agg(document_id order by accepted_at) filter (where accepted_at is not null))[1:${UNCOMPARED_NAMED_MAX}], '{}') as uncompared,
              count(*) filter (where accepted_at > now() - $3 * interval '1 millisecond') as expected
         from checks left join (select pending_documents.*, collection, documents.owner as document_owner, group_name
                                  from pending_documents join documents using (document_id)
                                 where accepted_at is not null) as uploads
           on accepted_at <= created_at and (collections is null or collection = any(collections))
              and (leave_out is distinct from 'owner' or document_owner is distinct from owner)
              and (leave_out is distinct from 'group' or group_name is distinct from check_group)
        where check_id = $1 and run_id = $2 group by check_id`),
      [run.checkId, run.runId, waitMs],
    );
    return row;
  }

  /** Ends the check as complete, with partial coverage if pages of its file could not be read; false when the run no longer owns it. */
  async complete(
    db: Queryable,
    run: RunKey,
    totalMatchedChars: number,
    coverage: Coverage,
  ): Promise<boolean> {
    const outcome = `status = 'complete', total_matched_chars = $3,
      coverage = case when page_notes @? '$[*] ? (@.kind != "ocr")' then 'partial' else $4 end`;
    return this.#end(db, run, outcome, [totalMatchedChars, coverage]);
  }

  /** Ends the check as failed; false when the run no longer owns it. */
  async fail(db: Queryable, run: RunKey, errorMessage: string): Promise<boolean> {
    return this.#end(db, run, "status = 'failed', error_message = $3", [errorMessage]);
  }

  async #end(db: Queryable, run: RunKey, outcome: string, values: readonly unknown[]): Promise<boolean> {
    const rows = await db.query(
      prepared(`with changed as (
         update checks set ${outcome}, stage = null, run_id = null, progress_seq = progress_seq + 1,
                completed_at = greatest(clock_timestamp(), started_at), updated_at = clock_timestamp()
          where check_id = $1 and run_id = $2 and status = 'running' returning ${ANNOUNCED})
       ${ANNOUNCE}`),
      [run.checkId, run.runId, ...values],
    );
    return rows.length > 0;
  }

  /** Releases a check for another run; `failed` counts this run as a failed attempt. */
  async release(db: Queryable, run: RunKey, failed: boolean): Promise<void> {
    await db.query(
      `update checks set run_id = null, failed_attempts = failed_attempts + $3::int, updated_at = now()
        where check_id = $1 and run_id = $2`,
      [run.checkId, run.runId, failed ? 1 : 0],
    );
  }

  /**
   * Stores the results of a run, if it owns its check. The lock makes it wait for a deletion of the check that is not
   * committed yet: without it, the row would be found and then violate the foreign key.
   */
  async keepRetrieved(db: Queryable, run: RunKey, chunks: readonly SearchedChunk[]): Promise<void> {
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
  async findRetrieved(db: Queryable, checkId: string): Promise<SearchedChunk[]> {
    const chunks = await db.query<Omit<SearchedChunk, "found"> & { candidates: readonly FoundChunk[] }>(
      `select ${columns("query_chunk, is_complete, candidates")} from check_retrievals where check_id = $1`,
      [checkId],
    );
    return chunks.map(({ candidates, ...chunk }) => ({ ...chunk, found: candidates }));
  }

  /** Keeps the vectors of some sentences of a check's text, one after the other, as `keepRetrieved` does. */
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

  /** Drops what the runs of a check have kept, once it has ended. */
  async dropKept(db: Queryable, checkId: string): Promise<void> {
    await db.query(
      prepared(
        `with retrievals as (delete from check_retrievals where check_id = $1) delete from check_vectors where check_id = $1`,
      ),
      [checkId],
    );
  }
}
