import { useEffect, useState } from "preact/hooks";
import type { BatchMember, BatchProgressEvent } from "../../../client/index.ts";
import { ProgressBar } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { ErrorNotice } from "../shared/notice.tsx";
import { useLoaded, useRefreshed } from "../shared/use-loaded.ts";
import { counted } from "../shared/wording.ts";
import { shareDone, stateInWords } from "./batch-wording.ts";
import { Pager } from "./pager.tsx";

const ROWS_SHOWN = 24;

type BatchProgressProps = { readonly batchId: string; readonly progress: BatchProgressEvent };

/** How far a batch has come: as a whole, and each member. */
export function BatchProgress({ batchId, progress }: BatchProgressProps) {
  const { members_total: all, members_failed: failed, pairs_found: pairs } = progress;
  const [page, setPage] = useState(1);
  const offset = (page - 1) * ROWS_SHOWN;
  const { value, error, reload, refresh } = useLoaded(`${batchId} ${page}`, (signal) =>
    engine.getBatch(batchId, { limit: ROWS_SHOWN, offset }, { signal }),
  );
  useRefreshed(true, refresh);
  useEffect(refresh, [progress.status]);
  return (
    <section class="batch-progress" aria-label="Progress">
      <ProgressBar value={shareDone(progress)} label="Progress of the batch" />
      <p class="now" role="status">
        {progress.status === "reading" ? "Reading the texts" : "Comparing the texts"}
      </p>
      <p class="quiet counted">
        {stateInWords(progress)} · {counted(pairs, "pair")} found
        {failed > 0 && ` · ${failed} could not be read`}
      </p>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <ul class="member-states" aria-label="Texts">
        {value?.members.map((member) => (
          <li key={member.member_id} class={member.status}>
            <span class="member-name">
              <bdi>{member.name}</bdi>
            </span>
            <span class="member-state">{STATES[member.status]}</span>
          </li>
        ))}
      </ul>
      <Pager page={page} rows={all} rowsPerPage={ROWS_SHOWN} label="Texts" onPage={setPage} />
      <p class="quiet">You can close this page: the comparison goes on.</p>
    </section>
  );
}

const STATES: Readonly<Record<BatchMember["status"], string>> = {
  waiting: "Waiting",
  read: "Read",
  compared: "Compared",
  failed: "Not readable",
};
