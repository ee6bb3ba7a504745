import type { PlantedSet, RingKind } from "./planted-rings.ts";
import { RING_KINDS } from "./planted-rings.ts";

export type F1 = { readonly precision: number; readonly recall: number; readonly f1: number };

export type RingScore = {
  /** Whether a member belongs to a ring: found is who is in a cluster. */
  readonly membership: F1;
  /** Which two members are in one ring: found is who is in one cluster. */
  readonly pairs: F1;
  /** The share of the members of rings of each kind that are in a cluster with another one of their ring. */
  readonly recallByKind: Readonly<Record<RingKind, number>>;
};

/** @param clusters members by their names */
export function scoreRings({ members }: PlantedSet, clusters: readonly (readonly string[])[]): RingScore {
  const ringOf = new Map(members.flatMap(({ name, ring }) => (ring ? [[name, ring] as const] : [])));
  const clustered = clusters.flat();
  const found = clustered.filter((name) => ringOf.has(name)).length;
  const truePairs = pairsOf(
    [...Map.groupBy(ringOf, ([, { number }]) => number).values()].map((ring) => ring.map(([name]) => name)),
  );
  const foundPairs = pairsOf(clusters);
  const rightPairs = [...foundPairs].filter((pair) => truePairs.has(pair)).length;
  const connected = new Set(
    [...foundPairs].filter((pair) => truePairs.has(pair)).flatMap((pair) => pair.split(" ")),
  );
  const recallByKind = Object.fromEntries(
    RING_KINDS.map((kind) => {
      const ofKind = [...ringOf].filter(([, ring]) => ring.kind === kind).map(([name]) => name);
      return [kind, ofKind.filter((name) => connected.has(name)).length / Math.max(1, ofKind.length)];
    }),
  ) as Record<RingKind, number>;
  return {
    membership: f1(found, clustered.length, ringOf.size),
    pairs: f1(rightPairs, foundPairs.size, truePairs.size),
    recallByKind,
  };
}

function pairsOf(groups: readonly (readonly string[])[]): Set<string> {
  return new Set(
    groups.flatMap((group) => group.flatMap((a) => group.flatMap((b) => (a < b ? [`${a} ${b}`] : [])))),
  );
}

function f1(right: number, found: number, wanted: number): F1 {
  const precision = found === 0 ? 1 : right / found;
  const recall = wanted === 0 ? 1 : right / wanted;
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  };
}
