import { useMemo } from "preact/hooks";
import { EmptyState } from "../shared/notice.tsx";
import { say, sayCount } from "../shared/texts.ts";
import { count, percent, wholePercent } from "../shared/wording.ts";
import type { ShownBatch } from "./batch-address.ts";
import { inAddress, pairHref } from "./batch-address.ts";
import { nameFilter, pairCounts, pairsFrom } from "./batch-graph.ts";
import { NameFilter, Pager, pageOf } from "./pager.tsx";
import { type ChangeAddress, MemberName, ShareBar } from "./pair-table.tsx";

type MemberTableProps = ShownBatch & {
  /** Whether the members were compared with each other. */
  readonly hasPairs: boolean;
  readonly onChange: ChangeAddress;
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
              {hasPairs && <th scope="col">{say("batch.highest")}</th>}
              {hasPairs && <th scope="col">{say("batch.nearest")}</th>}
              {hasPairs && (
                <th scope="col" class="figure-column">
                  {say("batch.pairs")}
                </th>
              )}
              {hasCommon && (
                <th scope="col" class="figure-column" title={say("batch.commonTitle")}>
                  {say("batch.common")}
                </th>
              )}
              {hasCorpus && (
                <th scope="col" class="figure-column">
                  {say("submit.corpus")}
                </th>
              )}
              <th scope="col" class="figure-column">
                {say("pdf.characters")}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((member) => {
              const nearest = byOrdinal.get(member.nearest ?? -1);
              return (
                <tr key={member.ordinal}>
                  <td>
                    <MemberName member={member} href={`/checks/${member.check_id}`} />
                  </td>
                  {hasPairs && (
                    <td data-label={say("batch.highest")}>
                      <ShareBar pct={member.similarity_pct} />
                    </td>
                  )}
                  {hasPairs && (
                    <td data-label={say("batch.nearest")}>
                      {nearest === undefined ? (
                        <span class="quiet">–</span>
                      ) : (
                        <a
                          href={pairHref(batchId, { a: member, b: nearest }, address)}
                          aria-label={say("pair.compare", { a: member.name, b: nearest.name })}
                        >
                          <bdi>{nearest.name}</bdi>
                        </a>
                      )}
                    </td>
                  )}
                  {hasPairs && (
                    <td class="figure-column" data-label={say("batch.pairs")}>
                      {count(counts.get(member.ordinal) ?? 0)}
                    </td>
                  )}
                  {hasCommon && (
                    <td class="figure-column" data-label={say("batch.common")}>
                      {percent(member.common_pct)}
                    </td>
                  )}
                  {hasCorpus && (
                    <td class="figure-column" data-label={say("submit.corpus")}>
                      {member.corpus_similarity_pct === null ? "" : percent(member.corpus_similarity_pct)}
                    </td>
                  )}
                  <td class="figure-column" data-label={say("pdf.characters")}>
                    {count(member.char_count)}
                  </td>
                </tr>
              );
            })}
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
