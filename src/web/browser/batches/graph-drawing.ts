import type { GraphMember, GraphPair, MemberCluster } from "./batch-graph.ts";
import { similarTogether } from "./cluster-order.ts";

/** A cluster of more members is one node at first. */
const SPREAD_MEMBERS_MAX = 60;

/** The most members that are drawn of a cluster that is shown alone, the most similar ones first. */
export const SHOWN_ALONE_MAX = 300;

/** Nodes of a drawing of this width. Beyond these, clusters are only in the list. */
const NODES_MAX = 600;
const FULL_WIDTH_PX = 760;
const NODES_MIN = 100;

/** The most similar pairs of a drawing; more lines could not be told apart. */
const LINKS_MAX = 4_000;

/** In a small drawing each member has its name below. */
const LABELLED_NODES_MAX = 48;

/** The distance between a member and its nearest neighbour, in pixels, on average. */
const APART_PX = 26;
const LABELLED_APART_PX = 62;

/** The space of a name of 13 characters below its point. */
const LABEL_WIDTH_PX = 92;
const LABEL_HEIGHT_PX = 18;

/** A drawing with names that overlap grows up to this height, and the only cluster is at least this high. */
const LABELLED_HEIGHT_MAX_PX = 620;
const ALONE_HEIGHT_PX = 340;

/** Fewer members lie on a line. */
const ALONE_MEMBERS_MIN = 4;

export const NODE_PX = 6;

/** A cluster in one node has an area that grows with its members. */
const GROUP_PX = 3.2;

const MARGIN_PX = 14;
const LABEL_PX = 18;

/** A member, or a large cluster as one node. */
export type DrawnNode = Point & {
  readonly radius: number;
  readonly cluster: MemberCluster;
  /** Undefined for a whole cluster. */
  readonly member: GraphMember | undefined;
};

export type DrawnLink = { readonly from: DrawnNode; readonly to: DrawnNode; readonly pair: GraphPair };

export type GraphDrawing = {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly DrawnNode[];
  readonly links: readonly DrawnLink[];
  readonly hasLabels: boolean;
  /** Clusters for which there was no space. */
  readonly undrawn: number;
};

/** The places of members in their clusters, by the key of a cluster in one graph. */
export type Layouts = Map<string, Layout>;

/**
 * Draws clusters in rows, in their order; one that is alone is drawn with its members, however many it has.
 * @param layouts of earlier drawings of the same graph: a slider leaves most clusters as they are
 */
export function drawGraph(
  clusters: readonly MemberCluster[],
  width: number,
  layouts: Layouts = new Map(),
): GraphDrawing {
  const isAlone = clusters.length === 1;
  const isSpread = ({ members }: MemberCluster) => isAlone || members.length <= SPREAD_MEMBERS_MAX;
  const drawn: MemberCluster[] = [];
  // As many for each pixel of the width, and no higher drawing on a phone.
  const nodesMax = Math.max(NODES_MIN, NODES_MAX * Math.min(1, (width / FULL_WIDTH_PX) ** 2));
  let nodesLeft = isAlone ? SHOWN_ALONE_MAX : nodesMax;
  for (const cluster of clusters) {
    const needed = isSpread(cluster) ? Math.min(SHOWN_ALONE_MAX, cluster.members.length) : 1;
    if (needed > nodesLeft) break;
    nodesLeft -= needed;
    drawn.push(cluster);
  }
  const hasLabels = drawn.every(isSpread) && membersOf(drawn) <= LABELLED_NODES_MAX;
  const boxes = drawn.map((cluster) =>
    isSpread(cluster)
      ? spreadBox(
          cluster,
          layoutOf(cluster, layouts),
          width,
          hasLabels,
          isAlone && cluster.members.length >= ALONE_MEMBERS_MIN ? ALONE_HEIGHT_PX : 0,
        )
      : nodeBox(cluster),
  );
  const { nodes, height } = inRows(boxes, width);
  const nodeOf = new Map(nodes.flatMap((node) => (node.member ? [[node.member.ordinal, node]] : [])));
  const links = drawn
    .filter(isSpread)
    .flatMap(({ pairs }) => pairs)
    .toSorted((one, other) => other.pct - one.pct)
    .flatMap((pair) => {
      const [from, to] = [nodeOf.get(pair.a.ordinal), nodeOf.get(pair.b.ordinal)];
      return from === undefined || to === undefined ? [] : [{ from, to, pair }];
    })
    .slice(0, LINKS_MAX);
  return { width, height, nodes, links, hasLabels, undrawn: clusters.length - drawn.length };
}

