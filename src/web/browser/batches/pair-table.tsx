import { useMemo } from "preact/hooks";
import { Choice } from "../shared/list-controls.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { say, sayCount } from "../shared/texts.ts";
import type { HistoryMode } from "../shared/use-list.ts";
import { count, isolated, percent } from "../shared/wording.ts";
import { inAddress, pairHref, type ShownBatch } from "./batch-address.ts";
import { type GraphMember, type GraphPair, PAIR_SORTS, type PairSort, selectedPairs } from "./batch-graph.ts";
import { LEVELS, levelOf } from "./batch-wording.ts";
import { NameFilter, Pager, pageOf } from "./pager.tsx";

const SORT_LABELS: Readonly<Record<PairSort, string>> = {
  similarity: say("batch.similarFirst"),
  longest: say("batch.longestFirst"),
  passages: say("batch.mostFirst"),
  name: say("batch.byName"),
};

/** Changes the address, with or without an entry in the history. */
export type ChangeAddress = (changes: Readonly<Record<string, string>>, mode: HistoryMode) => void;

/** The pairs as a ranked table. */
export function PairTable({
  batchId,
  graph,
  address,
  onChange,
}: ShownBatch & { readonly onChange: ChangeAddress }) {
  const { name, sort, pctMin } = address;
  const pairs = useMemo(() => selectedPairs(graph, { name, sort, pctMin }), [graph, name, sort, pctMin]);
  const { page, first, shown } = pageOf(pairs, address.page);
  return (
    <>
      <div class="table-head">
        <NameFilter value={name} onFilter={(text) => onChange(inAddress.name(text), "replaceState")} />
        <Choice
          label={say("list.order")}
          options={PAIR_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
          value={sort}
          onChange={(value) =>
            onChange(inAddress.sort(PAIR_SORTS.find((one) => one === value) ?? "similarity"), "pushState")
          }
        />
        <p class="quiet" role="status">
          {sayCount("count.pairs", pairs.length)}
        </p>
      </div>
      {pairs.length === 0 ? (
        <EmptyState title={say("list.noneTitled", { title: name })}>
          <p>{say("batch.searchOther")}</p>
        </EmptyState>
      ) : (
        <table class="batch-table pairs">
          <thead>
            <tr>
              <th scope="col">{say("batch.rank")}</th>
              <th scope="col">{say("batch.side")}</th>
              <th scope="col" class="figure-column">
                {say("batch.longest")}
              </th>
              <th scope="col" class="figure-column">
                {say("batch.passages")}
              </th>
              <th scope="col">
                <span class="hidden-visually">{say("nav.compare")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((pair, at) => (
              <PairRow
                key={`${pair.a.ordinal} ${pair.b.ordinal}`}
                rank={first + at + 1}
                pair={pair}
                href={pairHref(batchId, pair, address)}
              />
            ))}
          </tbody>
        </table>
      )}
      <Pager
        page={page}
        rows={pairs.length}
        label={say("batch.pairs")}
        onPage={(next) => onChange(inAddress.page(next), "pushState")}
      />
    </>
  );
}

type PairRowProps = { readonly rank: number; readonly pair: GraphPair; readonly href: string };

function PairRow({ rank, pair, href }: PairRowProps) {
  const { a, b, aPct, bPct, longestChars, passageCount } = pair;
  return (
    <tr>
      <td class="rank">{count(rank)}</td>
      <td class="sides">
        <Side member={a} pct={aPct} href={href} />
        <Side member={b} pct={bPct} href={href} />
      </td>
      <td class="figure-column" data-label={say("batch.longest")}>
        {sayCount("count.characters", longestChars)}
      </td>
      <td class="figure-column" data-label={say("batch.passages")}>
        {count(passageCount)}
      </td>
      <td class="row-link">
        <a class="button small" href={href} aria-label={say("pair.compare", { a: a.name, b: b.name })}>
          {say("nav.compare")}
        </a>
      </td>
    </tr>
  );
}

type SideProps = { readonly member: GraphMember; readonly pct: number; readonly href: string };

function Side({ member, pct, href }: SideProps) {
  return (
    <span class="side">
      {/* For the pointer only: its row has a link that names both. */}
      <MemberName member={member} href={href} tabIndex={-1} />
      <ShareBar pct={pct} />
    </span>
  );
}

/** The name of a member as a link, and its group. */
export function MemberName({
  member,
  href,
  tabIndex,
}: {
  readonly member: GraphMember;
  readonly href: string;
  readonly tabIndex?: number;
}) {
  return (
    <span class="member-name">
      <a href={href} tabIndex={tabIndex}>
        <bdi>{member.name}</bdi>
      </a>
      {member.group !== null && (
        <span class="member-group">
          <bdi>{member.group}</bdi>
        </span>
      )}
    </span>
  );
}

type PairLineProps = {
  readonly pair: GraphPair;
  readonly href: string;
  /** Short ones, by the members' names, where space is scarce. */
  readonly names?: ReadonlyMap<string, string>;
};

/** A pair beside a drawing: both names with their shares, and a link to the comparison. */
export function PairLine({ pair, href, names }: PairLineProps) {
  const { a, b, aPct, bPct } = pair;
  return (
    <a class="pair-line" href={href} title={pairInWords(pair)}>
      <span>
        <bdi>{names?.get(a.name) ?? a.name}</bdi> <span class="pct">{percent(aPct)}</span>
      </span>
      <span>
        <bdi>{names?.get(b.name) ?? b.name}</bdi> <span class="pct">{percent(bPct)}</span>
      </span>
    </a>
  );
}

/** The same in a sentence, which screen readers get while a drawing is explored. */
export function pairInWords({ a, b, aPct, bPct }: GraphPair): string {
  return say("pair.inWords", {
    a: isolated(a.name),
    b: isolated(b.name),
    aPct: percent(aPct),
    bPct: percent(bPct),
  });
}

/** A percentage with a bar of its length. */
export function ShareBar({ pct }: { readonly pct: number }) {
  return (
    <span class="share">
      <span class="share-number">{percent(pct)}</span>
      <span class="share-bar" aria-hidden="true">
        <span class={`level-${levelOf(pct)}`} style={{ inlineSize: `${pct}%` }} />
      </span>
    </span>
  );
}

/** The colours of similarities in all drawings. */
export function LevelKey() {
  return (
    <ul class="level-key" aria-label={say("batch.levels")}>
      {LEVELS.map(({ label }, at) => (
        <li key={label}>
          <span class={`swatch level-${at + 1}`} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  );
}
