import type { Database, Queryable } from "../platform/postgres/database.ts";
import { columns } from "../platform/postgres/sql.ts";
import { clustersOf } from "../report/figures/clusters.ts";
import { isCounted, MATCHED_BY, type PairFilters, type PairPassage } from "../report/figures/pair-figures.ts";
import { codePointOffsets } from "../text/code-points.ts";
import { type Batch, batchNotFound, type Member, memberNotFound } from "./batch.ts";
import type { BatchStore } from "./batch-store.ts";
import type { PairRow, PairStore, RankedMember } from "./pair-store.ts";

/** Pairs that clusters are made of, the most similar ones: a second of work and 20 MB, where a batch of 10,000 has more. */
const CLUSTERED_PAIRS_MAX = 200_000;

/** Pairs of a graph, the most similar ones: 1.5 MB of JSON, which a browser sorts and filters without a pause. */
const GRAPH_PAIRS_MAX = 50_000;

/** Members in one page when all are read. */
const WALKED_MEMBERS = 1_000;

/** Pairs in one page when all are read. PostgreSQL computes every pair for each page, so few large pages are faster. */
const WALKED_PAIRS = 5_000;

export type ReportOptions = {
  readonly filters: PairFilters;
  /** The minimum of the greater similarity of a pair, from 0 to 1. */
  readonly similarityMin: number;
  readonly limit: number;
  readonly offset: number;
};

/** A member as reports name it. */
export type MemberName = Pick<Member, "memberId" | "name" | "group"> & { readonly ordinal: number };

export type BatchReport = {
  readonly batch: Batch;
  readonly members: readonly RankedMember[];
  readonly pairs: readonly PairRow[];
  readonly pairsTotal: number;
  readonly clusters: readonly { readonly members: readonly number[]; readonly pairs: number }[];
  readonly histogram: { readonly pairs: readonly number[]; readonly members: readonly number[] };
  readonly failed: readonly Member[];
  /** The names of all members that the report mentions, by ordinal. */
  readonly names: ReadonlyMap<number, MemberName>;
};

/** All members that were read, and the most similar pairs without their passages. */
export type BatchGraph = Pick<BatchReport, "batch" | "members" | "pairs" | "pairsTotal">;

/** A row of the pairs as a table. */
export type NamedPair = PairRow & { readonly nameA: MemberName; readonly nameB: MemberName };

/** A row of the members as a table. */
export type ReportedMember = RankedMember & { readonly nearestName: string | null };

/** A side of a pair, with its whole text. */
export type PairSide = MemberName & {
  readonly checkId: string;
  readonly language: string;
  readonly text: string;
  readonly charCount: number;
  readonly comparedChars: number;
  /** UTF-16. */
  readonly templateSpans: readonly number[];
  readonly commonSpans: readonly number[];
  readonly quotations: readonly number[];
};

export type PairView = {
  /** The source of the alignment, and its query. */
  readonly a: PairSide;
  readonly b: PairSide;
  readonly passages: readonly PairPassage[];
  readonly aMatchedChars: number;
  readonly bMatchedChars: number;
  readonly longestChars: number;
};

type BatchReportParts = {
  readonly database: Database;
  readonly batches: BatchStore;
  readonly pairs: PairStore;
};

export type ReadBatchReport = ReturnType<typeof createReadBatchReport>;

