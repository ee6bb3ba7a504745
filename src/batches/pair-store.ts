import type { Queryable } from "../platform/postgres/database.ts";
import { columns, rowsAsJson } from "../platform/postgres/sql.ts";
import type { PairFigures, PairPassage } from "../report/figures/pair-figures.ts";

/** A pair with its figures and without its passages. Members are named by their ordinals; similarities are shares of 1. */
export type PairRow = {
  readonly a: number;
  readonly b: number;
  readonly aMatchedChars: number;
  readonly bMatchedChars: number;
  readonly aSimilarity: number;
  readonly bSimilarity: number;
  readonly passageCount: number;
  readonly longestChars: number;
};

/** A member in a list by similarity: its highest similarity to another member, and how many have passages in common with it. */
export type RankedMember = {
  readonly ordinal: number;
  readonly memberId: string;
  readonly name: string;
  readonly group: string | null;
  readonly checkId: string | null;
  readonly charCount: number;
  readonly similarity: number;
  readonly pairs: number;
  readonly nearest: number | null;
  /** The share of its text that is common. */
  readonly common: number;
  readonly corpusSimilarity: number | null;
};

/** @param by the position of the filters in `MATCHED_BY`, from 1 as PostgreSQL counts. */
function figures(by: number): string {
  return `select a.ordinal as a, b.ordinal as b, a_matched[${by}] as "aMatchedChars", b_matched[${by}] as "bMatchedChars",
       a_matched[${by}]::float8 / greatest(1, a.compared_chars) as "aSimilarity",
       b_matched[${by}]::float8 / greatest(1, b.compared_chars) as "bSimilarity",
       passage_counts[${by}] as "passageCount", longest_passages[${by}] as "longestChars"
  from batch_pairs as pair join batch_members as a on a.member_id = a_id join batch_members as b on b.member_id = b_id
 where pair.batch_id = $1 and b_matched[${by}] > 0`;
}

/** The ranges of an array that has the start and the end of each. */
function rangesOf(spans: string): string {
  return `coalesce((select range_agg(int4range(${spans}[at], ${spans}[at + 1]))
                      from generate_series(1, cardinality(${spans}), 2) as at), '{}'::int4multirange)`;
}

function lengthOf(ranges: string): string {
  return `(select coalesce(sum(upper(part) - lower(part)), 0) from unnest(${ranges}) as part)`;
}

const GREATER = `greatest("aSimilarity", "bSimilarity")`;

/** Which pairs of a batch are read. `by`: see `MATCHED_BY`, from 0. */
type PairPage = {
  readonly by: number;
  readonly similarityMin: number;
  readonly limit: number;
  readonly offset: number;
};

/** The rows of pairs. Every method takes the connection or transaction that it runs on. */
export class PairStore {
  /** Adds the pairs of a member with others of lower ordinals; deleted members are left out. */
  async insertAll(
    transaction: Queryable,
    batchId: string,
    bId: string,
    pairs: readonly (PairFigures & { readonly memberId: string })[],
  ): Promise<void> {
    if (pairs.length === 0) return;
    await transaction.query(
      `insert into batch_pairs (batch_id, a_id, b_id, a_matched, b_matched, passage_counts, longest_passages, passages)
       select $1, member_id, $2, a_matched, b_matched, passage_counts, longest_passages, passages
         from jsonb_to_recordset($3) as given (member_id uuid, a_matched integer[], b_matched integer[],
              passage_counts integer[], longest_passages integer[], passages jsonb)
         join (select member_id from batch_members where batch_id = $1 and member_id = any($4) for key share) as held using (member_id)
       on conflict (a_id, b_id) do nothing`,
      [batchId, bId, rowsAsJson(pairs), pairs.map(({ memberId }) => memberId)],
    );
  }

  /** Stores the shingles that at least `membersMin` members share, as estimated from a sample in large batches. */
  async measureCommon(
    transaction: Queryable,
    batchId: string,
    { membersMin, sampleMax }: { readonly membersMin: number; readonly sampleMax: number },
  ): Promise<void> {
    await transaction.query("delete from batch_common_shingles where batch_id = $1", [batchId]);
    await transaction.query(
      `with counted as (select greatest(1, ceil(count(*)::float8 / $3))::integer as step from batch_members where batch_id = $1),
       shared as (
         select shingle, count(*) * (select step from counted) as members
           from batch_members, unnest(shingles) as shingle
          where batch_id = $1 and ordinal % (select step from counted) = 0
          group by shingle)
       insert into batch_common_shingles (batch_id, shingle, members)
       select $1, shingle, members from shared where members >= $2`,
      [batchId, membersMin, sampleMax],
    );
  }

