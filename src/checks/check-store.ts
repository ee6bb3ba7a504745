import type { DocumentProperties } from "../extract/text/document-properties.ts";
import type { UploadMediaType } from "../extract/text/extracted-text.ts";
import type { ScannedPage } from "../extract/text/scanned-page.ts";
import { prepared, type Queryable } from "../platform/postgres/database.ts";
import { asJson, columns, holdsText, inBatches, searchForms } from "../platform/postgres/sql.ts";
import type { Coverage } from "../report/figures/report.ts";
import type { Review } from "../report/index.ts";
import type { HiddenText } from "../text/hidden-text.ts";
import type { LanguageOrigin } from "../text/languages.ts";
import type { Margins } from "../text/margins.ts";
import type { PageNote } from "../text/page-notes.ts";
import { fromFlat, joinSpans, type Span, toFlat } from "../text/span.ts";
import { type CheckScope, type CheckStage, type CheckStatus, WHOLE_CORPUS } from "./check.ts";
import { PROGRESS_CHANNEL } from "./run-store.ts";

const PROPERTIES_COLUMN =
  "json_build_object('title', document_title, 'author', document_author) as properties";

/** The members of a check but its review; its text is not read. */
const PLAIN_COLUMNS = `progress_seq as seq, check_group as "group", ${PROPERTIES_COLUMN}, ${columns("check_id, status, stage, owner, leave_out, collections, title, language, language_origin, query_text_preview, char_count, word_count, chunks_done, chunks_total, total_matched_chars, coverage, error_message, created_at, started_at, completed_at, updated_at")},
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

/** An uploaded file without its bytes. */
export type Original = {
  readonly filename: string;
  readonly mediaType: UploadMediaType;
  readonly sizeBytes: number;
};

/** A check without its heavy parts. Characters are code points. */
export type Check = CheckScope & {
  readonly checkId: string;
  readonly status: CheckStatus;
  readonly stage: CheckStage | null;
  readonly title: string | null;
  /** The title and the author that its file states for itself. */
  readonly properties: DocumentProperties;
  readonly language: string;
  readonly languageOrigin: LanguageOrigin;
  readonly queryTextPreview: string;
  /** The uploaded file that is kept; null for a text, and when files are not kept. */
  readonly original: Original | null;
  readonly charCount: number;
  readonly wordCount: number;
  readonly chunksDone: number;
  readonly chunksTotal: number;
  /** Grows with each message about its progress, over all its runs. */
  readonly seq: number;
  /** Null until the check is complete. */
  readonly totalMatchedChars: number | null;
  readonly coverage: Coverage | null;
  /** What a reader has kept of its report. */
  readonly review: Review | null;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly updatedAt: Date;
};

/** A check in a list, which has no room for the filters of each review. */
export type ListedCheck = Omit<Check, "review"> & { readonly review: Omit<Review, "filters"> | null };

/** How far a check has come. */
export type Progress = Pick<Check, "seq" | "stage" | "chunksDone" | "chunksTotal">;

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
}

function parametersOf({ title, status, scoreMin, scoreMax, reviewStatus }: CheckSelection) {
  return [...searchForms(title), status ?? null, scoreMin ?? null, scoreMax ?? null, reviewStatus ?? null];
}

function orderOf({ sort, order }: CheckSelection): string {
  return ORDERS[sort][order];
}
