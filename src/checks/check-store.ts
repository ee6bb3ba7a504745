import type { DocumentProperties } from "../extract/text/document-properties.ts";
import type { ScannedPage } from "../extract/text/scanned-page.ts";
import { prepared, type Queryable, WITHOUT_FLUSH } from "../platform/postgres/database.ts";
import { asJson, columns, holdsText, inBatches, searchForms } from "../platform/postgres/sql.ts";
import type { Coverage } from "../report/figures/report.ts";
import type { Review } from "../report/index.ts";
import type { HiddenText } from "../text/hidden-text.ts";
import type { Margins } from "../text/margins.ts";
import type { PageNote } from "../text/page-notes.ts";
import { fromFlat, joinSpans, type Span, toFlat } from "../text/span.ts";
import {
  type Check,
  type CheckScope,
  type CheckStage,
  type CheckStatus,
  type ListedCheck,
  type Original,
  type Progress,
  WHOLE_CORPUS,
} from "./check.ts";

/** Every change of a check's progress is sent on this channel, so that any process can stream it. */
export const PROGRESS_CHANNEL = "similarity_check_progress";

/** Sends the check's own state when the statement before it changed a row. */
const ANNOUNCE = `select pg_notify('${PROGRESS_CHANNEL}', json_build_object('check_id', check_id, 'status', status,
  'seq', progress_seq, 'stage', stage, 'chunks_done', chunks_done, 'chunks_total', chunks_total)::text) from changed`;

const ANNOUNCED = "check_id, status, progress_seq, stage, chunks_done, chunks_total";

const SCOPE_COLUMNS = 'check_group as "group", owner, leave_out as "leaveOut", collections';

const PROPERTIES_COLUMN =
  "json_build_object('title', document_title, 'author', document_author) as properties";

/** The members of a check but its review; its text is not read. */
const PLAIN_COLUMNS = `progress_seq as seq, ${SCOPE_COLUMNS}, ${PROPERTIES_COLUMN}, ${columns("check_id, status, stage, title, language, language_origin, query_text_preview, char_count, word_count, chunks_done, chunks_total, total_matched_chars, coverage, error_message, created_at, started_at, completed_at, updated_at")},
  case when original_size_bytes is not null then json_build_object('filename', original_filename,
    'mediaType', original_media_type, 'sizeBytes', original_size_bytes) end as original`;

/** The members of a `Check`. */
const CHECK_COLUMNS = `${PLAIN_COLUMNS}, review`;

/** The members of a `ListedCheck`. */
const LISTED_COLUMNS = `${PLAIN_COLUMNS}, review - 'filters' as review`;

/** Replaces a missing title in lists: the text's beginning, which a search treats as one line. */
const SHOWN_TITLE = "coalesce(title, regexp_replace(query_text_preview, '\\s+', ' ', 'g'))";

/** The percentage that readers see, which is null until the check is complete. */
const SCORE = "round(100.0 * total_matched_chars / char_count, 2)";

/** Members of batches are listed with their batch. */
const SELECTED = `batch_id is null and ${holdsText([SHOWN_TITLE, "coalesce(document_title, '')"], ["$1", "$2"])} and ($3::text is null or status = $3)
  and ($4::numeric is null or ${SCORE} >= $4) and ($5::numeric is null or ${SCORE} <= $5)
  and ($6::text is null or status = 'complete' and coalesce(review ->> 'status', 'open') = $6)`;

/** Identifiers grow with time. The identifier also decides between equal rows, so that pages neither repeat nor miss one. */
const ORDERS = {
  date: { asc: "check_id", desc: "check_id desc" },
  score: { asc: `${SCORE} nulls last, check_id`, desc: `${SCORE} desc nulls last, check_id desc` },
  words: { asc: "word_count, check_id", desc: "word_count desc, check_id desc" },
} as const;

export const CHECK_SORTS = ["date", "score", "words"] as const satisfies readonly (keyof typeof ORDERS)[];

/** The average is over this many of the checks that completed last. */
const AVERAGE_WINDOW = 100;

