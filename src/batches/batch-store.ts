import { type Queryable, WITHOUT_FLUSH } from "../platform/postgres/database.ts";
import { columns, holdsText, rowsAsJson, searchForms } from "../platform/postgres/sql.ts";
import type { Batch, BatchSettings, Member, NewMember, NewTemplate } from "./batch.ts";

/** Every change of a batch's progress is announced on this channel with the identifier of the batch. */
export const BATCH_CHANNEL = "similarity_batch_progress";

const COUNTED = `
  select batch_id, count(*) as total, count(*) filter (where status <> 'waiting') as read,
         count(*) filter (where status in ('compared', 'failed')) as compared, count(*) filter (where status = 'failed') as failed
    from batch_members where batch_id = batches.batch_id group by batch_id`;

const BATCH_COLUMNS = `batches.batch_id as "batchId",
  ${columns("title, language, compare_with, add_to_corpus, common_share, created_at, updated_at, completed_at")},
  coalesce(total, 0) as "membersTotal", coalesce(read, 0) as "membersRead", coalesce(compared, 0) as "membersCompared",
  coalesce(failed, 0) as "membersFailed",
  (select count(*) from batch_pairs where batch_pairs.batch_id = batches.batch_id) as "pairsFound",
  case when completed_at is not null then 'complete' when coalesce(read, 0) < coalesce(total, 0) then 'reading'
       else 'comparing' end as status`;

const BATCH_TABLES = `batches left join lateral (${COUNTED}) as counted on true`;

const MEMBER_COLUMNS = `${columns("member_id, ordinal, name, status, check_id, error_code, error_message")}, group_name as "group",
  (select json_build_object('title', document_title, 'author', document_author) from checks
    where checks.check_id = batch_members.check_id) as properties`;

const NAMED = holdsText(["title"], ["$1", "$2"]);

/** Bytes of files that are inserted in one statement. */
const INSERTED_BYTES_MAX = 4 * 1024 * 1024;

/** Members that are deleted in one statement, which may take 15 s. */
const DELETED_TOGETHER = 2_000;

/** A member of a part, with the settings of its batch that its job needs. */
export type PartMember = Pick<Member, "memberId" | "ordinal" | "name" | "group" | "checkId"> &
  Pick<BatchSettings, "language" | "compareWith"> & {
    readonly batchId: string;
    readonly failedAttempts: number;
  };

/** A member that was read. */
export type StoredMember = Pick<PartMember, "memberId" | "batchId" | "ordinal" | "name" | "group"> & {
  readonly chunks: number;
};

/** `members` includes deleted members: the next one has this ordinal. */
type LockedBatch = Pick<BatchSettings, "commonShare" | "compareWith"> & { readonly members: number };

export type BatchSize = {
  readonly members: number;
  readonly chunks: number;
  readonly membersToCompare: number;
  readonly endOrdinal: number;
};

/** The results of reading a member, beside its text. */
type ReadFacts = {
  readonly memberId: string;
  readonly charCount: number;
  readonly comparedChars: number;
  readonly borders: readonly number[];
  /** Null in a text of the basic plane, where both units are the same. */
  readonly codePointBorders: readonly number[] | null;
  readonly shingles: readonly number[];
  readonly quotations: readonly number[];
  /** The generation of the model by which its sentences were encoded. */
  readonly sentencesBy: number | null;
};

/** The rows of batches and their members. Every method takes the connection or transaction that it runs on. */
export class BatchStore {
  async insert(transaction: Queryable, batchId: string, settings: BatchSettings): Promise<void> {
    const { title, language, compareWith, addToCorpus, commonShare } = settings;
    await transaction.query(
      `insert into batches (batch_id, title, language, compare_with, add_to_corpus, common_share)
       values ($1, $2, $3, $4, $5, $6)`,
      [batchId, title, language, compareWith, addToCorpus, commonShare],
    );
  }

  async insertTemplates(
    transaction: Queryable,
    batchId: string,
    templates: readonly NewTemplate[],
  ): Promise<void> {
    await transaction.query(
      `insert into batch_templates (batch_id, position, name, language, text)
       select $1, position, name, language, text
         from jsonb_to_recordset($2) as given (position integer, name text, language text, text text)`,
      [batchId, rowsAsJson(templates.map((template, position) => ({ position, ...template })))],
    );
  }

  findTemplates(db: Queryable, batchId: string): Promise<NewTemplate[]> {
    return db.query<NewTemplate>(
      "select name, language, text from batch_templates where batch_id = $1 order by position",
      [batchId],
    );
  }

