import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { Batch } from "../../../client/index.ts";
import { commonFrom, SEARCHED_MEMBERS_MAX } from "../../../report/figures/pair-figures.ts";
import { Button, SmallButton } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Tick } from "../shared/field.tsx";
import { EmptyState, ErrorNotice, FoldedNotice, Notice, Pending } from "../shared/notice.tsx";
import { isRightToLeft, say, sayCount, sayParts } from "../shared/texts.ts";
import { useAddressQuery } from "../shared/use-list.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { count, wholePercent } from "../shared/wording.ts";
import {
  filtersOf,
  inAddress,
  pairHref,
  readBatchAddress,
  type ShownBatch,
  useThreshold,
  type View,
} from "./batch-address.ts";
import {
  type BatchGraph,
  completeFrom,
  type GraphPair,
  memberClusters,
  pairsFrom,
  toGraph,
} from "./batch-graph.ts";
import { isRunning, shortNames } from "./batch-wording.ts";
import { ClusterView } from "./cluster-view.tsx";
import { Distribution } from "./distribution.tsx";
import { MatrixView } from "./matrix-view.tsx";
import { MemberTable } from "./member-table.tsx";
import { PairLine, PairTable } from "./pair-table.tsx";
import { useWidth } from "./svg-file.tsx";

const VIEW_LABELS: readonly { readonly value: View; readonly label: string }[] = [
  { value: "pairs", label: say("batch.pairs") },
  { value: "clusters", label: say("batch.clusters") },
  { value: "matrix", label: say("batch.matrix") },
  { value: "members", label: say("batch.texts") },
];

type BatchResultsProps = {
  readonly batch: Batch;
  /** How many pairs there are now; more than are shown while the batch is compared. */
  readonly pairsFound: number;
};

/** The text that the members of a batch share: its distribution, and four views of the same pairs. */
export function BatchResults({ batch, pairsFound }: BatchResultsProps) {
  const { batch_id: id, updated_at: updated } = batch;
  const { query, change } = useAddressQuery();
  const address = readBatchAddress(query);
  const filters = filtersOf(address);
  const loaded = useLoaded(JSON.stringify([id, filters, updated]), (signal) =>
    engine.getBatchGraph(id, filters, { signal }),
  );
  const { value, error, reload } = loaded;
  const graph = useMemo(() => value && toGraph(value), [value]);
  const least = graph === undefined ? 0 : completeFrom(graph);
  const threshold = useThreshold(Math.max(least, address.pctMin), (pct) =>
    change(inAddress.pctMin(pct), "replaceState"),
  );
  const pctMin = threshold.pct;
  const pairs = useMemo(() => (graph === undefined ? [] : pairsFrom(graph.pairs, pctMin)), [graph, pctMin]);
  const clusters = useMemo(() => memberClusters(pairs), [pairs]);

  if (graph === undefined) return <Pending text={say("batch.loadingPairs")} error={error} reload={reload} />;
  const downloads = new URLSearchParams(
    Object.entries({ ...filters, min_similarity: pctMin }).map(([name, of]) => [name, String(of)]),
  );
  const everyPair = new URLSearchParams(downloads);
  everyPair.set("min_similarity", "0");
  const shown = { batchId: id, graph, address: { ...address, pctMin } };
  const onChange = (changes: Readonly<Record<string, string>>) => change(changes, "pushState");
  const hasPairs = batch.compare_with !== "corpus";
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {isRunning(batch) && pairsFound !== value?.pairs_found && (
        <Notice kind="warn" title={say("batch.more")}>
          <SmallButton onClick={reload}>{say("batch.showThem")}</SmallButton>
        </Notice>
      )}
      {batch.members_failed > 0 && <UnreadableMembers batchId={id} failed={batch.members_failed} />}
      {pairs.length > 0 && <TopPairs shown={shown} pairs={pairs} />}
      {hasPairs && (
        <section class="batch-overview" aria-label={say("batch.overview")}>
          <Distribution graph={graph} threshold={threshold} least={least} />
          <div class="batch-summary">
            <dl class="batch-figures">
              <Figure name={say("batch.pairsFrom", { pct: wholePercent(pctMin) })} value={pairs.length} />
              <Figure name={say("batch.clusters")} value={clusters.length} />
              <Figure
                name={say("batch.inClusters")}
                value={clusters.reduce((sum, { members }) => sum + members.length, 0)}
              />
            </dl>
            <fieldset class="batch-filters">
              <legend>{say("submit.leaveOut")}</legend>
              <Tick
                label={say("batch.quotations")}
                isSet={address.excludeQuotes}
                onSet={(isSet) => onChange(inAddress.excludeQuotes(isSet))}
              />
              <Tick
                label={sayCount("batch.commonFrom", commonFrom(batch.common_share, batch.members_total))}
                isSet={address.excludeCommon}
                onSet={(isSet) => onChange(inAddress.excludeCommon(isSet))}
              />
            </fieldset>
            <p class="batch-downloads">
              <a class="button small" href={`/v1/batches/${id}/pairs.csv?${downloads}`} download>
                {say("batch.pairsCsv")}
              </a>
              <a class="button small" href={`/v1/batches/${id}/members.csv?${downloads}`} download>
                {say("batch.textsCsv")}
              </a>
            </p>
          </div>
        </section>
      )}
      {least > 0 && (
        <p class="quiet">
          {say("batch.limited", { shown: count(graph.pairs.length), total: count(graph.pairsTotal) })}{" "}
          <a href={`/v1/batches/${id}/pairs.csv?${everyPair}`} download>
            {say("batch.allPairsCsv")}
          </a>
        </p>
      )}
      {hasPairs && <CommonText batch={batch} graph={graph} />}
      {hasPairs ? (
        <Tabs
          label={say("batch.views")}
          tabs={VIEW_LABELS}
          selected={address.view}
          onSelect={(view) => onChange(inAddress.view(view))}
        >
          {pairs.length === 0 && address.view !== "members" ? (
            <EmptyState title={say("batch.noPairs", { pct: wholePercent(pctMin) })}>
              <p>{say(!isRunning(batch) && areOneGroup(graph) ? "batch.oneGroup" : "batch.chooseLower")}</p>
            </EmptyState>
          ) : (
            <>
              {address.view === "pairs" && <PairTable {...shown} onChange={change} />}
              {address.view === "clusters" && (
                <ClusterView key={address.cluster} {...shown} clusters={clusters} onChange={onChange} />
              )}
              {address.view === "matrix" && (
                <MatrixView key={address.cluster} {...shown} clusters={clusters} onChange={onChange} />
              )}
              {address.view === "members" && <MemberTable {...shown} hasPairs onChange={change} />}
            </>
          )}
        </Tabs>
      ) : (
        <MemberTable {...shown} hasPairs={false} onChange={change} />
      )}
    </>
  );
}