/** Reports are read by pages: nothing of them grows with the number of pairs but the clusters, whose pairs are limited. */
export function createReadBatchReport({ database, batches, pairs }: BatchReportParts) {
  const batchOf = async (batchId: string): Promise<Batch> => {
    const batch = await batches.find(database, batchId);
    if (batch === undefined) throw batchNotFound();
    return batch;
  };
  return {
    async report(batchId: string, options: ReportOptions): Promise<BatchReport> {
      const batch = await batchOf(batchId);
      const { similarityMin, limit, offset } = options;
      const by = positionOf(options.filters);
      const [members, listed, edges, histogram, failed] = await Promise.all([
        pairs.rank(database, batchId, { by, limit, offset }),
        pairs.list(database, batchId, { by, similarityMin, limit, offset }),
        pairs.edges(database, batchId, { by, similarityMin, limit: CLUSTERED_PAIRS_MAX }),
        pairs.histogram(database, batchId, by),
        batches.failedMembers(database, batchId, limit),
      ]);
      const clusters = clustersOf(edges);
      const mentioned = [
        ...members.flatMap(({ nearest }) => nearest ?? []),
        ...listed.items.flatMap(({ a, b }) => [a, b]),
        ...clusters.flatMap((cluster) => cluster.members),
      ];
      const names = await batches.names(database, batchId, [...new Set(mentioned)]);
      return {
        batch,
        members,
        pairs: listed.items,
        pairsTotal: listed.total,
        clusters,
        histogram,
        failed,
        names,
      };
    },

    /** Everything that a drawing of the whole batch needs. */
    async graph(
      batchId: string,
      { filters, similarityMin }: Pick<ReportOptions, "filters" | "similarityMin">,
    ): Promise<BatchGraph> {
      const batch = await batchOf(batchId);
      const by = positionOf(filters);
      const [members, listed] = await Promise.all([
        pairs.rank(database, batchId, { by, limit: batch.membersTotal, offset: 0 }),
        pairs.list(database, batchId, { by, similarityMin, limit: GRAPH_PAIRS_MAX, offset: 0 }),
      ]);
      // Counted after the list was read, and a batch may be growing: only a full list can lack pairs.
      const isCut = listed.items.length === GRAPH_PAIRS_MAX;
      return { batch, members, pairs: listed.items, pairsTotal: isCut ? listed.total : listed.items.length };
    },

    /** All pairs, page by page; the batch is known before the first. */
    async pairs(batchId: string, filters: PairFilters, similarityMin: number) {
      const batch = await batchOf(batchId);
      const by = positionOf(filters);
      async function* pages(): AsyncGenerator<readonly NamedPair[]> {
        const limit = WALKED_PAIRS;
        for (let offset = 0; ; offset += limit) {
          const items = await pairs.page(database, batchId, { by, similarityMin, limit, offset });
          const names = await batches.names(database, batchId, [
            ...new Set(items.flatMap(({ a, b }) => [a, b])),
          ]);
          yield items.flatMap((item) => {
            const [nameA, nameB] = [names.get(item.a), names.get(item.b)];
            return nameA === undefined || nameB === undefined ? [] : { ...item, nameA, nameB };
          });
          if (items.length < limit) return;
        }
      }
      return { batch, pages: pages() };
    },

    /** All members, the most similar first and unreadable ones last. */
    async members(batchId: string, filters: PairFilters) {
      const batch = await batchOf(batchId);
      const by = positionOf(filters);
      async function* pages(): AsyncGenerator<readonly ReportedMember[]> {
        for (let offset = 0; ; offset += WALKED_MEMBERS) {
          const page = await pairs.rank(database, batchId, { by, limit: WALKED_MEMBERS, offset });
          const nearest = page.flatMap((member) => member.nearest ?? []);
          const names = await batches.names(database, batchId, nearest);
          yield page.map((member) => ({
            ...member,
            nearestName: names.get(member.nearest ?? -1)?.name ?? null,
          }));
          if (page.length < WALKED_MEMBERS) return;
        }
      }
      const failed = await batches.failedMembers(database, batchId, Number.MAX_SAFE_INTEGER);
      return { batch, pages: pages(), failed };
    },

    /** Two members with their texts, in either order. @throws `batch_not_found`, `member_not_found` */
    async pair(batchId: string, one: string, other: string, filters: PairFilters): Promise<PairView> {
      await batchOf(batchId);
      const sides = await findSides(database, batchId, [one, other]);
      const [a, b] = sides.toSorted((x, y) => x.ordinal - y.ordinal);
      if (a === undefined || b === undefined) throw memberNotFound();
      const found = await pairs.find(database, a.memberId, b.memberId);
      const passages = (found?.passages ?? []).filter((passage) => isCounted(passage, filters));
      const { toCodePoint } = codePointOffsets(b.text);
      const lengths = passages.map(({ query }) => toCodePoint(query.end) - toCodePoint(query.start));
      return {
        ...{ a, b, passages },
        aMatchedChars: found?.aMatched[positionOf(filters)] ?? 0,
        bMatchedChars: found?.bMatched[positionOf(filters)] ?? 0,
        longestChars: Math.max(0, ...lengths),
      };
    },
  };
}

/** The position of filters in `MATCHED_BY`. */
function positionOf({ excludeQuotes, excludeCommon }: PairFilters): number {
  return MATCHED_BY.findIndex(
    (one) => one.excludeQuotes === excludeQuotes && one.excludeCommon === excludeCommon,
  );
}

function findSides(db: Queryable, batchId: string, memberIds: readonly string[]): Promise<PairSide[]> {
  return db.query<PairSide>(
    `select ${columns("member_id, ordinal, name, check_id, language, template_spans, common_spans, quotations, compared_chars")},
            group_name as "group", query_text as text, checks.char_count as "charCount"
       from batch_members join checks using (check_id)
      where batch_members.batch_id = $1 and member_id = any($2)`,
    [batchId, memberIds],
  );
}