  /** Locks a batch against other changes of its members; undefined when there is none. */
  async lock(transaction: Queryable, batchId: string): Promise<LockedBatch | undefined> {
    const [row] = await transaction.query<Omit<LockedBatch, "members">>(
      `select ${columns("common_share, compare_with")} from batches where batch_id = $1 for update`,
      [batchId],
    );
    if (row === undefined) return undefined;
    const [last] = await transaction.query<{ members: number }>(
      "select coalesce(max(ordinal) + 1, 0) as members from batch_members where batch_id = $1",
      [batchId],
    );
    return { ...row, members: last?.members ?? 0 };
  }

  /** Adds members, and their files. */
  async insertMembers(
    transaction: Queryable,
    batchId: string,
    members: readonly (NewMember & {
      readonly memberId: string;
      readonly ordinal: number;
      readonly partId: string;
    })[],
  ): Promise<void> {
    await transaction.query(
      `insert into batch_members (member_id, batch_id, ordinal, part_id, name, group_name, status, error_code, error_message)
       select member_id, $1, ordinal, part_id, name, group_name, status, error_code, error_message
         from jsonb_to_recordset($2) as given (member_id uuid, ordinal integer, part_id uuid, name text, group_name text,
                                               status text, error_code text, error_message text)`,
      [
        batchId,
        rowsAsJson(
          members.map(({ memberId, ordinal, partId, name, group, content }) => ({
            ...{ memberId, ordinal, partId, name, groupName: group },
            ...("error" in content
              ? { status: "failed", errorCode: content.error.code, errorMessage: content.error.message }
              : { status: "waiting" }),
          })),
        ),
      ],
    );
    let group: { memberId: string; isText: boolean; bytes: Uint8Array }[] = [];
    let size = 0;
    for (const { memberId, content } of members) {
      if ("error" in content) continue;
      group.push({ memberId, ...content });
      size += content.bytes.byteLength;
      if (size < INSERTED_BYTES_MAX) continue;
      await this.#insertFiles(transaction, group);
      group = [];
      size = 0;
    }
    if (group.length > 0) await this.#insertFiles(transaction, group);
  }

