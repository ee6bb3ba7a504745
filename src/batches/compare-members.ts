import { randomUUID } from "node:crypto";
import type { RunStore } from "../checks/index.ts";
import type { CorpusStores, FrequentShingles } from "../corpus/index.ts";
import type { CurrentEncoder } from "../matching/encoder/sentence-encoder.ts";
import { match } from "../matching/match.ts";
import type * as preparationTasks from "../matching/preparation-tasks.ts";
import type * as matchingTasks from "../matching/tasks.ts";
import { TimeBudget } from "../matching/time-budget.ts";
import type { Compute } from "../platform/compute-pool.ts";
import { DomainError, HandedBack } from "../platform/domain-error.ts";
import { mapConcurrently } from "../platform/flow/concurrency.ts";
import type { JobHandler } from "../platform/postgres/job-queue.ts";
import { explainCandidates } from "../report/figures/explanation.ts";
import { SEARCHED_MEMBERS_MAX } from "../report/figures/pair-figures.ts";
import type { ReportStore } from "../report/index.ts";
import type * as reportTasks from "../report/tasks.ts";
import { toFlat } from "../text/span.ts";
import { batchSet } from "./batch-set.ts";
import type { PartMember } from "./batch-store.ts";
import { completeWhenCompared, type EndBatchParts } from "./continue-batch.ts";
import type { MemberCorpus, MemberIndex } from "./member-corpus.ts";
import { MemberSearch, type WordsBefore } from "./member-search.ts";
import type { PairStore } from "./pair-store.ts";
import { FAILED, FAILED_ATTEMPTS_MAX } from "./read-members.ts";

type CompareMembersParts = EndBatchParts &
  Pick<CorpusStores, "opensearch" | "meaning" | "log"> & {
    readonly compute: Compute<typeof matchingTasks & typeof preparationTasks & typeof reportTasks>;
    readonly pairs: PairStore;
    readonly runs: RunStore;
    readonly reports: ReportStore;
    readonly memberCorpus: MemberCorpus;
    readonly memberIndex: MemberIndex;
    readonly frequentShingles: FrequentShingles;
    readonly encoder: CurrentEncoder;
    readonly timeBudgetMs: number;
    /** Compares a member with the corpus, as any check. */
    readonly runCheck: JobHandler;
  };

/** The shingles that many members of a batch share. */
type CommonText = {
  /** More members than the share of the batch: passages that consist of these are marked. */
  readonly marked: readonly number[];
  /** Shingles that too many members share, so they are not searched for. */
  readonly unsearched: ReadonlySet<number>;
};

/** Members of a part that are compared at a time: while one is read or stored, another is aligned. Checks against the corpus run one by one. */
const COMPARED_AT_ONCE = 2;

/** The members that each member of a part is compared with: none without `wordsBefore`. */
type OtherMembers = { readonly common: CommonText; readonly wordsBefore: WordsBefore | undefined };

/**
 * Compares the members of a part with all members before them, and with the corpus if the batch asks for that. A member and its pairs
 * are committed together, so an interrupted job repeats at most two members, and no pair is there twice.
 */
export function createCompareMembers(parts: CompareMembersParts): JobHandler {
  const { database, batches, log } = parts;
  const memberSearch = new MemberSearch(parts);

  return async (partId, signal) => {
    const members = await batches.ofPart(database, partId, "read");
    const batchId = members[0]?.batchId ?? (await batches.batchOfPart(database, partId));
    if (batchId === undefined) return;
    if (members.length > 0) {
      const common = await commonText(parts, batchId);
      const compare = (wordsBefore: WordsBefore | undefined) =>
        compareAll(batchId, members, { common, wordsBefore }, signal);
      const comparesNoMembers =
        members[0]?.compareWith === "corpus" || (await parts.memberCorpus.isOneGroup(database, partId));
      if (comparesNoMembers) await compare(undefined);
      else await memberSearch.during(batchId, members, signal, compare);
    }
    if (await completeWhenCompared(parts, batchId)) memberSearch.release(batchId);
    await batches.announce(database, batchId);
  };

  async function compareAll(
    batchId: string,
    members: readonly PartMember[],
    others: OtherMembers,
    signal: AbortSignal,
  ): Promise<void> {
    const atOnce = members[0]?.compareWith === "members" ? COMPARED_AT_ONCE : 1;
    const compared = mapConcurrently(members, atOnce, async (member) => {
      signal.throwIfAborted();
      await compareOrFail(member, others, signal);
    });
    for await (const _ of compared) await batches.announce(database, batchId);
  }

  async function compareOrFail(member: PartMember, others: OtherMembers, signal: AbortSignal): Promise<void> {
    const { memberId } = member;
    try {
      await compareMember(parts, member, others, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError || error instanceof HandedBack) throw error;
      if ((await batches.countFailure(database, memberId)) < FAILED_ATTEMPTS_MAX) throw error;
      log.error({ memberId, err: error }, "a member of a batch can't be compared");
      await batches.fail(database, memberId, "internal", FAILED);
    }
  }
}

