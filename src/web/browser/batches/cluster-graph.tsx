import type { RefObject } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count, counted } from "../shared/wording.ts";
import { type GraphMember, type GraphPair, type MemberCluster, pairsOf } from "./batch-graph.ts";
import { type DrawnLink, type DrawnNode, type GraphDrawing, hitAt, NODE_PX } from "./graph-drawing.ts";
import { LEVELS, levelOf } from "./levels.ts";
import { PairLine } from "./pair-line.tsx";

/** More lines are drawn thinner. */
const FEW_LINKS_MAX = 500;

type ClusterGraphProps = {
  readonly drawing: GraphDrawing;
  readonly svg: RefObject<SVGSVGElement | null>;
  /** By the members' names. */
  readonly labels: ReadonlyMap<string, string>;
  readonly selected: GraphMember | undefined;
  readonly hrefOf: (pair: GraphPair) => string;
  readonly onMember: (member: GraphMember) => void;
  readonly onCluster: (cluster: MemberCluster) => void;
};

type Hit = NonNullable<ReturnType<typeof hitAt>>;

/** Members as points, connected by lines whose width shows their similarity. The list beside it serves keyboards. */
export function ClusterGraph(props: ClusterGraphProps) {
  const { drawing, svg, labels, selected, hrefOf, onMember, onCluster } = props;
  const [hit, setHit] = useState<Hit>();
  const { width, height, nodes, links } = drawing;
  const hitOf = (event: MouseEvent): Hit | undefined => {
    const box = svg.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    return hitAt(drawing, {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    });
  };
  const choose = (event: MouseEvent) => {
    const found = hitOf(event);
    if (found === undefined) return;
    if ("link" in found) location.assign(hrefOf(found.link.pair));
    else if (found.node.member === undefined) onCluster(found.node.cluster);
    else onMember(found.node.member);
  };
  const lines = useMemo(
    () =>
      LEVELS.map(({ from }, at) => (
        <path key={from} class={`link level-${at + 1}`} d={linePath(links, at + 1)} />
      )),
    [drawing],
  );
  const points = useMemo(
    () =>
      nodes.map((node) => (
        <Node
          key={`${node.cluster.id} ${node.member?.ordinal}`}
          node={node}
          label={drawing.hasLabels && node.member !== undefined ? labels.get(node.member.name) : undefined}
        />
      )),
    [drawing, labels],
  );
  const emphasised = hit && "node" in hit ? hit.node.member : (selected ?? undefined);
  const lit =
    hit !== undefined && "link" in hit
      ? [hit.link]
      : links.filter(
          ({ pair }) => emphasised !== undefined && (pair.a === emphasised || pair.b === emphasised),
        );
  return (
    <div class={links.length > FEW_LINKS_MAX ? "graph dense" : "graph"}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users go through the list beside it */}
      <svg
        ref={svg}
        class={hit === undefined ? undefined : "hits"}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`${counted(nodes.length, "point")} and ${counted(links.length, "line")}; the list beside it says the same.`}
        onPointerMove={(event) => {
          const found = hitOf(event);
          if (!isSame(found, hit)) setHit(found);
        }}
        onPointerLeave={() => setHit(undefined)}
        onClick={choose}
      >
        {lines}
        <path class="lit-links" d={lit.map(lineOf).join("")} />
        {points}
        {nodes
          .filter(({ member }) => member !== undefined && member === emphasised)
          .map(({ x, y, radius }) => (
            <circle key={`${x} ${y}`} class="lit-node" cx={x} cy={y} r={radius + 3} />
          ))}
      </svg>
      <div class="graph-caption">{hit !== undefined && <Caption hit={hit} hrefOf={hrefOf} />}</div>
    </div>
  );
}

function isSame(one: Hit | undefined, other: Hit | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if ("node" in one) return "node" in other && one.node === other.node;
  return "link" in other && one.link === other.link;
}

function linePath(links: readonly DrawnLink[], level: number): string {
  return links
    .filter(({ pair }) => levelOf(pair.pct) === level)
    .map(lineOf)
    .join("");
}

function lineOf({ from, to }: DrawnLink): string {
  const [x, y, x2, y2] = [from.x, from.y, to.x, to.y].map((value) => value.toFixed(1));
  return `M${x} ${y}L${x2} ${y2}`;
}

function Node({ node, label }: { readonly node: DrawnNode; readonly label: string | undefined }) {
  const { x, y, radius, cluster, member } = node;
  const level = `level-${levelOf((member?.similarity_pct ?? cluster.pairs[0]?.pct) || 0)}`;
  return (
    <>
      <circle class={`node ${level}`} cx={x} cy={y} r={radius} />
      {member === undefined && (
        <text class="node-count" x={x} y={y + 4}>
          {count(cluster.members.length)}
        </text>
      )}
      {label !== undefined && (
        <text class="node-label" x={x} y={y + NODE_PX + 13}>
          {label}
        </text>
      )}
    </>
  );
}

function Caption({ hit, hrefOf }: { readonly hit: Hit; readonly hrefOf: (pair: GraphPair) => string }) {
  if ("link" in hit) return <PairLine pair={hit.link.pair} href={hrefOf(hit.link.pair)} />;
  const { member, cluster } = hit.node;
  if (member === undefined) return <p>{counted(cluster.members.length, "text")}: click to see them</p>;
  return (
    <p>
      <bdi>{member.name}</bdi>: {counted(pairsOf(cluster, member).length, "pair")}
    </p>
  );
}
