import type { Report } from "../../../client/index.ts";
import { batchName } from "../batches/batch-wording.ts";
import { engine } from "../shared/engine.ts";
import { FoldedNotice } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { count, counted, percent } from "../shared/wording.ts";
import { JudgementAdvice } from "./judgement-advice.tsx";

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

/** Whether a check is a member of a batch without the corpus: its figures about the corpus are then all 0, and say nothing. */
export function isComparedWithMembersOnly({ batch }: Report): boolean {
  return batch?.is_compared_with_corpus === false;
}

/** How much of a member is also in the others, in the place of the score that only a comparison with the corpus gives. */
export function BatchScore({ batch }: BatchPartProps) {
  const { members_total, similarity_pct, is_complete } = batch;
  return (
    <div class="score" role="status">
      <p class="score-number">{percent(similarity_pct)}</p>
      <div class="score-words">
        <p>
          {members_total === 0
            ? `No passages in common with other texts of the batch${is_complete ? "" : " so far"}.`
            : `of this text is also in ${counted(members_total, "other text")} of the batch.`}
        </p>
        {members_total > 0 && <JudgementAdvice />}
      </div>
    </div>
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
            <a href={`/batches/${batch_id}/pairs/${member_id}/${other}`}>
              See pair<span class="hidden-visually"> with {name}</span>
            </a>
          </li>
        ))}
        {more > 0 && <li>and {count(more)} more</li>}
      </ul>
    </FoldedNotice>
  );
}