async function commonText({ database, pairs }: CompareMembersParts, batchId: string): Promise<CommonText> {
  const counted = await pairs.commonShingles(database, batchId);
  return {
    marked: counted.map(({ shingle }) => shingle),
    unsearched: new Set(
      counted.filter(({ members }) => members > SEARCHED_MEMBERS_MAX).map(({ shingle }) => shingle),
    ),
  };
}

async function compareMember(
  parts: CompareMembersParts,
  member: PartMember,
  { common, wordsBefore }: OtherMembers,
  signal: AbortSignal,
): Promise<void> {
  const { database, batches, pairs, memberCorpus, compute, encoder } = parts;
  const { memberId, batchId, compareWith, checkId } = member;
  const own = (await memberCorpus.comparedTexts(database, [memberId])).get(memberId);
  if (own === undefined || checkId === null) return;
  const run = { checkId, runId: randomUUID() };
  if (compareWith === "members" && (await parts.runs.start(database, checkId, run.runId)) === undefined)
    return;
  const words = wordsBefore?.(member);
  const withSentences = encoder.isOn && words !== undefined;
  const query = await compute.run("analyseQuery", { ...own, withSentences });
  const totalChunks = query.forms.length;
  const matches =
    words === undefined
      ? undefined
      : await match({ ...query, ...own }, batchSet(parts, member, words, common.unsearched), {
          ...{ compute, encoder, signal, queryKey: memberId },
          budget: new TimeBudget(parts.timeBudgetMs, 0),
          vectors: keptVectors(parts, memberId),
        });
  const sources = (matches?.sources ?? []).filter(({ passages }) => passages.length > 0);
  const quotations = await memberCorpus.findQuotations(
    database,
    sources.map(({ documentId }) => documentId),
  );
  const measured = await compute.run("measurePairs", {
    queryText: own.text,
    language: own.language,
    queryQuotations: own.quotations,
    commonShingles: common.marked,
    sources: sources.map(({ documentId, passages }) => ({
      documentId,
      passages,
      quotations: quotations.get(documentId) ?? [],
    })),
  });
  // Before the commit, after which nobody would come back to it; a check that has ended is skipped.
  if (compareWith !== "members") await parts.runCheck(checkId, signal);
  const figures =
    compareWith === "members"
      ? await compute.run("computeFigures", { queryText: own.text, sources: [] })
      : undefined;
  await database.transaction(async (transaction) => {
    if (!(await batches.markCompared(transaction, memberId, toFlat(measured.common)))) return;
    const rows = sources.flatMap(({ documentId }, at) => {
      const pair = measured.pairs[at];
      return pair === undefined ? [] : [{ ...pair, memberId: documentId }];
    });
    await pairs.insertAll(transaction, batchId, memberId, rows);
    await parts.runs.dropKept(transaction, checkId);
    if (figures === undefined) return;
    // Compared with no document of the corpus, and so reported.
    const checkedChunks = matches?.checkedChunks ?? totalChunks;
    await parts.runs.complete(transaction, run, 0, checkedChunks < totalChunks ? "partial" : "full");
    await parts.reports.insert(transaction, checkId, {
      figures,
      explanation: explainCandidates([], new Map()),
      integrityFlags: query.integrityFlags,
      ...{ checkedChunks, totalChunks },
      ...{ corpusSources: 0, semanticDocuments: 0 },
      semanticReason: matches === undefined ? (encoder.isOn ? null : "off") : matches.meaning.reason,
    });
  });
}

/** Vectors stored when the member was read. Missing ones are computed but not stored. */
function keptVectors({ database, runs }: CompareMembersParts, memberId: string) {
  return {
    sentencesMin: 1,
    find: (generation: number) => runs.findVectors(database, memberId, generation),
    keep: async () => undefined,
  };
}
