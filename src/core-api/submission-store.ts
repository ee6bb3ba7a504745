import type { Queryable } from "../platform/postgres/database.ts";
import { asJson, columns, rowsAsJson } from "../platform/postgres/sql.ts";
import type { ReportFilters } from "../report/figures/filters.ts";
import type { Margins } from "../text/margins.ts";
import { fromFlat, toFlat } from "../text/span.ts";
import type { NewSubmission, ReportRequest, Similarity, Submission } from "./submission.ts";

const COLUMNS = columns(
  `submission_id, key_name, attachment_of, owner, submitter, group_id, context_id, title, created_at, status, error_code,
   upload_id, content_type, word_count, char_count, report_status, requested_at, request, retried, check_id, hidden, view, similarity,
   document_id`.replaceAll(/\s+/g, " "),
);

const INSERTED =
  "submission_id, key_name, attachment_of, owner, submitter, group_id, context_id, title, created_at";

/** The text of an upload, or the reason why it has none. */
export type ReadUpload =
  | {
      readonly text: string;
      readonly margins: Margins;
      readonly contentType: string;
      readonly wordCount: number;
      readonly charCount: number;
    }
  | { readonly errorCode: string };

/** Submissions to be deleted: those that meet all members that are given. */
export type SubmissionSelection = {
  readonly keyName?: string | undefined;
  /** Whose text it is, or who handed it in. */
  readonly owner?: string | undefined;
  readonly groupId?: string | undefined;
  readonly createdBefore?: Date | undefined;
  /** Only those that never got a file. */
  readonly isWithoutFile?: boolean;
};

const SELECTED = `($1::text is null or key_name = $1) and ($2::text is null or owner = $2 or submitter = $2)
  and ($3::text is null or group_id = $3 or attachment_of = $3) and ($4::timestamptz is null or created_at < $4)
  and (not $5::boolean or status = 'CREATED')`;

function parametersOf({ keyName, owner, groupId, createdBefore, isWithoutFile }: SubmissionSelection) {
  return [keyName ?? null, owner ?? null, groupId ?? null, createdBefore ?? null, isWithoutFile ?? false];
}

/** The rows of submissions. Each method takes the connection or transaction that it runs on. */
export class SubmissionStore {
  /** Does nothing for one that exists already. */
  async insert(db: Queryable, submission: NewSubmission): Promise<void> {
    await db.query(
      `insert into core_api_submissions (${INSERTED}) select ${INSERTED} from json_populate_recordset(null::core_api_submissions, $1)
       on conflict do nothing`,
      [rowsAsJson([submission])],
    );
  }

  /** A submission or an attachment of a key; of any, for a link, which is its own credential. */
  async find(
    db: Queryable,
    keyName: string | undefined,
    submissionId: string,
  ): Promise<Submission | undefined> {
    const [row] = await db.query<Submission>(
      `select ${COLUMNS} from core_api_submissions where submission_id = $2 and ($1::text is null or key_name = $1)`,
      [keyName, submissionId],
    );
    return row;
  }

  async findText(
    db: Queryable,
    submissionId: string,
  ): Promise<{ readonly text: string; readonly margins: Margins } | undefined> {
    const [row] = await db.query<{ text: string; flat: number[] }>(
      `select text, page_margins as flat from core_api_submissions where submission_id = $1 and text is not null`,
      [submissionId],
    );
    return row && { text: row.text, margins: fromFlat(row.flat) };
  }

  async listAttachments(db: Queryable, keyName: string, groupId: string): Promise<Submission[]> {
    return db.query<Submission>(
      `select ${COLUMNS} from core_api_submissions where key_name = $1 and attachment_of = $2 order by created_at`,
      [keyName, groupId],
    );
  }

  /** The texts that were handed out to a group. */
  async listTemplates(db: Queryable, keyName: string, groupId: string): Promise<string[]> {
    const rows = await db.query<{ text: string }>(
      `select text from core_api_submissions where key_name = $1 and attachment_of = $2 and text is not null order by created_at`,
      [keyName, groupId],
    );
    return rows.map(({ text }) => text);
  }

  /** Begins to read an upload, unless a later one has arrived: false then, and for a submission that is gone. */
  async beginUpload(
    db: Queryable,
    keyName: string,
    submissionId: string,
    upload: { readonly uploadId: string; readonly filename: string; readonly uploadedAt: Date },
  ): Promise<boolean> {
    const rows = await db.query(
      `update core_api_submissions set upload_id = $3, uploaded_at = $4, filename = $5, status = 'PROCESSING', error_code = null,
              text = null, page_margins = '{}', report_status = null, similarity = null, request = null
        where key_name = $1 and submission_id = $2 and (upload_id is null or uploaded_at < $4) returning 1`,
      [keyName, submissionId, upload.uploadId, upload.uploadedAt, upload.filename],
    );
    return rows.length > 0;
  }

  /** Stores the result of reading an upload; false when it was stored before or another upload has replaced it. */
  async endUpload(
    db: Queryable,
    submissionId: string,
    uploadId: string,
    read: ReadUpload,
  ): Promise<Submission | undefined> {
    const found = "text" in read ? read : undefined;
    const [row] = await db.query<Submission>(
      `update core_api_submissions set status = case when $3::text is null then 'COMPLETE' else 'ERROR' end, error_code = $3,
              text = $4, page_margins = $5, content_type = $6, word_count = $7, char_count = $8
        where submission_id = $1 and upload_id = $2 and status = 'PROCESSING' returning ${COLUMNS}`,
      [
        submissionId,
        uploadId,
        "errorCode" in read ? read.errorCode : null,
        found?.text ?? null,
        toFlat(found?.margins ?? []),
        found?.contentType ?? null,
        found?.wordCount ?? null,
        found?.charCount ?? null,
      ],
    );
    return row;
  }

