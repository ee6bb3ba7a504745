import type { CheckRow, ProgressEvent } from "../../../client/index.ts";
import { ProgressBar } from "./elements.tsx";
import { say } from "./texts.ts";
import { fractionDone, percent, STAGES, searchedParts, stageLabel } from "./wording.ts";

const WAITING: ProgressEvent = { stage: null, chunks_done: 0, chunks_total: 0 };

/** The progress of a running check: a bar and all stages, with the current one marked. */
export function CheckProgress({ progress = WAITING }: { readonly progress?: ProgressEvent | undefined }) {
  const current = STAGES.findIndex(({ stage }) => stage === progress.stage);
  return (
    <section class="check-progress" aria-label={say("stage.progress")}>
      <ProgressBar value={fractionDone(progress)} label={say("stage.progressOf")} />
      <p class="now" role="status">
        {stageLabel(progress.stage)}
      </p>
      <p class="quiet counted">{searchedParts(progress) ?? "\u00a0"}</p>
      <ol class="stages">
        {STAGES.map(({ stage }, index) => (
          <li
            key={stage}
            class={index < current ? "done" : undefined}
            aria-current={index === current ? "step" : undefined}
          >
            {stageLabel(stage)}
            {index < current && <span class="hidden-visually">{say("stage.done")}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The name of a check in a list, with a link to its report. */
export function CheckLink({ check }: { readonly check: CheckRow }) {
  const untitled = check.title === null ? " untitled" : "";
  return (
    <a class={`row-title${untitled}`} href={`/checks/${check.check_id}`}>
      <bdi>{check.display_title}</bdi>
    </a>
  );
}

/** The result of a check in a list, or its progress. */
export function CheckOutcome({ check }: { readonly check: CheckRow }) {
  if (check.overall_similarity_pct !== null) return <PercentBadge value={check.overall_similarity_pct} />;
  if (check.status === "failed") return <span class="fault">{say("checks.failed")}</span>;
  const label = stageLabel(check.stage);
  return (
    <div class="progress-line">
      <ProgressBar value={fractionDone(check)} label={label} />
      <span>{label}</span>
    </div>
  );
}

export function isRunning({ status }: CheckRow): boolean {
  return status === "pending" || status === "running";
}

/** A percentage above a bar. The colour is the same for every value: the reader judges how much is too much. */
function PercentBadge({ value }: { readonly value: number }) {
  return (
    <span class="percent">
      <span class="percent-number">{percent(value)}</span>
      <span class="percent-bar" aria-hidden="true">
        <span style={{ inlineSize: `${value}%` }} />
      </span>
    </span>
  );
}
