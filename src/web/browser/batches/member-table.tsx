import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { EmptyState } from "../shared/notice.tsx";
import { say, sayCount } from "../shared/texts.ts";
import { count, percent, wholePercent } from "../shared/wording.ts";
import type { ShownBatch } from "./batch-address.ts";
import { inAddress, pairHref } from "./batch-address.ts";
import { type GraphMember, nameFilter, pairCounts, pairsFrom } from "./batch-graph.ts";
import { NameFilter, Pager, pageOf } from "./pager.tsx";
import { type ChangeAddress, MemberName, ShareBar } from "./pair-table.tsx";

type MemberTableProps = ShownBatch & {
  /** Whether the members were compared with each other. */
  readonly hasPairs: boolean;
  readonly onChange: ChangeAddress;
};

type Column = {
  readonly label: string;
  /** Shown on hovering over the label. */
  readonly title?: string;
  /** Whether its cells are single numbers. */
  readonly isFigure?: boolean;
  readonly cell: (member: GraphMember) => ComponentChildren;
};

/** The members by their highest similarity, each with a link to its own report. */
export function MemberTable({ batchId, graph, address, hasPairs, onChange }: MemberTableProps) {
  const { name, pctMin } = address;
  const hasCommon = graph.members.some((member) => member.common_pct > 0);
  const hasCorpus = graph.members.some((member) => member.corpus_similarity_pct !== null);
  const members = useMemo(() => {
    const named = graph.members.filter(nameFilter(name));
    if (hasPairs) return named;
    return named.toSorted((x, y) => (y.corpus_similarity_pct ?? 0) - (x.corpus_similarity_pct ?? 0));
  }, [graph, name, hasPairs]);
  const byOrdinal = useMemo(() => new Map(graph.members.map((one) => [one.ordinal, one])), [graph]);
  const counts = useMemo(() => pairCounts(pairsFrom(graph.pairs, pctMin)), [graph, pctMin]);
  const paired = members.filter(({ ordinal }) => counts.has(ordinal)).length;
  const total = sayCount("count.texts", members.length);
  const { page, shown } = pageOf(members, address.page);
  const nearestOf = (member: GraphMember) => {
    const nearest = byOrdinal.get(member.nearest ?? -1);
    if (nearest === undefined) return <span class="quiet">–</span>;
    return (
      <a
        href={pairHref(batchId, { a: member, b: nearest }, address)}
        aria-label={say("pair.compare", { a: member.name, b: nearest.name })}
      >
        <bdi>{nearest.name}</bdi>
      </a>
    );
  };
  const inCorpus = ({ corpus_similarity_pct: pct }: GraphMember) => (pct === null ? "" : percent(pct));
  const pairsOf = ({ ordinal }: GraphMember) => count(counts.get(ordinal) ?? 0);
  const allColumns: readonly (Column & { readonly isShown: boolean })[] = [
    { isShown: hasPairs, label: say("batch.highest"), cell: (one) => <ShareBar pct={one.similarity_pct} /> },
    { isShown: hasPairs, label: say("batch.nearest"), cell: nearestOf },
    { isShown: hasPairs, label: say("batch.pairs"), isFigure: true, cell: pairsOf },
    {
      ...{ isShown: hasCommon, label: say("batch.common"), title: say("batch.commonTitle"), isFigure: true },
      cell: (one) => percent(one.common_pct),
    },
    { isShown: hasCorpus, label: say("submit.corpus"), isFigure: true, cell: inCorpus },
    { isShown: true, label: say("pdf.characters"), isFigure: true, cell: (one) => count(one.char_count) },
  ];
  const columns = allColumns.filter(({ isShown }) => isShown);
  return (
    <>
      <div class="table-head">
        <NameFilter value={name} onFilter={(text) => onChange(inAddress.name(text), "replaceState")} />
        <p class="quiet" role="status">
          {hasPairs
            ? say("batch.paired", { texts: total, paired: count(paired), pct: wholePercent(pctMin) })
            : total}
        </p>
      </div>
      {members.length === 0 ? (
        <EmptyState title={name === "" ? total : say("list.noneTitled", { title: name })}>
          {name !== "" && <p>{say("batch.searchOther")}</p>}
        </EmptyState>
      ) : (
        <table class="batch-table members">
          <thead>
            <tr>
              <th scope="col">{say("batch.text")}</th>
              {columns.map(({ label, title, isFigure }) => (
                <th key={label} scope="col" class={isFigure ? "figure-column" : undefined} title={title}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((member) => (
              <tr key={member.ordinal}>
                <td>
                  <MemberName member={member} href={`/checks/${member.check_id}`} />
                </td>
                {columns.map(({ label, isFigure, cell }) => (
                  <td key={label} class={isFigure ? "figure-column" : undefined} data-label={label}>
                    {cell(member)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager
        page={page}
        rows={members.length}
        label={say("batch.texts")}
        onPage={(next) => onChange(inAddress.page(next), "pushState")}
      />
    </>
  );
}
