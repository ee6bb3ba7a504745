import type { RefObject } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { Button, SmallButton } from "../shared/elements.tsx";
import { Choice } from "../shared/list-controls.tsx";
import { say, sayCount, sayParts } from "../shared/texts.ts";
import { count, percent } from "../shared/wording.ts";
import { inAddress, pairHref, type ShownBatch } from "./batch-address.ts";
import {
  CLUSTER_SORTS,
  type ClusterSort,
  clusterWith,
  type GraphMember,
  type GraphPair,
  type MemberCluster,
  pairsOf,
  sortedClusters,
} from "./batch-graph.ts";
import { LEVELS, levelOf, namesInWords, shortNames } from "./batch-wording.ts";
import {
  type DrawnLink,
  type DrawnNode,
  drawGraph,
  type GraphDrawing,
  hitAt,
  type Layouts,
  NODE_PX,
  SHOWN_ALONE_MAX,
} from "./graph-drawing.ts";
import { Pager, pageOf } from "./pager.tsx";
import { LevelKey, PairLine } from "./pair-table.tsx";
import { SaveButton, saveSvg, svgFile, useWidth } from "./svg-file.tsx";

const PAIRS_LISTED = 50;

/** The lengths of names below points and in the list of clusters. */
const [LABEL_CHARS_MAX, LISTED_CHARS_MAX] = [13, 24];

const SORT_LABELS: Readonly<Record<ClusterSort, string>> = {
  size: say("batch.largestFirst"),
  similarity: say("batch.similarFirst"),
};

type ClusterViewProps = ShownBatch & {
  /** The largest first. */
  readonly clusters: readonly MemberCluster[];
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
};

