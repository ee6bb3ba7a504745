import type { BatchGraph as WireGraph } from "../../../client/index.ts";
import { type Cluster, clustersOf } from "../../../report/figures/clusters.ts";

export type GraphMember = WireGraph["members"][number];

/** Two members with passages in common; `b` arrived later. Similarities are in percent. */
export type GraphPair = {
  readonly a: GraphMember;
  readonly b: GraphMember;
  readonly aPct: number;
  readonly bPct: number;
  /** The greater one, by which pairs are selected. */
  readonly pct: number;
  readonly passageCount: number;
  readonly longestChars: number;
};

/** The members and pairs of a batch, both by descending similarity. */
export type BatchGraph = {
  readonly members: readonly GraphMember[];
  readonly pairs: readonly GraphPair[];
  readonly pairsTotal: number;
};

/** Names of one collation, which is slow to make. */
const NAMES = new Intl.Collator(undefined, { numeric: true });

function compareNames(one: GraphMember, other: GraphMember): number {
  return NAMES.compare(one.name, other.name) || one.ordinal - other.ordinal;
}

/** Names without the folder that holds all files, such as the one that an archive was made of. */
function withoutCommonFolder(members: readonly GraphMember[]): readonly GraphMember[] {
  let end = (members[0]?.name ?? "").lastIndexOf("/") + 1;
  for (const { name } of members)
    while (end > 0 && !name.startsWith(members[0]?.name.slice(0, end) ?? ""))
      end = (members[0]?.name ?? "").lastIndexOf("/", end - 2) + 1;
  return end === 0 ? members : members.map((member) => ({ ...member, name: member.name.slice(end) }));
}

/** Puts the columns of the answer together. Pairs of members that are gone meanwhile are left out. */
export function toGraph({ members: all, pairs, pairs_total: pairsTotal }: WireGraph): BatchGraph {
  const members = withoutCommonFolder(all);
  const byOrdinal = new Map(members.map((member) => [member.ordinal, member]));
  return {
    members,
    pairs: pairs.a.flatMap((ordinal, at) => {
      const [a, b] = [byOrdinal.get(ordinal), byOrdinal.get(pairs.b[at] ?? -1)];
      const [aPct = 0, bPct = 0] = [pairs.a_similarity_pct[at], pairs.b_similarity_pct[at]];
      if (a === undefined || b === undefined) return [];
      const pct = Math.max(aPct, bPct);
      const passageCount = pairs.passage_count[at] ?? 0;
      return [{ a, b, aPct, bPct, pct, passageCount, longestChars: pairs.longest_passage_chars[at] ?? 0 }];
    }),
    pairsTotal,
  };
}

/** The least similarity for which the graph has all pairs: more than 0 where the service has left some out. */
export function completeFrom({ pairs, pairsTotal }: BatchGraph): number {
  // Others as similar as the last one may be missing.
  return pairs.length === pairsTotal ? 0 : Math.min(100, Math.floor(pairs.at(-1)?.pct ?? 0) + 1);
}

/** The pairs from a similarity on: the first ones, because they are sorted. */
export function pairsFrom(pairs: readonly GraphPair[], pctMin: number): readonly GraphPair[] {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pairs[middle]?.pct ?? 0) >= pctMin) low = middle + 1;
    else high = middle;
  }
  return low === pairs.length ? pairs : pairs.slice(0, low);
}

/** Members that are connected by pairs, and those pairs, the most similar first. */
export type MemberCluster = {
  /** The least ordinal of its members, which names it in an address. */
  readonly id: number;
  readonly members: readonly GraphMember[];
  readonly pairs: readonly GraphPair[];
};