type NewCheck = Pick<
  Check,
  "checkId" | "title" | "language" | "languageOrigin" | "queryTextPreview" | "charCount" | "wordCount"
> & {
  readonly queryText: string;
  readonly pageMargins: Margins;
  readonly hiddenText: readonly HiddenText[];
  readonly pageNotes: readonly PageNote[];
  /** The pages of the original that were read by OCR. */
  readonly scanned?: readonly ScannedPage[] | undefined;
  readonly original: NewOriginal | null;
  readonly properties?: DocumentProperties | undefined;
  /** Text that comes from templates. */
  readonly templateSpans: readonly Span[];
  /** Set for a member of a batch. */
  readonly batchId?: string;
  /** The whole corpus when it is undefined. */
  readonly scope?: CheckScope;
};

type CheckWithText = Check & {
  readonly queryText: string;
  readonly pageNotes: readonly PageNote[];
  readonly uncompared: Margins;
  readonly hasTemplateText: boolean;
};

/** An uploaded file that is kept with its check. */
export type NewOriginal = Omit<Original, "sizeBytes"> & { readonly content: Uint8Array };

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

/** Checks in an order, optionally filtered by a text in the title, by status or by a range of the score. */
export type CheckSelection = {
  readonly title: string | undefined;
  readonly status: CheckStatus | undefined;
  /** Inclusive bounds in percent. Checks without a score are outside of any range. */
  readonly scoreMin: number | undefined;
  readonly scoreMax: number | undefined;
  /** Of complete checks; one without a review is open. */
  readonly reviewStatus: Review["status"] | undefined;
  readonly sort: keyof typeof ORDERS;
  readonly order: "asc" | "desc";
};

export type CheckAggregates = {
  readonly totalChecks: number;
  readonly checksThisMonth: number;
  /** The mean of the exact shares, rounded once to two decimals; null when no check is complete. */
  readonly averageSimilarityPct: number | null;
  readonly averageWindowSize: number;
  readonly totalWords: number;
};

/** The checks' rows. Each method takes the connection or transaction that it runs on. */
export class CheckStore {
  async insert(db: Queryable, check: NewCheck): Promise<void> {
    const { checkId, title, language, languageOrigin, queryText, queryTextPreview, original, properties } =
      check;
    const { group, owner, leaveOut, collections } = check.scope ?? WHOLE_CORPUS;
    await db.query(
      prepared(`insert into checks (check_id, title, language, language_origin, query_text, query_text_preview, char_count, word_count, page_margins,
         original_filename, original_media_type, original_size_bytes, batch_id, template_spans, hidden_text, page_notes, ocr_pages, check_group, owner, leave_out, collections, document_title, document_author)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`),
      [
        checkId,
        title,
        language,
        languageOrigin,
        queryText,
        queryTextPreview,
        check.charCount,
        check.wordCount,
        toFlat(check.pageMargins),
        original?.filename,
        original?.mediaType,
        original?.content.length,
        check.batchId ?? null,
        toFlat(check.templateSpans),
        asJson(check.hiddenText),
        asJson(check.pageNotes),
        check.scanned === undefined || check.scanned.length === 0 ? null : asJson(check.scanned),
        ...[group, owner, leaveOut, collections],
        ...[properties?.title, properties?.author],
      ],
    );
    if (original === null) return;
    await db.query("insert into check_originals (check_id, content) values ($1, $2)", [
      checkId,
      Buffer.from(original.content.buffer, original.content.byteOffset, original.content.length),
    ]);
  }

  /** The bytes of a check's original; undefined when none is kept. */
  async originalContent(db: Queryable, checkId: string): Promise<Buffer | undefined> {
    const [row] = await db.query<{ content: Buffer }>(
      "select content from check_originals where check_id = $1",
      [checkId],
    );
    return row?.content;
  }

  /** The pages of a check's original that were read by OCR; undefined for an unknown check. */
  async ocrPages(db: Queryable, checkId: string): Promise<readonly ScannedPage[] | undefined> {
    const [row] = await db.query<{ pages: readonly ScannedPage[] }>(
      "select coalesce(ocr_pages, '[]') as pages from checks where check_id = $1",
      [checkId],
    );
    return row?.pages;
  }