function membersOf(clusters: readonly MemberCluster[]): number {
  return clusters.reduce((sum, { members }) => sum + members.length, 0);
}

type Box = { readonly width: number; readonly height: number; readonly nodes: readonly DrawnNode[] };

function nodeBox(cluster: MemberCluster): Box {
  const radius = GROUP_PX * Math.sqrt(cluster.members.length);
  const side = 2 * (radius + MARGIN_PX);
  return {
    width: side,
    height: side,
    nodes: [{ x: side / 2, y: side / 2, radius, cluster, member: undefined }],
  };
}

function layoutOf(cluster: MemberCluster, layouts: Layouts) {
  // A higher threshold leaves a part of a cluster's pairs, so as many members and pairs are the same ones.
  const key = `${cluster.id} ${cluster.members.length} ${cluster.pairs.length}`;
  const known = layouts.get(key) ?? newLayout(cluster);
  layouts.set(key, known);
  return known;
}

function newLayout(cluster: MemberCluster) {
  const members = similarTogether(cluster).slice(0, SHOWN_ALONE_MAX);
  const at = new Map(members.map(({ ordinal }, index) => [ordinal, index]));
  const links = cluster.pairs.flatMap(({ a, b }): [number, number][] => {
    const [from, to] = [at.get(a.ordinal), at.get(b.ordinal)];
    return from === undefined || to === undefined ? [] : [[from, to]];
  });
  return { members, places: layoutCluster(members.length, links) };
}

type Layout = ReturnType<typeof newLayout>;

function spreadBox(
  cluster: MemberCluster,
  { members, places }: Layout,
  widthMax: number,
  hasLabels: boolean,
  heightMin: number,
): Box {
  const scale = (hasLabels ? LABELLED_APART_PX : APART_PX) / nearestApart(places);
  const [left, right] = extent(places.map(({ x }) => x));
  const [top, bottom] = extent(places.map(({ y }) => y));
  const sideMargin = hasLabels ? LABEL_WIDTH_PX / 2 : MARGIN_PX;
  const free = widthMax - 2 * sideMargin;
  const wanted = hasLabels
    ? Math.max(
        scale,
        heightMin / Math.max(1e-6, bottom - top),
        Math.min(scaleWithoutOverlap(places), LABELLED_HEIGHT_MAX_PX / Math.max(1e-6, bottom - top)),
      )
    : scale;
  const fitting = Math.min(wanted, free / Math.max(1e-6, right - left));
  return {
    width: fitting * (right - left) + 2 * sideMargin,
    height: fitting * (bottom - top) + 2 * MARGIN_PX + (hasLabels ? LABEL_PX : 0),
    nodes: members.map((member, index) => {
      const { x, y } = places[index] ?? { x: 0, y: 0 };
      const place = { x: fitting * (x - left) + sideMargin, y: fitting * (y - top) + MARGIN_PX };
      return { ...place, radius: NODE_PX, cluster, member };
    }),
  };
}

/** The scale from which on no two names below points overlap. */
function scaleWithoutOverlap(places: readonly Point[]): number {
  let scale = 0;
  for (const [at, one] of places.entries())
    for (const other of places.slice(at + 1)) {
      const [dx, dy] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)];
      scale = Math.max(
        scale,
        Math.min(LABEL_WIDTH_PX / Math.max(1e-6, dx), LABEL_HEIGHT_PX / Math.max(1e-6, dy)),
      );
    }
  return scale;
}

/** The distance of a point to its nearest neighbour: the mean of all, so that a few that lie close do not blow up the drawing. */
function nearestApart(places: readonly Point[]): number {
  const nearest = places.map((one) =>
    Math.min(...places.map((other) => (other === one ? 1 : Math.hypot(one.x - other.x, one.y - other.y)))),
  );
  return Math.max(0.02, nearest.reduce((sum, length) => sum + length, 0) / Math.max(1, nearest.length));
}

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Boxes beside each other in rows, in the middle of the drawing. */
function inRows(boxes: readonly Box[], width: number): { nodes: DrawnNode[]; height: number } {
  const rows: Box[][] = [];
  let free = 0;
  for (const box of boxes) {
    const row = rows.at(-1);
    if (row === undefined || box.width > free) {
      rows.push([box]);
      free = width - box.width;
    } else {
      row.push(box);
      free -= box.width;
    }
  }
  const nodes: DrawnNode[] = [];
  let top = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((box) => box.height));
    let left = (width - row.reduce((sum, box) => sum + box.width, 0)) / 2;
    for (const box of row) {
      const above = top + (height - box.height) / 2;
      nodes.push(...box.nodes.map((node) => ({ ...node, x: node.x + left, y: node.y + above })));
      left += box.width;
    }
    top += height;
  }
  return { nodes, height: Math.max(1, top) };
}

