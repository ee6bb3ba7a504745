import { useMemo, useRef, useState } from "preact/hooks";
import { Button, SmallButton } from "../shared/elements.tsx";
import { count, counted, percent } from "../shared/wording.ts";
import { inAddress, pairHref } from "./batch-address.ts";
import type { GraphMember, MemberCluster } from "./batch-graph.ts";
import { ClusterGraph } from "./cluster-graph.tsx";
import { drawGraph, type Layouts, SHOWN_ALONE_MAX } from "./graph-drawing.ts";
import { LevelKey } from "./level-key.tsx";
import { PairLine } from "./pair-line.tsx";
import type { ShownBatch } from "./shown-batch.ts";
import { saveSvg, svgFile } from "./svg-file.ts";
import { useWidth } from "./use-width.ts";

/** Clusters in the list; of more, a higher threshold leaves fewer. */
const CLUSTERS_LISTED = 100;
const PAIRS_LISTED = 50;
const NAMES_LISTED = 4;

type ClusterViewProps = ShownBatch & {
  readonly clusters: readonly MemberCluster[];
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
};

/** The clusters as a drawing, and as a list that says the same to those who can't use it. */
export function ClusterView({ batchId, graph, address, clusters, onChange }: ClusterViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const width = useWidth(place);
  const [member, setMember] = useState<GraphMember>();
  // The cluster of this address may have been split by another threshold: then it is the one that has its first member.
  const alone = clusters.find(({ members }) => members.some(({ ordinal }) => ordinal === address.cluster));
  const layouts = useMemo<Layouts>(() => new Map(), [graph]);
  const drawn = useMemo(
    () => drawGraph(alone === undefined ? clusters : [alone], width, layouts),
    [clusters, alone, width],
  );
  const hrefOf = (pair: { readonly a: GraphMember; readonly b: GraphMember }) =>
    pairHref(batchId, pair, address);
  const show = (id: number | undefined) => {
    setMember(undefined);
    onChange(inAddress.cluster(id));
  };
  const own =
    member && clusters.flatMap(({ pairs }) => pairs).filter(({ a, b }) => a === member || b === member);
  const save = () => drawing.current !== null && saveSvg(svgFile(drawing.current), "clusters");
  return (
    <div class="cluster-view">
      <div class="drawing-bar">
        {alone === undefined ? (
          <p>{counted(clusters.length, "cluster")}</p>
        ) : (
          <>
            <SmallButton onClick={() => show(undefined)}>Show all clusters</SmallButton>
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
            {counted(drawn.undrawn, "smaller cluster")} not drawn. A higher similarity leaves fewer.
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
            <ul class="pair-lines">
              {own.slice(0, PAIRS_LISTED).map((pair) => (
                <li key={`${pair.a.ordinal} ${pair.b.ordinal}`}>
                  <PairLine pair={pair} href={hrefOf(pair)} />
                </li>
              ))}
            </ul>
            <SmallButton onClick={() => setMember(undefined)}>Close</SmallButton>
          </section>
        ) : alone !== undefined ? (
          <section aria-labelledby="cluster-title">
            <h2 id="cluster-title">Pairs of this cluster</h2>
            <ul class="pair-lines">
              {alone.pairs.slice(0, PAIRS_LISTED).map((pair) => (
                <li key={`${pair.a.ordinal} ${pair.b.ordinal}`}>
                  <PairLine pair={pair} href={hrefOf(pair)} />
                </li>
              ))}
            </ul>
            {alone.pairs.length > PAIRS_LISTED && (
              <p class="hint">
                The {PAIRS_LISTED} most similar of {count(alone.pairs.length)}.
              </p>
            )}
          </section>
        ) : (
          <ol class="cluster-list">
            {clusters.slice(0, CLUSTERS_LISTED).map((cluster) => (
              <li key={cluster.id}>
                <Button onClick={() => show(cluster.id)}>
                  <strong>{counted(cluster.members.length, "text")}</strong>
                  <span class="quiet">
                    {counted(cluster.pairs.length, "pair")}, up to {percent(cluster.pairs[0]?.pct ?? 0)}
                  </span>
                  <span class="cluster-names">{namesInWords(cluster)}</span>
                </Button>
              </li>
            ))}
            {clusters.length > CLUSTERS_LISTED && (
              <li class="hint">and {count(clusters.length - CLUSTERS_LISTED)} smaller ones</li>
            )}
          </ol>
        )}
      </div>
    </div>
  );
}

function namesInWords({ members }: MemberCluster): string {
  const names = members.slice(0, NAMES_LISTED).map(({ name }) => name);
  const more = members.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}
