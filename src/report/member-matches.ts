import type { SourcePassage } from "../matching/words/source-passage.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import { columns } from "../platform/postgres/sql.ts";

/** Another member of the batch that a check belongs to, with the passages that both have in common. */
type MemberMatch = {
  readonly memberId: string;
  readonly checkId: string;
  readonly name: string;
  readonly group: string | null;
  readonly language: string;
  /** Whether the passages' query is the other member. */
  readonly isSource: boolean;
  /** The other member's text where it is needed to count its code points, that is where `isSource`. */
  readonly text: string | null;
  readonly passages: readonly SourcePassage[];
};

/** The passages that a check shares with the other members of its batch. */
export type BatchMatches = {
  readonly batchId: string;
  /** The member that the check is. */
  readonly memberId: string;
  /** Whether the check has been compared with all of them. */
  readonly isComplete: boolean;
  /** Otherwise the figures about the corpus are all 0, and say nothing. */
  readonly isComparedWithCorpus: boolean;
  readonly comparedChars: number;
  readonly total: number;
  readonly matches: readonly MemberMatch[];
};

/** Other members in one report; the batch's own report has all pairs. */
const MATCHES_MAX = 100;

/** Undefined for a check that belongs to no batch. */
export async function findBatchMatches(db: Queryable, checkId: string): Promise<BatchMatches | undefined> {
  const [member] = await db.query<Omit<BatchMatches, "matches">>(
    `select ${columns("batch_id, member_id, compared_chars")}, completed_at is not null as "isComplete",
            compare_with <> 'members' as "isComparedWithCorpus",
            (select count(*) from batch_pairs where a_id = member_id or b_id = member_id) as total
       from batch_members join batches using (batch_id) where check_id = $1`,
    [checkId],
  );
  if (member === undefined) return undefined;
  const matches = await db.query<MemberMatch>(
    `select ${columns("member_id, check_id, name, language, is_source, passages")}, group_name as "group",
            case when is_source then query_text end as text
       from (select b_id as other_id, true as is_source, a_matched[1] as matched, passages from batch_pairs where a_id = $1
             union all select a_id, false, b_matched[1], passages from batch_pairs where b_id = $1) as pairs
       join batch_members on member_id = other_id join checks using (check_id)
      order by matched desc, ordinal limit $2`,
    [member.memberId, MATCHES_MAX],
  );
  return { ...member, matches };
}
