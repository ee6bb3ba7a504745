import type { z } from "zod";
import { presentProperties } from "../../http/input/wire-types.ts";
import type { WebhookEvent } from "../../platform/webhooks/webhooks.ts";
import { percent } from "../../report/figures/figures.ts";
import { unitConversion } from "../../report/figures/offset-unit.ts";
import { presentMemberPassage } from "../../report/index.ts";
import type { OffsetUnit } from "../../text/excerpt.ts";
import { fromFlat } from "../../text/span.ts";
import type { Batch, Member } from "../batch.ts";
import type {
  BatchGraph,
  BatchReport,
  MemberName,
  PairSide,
  PairView,
  ReportOptions,
} from "../batch-report.ts";
import type { PairRow, RankedMember } from "../pair-store.ts";
import type {
  BatchGraphSchema,
  BatchMember,
  BatchMetadata,
  BatchProgressEnd,
  BatchProgressEvent,
  BatchReportSchema,
  PairViewSchema,
  SubmittedBatch,
} from "./schema.ts";

export function presentSubmitted(batchId: string): z.output<typeof SubmittedBatch> {
  return { batch_id: batchId, ...urlsOf(batchId) };
}

export function presentBatch(batch: Batch): z.output<typeof BatchMetadata> {
  return {
    batch_id: batch.batchId,
    status: batch.status,
    title: batch.title,
    language: batch.language,
    compare_with: batch.compareWith,
    add_to_corpus: batch.addToCorpus,
    common_share: batch.commonShare,
    ...progressOf(batch),
    created_at: batch.createdAt.toISOString(),
    updated_at: batch.updatedAt.toISOString(),
    completed_at: batch.completedAt?.toISOString() ?? null,
    ...urlsOf(batch.batchId),
  };
}

export function presentMember(member: Member): z.output<typeof BatchMember> {
  return {
    member_id: member.memberId,
    ordinal: member.ordinal,
    name: member.name,
    group: member.group,
    status: member.status,
    check_id: member.checkId,
    error_code: member.errorCode,
    error_message: member.errorMessage,
    ...(member.properties && presentProperties(member.properties)),
  };
}

export function presentProgress(batch: Batch): z.output<typeof BatchProgressEvent> {
  return { status: batch.status, ...progressOf(batch) };
}

/** The event that tells other programs that a batch has ended. It holds neither a title nor a text. */
export function presentBatchEvent(batch: Batch): WebhookEvent {
  const { status_url, report_url } = urlsOf(batch.batchId);
  return {
    type: "batch.completed",
    objectId: batch.batchId,
    at: batch.completedAt ?? batch.updatedAt,
    data: {
      batch_id: batch.batchId,
      status: batch.status,
      ...progressOf(batch),
      created_at: batch.createdAt.toISOString(),
      completed_at: batch.completedAt?.toISOString() ?? null,
      status_url,
      report_url,
    },
  };
}

/** The last event of a stream: its name and its data. */
export function presentBatchEnd(batchId: string, batch: Batch | undefined): End {
  const { report_url } = urlsOf(batchId);
  if (batch === undefined)
    return { event: "failed", data: { batch_id: batchId, status: "deleted", ...NO_PROGRESS, report_url } };
  return {
    event: "complete",
    data: { batch_id: batchId, status: "complete", ...progressOf(batch), report_url },
  };
}

type End = { readonly event: "complete" | "failed"; readonly data: z.output<typeof BatchProgressEnd> };

const NO_PROGRESS = {
  members_total: 0,
  members_read: 0,
  members_compared: 0,
  members_failed: 0,
  pairs_found: 0,
};

function progressOf(batch: Batch) {
  return {
    members_total: batch.membersTotal,
    members_read: batch.membersRead,
    members_compared: batch.membersCompared,
    members_failed: batch.membersFailed,
    pairs_found: batch.pairsFound,
  };
}

export function presentBatchReport(
  { batch, members, pairs, pairsTotal, clusters, histogram, failed, names }: BatchReport,
  { similarityMin, limit, offset }: ReportOptions,
): z.output<typeof BatchReportSchema> {
  const nameOf = (ordinal: number) => names.get(ordinal);
  const withoutPair =
    batch.membersTotal - batch.membersFailed - histogram.members.reduce((sum, one) => sum + one, 0);
  return {
    batch_id: batch.batchId,
    title: batch.title,
    status: batch.status,
    ...progressOf(batch),
    min_similarity: percentOf(similarityMin),
    members: members.map((member) => {
      const nearest = member.nearest === null ? undefined : nameOf(member.nearest);
      return { ...presentRanked(member), nearest: nearest === undefined ? null : presentName(nearest) };
    }),
    pairs: pairs.flatMap((pair) => {
      const [a, b] = [nameOf(pair.a), nameOf(pair.b)];
      return a === undefined || b === undefined ? [] : [presentPair(pair, a, b)];
    }),
    pairs_total: pairsTotal,
    clusters: clusters.map((cluster) => ({
      members: cluster.members.flatMap((ordinal) => {
        const name = nameOf(ordinal);
        return name === undefined ? [] : [presentName(name)];
      }),
      pairs: cluster.pairs,
    })),
    histogram: histogram.members.map((count, range) => ({
      from_pct: 10 * range,
      to_pct: 10 * (range + 1),
      members: count + (range === 0 ? Math.max(0, withoutPair) : 0),
      pairs: histogram.pairs[range] ?? 0,
    })),
    unreadable: failed.map(presentMember),
    ...{ offset, limit },
  };
}