  /** A check with its whole text and the spans of it that are not compared: page margins and text from templates. */
  async findText(db: Queryable, checkId: string): Promise<CheckWithText | undefined> {
    const [row] = await db.query<Omit<CheckWithText, "uncompared"> & { flat: number[] }>(
      `select ${CHECK_COLUMNS}, ${columns("query_text, page_notes")}, page_margins || template_spans as flat,
              cardinality(template_spans) > 0 as "hasTemplateText"
         from checks where check_id = $1`,
      [checkId],
    );
    return row && { ...row, uncompared: joinSpans(fromFlat(row.flat)) };
  }

  /** The size of all originals, in bytes. */
  async originalsSize(db: Queryable): Promise<number> {
    const [row] = await db.query<{ bytes: number }>(
      "select coalesce(sum(original_size_bytes), 0)::bigint as bytes from checks where original_size_bytes is not null",
    );
    return row?.bytes ?? 0;
  }

  async find(db: Queryable, checkId: string): Promise<Check | undefined> {
    const rows = await db.query<Check>(prepared(`select ${CHECK_COLUMNS} from checks where check_id = $1`), [
      checkId,
    ]);
    return rows[0];
  }

  /** As `find`; nobody else changes the check until the transaction ends. */
  async lock(transaction: Queryable, checkId: string): Promise<Check | undefined> {
    const [row] = await transaction.query<Check>(
      `select ${CHECK_COLUMNS} from checks where check_id = $1 for update`,
      [checkId],
    );
    return row;
  }

  /** A page of the selected checks; `total` counts all of them. */
  async list(
    db: Queryable,
    selection: CheckSelection,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ items: ListedCheck[]; total: number }> {
    const selected = parametersOf(selection);
    const items = await db.query<ListedCheck>(
      `select ${LISTED_COLUMNS} from checks where ${SELECTED} order by ${orderOf(selection)} limit $7 offset $8`,
      [...selected, limit, offset],
    );
    const [count] = await db.query<{ total: number }>(
      `select count(*) as total from checks where ${SELECTED}`,
      selected,
    );
    return { items, total: count?.total ?? 0 };
  }

  /** The selected checks, a batch at a time. */
  async export(db: Queryable, selection: CheckSelection): Promise<AsyncIterable<readonly ListedCheck[]>> {
    const rows = await db.query<{ check_id: string }>(
      `select check_id from checks where ${SELECTED} order by ${orderOf(selection)}`,
      parametersOf(selection),
    );
    const ids = rows.map((row) => row.check_id);
    return inBatches(ids, (batch) =>
      db.query<ListedCheck>(
        `select ${LISTED_COLUMNS} from checks where check_id = any($1) order by array_position($1, check_id)`,
        [batch],
      ),
    );
  }

  async rename(db: Queryable, checkId: string, title: string | null): Promise<Check | undefined> {
    const [row] = await db.query<Check>(
      `update checks set title = $2, updated_at = now() where check_id = $1 returning ${CHECK_COLUMNS}`,
      [checkId, title],
    );
    return row;
  }

  async setReview(db: Queryable, checkId: string, review: Review | null): Promise<Check | undefined> {
    const [row] = await db.query<Check>(
      `update checks set review = $2, updated_at = now() where check_id = $1 returning ${CHECK_COLUMNS}`,
      [checkId, review && asJson(review)],
    );
    return row;
  }

  /** Deletes a check with its results and notifies its followers; undefined when there is none. */
  async delete(db: Queryable, checkId: string): Promise<{ readonly hadEnded: boolean } | undefined> {
    const [row] = await db.query<{ hadEnded: boolean }>(
      `with changed as (delete from checks where check_id = $1 returning check_id, completed_at)
       select completed_at is not null as "hadEnded",
              pg_notify($2, json_build_object('check_id', check_id, 'status', 'deleted')::text)
         from changed`,
      [checkId, PROGRESS_CHANNEL],
    );
    return row;
  }