  /** Requests a report of a submission that has a text, in place of an earlier one. Does nothing if a later one was requested. */
  async requestReport(db: Queryable, submissionId: string, request: ReportRequest, at: Date): Promise<void> {
    await db.query(
      `update core_api_submissions set status = 'COMPLETE', error_code = null, report_status = 'REQUESTED', requested_at = $3,
              request = $2, retried = false, view = $2::jsonb -> 'view', similarity = null
        where submission_id = $1 and (status = 'COMPLETE' or status = 'ERROR' and text is not null)
          and (requested_at is null or requested_at < $3)`,
      [submissionId, asJson(request), at],
    );
  }

  /** Reports that wait for their check, oldest first. */
  listRequested(db: Queryable, limit: number): Promise<Submission[]> {
    return db.query<Submission>(
      `select ${COLUMNS} from core_api_submissions where report_status = 'REQUESTED' order by requested_at limit $1`,
      [limit],
    );
  }

  /** The check of a requested report; false when it was requested again, or another process was faster. */
  async startCheck(
    db: Queryable,
    { submissionId, requestedAt }: Submission,
    checkId: string,
  ): Promise<boolean> {
    const rows = await db.query(
      `update core_api_submissions set report_status = 'CHECKING', check_id = $3
        where submission_id = $1 and report_status = 'REQUESTED' and requested_at = $2 returning 1`,
      [submissionId, requestedAt, checkId],
    );
    return rows.length > 0;
  }

  /** Reports whose check has ended or was deleted. */
  listChecked(
    db: Queryable,
    limit: number,
  ): Promise<(Submission & { readonly checkStatus: string | null })[]> {
    return db.query<Submission & { readonly checkStatus: string | null }>(
      `select ${COLUMNS}, (select checks.status from checks where checks.check_id = submission.check_id) as "checkStatus"
         from core_api_submissions as submission
        where report_status = 'CHECKING'
          and not exists (select from checks where checks.check_id = submission.check_id and completed_at is null)
        order by requested_at limit $1`,
      [limit],
    );
  }

  /** Ends a report; undefined when it was requested again or another process was faster. */
  async endReport(
    db: Queryable,
    { submissionId, checkId }: Submission,
    similarity: Similarity,
    hidden: readonly string[],
  ): Promise<Submission | undefined> {
    const [row] = await db.query<Submission>(
      `update core_api_submissions set report_status = 'COMPLETE', similarity = $3, hidden = $4
        where submission_id = $1 and check_id = $2 and report_status = 'CHECKING' returning ${COLUMNS}`,
      [submissionId, checkId, asJson(similarity), hidden],
    );
    return row;
  }

  /** Ends a report that can't be made, unless it was requested again. */
  async failReport(db: Queryable, { submissionId, requestedAt }: Submission): Promise<void> {
    await db.query(
      `update core_api_submissions set report_status = null, status = 'ERROR', error_code = 'PROCESSING_ERROR'
        where submission_id = $1 and requested_at = $2 and report_status in ('REQUESTED', 'CHECKING')`,
      [submissionId, requestedAt],
    );
  }

  /** Has a report checked again whose check failed, once; false when that was done before. */
  async retryReport(db: Queryable, { submissionId, checkId }: Submission): Promise<boolean> {
    const rows = await db.query(
      `update core_api_submissions set report_status = 'REQUESTED', retried = true
        where submission_id = $1 and check_id = $2 and report_status = 'CHECKING' and not retried returning 1`,
      [submissionId, checkId],
    );
    return rows.length > 0;
  }

  /** Keeps what a reader has changed; undefined when the report was requested again. */
  async changeView(
    db: Queryable,
    { submissionId, checkId }: Submission,
    view: ReportFilters,
    similarity: Similarity,
  ): Promise<Submission | undefined> {
    const [row] = await db.query<Submission>(
      `update core_api_submissions set view = $3, similarity = $4
        where submission_id = $1 and check_id = $2 and report_status = 'COMPLETE' returning ${COLUMNS}`,
      [submissionId, checkId, asJson(view), asJson(similarity)],
    );
    return row;
  }

  async setDocument(db: Queryable, submissionId: string, documentId: string | null): Promise<boolean> {
    const rows = await db.query(
      "update core_api_submissions set document_id = $2 where submission_id = $1 returning 1",
      [submissionId, documentId],
    );
    return rows.length > 0;
  }

  /** Of some documents, those that came from submissions, with their submissions. */
  listByDocument(db: Queryable, documentIds: readonly string[]): Promise<Submission[]> {
    return db.query<Submission>(`select ${COLUMNS} from core_api_submissions where document_id = any($1)`, [
      documentIds,
    ]);
  }

  /** The sources of a report that came from submissions. */
  listSourcesOf(db: Queryable, checkId: string | null): Promise<Submission[]> {
    return db.query<Submission>(
      `select ${COLUMNS} from core_api_submissions
        where document_id in (select source.document_id from report_sources as source where source.check_id = $1)`,
      [checkId],
    );
  }

  /** Selected submissions and attachments, oldest first. */
  listSelected(db: Queryable, selection: SubmissionSelection, limit: number): Promise<Submission[]> {
    return db.query<Submission>(
      `select ${COLUMNS} from core_api_submissions where ${SELECTED} order by created_at, submission_id limit $6`,
      [...parametersOf(selection), limit],
    );
  }

  async delete(db: Queryable, submissionId: string): Promise<void> {
    await db.query("delete from core_api_submissions where submission_id = $1", [submissionId]);
  }
}
