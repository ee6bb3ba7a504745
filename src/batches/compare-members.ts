import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import {
  alignHits,
  type CheckStore,
  compareMeaning,
  createFindByWords,
  encodeQuery,
  indexedTexts,
  QueryCounts,
  type RetrievalStore,
  retrieve,
  TimeBudget,
  withMeaning,
} from "../checks/index.ts";
import type { CorpusParts, FrequentShingles, Semantics } from "../corpus/index.ts";
import { exceedsOneSubject } from "../matching/meaning/meaning-decision.ts";
import type { AnalysedQuery } from "../matching/tasks.ts";
import type { AlignedSource } from "../matching/words/align.ts";
import { STRONG_EVIDENCE } from "../matching/words/reuse-evidence.ts";
import { DomainError } from "../platform/domain-error.ts";
import { mapConcurrently } from "../platform/flow/concurrency.ts";
import { HandedBack, type JobHandler } from "../platform/postgres/job-queue.ts";
import { explainCandidates } from "../report/figures/explanation.ts";
import { SEARCHED_MEMBERS_MAX } from "../report/figures/pair-figures.ts";
import type { SourcePassage } from "../report/figures/report.ts";
import type { ReportStore, SemanticReason } from "../report/index.ts";
import { shingleNumber } from "../text/common-shingles.ts";
import { toFlat } from "../text/span.ts";
import type { BatchStore, PartMember } from "./batch-store.ts";
import { completeWhenCompared } from "./continue-batch.ts";
import { type ComparedText, earlierMembers, type MemberCorpus, type MemberIndex } from "./member-corpus.ts";
import type { PairStore } from "./pair-store.ts";
import { FAILED, FAILED_ATTEMPTS_MAX } from "./read-members.ts";
import { MemberSearch, type SearchedBy, type SearchedMembers } from "./search-members.ts";

type Parts = Pick<
  CorpusParts,
  "database" | "opensearch" | "queue" | "compute" | "webhooks" | "semantics" | "log"
> & {
  readonly batches: BatchStore;
  readonly pairs: PairStore;
  readonly checks: CheckStore;
  readonly reports: ReportStore;
  readonly retrievals: RetrievalStore;
  readonly memberCorpus: MemberCorpus;
  readonly memberIndex: MemberIndex;
  readonly frequentShingles: FrequentShingles;
  readonly meaning: Semantics;
  readonly timeBudgetMs: number;
  /** Compares a member with the corpus, as any check. */
  readonly runCheck: JobHandler;
};

/** The shingles that many members of a batch share. */
type CommonText = {
  /** More members than the share of the batch: passages that consist of these are marked. */
  readonly marked: readonly number[];
  /** So many members that they are not searched for. */
  readonly unsearched: ReadonlySet<number>;
};

/** Members of a part that are compared at a time: while one is read or stored, another is aligned. Checks against the corpus run one by one. */
const COMPARED_AT_ONCE = 2;

/** The other members that those of a part are compared with: none without `searchedBy`. */
type SearchedSet = { readonly common: CommonText; readonly searchedBy: SearchedBy | undefined };

/**
 * Compares the members of a part with all members before them, and with the corpus if the batch asks for that. A member and its pairs
 * are committed together, so an interrupted job repeats at most two members, and no pair is there twice.
 */
export function createCompareMembers(parts: Parts): JobHandler {
  const { database, batches, log } = parts;
  const memberSearch = new MemberSearch(parts);

  return async (partId, signal) => {
    const members = await batches.ofPart(database, partId, "read");
    const batchId = members[0]?.batchId ?? (await batches.batchOfPart(database, partId));
    if (batchId === undefined) return;
    if (members.length > 0) {
      const common = await commonText(parts, batchId);
      const compare = (searchedBy: SearchedBy | undefined) =>
        compareAll(batchId, members, { common, searchedBy }, signal);
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
    set: SearchedSet,
    signal: AbortSignal,
  ): Promise<void> {
    const atOnce = members[0]?.compareWith === "members" ? COMPARED_AT_ONCE : 1;
    const compared = mapConcurrently(Readable.from(members), atOnce, async (member) => {
      signal.throwIfAborted();
      await compareOrFail(member, set, signal);
    });
    for await (const _ of compared) await batches.announce(database, batchId);
  }

  async function compareOrFail(member: PartMember, set: SearchedSet, signal: AbortSignal): Promise<void> {
    const { memberId } = member;
    try {
      await compareMember(parts, member, set, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError || error instanceof HandedBack) throw error;
      if ((await batches.countFailure(database, memberId)) < FAILED_ATTEMPTS_MAX) throw error;
      log.error({ memberId, err: error }, "a member of a batch can't be compared");
      await batches.fail(database, memberId, "internal", FAILED);
    }
  }
}

async function commonText({ database, pairs }: Parts, batchId: string): Promise<CommonText> {
  const counted = await pairs.commonShingles(database, batchId);
  return {
    marked: counted.map(({ shingle }) => shingle),
    unsearched: new Set(
      counted.filter(({ members }) => members > SEARCHED_MEMBERS_MAX).map(({ shingle }) => shingle),
    ),
  };
}

async function compareMember(
  parts: Parts,
  member: PartMember,
  set: SearchedSet,
  signal: AbortSignal,
): Promise<void> {
  const { database, batches, pairs, memberCorpus, compute } = parts;
  const { memberId, batchId, compareWith, checkId } = member;
  const own = (await memberCorpus.comparedTexts(database, [memberId])).get(memberId);
  if (own === undefined || checkId === null) return;
  const run = { checkId, runId: randomUUID() };
  if (compareWith === "members" && (await parts.checks.startRun(database, checkId, run.runId)) === undefined)
    return;
  const { common } = set;
  const searched = set.searchedBy?.(member);
  const withSentences = parts.meaning.isOn && searched !== undefined;
  const query = await compute.run("analyseQuery", { ...own, withSentences });
  const found: Found =
    searched === undefined
      ? { aligned: [], checkedChunks: query.forms.length, semanticReason: parts.meaning.isOn ? null : "off" }
      : await findPairs(parts, member, own, query, { common, searched }, signal);
  const sources = found.aligned.filter(({ passages }) => passages.length > 0);
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
    await transaction.query("delete from check_vectors where check_id = $1", [checkId]);
    if (figures === undefined) return;
    // Compared with no document of the corpus, and so reported.
    const coverage = found.checkedChunks < query.forms.length ? "partial" : "full";
    await parts.checks.complete(transaction, run, 0, coverage);
    await parts.reports.insert(transaction, checkId, {
      figures,
      explanation: explainCandidates([], new Map()),
      integrityFlags: query.integrityFlags,
      checkedChunks: found.checkedChunks,
      totalChunks: query.forms.length,
      corpusSources: 0,
      semanticDocuments: 0,
      semanticReason: found.semanticReason,
    });
  });
}