  async #insertFiles(
    transaction: Queryable,
    files: readonly { readonly memberId: string; readonly isText: boolean; readonly bytes: Uint8Array }[],
  ): Promise<void> {
    // As one value the bytes are sent as they are; in an array they would be written in hexadecimal.
    await transaction.query(
      `insert into batch_files (member_id, is_text, bytes)
       select member_id, is_text, substring($4::bytea from (sum(size) over (order by place) - size + 1)::integer for size)
         from unnest($1::uuid[], $2::boolean[], $3::integer[]) with ordinality as given (member_id, is_text, size, place)`,
      [
        files.map(({ memberId }) => memberId),
        files.map(({ isText }) => isText),
        files.map(({ bytes }) => bytes.byteLength),
        Buffer.concat(files.map(({ bytes }) => bytes)),
      ],
    );
  }

  async countWaiting(db: Queryable, countMax: number): Promise<number> {
    const [row] = await db.query<{ waiting: number }>(
      "select count(*) as waiting from (select from batch_members where status in ('waiting', 'read') limit $1) as counted",
      [countMax],
    );
    return row?.waiting ?? 0;
  }

  /** A batch that gets members is open again. */
  async reopen(transaction: Queryable, batchId: string): Promise<void> {
    await transaction.query(
      "update batches set completed_at = null, updated_at = now() where batch_id = $1",
      [batchId],
    );
  }

  /** The members of a part that are in this state, in their order. */
  ofPart(db: Queryable, partId: string, status: "waiting" | "read"): Promise<PartMember[]> {
    return db.query<PartMember>(
      `select ${columns("batch_id, member_id, ordinal, name, check_id, compare_with, failed_attempts")},
              group_name as "group", batches.language
         from batch_members join batches using (batch_id)
        where part_id = $1 and status = $2 order by ordinal`,
      [partId, status],
    );
  }

  async batchOfPart(db: Queryable, partId: string): Promise<string | undefined> {
    const [row] = await db.query<{ batch_id: string }>(
      "select batch_id from batch_members where part_id = $1 limit 1",
      [partId],
    );
    return row?.batch_id;
  }

  async findFile(
    db: Queryable,
    memberId: string,
  ): Promise<{ readonly isText: boolean; readonly bytes: Uint8Array } | undefined> {
    const [row] = await db.query<{ isText: boolean; bytes: Uint8Array }>(
      'select is_text as "isText", bytes from batch_files where member_id = $1',
      [memberId],
    );
    return row;
  }

  /** Which of these members still wait, held until the transaction ends. */
  async holdWaiting(transaction: Queryable, memberIds: readonly string[]): Promise<Set<string>> {
    const rows = await transaction.query<{ member_id: string }>(
      `select member_id from batch_members where member_id = any($1) and status = 'waiting'
        order by member_id for update`,
      [memberIds],
    );
    return new Set(rows.map((row) => row.member_id));
  }

  /** Marks members as read. Their checks exist, under their own identifiers. */
  async markRead(transaction: Queryable, members: readonly ReadFacts[]): Promise<void> {
    if (members.length === 0) return;
    await transaction.query(
      `update batch_members set status = 'read', check_id = given.member_id, char_count = given.char_count,
              compared_chars = given.compared_chars, borders = given.borders,
              code_point_borders = given.code_point_borders, shingles = given.shingles,
              quotations = given.quotations, sentences_by = given.sentences_by, failed_attempts = 0
         from jsonb_to_recordset($1) as given (member_id uuid, char_count integer, compared_chars integer,
              borders integer[], code_point_borders integer[], shingles integer[], quotations integer[], sentences_by integer)
        where batch_members.member_id = given.member_id`,
      [rowsAsJson(members)],
    );
    await transaction.query("delete from batch_files where member_id = any($1)", [
      members.map(({ memberId }) => memberId),
    ]);
  }

  /** Ends the work with a member; its error says why. */
  async fail(db: Queryable, memberId: string, code: string, message: string): Promise<void> {
    await db.query(
      `with failed as (
         update batch_members set status = 'failed', error_code = $2, error_message = $3
          where member_id = $1 and status in ('waiting', 'read') returning member_id)
       delete from batch_files using failed where batch_files.member_id = failed.member_id`,
      [memberId, code, message],
    );
  }

  /** Counts a failed attempt and returns their number. */
  async countFailure(db: Queryable, memberId: string): Promise<number> {
    const [row] = await db.query<{ attempts: number }>(
      `update batch_members set failed_attempts = failed_attempts + 1 where member_id = $1
       returning failed_attempts as attempts`,
      [memberId],
    );
    return row?.attempts ?? 0;
  }

  /** Marks a member as compared; false when it is gone or somebody else has done so. */
  async markCompared(
    transaction: Queryable,
    memberId: string,
    commonSpans: readonly number[],
  ): Promise<boolean> {
    const rows = await transaction.query(
      `update batch_members set status = 'compared', common_spans = $2
        where member_id = $1 and status = 'read' returning member_id`,
      [memberId, commonSpans],
    );
    return rows.length > 0;
  }

  /** The parts of a batch whose members must be compared; undefined while some wait to be read. */
  async partsToCompare(transaction: Queryable, batchId: string): Promise<string[] | undefined> {
    const rows = await transaction.query<{ part_id: string; waiting: boolean }>(
      `select part_id, bool_or(status = 'waiting') as waiting from batch_members
        where batch_id = $1 and status in ('waiting', 'read') group by part_id order by min(ordinal)`,
      [batchId],
    );
    return rows.some(({ waiting }) => waiting) ? undefined : rows.map((row) => row.part_id);
  }

  /** Ends a batch with whose members all work is done; false when it has ended already. */
  async complete(transaction: Queryable, batchId: string): Promise<boolean> {
    const rows = await transaction.query(
      `update batches set completed_at = now(), updated_at = now()
        where batch_id = $1 and completed_at is null returning batch_id`,
      [batchId],
    );
    return rows.length > 0;
  }

  /** Tells followers that a batch has changed. */
  async announce(db: Queryable, batchId: string): Promise<void> {
    await db.query(`select pg_notify('${BATCH_CHANNEL}', $1) where ${WITHOUT_FLUSH}`, [batchId]);
  }

  async find(db: Queryable, batchId: string): Promise<Batch | undefined> {
    const [row] = await db.query<Batch>(
      `select ${BATCH_COLUMNS} from ${BATCH_TABLES} where batches.batch_id = $1`,
      [batchId],
    );
    return row;
  }

  /** A page of the batches whose title contains a text, newest first; `total` counts all pages. */
  async list(
    db: Queryable,
    page: { readonly limit: number; readonly offset: number; readonly title: string | undefined },
  ): Promise<{ items: Batch[]; total: number }> {
    const selected = searchForms(page.title);
    const items = await db.query<Batch>(
      `select ${BATCH_COLUMNS} from (select * from batches where ${NAMED} order by batch_id desc limit $3 offset $4) as batches
         left join lateral (${COUNTED}) as counted on true order by batches.batch_id desc`,
      [...selected, page.limit, page.offset],
    );
    const [count] = await db.query<{ total: number }>(
      `select count(*) as total from batches where ${NAMED}`,
      selected,
    );
    return { items, total: count?.total ?? 0 };
  }

  /** A page of a batch's members in their order. */
  members(
    db: Queryable,
    batchId: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<Member[]> {
    return db.query<Member>(
      `select ${MEMBER_COLUMNS} from batch_members where batch_id = $1 order by ordinal limit $2 offset $3`,
      [batchId, limit, offset],
    );
  }

  /** The members that could not be read or compared, in their order. */
  failedMembers(db: Queryable, batchId: string, limit: number): Promise<Member[]> {
    return db.query<Member>(
      `select ${MEMBER_COLUMNS} from batch_members where batch_id = $1 and status = 'failed' order by ordinal limit $2`,
      [batchId, limit],
    );
  }

  /** The names of members by their ordinals. */
  async names(
    db: Queryable,
    batchId: string,
    ordinals: readonly number[],
  ): Promise<Map<number, Pick<Member, "memberId" | "ordinal" | "name" | "group">>> {
    const rows = await db.query<Pick<Member, "memberId" | "ordinal" | "name" | "group">>(
      `select ${columns("member_id, ordinal, name")}, group_name as "group" from batch_members
        where batch_id = $1 and ordinal = any($2)`,
      [batchId, ordinals],
    );
    return new Map(rows.map((row) => [row.ordinal, row]));
  }

  async rename(db: Queryable, batchId: string, title: string | null): Promise<boolean> {
    const rows = await db.query(
      "update batches set title = $2, updated_at = now() where batch_id = $1 returning batch_id",
      [batchId, title],
    );
    return rows.length > 0;
  }

  /** Deletes a batch with its members and their checks, and returns the checks that have metrics in OpenSearch; undefined when there is no such batch. */
  async delete(
    transaction: Queryable,
    batchId: string,
  ): Promise<{ readonly recordedChecks: string[] } | undefined> {
    const batch = await this.lock(transaction, batchId);
    if (batch === undefined) return undefined;
    const checks = await transaction.query<{ check_id: string; recorded: boolean }>(
      "select check_id, completed_at is not null as recorded from checks where batch_id = $1",
      [batchId],
    );
    for (let ordinal = 0; ordinal < batch.members; ordinal += DELETED_TOGETHER)
      await transaction.query(
        `with gone as (delete from batch_members where batch_id = $1 and ordinal >= $2 and ordinal < $3 returning check_id)
         delete from checks using gone where checks.check_id = gone.check_id`,
        [batchId, ordinal, ordinal + DELETED_TOGETHER],
      );
    await transaction.query("delete from batches where batch_id = $1", [batchId]);
    await this.announce(transaction, batchId);
    const recorded = batch.compareWith === "members" ? [] : checks.filter((check) => check.recorded);
    return { recordedChecks: recorded.map((check) => check.check_id) };
  }

  async partIds(db: Queryable, batchId: string): Promise<string[]> {
    const rows = await db.query<{ part_id: string }>(
      "select distinct part_id from batch_members where batch_id = $1",
      [batchId],
    );
    return rows.map((row) => row.part_id);
  }

  /** Some batches that ended before a moment, oldest first. */
  async endedBefore(db: Queryable, moment: Date, limit: number): Promise<string[]> {
    const rows = await db.query<{ batch_id: string }>(
      "select batch_id from batches where completed_at < $1 order by completed_at limit $2",
      [moment, limit],
    );
    return rows.map((row) => row.batch_id);
  }

  /** The members of a batch that were read, with the number of their chunks. */
  readMembers(db: Queryable, batchId: string): Promise<StoredMember[]> {
    return db.query<StoredMember>(
      `select ${columns("member_id, batch_id, ordinal, name")}, group_name as "group", cardinality(borders) - 1 as chunks
         from batch_members where batch_id = $1 and borders is not null order by member_id`,
      [batchId],
    );
  }

  /** Counts the members and chunks of a batch. Members before `endOrdinal` were all read, unless they failed. */
  async size(db: Queryable, batchId: string): Promise<BatchSize> {
    const [row] = await db.query<BatchSize>(
      `select count(*) as members, coalesce(sum(cardinality(borders) - 1), 0) as chunks,
              count(*) filter (where status = 'read') as "membersToCompare",
              coalesce(min(ordinal) filter (where status = 'waiting'), max(ordinal) + 1, 0) as "endOrdinal"
         from batch_members where batch_id = $1`,
      [batchId],
    );
    return row ?? { members: 0, chunks: 0, membersToCompare: 0, endOrdinal: 0 };
  }

  /** The identifiers of the members in a range. */
  async idsBetween(
    db: Queryable,
    range: { readonly after: string | undefined; readonly upTo: string | undefined },
  ): Promise<Set<string>> {
    const rows = await db.query<{ member_id: string }>(
      `select member_id from batch_members
        where ($1::uuid is null or member_id > $1) and ($2::uuid is null or member_id <= $2)`,
      [range.after ?? null, range.upTo ?? null],
    );
    return new Set(rows.map((row) => row.member_id));
  }
}