  /**
   * Deletes up to `limit` checks that ended before a moment, oldest first, and returns their identifiers. Checks of submissions of
   * plug-ins are deleted with their submissions.
   */
  async deleteEndedBefore(db: Queryable, moment: Date, limit: number): Promise<string[]> {
    const rows = await db.query<{ check_id: string }>(
      `with ended as (
         select check_id from checks where completed_at < $1 and batch_id is null
            and not exists (select from core_api_submissions as submission where submission.check_id = checks.check_id)
          order by completed_at, check_id limit $2 for update skip locked),
       changed as (delete from checks using ended where checks.check_id = ended.check_id returning checks.check_id)
       select check_id, pg_notify($3, json_build_object('check_id', check_id, 'status', 'deleted')::text) from changed`,
      [moment, limit, PROGRESS_CHANNEL],
    );
    return rows.map((row) => row.check_id);
  }

  async aggregates(db: Queryable): Promise<CheckAggregates> {
    const [aggregates] = await db.query<CheckAggregates>(
      `with window_checks as (
         select total_matched_chars::numeric / char_count as similarity from checks
          where status = 'complete' and batch_id is null order by completed_at desc limit $1)
       select count(*) as "totalChecks", coalesce(sum(word_count), 0) as "totalWords",
              count(*) filter (where created_at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc')
                as "checksThisMonth",
              (select round(100 * avg(similarity), 2) from window_checks) as "averageSimilarityPct",
              (select count(*) from window_checks) as "averageWindowSize"
         from checks where batch_id is null`,
      [AVERAGE_WINDOW],
    );
    if (aggregates === undefined) throw new Error("PostgreSQL returned no aggregates");
    return aggregates;
  }

  /**
   * Starts the run `runId` of a check: from now on no earlier run may write. An unfinished earlier run that did not release
   * the check counts as an interruption. Undefined when the check is gone or has ended.
   */
  async startRun(db: Queryable, checkId: string, runId: string): Promise<StartedRun | undefined> {
    const [started] = await db.query<Omit<StartedRun, "uncompared"> & { flat: number[] }>(
      prepared(`update checks set status = 'running', run_id = $2, started_at = coalesce(started_at, now()),
              interruptions = interruptions + (run_id is not null)::int, updated_at = now()
        where check_id = $1 and status in ('pending', 'running')
       returning ${columns("query_text, language, word_count, failed_attempts, interruptions, retrieving_ms")}, ${SCOPE_COLUMNS},
                 page_margins || template_spans as flat, batch_id is not null as "isMember",
                 case when started_at = now() then extract(epoch from started_at - created_at) end as "waitSeconds"`),
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
              coalesce((array_agg(document_id order by accepted_at) filter (where accepted_at is not null))[1:${UNCOMPARED_NAMED_MAX}], '{}') as first,
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
                completed_at = clock_timestamp(), updated_at = clock_timestamp()
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
}

function parametersOf({ title, status, scoreMin, scoreMax, reviewStatus }: CheckSelection) {
  return [...searchForms(title), status ?? null, scoreMin ?? null, scoreMax ?? null, reviewStatus ?? null];
}

function orderOf({ sort, order }: CheckSelection): string {
  return ORDERS[sort][order];
}

/** One run of one check. It may write until a later run starts. */
export type RunKey = { readonly checkId: string; readonly runId: string };

export type RunProgress = Omit<Progress, "seq" | "stage"> & {
  readonly stage: CheckStage;
  readonly retrievingMs: number;
  /** Uploads that the check is not compared with. Uploads that an earlier run missed stay missed: its searches are not repeated. */
  readonly documentsPending: number;
  /** The first of them. */
  readonly uncompared: readonly string[];
};

type PendingUploads = {
  readonly pending: number;
  readonly expected: number;
  readonly first: readonly string[];
};

/** A report names this many of the uploads that were not compared; nobody reads more. */
const UNCOMPARED_NAMED_MAX = 20;