type Found = {
  readonly aligned: readonly AlignedSource[];
  /** Query chunks for which all members were searched. */
  readonly checkedChunks: number;
  readonly semanticReason: SemanticReason | null;
};

/** Finds the passages that a member has in common with those before it, by the stages of a check. */
async function findPairs(
  parts: Parts,
  member: PartMember,
  { text, language }: ComparedText,
  query: AnalysedQuery,
  { common, searched }: { readonly common: CommonText; readonly searched: SearchedMembers },
  signal: AbortSignal,
): Promise<Found> {
  const { database, compute, memberCorpus } = parts;
  const { forms } = query;
  const all = [...query.shingles.flat(), ...query.boundaryShingles];
  const frequent = new Set(await parts.frequentShingles.among(database, all));
  for (const shingle of all) if (common.unsearched.has(shingleNumber(shingle))) frequent.add(shingle);
  const termLists = query.shingles.map((terms) => terms.filter((term) => !frequent.has(term)));
  const budget = new TimeBudget(parts.timeBudgetMs, 0);
  const counts = new QueryCounts(searched, { termLists, forms });
  const { candidates, hits, checkedChunks } = await retrieve({
    termLists,
    search: (lists, size, timeMs) => searched.search(lists, size, timeMs),
    assertCurrent: async () => signal.throwIfAborted(),
    counts,
    findByWords: createFindByWords({
      chunkIndex: searched,
      ...{ compute, forms, counts },
      bounds: { hit: STRONG_EVIDENCE, document: STRONG_EVIDENCE },
    }),
    budget,
    onProgress: async () => undefined,
  });
  const byWords = await alignHits({
    candidates,
    hits,
    chunkStarts: query.chunkStarts,
    documents: await memberCorpus.findMatchable(database, [...candidates.keys()]),
    readTexts: (ranges) => memberCorpus.findRanges(database, ranges),
    align: (documents) => {
      signal.throwIfAborted();
      // Not the candidates alone: in a large set, chance has all of its members to choose from.
      const pairsCompared = Math.max(1, member.ordinal);
      const aligned = {
        queryKey: member.memberId,
        queryText: text,
        language,
        frequentShingles: [...frequent],
        isOneSubject: true,
      };
      return compute.run("alignPacked", { ...aligned, pairsCompared, documents });
    },
  });
  const encoded = await encodeQuery(parts, query, keptVectors(parts, member.memberId), signal);
  const meaning = await compareMeaning(
    {
      compute,
      searched: indexedTexts({
        database,
        documents: memberCorpus,
        texts: memberCorpus,
        semantics: {
          findSectionsIn: (db, ranges, generation) => memberCorpus.findSectionsIn(db, ranges, generation),
          assertKept: (db, generation) => parts.semantics.assertKept(db, generation),
          progress: (db) =>
            "reason" in encoded
              ? Promise.resolve({ encoded: 0, lacking: 0 })
              : memberCorpus.countEncoded(db, member.batchId, encoded.ready.model.generation),
        },
        chunkIndex: parts.memberIndex.narrowedTo(earlierMembers(member)),
      }),
    },
    {
      query: { ...query, text, language },
      encoded,
      wordHits: hits,
      aligned: byWords,
      countWords: () => counts.ofAllWords(),
      timeMs: () => budget.remainingMs,
    },
  );
  // Pairs of members have no explanation.
  const found = withMeaning(byWords, { passages: beyondSubject(meaning.passages), dropped: new Map() });
  return { aligned: found, checkedChunks, semanticReason: meaning.coverage.reason };
}

/** The passages found by their meaning, without those that show no more than that two members write about one subject. */
function beyondSubject(passages: ReadonlyMap<string, readonly SourcePassage[]>) {
  const isBeyond = ({ matchType, evidence }: SourcePassage) => {
    const margins = (evidence?.meaning?.pairs ?? []).map(({ margin }) => margin);
    return exceedsOneSubject(matchType === "translated", margins);
  };
  const kept = [...passages].map(([documentId, all]) => [documentId, all.filter(isBeyond)] as const);
  return new Map(kept.filter(([, all]) => all.length > 0));
}

/** The vectors that the reading of a member has kept; those that are missing are computed, and not kept. */
function keptVectors({ database, retrievals }: Parts, memberId: string) {
  return {
    sentencesMin: 1,
    find: (generation: number) => retrievals.findVectors(database, memberId, generation),
    keep: async () => undefined,
  };
}