/** As many as a phone shows without scrolling. */
const TOP_PAIRS = 5;

/** The width from which on both names of a pair stand in one line, the space beside a name, and the width of a letter, in pixels. */
const [ONE_LINE_PX, BESIDE_NAME_PX, LETTER_PX] = [760, 120, 8];

type TopPairsProps = { readonly shown: ShownBatch; readonly pairs: readonly GraphPair[] };

/** The pairs that a reader looks at first, on the first screen. */
function TopPairs({ shown: { batchId, graph, address }, pairs }: TopPairsProps) {
  const place = useRef<HTMLElement>(null);
  const width = useWidth(place);
  const names = useMemo(() => {
    const nameWidth = (width >= ONE_LINE_PX ? width / 2 : width) - BESIDE_NAME_PX;
    return shortNames(
      graph.members.map(({ name }) => name),
      Math.max(1, Math.floor(nameWidth / LETTER_PX)),
    );
  }, [graph, width]);
  return (
    <section class="top-pairs" aria-labelledby="top-pairs-title" ref={place}>
      <h2 id="top-pairs-title">{say("batch.mostSimilar")}</h2>
      <p class="hint">{say("batch.shareHint")}</p>
      <ol class="pair-lines">
        {pairs.slice(0, TOP_PAIRS).map((pair) => (
          <li key={`${pair.a.ordinal} ${pair.b.ordinal}`}>
            <PairLine pair={pair} href={pairHref(batchId, pair, address)} names={names} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Explains that widely shared text makes no pairs; shown only if members contain such text. */
function CommonText({ batch, graph }: { readonly batch: Batch; readonly graph: BatchGraph }) {
  const sharing = graph.members.filter(({ common_pct: pct }) => pct > 0).length;
  if (sharing === 0 || commonFrom(batch.common_share, batch.members_total) <= SEARCHED_MEMBERS_MAX)
    return null;
  return (
    <FoldedNotice kind="info" title={sayCount("batch.withCommon", sharing)}>
      <p>{say("batch.commonText", { count: count(SEARCHED_MEMBERS_MAX) })}</p>
    </FoldedNotice>
  );
}

function areOneGroup({ members }: BatchGraph): boolean {
  const group = members[0]?.group ?? null;
  return group !== null && members.every((member) => member.group === group);
}

function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{count(value)}</dd>
    </div>
  );
}

type TabsProps<Value extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly value: Value; readonly label: string }[];
  readonly selected: Value;
  readonly onSelect: (value: Value) => void;
  readonly children: ComponentChildren;
};

/** Views in one place. Arrow keys select the next one, as the ARIA practices describe. */
function Tabs<Value extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex(({ value }) => value === selected);
  const move = (event: KeyboardEvent) => {
    const [forward, back] = isRightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    const next = { [forward]: at + 1, [back]: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`#tab-${tab.value}`)?.focus();
    onSelect(tab.value);
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ value, label: name }) => (
          <Button
            key={value}
            id={`tab-${value}`}
            class="tab"
            role="tab"
            aria-selected={value === selected}
            aria-controls="tab-panel"
            tabIndex={value === selected ? 0 : -1}
            onClick={() => onSelect(value)}
          >
            {name}
          </Button>
        ))}
      </div>
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${selected}`}>
        {children}
      </div>
    </div>
  );
}

/** Rows of one page of the report; the CSV file of the texts has all of them. */
const ROWS_MAX = 1_000;

/** The members that could not be read, with the reasons. */
function UnreadableMembers({ batchId, failed }: { readonly batchId: string; readonly failed: number }) {
  const { value, error, reload } = useLoaded(`${batchId} ${failed}`, async (signal) => {
    const report = await engine.getBatchReport(batchId, { limit: ROWS_MAX, min_similarity: 100 }, { signal });
    return report.unreadable;
  });
  return (
    <details class="notice warn unreadable">
      <summary>{sayCount("batch.notRead", failed)}</summary>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <ul>
        {value?.map(({ member_id: id, name, error_message: reason }) => (
          <li key={id}>{sayParts("join.colon", { name: <bdi>{name}</bdi>, text: <bdi>{reason}</bdi> })}</li>
        ))}
      </ul>
    </details>
  );
}