/** The clusters that these pairs make, the largest first. */
export function memberClusters(pairs: readonly GraphPair[]): MemberCluster[] {
  const byOrdinal = new Map<number, GraphMember>();
  for (const { a, b } of pairs) byOrdinal.set(a.ordinal, a).set(b.ordinal, b);
  const clusters = clustersOf(pairs.map(({ a, b }) => ({ a: a.ordinal, b: b.ordinal })));
  const idOf = new Map(clusters.flatMap(({ members }) => members.map((one) => [one, members[0] ?? one])));
  const pairsOf = Map.groupBy(pairs, ({ a }) => idOf.get(a.ordinal));
  return clusters.map(({ members }: Cluster) => ({
    id: members[0] ?? 0,
    members: members.flatMap((ordinal) => byOrdinal.get(ordinal) ?? []),
    pairs: pairsOf.get(members[0]) ?? [],
  }));
}

/** The cluster of a member; another threshold may have given it another name. */
export function clusterWith(
  clusters: readonly MemberCluster[],
  ordinal: number | undefined,
): MemberCluster | undefined {
  return clusters.find(({ members }) => members.some((member) => member.ordinal === ordinal));
}

export function pairsOf({ pairs }: MemberCluster, member: GraphMember): readonly GraphPair[] {
  return pairs.filter(({ a, b }) => a === member || b === member);
}

/** How many of these pairs each member has, by its ordinal. Members without any are left out. */
export function pairCounts(pairs: readonly GraphPair[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { a, b } of pairs)
    for (const { ordinal } of [a, b]) counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1);
  return counts;
}

export const CLUSTER_SORTS = ["size", "similarity"] as const;
export type ClusterSort = (typeof CLUSTER_SORTS)[number];

/** @param clusters the largest first */
export function sortedClusters(
  clusters: readonly MemberCluster[],
  sort: ClusterSort,
): readonly MemberCluster[] {
  if (sort === "size") return clusters;
  const highest = ({ pairs: [first] }: MemberCluster) => first?.pct ?? 0;
  return clusters.toSorted((one, other) => highest(other) - highest(one));
}

export const PAIR_SORTS = ["similarity", "longest", "passages", "name"] as const;
export type PairSort = (typeof PAIR_SORTS)[number];

export type PairSelection = {
  readonly pctMin: number;
  /** Part of the name of either member, ignoring case. */
  readonly name: string;
  readonly sort: PairSort;
};

/** The pairs of a selection in its order: by descending figures, or by name. */
export function selectedPairs(
  { pairs }: BatchGraph,
  { pctMin, name, sort }: PairSelection,
): readonly GraphPair[] {
  const isNamed = nameFilter(name);
  const selected = pairsFrom(pairs, pctMin).filter(({ a, b }) => isNamed(a) || isNamed(b));
  switch (sort) {
    case "similarity":
      return selected;
    case "longest":
      return selected.toSorted((x, y) => y.longestChars - x.longestChars || y.pct - x.pct);
    case "passages":
      return selected.toSorted((x, y) => y.passageCount - x.passageCount || y.pct - x.pct);
    case "name":
      return selected.toSorted((x, y) => compareNames(x.a, y.a) || compareNames(x.b, y.b));
  }
}

/** Whether the name or the group of a member contains a text. */
export function nameFilter(text: string): (member: GraphMember) => boolean {
  const searched = text.trim().normalize("NFC").toLowerCase();
  if (searched === "") return () => true;
  const contains = (name: string) => name.normalize("NFC").toLowerCase().includes(searched);
  return ({ name, group }) => contains(name) || (group !== null && contains(group));
}

/** A range of a histogram, in percent; the first one excludes 0, and the last one includes 100. */
export type HistogramBin = { readonly from: number; readonly to: number; readonly members: number };

/** How many members have their highest similarity in each range of `width` percent. Those without any pair are in none. */
export function memberHistogram(members: readonly GraphMember[], width: number): HistogramBin[] {
  const bins = Array.from({ length: Math.ceil(100 / width) }, (_, at) => ({
    ...{ from: at * width, to: (at + 1) * width, members: 0 },
  }));
  for (const { similarity_pct: pct } of members) {
    if (pct === 0) continue;
    const bin = bins[Math.min(bins.length - 1, Math.floor(pct / width))];
    if (bin !== undefined) bin.members += 1;
  }
  return bins;
}