/** The clusters as a drawing, and as a list that says the same to those who can't use it. */
export function ClusterView({ batchId, graph, address, clusters: bySize, onChange }: ClusterViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const width = useWidth(place);
  const [member, setMember] = useState<GraphMember>();
  const { clusterSort } = address;
  const clusters = useMemo(() => sortedClusters(bySize, clusterSort), [bySize, clusterSort]);
  const alone = clusterWith(clusters, address.cluster);
  const { page, shown } = pageOf(clusters, address.page);
  const names = useMemo(() => {
    const all = graph.members.map(({ name }) => name);
    return { labels: shortNames(all, LABEL_CHARS_MAX), listed: shortNames(all, LISTED_CHARS_MAX) };
  }, [graph]);
  const layouts = useMemo<Layouts>(() => new Map(), [graph]);
  const drawn = useMemo(
    () => drawGraph(alone === undefined ? clusters : [alone], width, layouts),
    [clusters, alone, width],
  );
  const hrefOf = (pair: { readonly a: GraphMember; readonly b: GraphMember }) =>
    pairHref(batchId, pair, address);
  const show = (id: number | undefined) => onChange(inAddress.cluster(id));
  const own = member && clusters.flatMap((cluster) => pairsOf(cluster, member));
  const save = () => drawing.current !== null && saveSvg(svgFile(drawing.current), say("batch.clusters"));
  return (
    <div class="cluster-view">
      <div class="drawing-bar">
        {alone === undefined ? (
          <>
            <p>{sayCount("count.clusters", clusters.length)}</p>
            <Choice
              label={say("list.order")}
              options={CLUSTER_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
              value={clusterSort}
              onChange={(value) =>
                onChange(inAddress.clusterSort(CLUSTER_SORTS.find((one) => one === value) ?? "size"))
              }
            />
          </>
        ) : (
          <>
            <SmallButton onClick={() => show(undefined)}>{say("batch.allClusters")}</SmallButton>
            <SmallButton
              onClick={() => onChange({ ...inAddress.view("matrix"), ...inAddress.cluster(alone.id) })}
            >
              {say("batch.showMatrix")}
            </SmallButton>
            <p>
              {sayCount("count.texts", alone.members.length)} · {sayCount("count.pairs", alone.pairs.length)}
            </p>
          </>
        )}
        <LevelKey />
        <SaveButton drawing={say("batch.clusters")} onSave={save} />
      </div>
      <div class="graph-place" ref={place}>
        {width > 0 && (
          <ClusterGraph
            drawing={drawn}
            svg={drawing}
            labels={names.labels}
            selected={member}
            hrefOf={hrefOf}
            onMember={setMember}
            onCluster={(cluster) => show(cluster.id)}
          />
        )}
        {clusters.length > 0 && <p class="hint">{say("batch.chain")}</p>}
        {drawn.undrawn > 0 && <p class="hint">{sayCount("batch.undrawn", drawn.undrawn)}</p>}
        {alone !== undefined && alone.members.length > SHOWN_ALONE_MAX && (
          <p class="hint">{limited(SHOWN_ALONE_MAX, alone.members.length)}</p>
        )}
      </div>
      <div class="cluster-side">
        {member !== undefined && own !== undefined ? (
          <section aria-labelledby="member-title">
            <h2 id="member-title">
              <bdi>{member.name}</bdi>
            </h2>
            <p class="quiet">
              {sayCount("count.pairs", own.length)} ·{" "}
              <a href={`/checks/${member.check_id}`}>{say("nav.report")}</a>
            </p>
            <PairLines pairs={own} names={names.listed} hrefOf={hrefOf} />
            <SmallButton onClick={() => setMember(undefined)}>{say("common.close")}</SmallButton>
          </section>
        ) : alone !== undefined ? (
          <section aria-labelledby="cluster-title">
            <h2 id="cluster-title">{say("batch.clusterPairs")}</h2>
            <PairLines pairs={alone.pairs} names={names.listed} hrefOf={hrefOf} />
          </section>
        ) : (
          <>
            <ol class="cluster-list">
              {shown.map((cluster) => (
                <li key={cluster.id}>
                  <Button onClick={() => show(cluster.id)}>
                    <strong>{sayCount("count.texts", cluster.members.length)}</strong>
                    <span class="quiet">
                      {say("batch.upTo", {
                        pairs: sayCount("count.pairs", cluster.pairs.length),
                        pct: percent(cluster.pairs[0]?.pct ?? 0),
                      })}
                    </span>
                    <span class="cluster-names">{namesInWords(cluster, names.listed)}</span>
                  </Button>
                </li>
              ))}
            </ol>
            <Pager
              page={page}
              rows={clusters.length}
              label={say("batch.clusters")}
              onPage={(next) => onChange(inAddress.page(next))}
            />
          </>
        )}
      </div>
    </div>
  );
}

type PairLinesProps = {
  readonly pairs: readonly GraphPair[];
  /** Short ones, by the members' names. */
  readonly names: ReadonlyMap<string, string>;
  readonly hrefOf: (pair: GraphPair) => string;
};

function PairLines({ pairs, names, hrefOf }: PairLinesProps) {
  return (
    <>
      <ul class="pair-lines">
        {pairs.slice(0, PAIRS_LISTED).map((pair) => (
          <li key={`${pair.a.ordinal} ${pair.b.ordinal}`}>
            <PairLine pair={pair} href={hrefOf(pair)} names={names} />
          </li>
        ))}
      </ul>
      {pairs.length > PAIRS_LISTED && <p class="hint">{limited(PAIRS_LISTED, pairs.length)}</p>}
    </>
  );
}

function limited(shown: number, total: number): string {
  return say("batch.limited", { shown: count(shown), total: count(total) });
}

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
function ClusterGraph(props: ClusterGraphProps) {
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
        aria-label={say("batch.graph")}
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
      <div class="graph-caption">
        {hit !== undefined && <Caption hit={hit} names={labels} hrefOf={hrefOf} />}
      </div>
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

type CaptionProps = Pick<PairLinesProps, "names" | "hrefOf"> & { readonly hit: Hit };

function Caption({ hit, names, hrefOf }: CaptionProps) {
  if ("link" in hit) return <PairLine pair={hit.link.pair} href={hrefOf(hit.link.pair)} />;
  const { member, cluster } = hit.node;
  if (member === undefined)
    return (
      <p>
        {sayParts("join.colon", {
          name: sayCount("count.texts", cluster.members.length),
          text: namesInWords(cluster, names),
        })}
      </p>
    );
  return (
    <p>
      {sayParts("join.colon", {
        name: <bdi>{member.name}</bdi>,
        text: sayCount("count.pairs", pairsOf(cluster, member).length),
      })}
    </p>
  );
}
