import { useLayoutEffect } from "preact/hooks";
import { type Batch, ProblemError } from "../../../client/index.ts";
import { engine } from "../shared/engine.ts";
import { announce, mount } from "../shared/mount.tsx";
import { ErrorNotice, NotFound } from "../shared/notice.tsx";
import { useFollowed } from "../shared/use-followed.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { BatchHead } from "./batch-head.tsx";
import { BatchProgress } from "./batch-progress.tsx";
import { BatchResults } from "./batch-results.tsx";
import { batchName, isRunning } from "./batch-wording.ts";
import "./batch.css";
import "./drawings.css";
import "./files-field.css";

/** A batch from its submission on: its progress while members are read and compared, and what was found so far. */
function BatchPage({ batchId }: { readonly batchId: string }) {
  const loaded = useLoaded(batchId, (signal) => engine.getBatch(batchId, { limit: 1 }, { signal }));
  const { value: batch, error, reload, change } = loaded;
  useLayoutEffect(() => {
    if (batch !== undefined) document.title = `${batchName(batch)} · Similarity Check`;
  }, [batch?.title]);
  if (isNotFound(error))
    return <NotFound title="Batch not found" listHref="/batches" listName="See all batches" />;
  if (batch === undefined)
    return error === undefined ? (
      <p class="quiet">Loading the batch…</p>
    ) : (
      <ErrorNotice error={error} onRetry={reload} />
    );
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

/** Follows the batch until it is complete or gone. What earlier members have in common stays in view. */
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

const [, , batchId = ""] = location.pathname.split("/");
mount(<BatchPage batchId={batchId} />);
