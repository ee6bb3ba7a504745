import { useId, useState } from "preact/hooks";
import type { Check } from "../../../client/index.ts";
import { type ReviewStatus, reviewLabel } from "../../../report/wording.ts";
import { Button, SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine, failureLine, failureOf } from "../shared/engine.ts";
import { announce } from "../shared/mount.tsx";
import { Fault } from "../shared/notice.tsx";
import { say, sayParts, texts } from "../shared/texts.ts";
import { percent } from "../shared/wording.ts";
import { areSameFilters, type Filters, keptFilters } from "./report-address.ts";

/** The engine's limit. The browser counts some characters twice. */
const COMMENT_CHARS_MAX = 2_000;

const STATUSES = [
  "open",
  "cleared",
  "to_be_discussed",
  "confirmed",
] as const satisfies readonly ReviewStatus[];

/** The filters as JSON, in which unset ones are missing. */
function keptForm(filters: Filters): NonNullable<Check["review"]>["filters"] {
  return JSON.parse(JSON.stringify(filters));
}

type ReviewPanelProps = {
  readonly check: Check;
  /** The filters with which the report is shown. */
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
  readonly onKept: (check: Check) => void;
};

/** The decision on the report: a status and a comment, which one click keeps together with the filters shown. */
export function ReviewPanel({ check, filters, onFilters, onKept }: ReviewPanelProps) {
  const { review } = check;
  const id = useId();
  const [status, setStatus] = useState<ReviewStatus>(review?.status ?? "open");
  const [comment, setComment] = useState(review?.comment ?? "");
  const [isSending, setIsSending] = useState(false);
  const [fault, setFault] = useState<string>();
  const kept = keptFilters(check) ?? {};
  const hasKeptFilters = areSameFilters(filters, kept);
  const isKept =
    review !== undefined && hasKeptFilters && status === review.status && comment === (review.comment ?? "");
  const keep = async () => {
    if (isSending || isKept) return;
    setIsSending(true);
    setFault(undefined);
    try {
      onKept(
        await engine.renameCheck(check.check_id, {
          review: { status, comment, filters: keptForm(filters) },
        }),
      );
      announce(say("report.decisionKept"));
    } catch (error) {
      setFault(say("report.notKept", { reason: failureLine(failureOf(error, navigator.onLine)) }));
    }
    setIsSending(false);
  };
  return (
    <section class="review" aria-label={say("report.decision")}>
      <label for={`${id}-status`}>{say("report.decision")}</label>
      <select
        id={`${id}-status`}
        value={status}
        onChange={({ currentTarget: { value } }) =>
          setStatus(STATUSES.find((one) => one === value) ?? "open")
        }
      >
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {reviewLabel(one, texts)}
          </option>
        ))}
      </select>
      <label for={`${id}-comment`}>{say("report.comment")}</label>
      <textarea
        id={`${id}-comment`}
        rows={1}
        dir="auto"
        maxLength={COMMENT_CHARS_MAX}
        value={comment}
        onInput={({ currentTarget: { value } }) => setComment(value)}
      />
      <Button class="primary" aria-disabled={isKept || isSending} onClick={keep}>
        {say(isKept ? "report.keptState" : "report.keep")}
      </Button>
      <p class="quiet">
        {review === undefined
          ? say("report.keeps")
          : sayParts("report.keptOn", {
              date: <Timestamp at={review.changed_at} />,
              reviewed: percent(review.reviewed_similarity_pct),
              unfiltered: percent(check.overall_similarity_pct ?? 0),
            })}
        {review !== undefined && !hasKeptFilters && (
          <>
            {" "}
            {say("report.otherFilters")}{" "}
            <SmallButton onClick={() => onFilters(kept)}>{say("report.showKept")}</SmallButton>
          </>
        )}
      </p>
      <Fault text={fault} />
    </section>
  );
}