  commonShingles(
    db: Queryable,
    batchId: string,
  ): Promise<{ readonly shingle: number; readonly members: number }[]> {
    return db.query("select shingle, members from batch_common_shingles where batch_id = $1", [batchId]);
  }

  /** A page of the pairs of at least this similarity, the most similar first, and the number of all. */
  async list(db: Queryable, batchId: string, page: PairPage): Promise<{ items: PairRow[]; total: number }> {
    const items = await this.page(db, batchId, page);
    const [count] = await db.query<{ total: number }>(
      `select count(*) as total from (${figures(page.by + 1)}) as pairs where ${GREATER} >= $2`,
      [batchId, page.similarityMin],
    );
    return { items, total: count?.total ?? 0 };
  }

  /** As `list`, without the number of all, which takes as long again. */
  page(db: Queryable, batchId: string, { by, similarityMin, limit, offset }: PairPage): Promise<PairRow[]> {
    return db.query<PairRow>(
      `select * from (${figures(by + 1)}) as pairs where ${GREATER} >= $2
        order by ${GREATER} desc, a, b limit $3 offset $4`,
      [batchId, similarityMin, limit, offset],
    );
  }

  /** Only which members belong together: the most similar pairs, as many as `limit`. */
  edges(
    db: Queryable,
    batchId: string,
    options: { readonly by: number; readonly similarityMin: number; readonly limit: number },
  ): Promise<{ readonly a: number; readonly b: number }[]> {
    const { by, similarityMin, limit } = options;
    return db.query(
      `select a, b from (${figures(by + 1)}) as pairs where ${GREATER} >= $2 order by ${GREATER} desc, a, b limit $3`,
      [batchId, similarityMin, limit],
    );
  }

  /** How many members have their highest similarity in each of ten equal ranges from 0 to 1; members without any pair are not counted. */
  async histogram(
    db: Queryable,
    batchId: string,
    by: number,
  ): Promise<{ pairs: number[]; members: number[] }> {
    const ten = Array.from({ length: 10 }, () => 0);
    const counted = { pairs: [...ten], members: [...ten] };
    const rows = await db.query<{ kind: "pairs" | "members"; range: number; count: number }>(
      `with pairs as materialized (${figures(by + 1)}),
       sides as (select a as ordinal, "aSimilarity" as similarity from pairs union all select b, "bSimilarity" from pairs),
       highest as (select max(similarity) as similarity from sides group by ordinal)
       select 'pairs' as kind, least(9, floor(10 * ${GREATER}))::integer as range, count(*) as count from pairs group by 2
       union all
       select 'members', least(9, floor(10 * similarity))::integer, count(*) from highest group by 2`,
      [batchId],
    );
    for (const { kind, range, count } of rows) counted[kind][range] = count;
    return counted;
  }

  /** The members that could be read: the highest similarity first, and among equals the most common text first. */
  async rank(
    db: Queryable,
    batchId: string,
    { by, limit, offset }: { readonly by: number; readonly limit: number; readonly offset: number },
  ): Promise<RankedMember[]> {
    return db.query<RankedMember>(
      `with pairs as materialized (${figures(by + 1)}),
       sides as (select a as ordinal, b as other, "aSimilarity" as similarity from pairs
                 union all select b, a, "bSimilarity" from pairs),
       highest as (select ordinal, max(similarity) as similarity, count(*) as pairs,
                          (array_agg(other order by similarity desc, other))[1] as nearest
                     from sides group by ordinal)
       select ordinal, ${columns("member_id, name, check_id")}, group_name as "group", member.char_count as "charCount",
              coalesce(similarity, 0) as similarity, coalesce(pairs, 0) as pairs, nearest,
              ${lengthOf(`${rangesOf("common_spans")} - ${rangesOf("template_spans")}`)}::float8
                / greatest(1, borders[cardinality(borders)] - ${lengthOf(rangesOf("template_spans"))}) as common,
              case when compare_with <> 'members'
                then total_matched_chars::float8 / greatest(1, checks.char_count) end as "corpusSimilarity"
         from batch_members as member join batches using (batch_id) join checks using (check_id)
         left join highest using (ordinal)
        where member.batch_id = $1 order by similarity desc nulls last, common desc, ordinal limit $2 offset $3`,
      [batchId, limit, offset],
    );
  }

  /** A pair with its passages; undefined if the two share no passage. */
  async find(
    db: Queryable,
    aId: string,
    bId: string,
  ): Promise<Pick<PairFigures, "aMatched" | "bMatched" | "passages"> | undefined> {
    const [row] = await db.query<{ aMatched: number[]; bMatched: number[]; passages: PairPassage[] }>(
      `select ${columns("a_matched, b_matched, passages")} from batch_pairs where a_id = $1 and b_id = $2`,
      [aId, bId],
    );
    return row;
  }
}
