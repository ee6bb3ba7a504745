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
import { say, sayCount } from "../shared/texts.ts";
import { batchName } from "../shared/wording.ts";
import { Pager } from "./pager.tsx";

/** A batch from its submission on: its progress while members are read and compared, and the findings so far. */
function BatchPage({ batchId }: { readonly batchId: string }) {
  const loaded = useLoaded(batchId, (signal) => engine.getBatch(batchId, { limit: 1 }, { signal }));
  const { value: batch, error, reload, change } = loaded;
  usePageTitle(batch && batchName(batch));
  if (isNotFound(error))
    return (
      <NotFound title={say("problem.batch_not_found")} listHref="/batches" listName={say("batches.all")} />
    );
  if (batch === undefined) return <Pending text={say("batch.loading")} error={error} reload={reload} />;
  return (
    <>
      <p class="breadcrumb">
        <a href="/batches">{say("nav.batches")}</a>
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
      announce(say("batch.ended"));
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
    <section class="batch-progress" aria-label={say("stage.progress")}>
      <ProgressBar value={shareDone(progress)} label={say("batch.progress")} />
      <p class="now" role="status">
        {say(progress.status === "reading" ? "batch.reading" : "compare.comparing")}
      </p>
      <p class="quiet counted">
        {stateInWords(progress)} · {sayCount("batch.pairsFound", pairs)}
        {failed > 0 && ` · ${sayCount("batch.notRead", failed)}`}
      </p>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <ul class="member-states" aria-label={say("batch.texts")}>
        {value?.members.map((member) => (
          <li key={member.member_id} class={member.status}>
            <span class="member-name">
              <bdi>{member.name}</bdi>
            </span>
            <span class="member-state">{STATES[member.status]}</span>
          </li>
        ))}
      </ul>
      <Pager page={page} rows={all} rowsPerPage={ROWS_SHOWN} label={say("batch.texts")} onPage={setPage} />
      <p class="quiet">{say("batch.goesOn")}</p>
    </section>
  );
}

const STATES: Readonly<Record<BatchMember["status"], string>> = {
  waiting: say("checks.waiting"),
  read: say("batch.stateRead"),
  compared: say("batch.stateCompared"),
  failed: say("batch.stateFailed"),
};

const [, , batchId = ""] = location.pathname.split("/");
mount(<BatchPage batchId={batchId} />);