/** How close a pointer has to come to a node or a link, in pixels beyond its edge. */
const REACH_PX = 5;

/** The node at a place, otherwise the link. */
export function hitAt(
  { nodes, links }: GraphDrawing,
  { x, y }: Point,
): { readonly node: DrawnNode } | { readonly link: DrawnLink } | undefined {
  const node = nodes.find((one) => Math.hypot(one.x - x, one.y - y) <= one.radius + REACH_PX);
  if (node !== undefined) return { node };
  let best: { link: DrawnLink; distance: number } | undefined;
  for (const link of links) {
    const distance = distanceToLine({ x, y }, link);
    if (distance <= REACH_PX && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { link, distance };
  }
  return best;
}

function distanceToLine({ x, y }: Point, { from, to }: DrawnLink): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const share = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const at = Math.min(1, Math.max(0, share));
  return Math.hypot(from.x + at * dx - x, from.y + at * dy - y);
}

type Point = { readonly x: number; readonly y: number };

/** Passes over all pairs of points; more change nothing that can be seen. */
const PASSES = 24;

/** The last step moves points by a hundredth of a link at most. */
const LAST_STEP = 0.01;

/**
 * Places the points of a connected graph so that distances are as long as the shortest paths between them, with links of length 1:
 * stress is minimised by stochastic gradient descent (Zheng, Pawar and Goodman, 2019). The same graph always gets the same
 * places. Takes time in the square of the number of points: 300 take some 30 ms.
 * @param links by the numbers of points from 0
 */
function layoutCluster(points: number, links: readonly (readonly [number, number])[]): Point[] {
  const distances = shortestPaths(points, links);
  const x = Float64Array.from({ length: points }, (_, at) => Math.cos((2 * Math.PI * at) / points));
  const y = Float64Array.from({ length: points }, (_, at) => Math.sin((2 * Math.PI * at) / points));
  const terms: [number, number][] = [];
  let longest = 1;
  for (let i = 0; i < points; i++)
    for (let j = i + 1; j < points; j++) {
      terms.push([i, j]);
      longest = Math.max(longest, distances[i * points + j] ?? 1);
    }
  const random = seededRandom();
  // From the weight of the longest distance down to the last step, evenly on a logarithmic scale.
  const firstStep = longest ** 2;
  for (let pass = 0; pass < PASSES; pass++) {
    const step = firstStep * (LAST_STEP / firstStep) ** (pass / (PASSES - 1));
    shuffle(terms, random);
    for (const [i, j] of terms) {
      const wanted = distances[i * points + j] ?? 1;
      const [dx, dy] = [(x[i] ?? 0) - (x[j] ?? 0), (y[i] ?? 0) - (y[j] ?? 0)];
      const now = Math.hypot(dx, dy) || 1e-6;
      const move = (Math.min(1, step / wanted ** 2) * (now - wanted)) / 2 / now;
      x[i] = (x[i] ?? 0) - move * dx;
      y[i] = (y[i] ?? 0) - move * dy;
      x[j] = (x[j] ?? 0) + move * dx;
      y[j] = (y[j] ?? 0) + move * dy;
    }
  }
  return Array.from({ length: points }, (_, at) => ({ x: x[at] ?? 0, y: y[at] ?? 0 }));
}

/** The lengths of the shortest paths between all points, row by row, by a search from each. */
function shortestPaths(points: number, links: readonly (readonly [number, number])[]): Uint16Array {
  const beside = Array.from({ length: points }, (): number[] => []);
  for (const [one, other] of links) {
    beside[one]?.push(other);
    beside[other]?.push(one);
  }
  const distances = new Uint16Array(points * points);
  for (let start = 0; start < points; start++) {
    const row = distances.subarray(start * points, (start + 1) * points);
    const reached = [start];
    for (const at of reached)
      for (const next of beside[at] ?? [])
        if (next !== start && row[next] === 0) {
          row[next] = (row[at] ?? 0) + 1;
          reached.push(next);
        }
  }
  return distances;
}

/** Fisher and Yates' shuffle. */
function shuffle<T>(items: T[], random: () => number): void {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const [x, y] = [items[at], items[other]];
    if (x === undefined || y === undefined) continue;
    items[at] = y;
    items[other] = x;
  }
}

/** A linear congruential generator (Park and Miller, 1988), always from the same seed. */
function seededRandom(): () => number {
  let state = 20_261;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
