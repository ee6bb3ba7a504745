import { useMemo } from "preact/hooks";
import { type BatchPairView, ProblemError, type PairText as WireText } from "../../../client/index.ts";
import type { PairedText, PlacesOfTwo, Side } from "../compare/paired-passages.ts";
import { PairedTexts } from "../compare/paired-texts.tsx";
import { engine } from "../shared/engine.ts";
import { mount, usePageTitle } from "../shared/mount.tsx";
import { ErrorNotice, NotFound, Notice, Pending } from "../shared/notice.tsx";
import { languageName, say, sayCount, sayParts, texts as words } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { batchName, count, isolated, percent } from "../shared/wording.ts";
import { type BatchAddress, filtersOf, pairHref, readBatchAddress } from "./batch-address.ts";
import {
  type BatchGraph,
  clusterWith,
  type GraphPair,
  memberClusters,
  pairsFrom,
  selectedPairs,
  toGraph,
} from "./batch-graph.ts";
import "./batch.css";

type PairPageProps = { readonly batchId: string; readonly a: string; readonly b: string };

/** Two members of a batch side by side, with links to the pairs before and after them. */
function PairPage({ batchId, a, b }: PairPageProps) {
  const address = useMemo(() => readBatchAddress(new URLSearchParams(location.search)), []);
  const filters = filtersOf(address);
  const { value, error, reload } = useLoaded(`${a} ${b}`, (signal) =>
    engine.getBatchPair(batchId, a, b, { ...filters, offset_unit: "utf16" }, { signal }),
  );
  usePageTitle(value && namesOf(value));
  if (isGone(error))
    return <NotFound title={say("pair.notFound")} listHref="/batches" listName={say("batches.all")} />;
  return (
    <>
      <PairNavigation batchId={batchId} a={a} b={b} address={address} />
      {(value === undefined || error !== undefined) && (
        <Pending text={say("pair.loading")} error={error} reload={reload} />
      )}
      {value !== undefined && (
        <LoadedPair pair={value} opening={value.a.member_id === a ? "source" : "query"} />
      )}
    </>
  );
}

function namesOf({ a, b }: BatchPairView): string {
  return words.list([isolated(a.name), isolated(b.name)]);
}

function isGone(error: unknown): boolean {
  return (
    error instanceof ProblemError && (error.code === "batch_not_found" || error.code === "member_not_found")
  );
}

type PairNavigationProps = PairPageProps & { readonly address: BatchAddress };

/** The pairs of the view that this page was opened from, in its order. */
function walkedPairs(
  graph: BatchGraph,
  address: BatchAddress,
): { readonly pairs: readonly GraphPair[]; readonly isOfCluster: boolean } {
  const { view, pctMin, cluster } = address;
  // Only the list of pairs is filtered by names and has an order of its own.
  if (view === "pairs") return { pairs: selectedPairs(graph, address), isOfCluster: false };
  const pairs = pairsFrom(graph.pairs, pctMin);
  const alone = clusterWith(memberClusters(pairs), cluster);
  return { pairs: alone?.pairs ?? pairs, isOfCluster: alone !== undefined };
}

