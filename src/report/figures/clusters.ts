/** An edge between two members, by their numbers from 0. */
type Edge = { readonly a: number; readonly b: number };

/** Members that are connected by pairs, directly or through others. */
export type Cluster = { readonly members: readonly number[]; readonly pairs: number };

/** The connected components of at least two members, the largest first (union-find; Tarjan, 1975). Nearly linear time. */
export function clustersOf(edges: readonly Edge[]): Cluster[] {
  const parents = new Map<number, number>();
  const rootOf = (member: number): number => {
    let root = member;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next;
    for (let at = member; at !== root; ) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  for (const { a, b } of edges) {
    for (const member of [a, b]) if (!parents.has(member)) parents.set(member, member);
    const [x, y] = [rootOf(a), rootOf(b)];
    if (x !== y) parents.set(Math.max(x, y), Math.min(x, y));
  }
  const pairs = new Map<number, number>();
  for (const { a } of edges) pairs.set(rootOf(a), (pairs.get(rootOf(a)) ?? 0) + 1);
  const members = Map.groupBy(
    [...parents.keys()].toSorted((a, b) => a - b),
    rootOf,
  );
  return [...members]
    .map(([root, ofCluster]) => ({ members: ofCluster, pairs: pairs.get(root) ?? 0 }))
    .toSorted((x, y) => y.members.length - x.members.length || (x.members[0] ?? 0) - (y.members[0] ?? 0));
}
