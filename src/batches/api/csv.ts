import { csvLines } from "../../http/csv.ts";
import type { Member } from "../batch.ts";
import type { MemberName } from "../batch-report.ts";
import type { PairRow, RankedMember } from "../pair-store.ts";
import { percentOf } from "./presenter.ts";

/** Excel takes a CSV without a byte order mark for windows-1252. */
const BYTE_ORDER_MARK = "\ufeff";

const PAIR_COLUMNS = [
  "a_name",
  "a_group",
  "b_name",
  "b_group",
  "similarity_pct",
  "a_similarity_pct",
  "b_similarity_pct",
  "a_matched_chars",
  "b_matched_chars",
  "passage_count",
  "longest_passage_chars",
  "a_member_id",
  "b_member_id",
] as const;

/** One row for each pair, the most similar first. */
export async function* pairsCsv(
  rows: AsyncIterable<PairRow & { readonly nameA: MemberName; readonly nameB: MemberName }>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* csvLines(PAIR_COLUMNS, []);
  for await (const { nameA, nameB, ...pair } of rows) {
    yield* withoutHeader(PAIR_COLUMNS, {
      a_name: nameA.name,
      a_group: nameA.group,
      b_name: nameB.name,
      b_group: nameB.group,
      similarity_pct: percentOf(Math.max(pair.aSimilarity, pair.bSimilarity)),
      a_similarity_pct: percentOf(pair.aSimilarity),
      b_similarity_pct: percentOf(pair.bSimilarity),
      a_matched_chars: pair.aMatchedChars,
      b_matched_chars: pair.bMatchedChars,
      passage_count: pair.passageCount,
      longest_passage_chars: pair.longestChars,
      a_member_id: nameA.memberId,
      b_member_id: nameB.memberId,
    });
  }
}

const MEMBER_COLUMNS = [
  "name",
  "group",
  "similarity_pct",
  "nearest",
  "pairs",
  "common_pct",
  "corpus_similarity_pct",
  "char_count",
  "member_id",
  "check_id",
  "error",
] as const;

/** One row for each member, the most similar first; unreadable members come last, with the reason. */
export async function* membersCsv(
  rows: AsyncIterable<RankedMember & { readonly nearestName: string | null }>,
  unreadable: readonly Member[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* csvLines(MEMBER_COLUMNS, []);
  for await (const member of rows) {
    const { corpusSimilarity } = member;
    yield* withoutHeader(MEMBER_COLUMNS, {
      name: member.name,
      group: member.group,
      similarity_pct: percentOf(member.similarity),
      nearest: member.nearestName,
      pairs: member.pairs,
      common_pct: percentOf(member.common),
      corpus_similarity_pct: corpusSimilarity === null ? null : percentOf(corpusSimilarity),
      char_count: member.charCount,
      member_id: member.memberId,
      check_id: member.checkId,
      error: null,
    });
  }
  const nothing = {
    similarity_pct: null,
    nearest: null,
    pairs: null,
    common_pct: null,
    corpus_similarity_pct: null,
    char_count: null,
  };
  for (const { name, group, memberId, checkId, errorMessage } of unreadable) {
    if (checkId !== null) continue;
    const ids = { member_id: memberId, check_id: null };
    yield* withoutHeader(MEMBER_COLUMNS, { name, group, ...nothing, ...ids, error: errorMessage });
  }
}

function* withoutHeader<C extends string>(
  columns: readonly C[],
  row: { readonly [column in C]: string | number | null },
): Generator<string> {
  const lines = csvLines(columns, [row]);
  lines.next();
  yield* lines;
}
