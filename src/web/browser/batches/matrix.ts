import type { GraphMember, GraphPair, MemberCluster } from "./batch-graph.ts";
import { similarTogether } from "./cluster-order.ts";
import { levelOf } from "./levels.ts";

/** Members of a matrix; of more, those of the largest clusters. */
export const MATRIX_MEMBERS_MAX = 2_000;

/** A pair at its place above the diagonal: `row` is less than `column`. */
export type Cell = {
  readonly row: number;
  readonly column: number;
  readonly pair: GraphPair;
  /** The percentage of the row's text that is in the column's, and the other way round, each with its step. */
  readonly pct: number;
  readonly mirrorPct: number;
  readonly level: number;
  readonly mirrorLevel: number;
};

export type Matrix = {
  readonly members: readonly GraphMember[];
  /** Where each cluster begins, and how many members it has. */
  readonly blocks: readonly { readonly start: number; readonly length: number }[];
  readonly cells: readonly Cell[];
  /** The pair of two members by their places, in either order. */
  readonly pairAt: (row: number, column: number) => GraphPair | undefined;
  /** The members' names as rows and columns show them. */
  readonly names: readonly string[];
  /** The columns with a pair in each row, ascending. */
  readonly columnsOf: readonly (readonly number[])[];
};

/**
 * The members of clusters beside each other, similar ones together, with all pairs among them.
 * @param shortNames by the members' names
 */
export function toMatrix(
  clusters: readonly MemberCluster[],
  pairs: readonly GraphPair[],
  shortNames: ReadonlyMap<string, string>,
): Matrix {
  const members: GraphMember[] = [];
  const blocks: { start: number; length: number }[] = [];
  for (const cluster of clusters) {
    const ordered = similarTogether(cluster).slice(0, MATRIX_MEMBERS_MAX - members.length);
    if (ordered.length === 0) break;
    blocks.push({ start: members.length, length: ordered.length });
    members.push(...ordered);
  }
  const places = new Map(members.map(({ ordinal }, at) => [ordinal, at]));
  const columnsOf = members.map((): number[] => []);
  const byPlaces = new Map<number, GraphPair>();
  const cells = pairs.flatMap((pair): Cell[] => {
    const [a, b] = [places.get(pair.a.ordinal), places.get(pair.b.ordinal)];
    if (a === undefined || b === undefined) return [];
    const [row, column] = a < b ? [a, b] : [b, a];
    columnsOf[row]?.push(column);
    columnsOf[column]?.push(row);
    byPlaces.set(row * members.length + column, pair);
    const [pct, mirrorPct] = a < b ? [pair.aPct, pair.bPct] : [pair.bPct, pair.aPct];
    return [{ row, column, pair, pct, mirrorPct, level: levelOf(pct), mirrorLevel: levelOf(mirrorPct) }];
  });
  for (const columns of columnsOf) columns.sort((one, other) => one - other);
  const pairAt = (one: number, other: number) =>
    byPlaces.get(Math.min(one, other) * members.length + Math.max(one, other));
  const names = members.map(({ name }) => shortNames.get(name) ?? name);
  return { members, names, blocks, cells, pairAt, columnsOf };
}

export type Place = { readonly row: number; readonly column: number };

/** The pair nearest to a place, at most `reach` cells away; the place itself where there is none. */
export function nearestPair({ columnsOf, members }: Matrix, { row, column }: Place, reach: number): Place {
  let best: { place: Place; distance: number } | undefined;
  for (let at = Math.max(0, row - reach); at <= Math.min(members.length - 1, row + reach); at++)
    for (const other of columnsOf[at] ?? []) {
      const distance = Math.max(Math.abs(at - row), Math.abs(other - column));
      if (distance <= reach && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
        best = { place: { row: at, column: other }, distance };
    }
  return best?.place ?? { row, column };
}

/** Where a key leads from a place: one cell on, with Ctrl to the next pair of the row or column; undefined for other keys. */
export function movedPlace(
  { columnsOf, members }: Matrix,
  place: Place,
  key: string,
  toPair: boolean,
): Place | undefined {
  const last = members.length - 1;
  const within = (at: number) => Math.min(last, Math.max(0, at));
  const step = (from: number, line: number, direction: 1 | -1) => {
    if (!toPair) return within(from + direction);
    // The matrix is symmetric: the pairs of a column are those of its row.
    const others = columnsOf[line] ?? [];
    const next =
      direction === 1 ? others.find((other) => other > from) : others.findLast((other) => other < from);
    return next ?? from;
  };
  const { row, column } = place;
  switch (key) {
    case "ArrowRight":
      return { row, column: step(column, row, 1) };
    case "ArrowLeft":
      return { row, column: step(column, row, -1) };
    case "ArrowDown":
      return { row: step(row, column, 1), column };
    case "ArrowUp":
      return { row: step(row, column, -1), column };
    case "Home":
      return { row: toPair ? 0 : row, column: 0 };
    case "End":
      return { row: toPair ? last : row, column: last };
    default:
      return undefined;
  }
}
