import type { Report } from "../../../client/index.ts";
import { batchName } from "../batches/batch-wording.ts";
import { engine } from "../shared/engine.ts";
import { FoldedNotice } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { count, counted, percent } from "../shared/wording.ts";

type BatchPartProps = { readonly batch: NonNullable<Report["batch"]> };

/** The way from a member's report back to its batch. */
export function BatchCrumb({ batch: { batch_id: id } }: BatchPartProps) {
  const { value } = useLoaded(id, (signal) => engine.getBatch(id, { limit: 1 }, { signal }));
  return (
    <p class="breadcrumb">
      <a href="/batches">Batches</a> ›{" "}
      <a href={`/batches/${id}`}>{value === undefined ? "Batch" : <bdi>{batchName(value)}</bdi>}</a>
    </p>
  );
}

type OtherMembersProps = BatchPartProps & { readonly membersOnly: boolean };

/** The other members of the batch that have passages in common with this one, which do not count in the report's figures. */
export function OtherMembers({ batch, membersOnly }: OtherMembersProps) {
  const { batch_id, member_id, members, members_total, similarity_pct, is_complete } = batch;
  if (members.length === 0) return null;
  const more = members_total - members.length;
  return (
    <FoldedNotice
      kind="info"
      title={
        membersOnly
          ? "Texts of the batch with passages in common"
          : `${percent(similarity_pct)} is also in ${counted(members_total, "other text")} of the batch`
      }
      isOpen
    >
      {!membersOnly && <p>The batch does not count in the score above.</p>}
      {!is_complete && <p>The texts of the batch are still being compared, so there may be more.</p>}
      <ul class="other-members">
        {members.map(({ member_id: other, name, similarity_pct: pct }) => (
          <li key={other}>
            <bdi>{name}</bdi> {percent(pct)} ·{" "}
            <a
              href={`/batches/${batch_id}/pairs/${member_id}/${other}?exclude_quotes=false&exclude_common=false`}
            >
              See pair<span class="hidden-visually"> with {name}</span>
            </a>
          </li>
        ))}
        {more > 0 && <li>and {count(more)} more</li>}
      </ul>
    </FoldedNotice>
  );
}
