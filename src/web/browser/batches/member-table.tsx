import { useMemo } from "preact/hooks";
import { EmptyState } from "../shared/notice.tsx";
import { count, counted, percent } from "../shared/wording.ts";
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
  const { page, shown } = pageOf(members, address.page);
  return (
    <>
      <div class="table-head">
        <NameFilter value={name} onFilter={(text) => onChange(inAddress.name(text), "replaceState")} />
        <p class="quiet" role="status">
          {counted(members.length, "text")}
          {hasPairs && `, ${count(paired)} with a pair of at least ${pctMin}%`}
        </p>
      </div>
      {members.length === 0 ? (
        <EmptyState title={name === "" ? "No texts yet" : `No texts with “${name}” in their name`}>
          <p>Search for another part of a name.</p>
        </EmptyState>
      ) : (
        <table class="batch-table members">
          <thead>
            <tr>
              <th scope="col">Text</th>
              {hasPairs && <th scope="col">Highest similarity</th>}
              {hasPairs && <th scope="col">Nearest text</th>}
              {hasPairs && (
                <th scope="col" class="figure-column">
                  Pairs
                </th>
              )}
              {hasCommon && (
                <th scope="col" class="figure-column" title="The share of its text that many texts share">
                  Common
                </th>
              )}
              {hasCorpus && (
                <th scope="col" class="figure-column">
                  Corpus
                </th>
              )}
              <th scope="col" class="figure-column">
                Characters
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
                    <td data-label="Highest similarity">
                      <ShareBar pct={member.similarity_pct} />
                    </td>
                  )}
                  {hasPairs && (
                    <td data-label="Nearest text">
                      {nearest === undefined ? (
                        <span class="quiet">none</span>
                      ) : (
                        <a
                          href={pairHref(batchId, { a: member, b: nearest }, address)}
                          aria-label={`Compare ${member.name} and ${nearest.name}`}
                        >
                          <bdi>{nearest.name}</bdi>
                        </a>
                      )}
                    </td>
                  )}
                  {hasPairs && (
                    <td class="figure-column" data-label="Pairs">
                      {count(counts.get(member.ordinal) ?? 0)}
                    </td>
                  )}
                  {hasCommon && (
                    <td class="figure-column" data-label="Common">
                      {percent(member.common_pct)}
                    </td>
                  )}
                  {hasCorpus && (
                    <td class="figure-column" data-label="Corpus">
                      {member.corpus_similarity_pct === null ? "" : percent(member.corpus_similarity_pct)}
                    </td>
                  )}
                  <td class="figure-column" data-label="Characters">
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
        label="Texts"
        onPage={(next) => onChange(inAddress.page(next), "pushState")}
      />
    </>
  );
}
