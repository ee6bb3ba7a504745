import type { ProgressEvent } from "../../../../client/index.ts";
import { fractionDone, STAGES, searchedParts, stageLabel } from "../wording/stages.ts";
import { ProgressBar } from "./progress-bar.tsx";

const NOT_BEGUN: ProgressEvent = { stage: null, chunks_done: 0, chunks_total: 0 };

/** What a running check does: a bar, all its stages with the present one marked, and how much was searched. */
export function CheckProgress({ progress = NOT_BEGUN }: { readonly progress?: ProgressEvent | undefined }) {
  const current = STAGES.findIndex(({ stage }) => stage === progress.stage);
  return (
    <section class="check-progress" aria-label="Progress">
      <ProgressBar value={fractionDone(progress)} label="Progress of the check" />
      <p class="now" role="status">
        {stageLabel(progress.stage)}
      </p>
      <p class="quiet counted">{searchedParts(progress) ?? "\u00a0"}</p>
      <ol class="stages">
        {STAGES.map(({ stage, label }, index) => (
          <li
            key={stage}
            class={index < current ? "done" : undefined}
            aria-current={index === current ? "step" : undefined}
          >
            {label}
            {index < current && <span class="hidden-visually"> (done)</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The same in two lines, as for a row of a list. */
export function CheckProgressLine({ progress }: { readonly progress: ProgressEvent }) {
  const label = stageLabel(progress.stage);
  return (
    <div class="progress-line">
      <ProgressBar value={fractionDone(progress)} label={label} />
      <span>{label}</span>
    </div>
  );
}
