import type { GraphMember, MemberCluster } from "./batch-graph.ts";

/**
 * The members of a cluster in an order in which similar ones stand together: from the most similar pair on, always the member
 * that is most similar to one that is placed (Prim, 1957). It takes the pairs in descending order.
 */
export function similarTogether({ members, pairs }: MemberCluster): GraphMember[] {
  const beside = new Map<number, { readonly other: GraphMember; readonly rank: number }[]>();
  for (const [rank, { a, b }] of pairs.entries()) {
    listOf(beside, a.ordinal).push({ other: b, rank });
    listOf(beside, b.ordinal).push({ other: a, rank });
  }
  const placed = new Set<GraphMember>();
  const waiting = new MinHeap();
  const place = (member: GraphMember) => {
    placed.add(member);
    for (const { other, rank } of beside.get(member.ordinal) ?? [])
      if (!placed.has(other)) waiting.push({ rank, member: other });
  };
  for (const first of [pairs[0]?.a, ...members]) {
    if (first === undefined || placed.has(first)) continue;
    place(first);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      if (!placed.has(next.member)) place(next.member);
  }
  return [...placed];
}

function listOf<T>(lists: Map<number, T[]>, key: number): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

type Ranked = { readonly rank: number; readonly member: GraphMember };

/** A binary heap with the least rank on top. */
class MinHeap {
  readonly #items: Ranked[] = [];

  push(item: Ranked): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && this.#isLess(at, parent); parent = (at - 1) >> 1) {
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): Ranked | undefined {
    const items = this.#items;
    const [top] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    items[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const child = this.#isLess(left + 1, left) ? left + 1 : left;
      if (!this.#isLess(child, at)) return top;
      this.#swap(at, child);
      at = child;
    }
  }

  #isLess(one: number, other: number): boolean {
    return (
      (this.#items[one]?.rank ?? Number.POSITIVE_INFINITY) <
      (this.#items[other]?.rank ?? Number.POSITIVE_INFINITY)
    );
  }

  #swap(one: number, other: number): void {
    const [x, y] = [this.#items[one], this.#items[other]];
    if (x === undefined || y === undefined) return;
    this.#items[one] = y;
    this.#items[other] = x;
  }
}
