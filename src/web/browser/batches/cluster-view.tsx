import { useMemo, useRef, useState } from "preact/hooks";
import { Button, SmallButton } from "../shared/elements.tsx";
import { Choice } from "../shared/list-controls.tsx";
import { count, counted, percent } from "../shared/wording.ts";
import { inAddress, pairHref } from "./batch-address.ts";
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
import { namesInWords } from "./batch-wording.ts";
import { ClusterGraph } from "./cluster-graph.tsx";
import { drawGraph, type Layouts, SHOWN_ALONE_MAX } from "./graph-drawing.ts";
import { LevelKey } from "./level-key.tsx";
import { Pager, pageOf } from "./pager.tsx";
import { PairLine } from "./pair-line.tsx";
import { shortNames } from "./short-name.ts";
import type { ShownBatch } from "./shown-batch.ts";
import { saveSvg, svgFile } from "./svg-file.ts";
import { useWidth } from "./use-width.ts";

const PAIRS_LISTED = 50;

/** The lengths of names below points and in the list of clusters. */
const [LABEL_CHARS_MAX, LISTED_CHARS_MAX] = [13, 24];

const SORT_LABELS: Readonly<Record<ClusterSort, string>> = {
  size: "Largest first",
  similarity: "Most similar first",
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
  const save = () => drawing.current !== null && saveSvg(svgFile(drawing.current), "clusters");
  return (
    <div class="cluster-view">
      <div class="drawing-bar">
        {alone === undefined ? (
          <>
            <p>{counted(clusters.length, "cluster")}</p>
            <Choice
              label="Order"
              options={CLUSTER_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
              value={clusterSort}
              onChange={(value) =>
                onChange(inAddress.clusterSort(CLUSTER_SORTS.find((one) => one === value) ?? "size"))
              }
            />
          </>
        ) : (
          <>
            <SmallButton onClick={() => show(undefined)}>Show all clusters</SmallButton>
            <SmallButton
              onClick={() => onChange({ ...inAddress.view("matrix"), ...inAddress.cluster(alone.id) })}
            >
              Show matrix
            </SmallButton>
            <p>
              {counted(alone.members.length, "text")}, {counted(alone.pairs.length, "pair")}
            </p>
          </>
        )}
        <LevelKey />
        <SmallButton onClick={save}>
          Save as SVG<span class="hidden-visually"> (clusters)</span>
        </SmallButton>
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
        {clusters.length > 0 && (
          <p class="hint">
            A cluster may be a chain: if A is similar to B and B to C, all three are in it, even if A and C
            share nothing. A higher similarity divides chains.
          </p>
        )}
        {drawn.undrawn > 0 && (
          <p class="hint">
            {counted(drawn.undrawn, "further cluster")} not drawn, but in the list. A higher similarity leaves
            fewer.
          </p>
        )}
        {alone !== undefined && alone.members.length > SHOWN_ALONE_MAX && (
          <p class="hint">
            {SHOWN_ALONE_MAX} of {counted(alone.members.length, "text")} are drawn, the most similar ones.
          </p>
        )}
      </div>
      <div class="cluster-side">
        {member !== undefined && own !== undefined ? (
          <section aria-labelledby="member-title">
            <h2 id="member-title">
              <bdi>{member.name}</bdi>
            </h2>
            <p class="quiet">
              {counted(own.length, "pair")} here · <a href={`/checks/${member.check_id}`}>Report</a>
            </p>
            <PairLines pairs={own} names={names.listed} hrefOf={hrefOf} />
            <SmallButton onClick={() => setMember(undefined)}>Close</SmallButton>
          </section>
        ) : alone !== undefined ? (
          <section aria-labelledby="cluster-title">
            <h2 id="cluster-title">Pairs of this cluster</h2>
            <PairLines pairs={alone.pairs} names={names.listed} hrefOf={hrefOf} />
          </section>
        ) : (
          <>
            <ol class="cluster-list">
              {shown.map((cluster) => (
                <li key={cluster.id}>
                  <Button onClick={() => show(cluster.id)}>
                    <strong>{counted(cluster.members.length, "text")}</strong>
                    <span class="quiet">
                      {counted(cluster.pairs.length, "pair")}, up to {percent(cluster.pairs[0]?.pct ?? 0)}
                    </span>
                    <span class="cluster-names">{namesInWords(cluster, names.listed)}</span>
                  </Button>
                </li>
              ))}
            </ol>
            <Pager
              page={page}
              rows={clusters.length}
              label="Clusters"
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
      {pairs.length > PAIRS_LISTED && (
        <p class="hint">
          The {PAIRS_LISTED} most similar of {count(pairs.length)}.
        </p>
      )}
    </>
  );
}