/** The way back to the batch, and to the pairs beside this one in the view that it was opened from. */
function PairNavigation({ batchId, a, b, address }: PairNavigationProps) {
  const batch = useLoaded(`${batchId} batch`, (signal) => engine.getBatch(batchId, { limit: 1 }, { signal }));
  const graph = useLoaded(`${batchId} graph`, (signal) =>
    engine.getBatchGraph(batchId, filtersOf(address), { signal }),
  );
  const walked = useMemo(() => graph.value && walkedPairs(toGraph(graph.value), address), [graph.value]);
  const pairs = walked?.pairs;
  const at = pairs?.findIndex(
    (pair) => [a, b].includes(pair.a.member_id) && [a, b].includes(pair.b.member_id),
  );
  const link = (next: number, label: string, key: string) => {
    const pair = at === undefined || at < 0 ? undefined : pairs?.[next];
    return pair === undefined ? (
      <span class="button small" aria-disabled="true">
        {label}
      </span>
    ) : (
      <a class="button small" rel={key} href={pairHref(batchId, pair, address)}>
        {label}
      </a>
    );
  };
  const back = `/batches/${batchId}${location.search}`;
  return (
    <div class="pair-navigation">
      <p class="breadcrumb">
        <a href="/batches">{say("nav.batches")}</a> ›{" "}
        <a href={back}>
          {batch.value === undefined ? say("report.batch") : <bdi>{batchName(batch.value)}</bdi>}
        </a>
      </p>
      {graph.error !== undefined && <ErrorNotice error={graph.error} onRetry={graph.reload} />}
      <nav aria-label={say("batch.pairs")}>
        {link((at ?? 0) - 1, say("pair.previous"), "prev")}
        <span class="quiet">
          {pairs === undefined || at === undefined
            ? "\u00a0"
            : at < 0
              ? say("pair.notSelected")
              : say(walked?.isOfCluster === true ? "pair.positionInCluster" : "pair.position", {
                  number: count(at + 1),
                  total: count(pairs.length),
                })}
        </span>
        {link((at ?? 0) + 1, say("pair.next"), "next")}
      </nav>
    </div>
  );
}

type LoadedPairProps = { readonly pair: BatchPairView; readonly opening: Side };

function LoadedPair({ pair, opening }: LoadedPairProps) {
  // The later member is the query of the alignment.
  const sides = { query: pair.b, source: pair.a } as const;
  const texts = useMemo(() => ({ query: pairedText(pair.b), source: pairedText(pair.a) }), [pair]);
  const remarks = useMemo(
    () =>
      new Map<PlacesOfTwo, string>(
        pair.passages.flatMap((passage) => {
          const remark = remarkOn(passage);
          return remark === undefined ? [] : [[passage, remark]];
        }),
      ),
    [pair],
  );
  return (
    <>
      <h1 class="hidden-visually">{namesOf(pair)}</h1>
      {pair.passages.length === 0 && (
        <Notice kind="warn" title={say("pair.none")}>
          <p>{say("pair.noneText")}</p>
        </Notice>
      )}
      <PairedTexts
        texts={texts}
        passages={pair.passages}
        opening={opening}
        remarkOn={(passage) => remarks.get(passage)}
        headOf={(side) => <SideHead key={side} text={sides[side]} />}
      />
    </>
  );
}

function pairedText({ name, text, language, template_text: template }: WireText): PairedText {
  const uncompared = template.map(([start, end]) => ({ start, end, reason: say("pair.template") }));
  return { name, text, language, flags: [], uncompared };
}

function remarkOn({ is_quoted, is_common }: BatchPairView["passages"][number]): string | undefined {
  const remarks = [is_quoted && say("pair.quoted"), is_common && say("pair.common")].filter(
    (one) => one !== false,
  );
  return remarks.length === 0 ? undefined : remarks.join(", ");
}

function SideHead({ text }: { readonly text: WireText }) {
  const templateChars = text.char_count - text.compared_chars;
  return (
    <section class="pair-head">
      <h2>
        <bdi>{text.name}</bdi>
      </h2>
      <p class="pair-score">
        {sayParts("pair.share", { pct: <strong>{percent(text.similarity_pct)}</strong> })}
      </p>
      <p class="quiet facts">
        {text.group !== null && (
          <>
            <bdi>{text.group}</bdi> ·{" "}
          </>
        )}
        {languageName(text.language)} ·{" "}
        {say("of", {
          part: count(text.matched_chars),
          whole: sayCount("count.characters", text.compared_chars),
        })}
        {templateChars > 0 &&
          ` · ${say("pair.handedOut", { characters: sayCount("count.characters", templateChars) })}`}{" "}
        · <a href={`/checks/${text.check_id}`}>{say("nav.report")}</a>
      </p>
    </section>
  );
}

const [, , batchId = "", , a = "", b = ""] = location.pathname.split("/");
mount(<PairPage batchId={batchId} a={a} b={b} />);
