import { useEffect } from "preact/hooks";
import { type Check, ProblemError } from "../../../client/index.ts";
import { engine } from "../shared/engine.ts";
import { CheckProgress } from "../shared/parts/check-progress.tsx";
import { EmptyState } from "../shared/parts/empty-state.tsx";
import { ErrorNotice, Notice } from "../shared/parts/notice.tsx";
import { useCheckProgress } from "../shared/state/use-check-progress.ts";
import { useLoaded } from "../shared/state/use-loaded.ts";
import { ReportTitle } from "./head/report-head.tsx";
import { reportTitle } from "./model/report-wording.ts";
import { ReportView } from "./report-view.tsx";

/** A check from its submission to its report: what it does while it runs, then what it found. */
export function ReportPage({ checkId }: { readonly checkId: string }) {
  const loaded = useLoaded(checkId, (signal) => engine.getCheck(checkId, { signal }));
  const check = loaded.value;
  const rename = (renamed: Check) => loaded.change(() => renamed);
  useEffect(() => {
    if (check !== undefined) document.title = `${reportTitle(check)} · Similarity Check`;
  }, [check?.title]);
  if (isUnknown(loaded.error)) return <Unknown />;
  if (loaded.error !== undefined && check === undefined)
    return <ErrorNotice error={loaded.error} onRetry={loaded.reload} />;
  if (check === undefined) return <p class="quiet">Loading the check…</p>;
  if (check.status === "complete") return <ReportView check={check} onRenamed={rename} />;
  return (
    <>
      <ReportTitle check={check} onRenamed={rename} />
      {check.status === "failed" ? (
        <Failed message={check.error_message} />
      ) : (
        <Running checkId={checkId} endError={loaded.error} onEnd={loaded.reload} />
      )}
    </>
  );
}

/** Follows the check, and has it read anew when it has ended. */
function Running({
  checkId,
  endError,
  onEnd,
}: {
  readonly checkId: string;
  /** Why the ended check could not be read; undefined when it was not tried. */
  readonly endError: unknown;
  readonly onEnd: () => void;
}) {
  const { progress, end, error } = useCheckProgress(checkId);
  useEffect(() => {
    if (end !== undefined) onEnd();
  }, [end, onEnd]);
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} onRetry={() => location.reload()} />}
      {endError !== undefined && <ErrorNotice error={endError} onRetry={onEnd} />}
      <CheckProgress progress={progress} />
      <p class="quiet">
        The report appears here by itself. You may close this page: the check goes on without it.
      </p>
    </>
  );
}

function Failed({ message }: { readonly message: string | null }) {
  return (
    <Notice kind="bad" title="The check has failed">
      <p>{message ?? "The service did not say why."}</p>
      <p>
        There is no report. <a href="/">Check the text again</a>; if it fails again, tell whoever runs this
        service.
      </p>
    </Notice>
  );
}

function Unknown() {
  return (
    <EmptyState title="There is no such check">
      <p>It may have been deleted, or the link is not complete.</p>
      <p>
        <a href="/checks">See all checks</a>
      </p>
    </EmptyState>
  );
}

function isUnknown(error: unknown): boolean {
  return error instanceof ProblemError && error.code === "check_not_found";
}