function presentRanked(member: RankedMember) {
  return {
    ...presentName(member),
    check_id: member.checkId,
    char_count: member.charCount,
    similarity_pct: percentOf(member.similarity),
    pairs: member.pairs,
    common_pct: percentOf(member.common),
    corpus_similarity_pct: member.corpusSimilarity === null ? null : percentOf(member.corpusSimilarity),
  };
}

export function presentGraph(
  { batch, members, pairs, pairsTotal }: BatchGraph,
  similarityMin: number,
): z.output<typeof BatchGraphSchema> {
  return {
    batch_id: batch.batchId,
    status: batch.status,
    ...progressOf(batch),
    min_similarity: percentOf(similarityMin),
    members: members.map((member) => ({ ...presentRanked(member), nearest: member.nearest })),
    pairs: {
      a: pairs.map(({ a }) => a),
      b: pairs.map(({ b }) => b),
      a_similarity_pct: pairs.map(({ aSimilarity }) => percentOf(aSimilarity)),
      b_similarity_pct: pairs.map(({ bSimilarity }) => percentOf(bSimilarity)),
      passage_count: pairs.map(({ passageCount }) => passageCount),
      longest_passage_chars: pairs.map(({ longestChars }) => longestChars),
    },
    pairs_total: pairsTotal,
  };
}

function presentPair(pair: PairRow, a: MemberName, b: MemberName) {
  return {
    a: { ...presentName(a), matched_chars: pair.aMatchedChars, similarity_pct: percentOf(pair.aSimilarity) },
    b: { ...presentName(b), matched_chars: pair.bMatchedChars, similarity_pct: percentOf(pair.bSimilarity) },
    similarity_pct: percentOf(Math.max(pair.aSimilarity, pair.bSimilarity)),
    passage_count: pair.passageCount,
    longest_passage_chars: pair.longestChars,
  };
}

function presentName({ memberId, ordinal, name, group }: MemberName) {
  return { member_id: memberId, ordinal, name, group };
}

export function presentPairView(
  batchId: string,
  { a, b, passages, aMatchedChars, bMatchedChars, longestChars }: PairView,
  unit: OffsetUnit,
): z.output<typeof PairViewSchema> {
  const conversion = unitConversion(b.text, unit);
  const [aSide, bSide] = [presentSide(a, aMatchedChars, unit), presentSide(b, bMatchedChars, unit)];
  return {
    batch_id: batchId,
    offset_unit: unit,
    a: aSide,
    b: bSide,
    similarity_pct: Math.max(aSide.similarity_pct, bSide.similarity_pct),
    longest_passage_chars: longestChars,
    passages: passages.map(({ isQuoted, isCommon, ...passage }) => ({
      ...presentMemberPassage(passage, conversion),
      ...{ is_quoted: isQuoted, is_common: isCommon },
    })),
  };
}

function presentSide(side: PairSide, matchedChars: number, unit: OffsetUnit) {
  const { span } = unitConversion(side.text, unit);
  const spans = (flat: readonly number[]) =>
    fromFlat(flat)
      .map(span)
      .map(({ start, end }) => [start, end]);
  return {
    ...presentName(side),
    matched_chars: matchedChars,
    similarity_pct: Math.min(100, percent(matchedChars, side.comparedChars)),
    check_id: side.checkId,
    language: side.language,
    text: side.text,
    char_count: side.charCount,
    compared_chars: side.comparedChars,
    template_text: spans(side.templateSpans),
    common_text: spans(side.commonSpans),
    quotations: spans(side.quotations),
  };
}

/** A share of 1 in percent, with two decimals. */
export function percentOf(share: number): number {
  return Math.min(100, percent(Math.round(share * 1e8), 1e8));
}

function urlsOf(batchId: string) {
  const path = `/v1/batches/${batchId}`;
  return { status_url: path, progress_url: `${path}/progress`, report_url: `${path}/report` };
}
