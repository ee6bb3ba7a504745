import { type Cell, csvFile } from "../../http/csv.ts";
import type { Member } from "../batch.ts";
import type { NamedPair, ReportedMember } from "../batch-report.ts";
import { percentOf } from "./presenter.ts";

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
export function pairsCsv(pages: AsyncIterable<readonly NamedPair[]>): AsyncIterable<string> {
  return csvFile(PAIR_COLUMNS, pages, ({ nameA, nameB, ...pair }) => ({
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
  }));
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
export function membersCsv(
  pages: AsyncIterable<readonly ReportedMember[]>,
  failed: readonly Member[],
): AsyncIterable<string> {
  return csvFile(MEMBER_COLUMNS, memberRows(pages, failed), (row) => row);
}

type MemberRow = Readonly<Record<(typeof MEMBER_COLUMNS)[number], Cell>>;

async function* memberRows(
  pages: AsyncIterable<readonly ReportedMember[]>,
  failed: readonly Member[],
): AsyncGenerator<readonly MemberRow[]> {
  for await (const members of pages)
    yield members.map(({ corpusSimilarity, ...member }) => ({
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
    }));
  const unreadable = failed.filter(({ checkId }) => checkId === null);
  yield unreadable.map(({ name, group, memberId, errorMessage }) => ({
    name,
    group,
    similarity_pct: null,
    nearest: null,
    pairs: null,
    common_pct: null,
    corpus_similarity_pct: null,
    char_count: null,
    member_id: memberId,
    check_id: null,
    error: errorMessage,
  }));
}
