import { useEffect, useState } from "preact/hooks";
import {
  type Batch,
  type BatchMember,
  type BatchProgressEvent,
  ProblemError,
} from "../../../client/index.ts";
import { engine } from "../shared/engine.ts";
import { announce, mount, usePageTitle } from "../shared/mount.tsx";
import { ErrorNotice, NotFound, Pending } from "../shared/notice.tsx";
import { useFollowed, useLoaded, useRefreshed } from "../shared/use-loaded.ts";
import { BatchHead } from "./batch-head.tsx";
import { BatchResults } from "./batch-results.tsx";
import { isRunning, shareDone, stateInWords } from "./batch-wording.ts";
import "./batch.css";
import "./drawings.css";
import "./batches.css";
import { ProgressBar } from "../shared/elements.tsx";
import { batchName, counted } from "../shared/wording.ts";
import { Pager } from "./pager.tsx";

/** A batch from its submission on: its progress while members are read and compared, and the findings so far. */
function BatchPage({ batchId }: { readonly batchId: string }) {
  const loaded = useLoaded(batchId, (signal) => engine.getBatch(batchId, { limit: 1 }, { signal }));
  const { value: batch, error, reload, change } = loaded;
  usePageTitle(batch && batchName(batch));
  if (isNotFound(error))
    return <NotFound title="Batch not found" listHref="/batches" listName="See all batches" />;
  if (batch === undefined) return <Pending text="Loading the batch…" error={error} reload={reload} />;
  return (
    <>
      <p class="breadcrumb">
        <a href="/batches">Batches</a>
      </p>
      <BatchHead
        batch={batch}
        onRenamed={(renamed) => change((before) => ({ ...before, ...renamed }))}
        onAdded={reload}
      />
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {isRunning(batch) ? (
        <Running batch={batch} onEnd={reload} />
      ) : (
        <BatchResults batch={batch} pairsFound={batch.pairs_found} />
      )}
    </>
  );
}

const isNotFound = (error: unknown) => error instanceof ProblemError && error.code === "batch_not_found";

/** Follows the batch until it is complete or gone. The findings about earlier members stay in view. */
function Running({ batch, onEnd }: { readonly batch: Batch; readonly onEnd: () => void }) {
  const { progress, error } = useFollowed(batch.batch_id, {
    follow: (signal) => engine.followBatch(batch.batch_id, { signal }),
    isEnd: (event) => "batch_id" in event,
    isGone: isNotFound,
    onEnd: () => {
      announce("The comparison has ended.");
      onEnd();
    },
  });
  const shown = progress !== undefined && !("batch_id" in progress) ? progress : batch;
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} onRetry={() => location.reload()} />}
      <BatchProgress batchId={batch.batch_id} progress={shown} />
      {batch.pairs_found > 0 && <BatchResults batch={batch} pairsFound={shown.pairs_found} />}
    </>
  );
}

const ROWS_SHOWN = 24;

type BatchProgressProps = { readonly batchId: string; readonly progress: BatchProgressEvent };

/** How far a batch has come: as a whole, and each member. */
function BatchProgress({ batchId, progress }: BatchProgressProps) {
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

const [, , batchId = ""] = location.pathname.split("/");
mount(<BatchPage batchId={batchId} />);
