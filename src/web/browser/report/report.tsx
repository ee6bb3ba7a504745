import { type Check, ProblemError } from "../../../client/index.ts";
import { SOURCE_COLOURS, SOURCE_LOOKS } from "../../../report/source-colours.ts";
import { CheckProgress } from "../shared/check-progress.tsx";
import { engine } from "../shared/engine.ts";
import { mount, usePageTitle } from "../shared/mount.tsx";
import { ErrorNotice, NotFound, Notice, Pending } from "../shared/notice.tsx";
import { useFollowed, useLoaded } from "../shared/use-loaded.ts";
import { ReportTitle } from "./report-head.tsx";
import { ReportView } from "./report-view.tsx";
import "./report.css";
import "./text.css";
import "./original.css";
import "./comparison.css";
import "./print.css";

/** A check from its submission to its report: progress while it runs, then the result. */
function ReportPage({ checkId }: { readonly checkId: string }) {
  const loaded = useLoaded(checkId, (signal) => engine.getCheck(checkId, { signal }));
  const { value: check, error, reload } = loaded;
  const rename = (renamed: Check) => loaded.change(() => renamed);
  usePageTitle(check?.display_title);
  if (isNotFound(error))
    return <NotFound title="Check not found" listHref="/checks" listName="See all checks" />;
  if (check === undefined) return <Pending what="check" error={error} reload={reload} />;
  if (check.status === "complete") return <ReportView check={check} onRenamed={rename} />;
  return (
    <>
      <ReportTitle check={check} onRenamed={rename} />
      {check.status === "failed" ? (
        <Failed message={check.error_message} />
      ) : (
        <Running checkId={checkId} endError={error} onEnd={reload} />
      )}
    </>
  );
}

const isNotFound = (error: unknown) => error instanceof ProblemError && error.code === "check_not_found";

type RunningProps = {
  readonly checkId: string;
  /** The error of loading the final state; undefined if it was not loaded yet. */
  readonly endError: unknown;
  readonly onEnd: () => void;
};

/** Follows the check until it has finished or no longer exists, and then calls `onEnd` to load its final state. */
function Running({ checkId, endError, onEnd }: RunningProps) {
  const { progress, error } = useFollowed(checkId, {
    follow: (signal) => engine.followCheck(checkId, { signal }),
    isEnd: (event) => "status" in event,
    isGone: isNotFound,
    onEnd,
  });
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} onRetry={() => location.reload()} />}
      {endError !== undefined && <ErrorNotice error={endError} onRetry={onEnd} />}
      <CheckProgress progress={progress !== undefined && "stage" in progress ? progress : undefined} />
      <p class="quiet">The report will open here. You can close this page: the check keeps running.</p>
    </>
  );
}

function Failed({ message }: { readonly message: string | null }) {
  return (
    <Notice kind="bad" title="The check failed">
      <p>{message ?? "The service gave no reason."}</p>
      <p>
        There is no report. <a href="/">Check the text again</a>. If it fails again, contact the operator of
        this service.
      </p>
    </Notice>
  );
}

/**
 * A class per look: `c1` sets the mark (`--m`), edge (`--c`) and pattern, `u1` and `v1` the underlines of further sources. Blocks and
 * boxes have the edge's colour (`--block`), and are drawn like their marks if the look has a pattern.
 */
function addSourceLooks(): void {
  const rules = SOURCE_LOOKS.map(({ mark, edge, pattern }, index) => {
    const number = index + 1;
    const block =
      pattern === "none"
        ? `--block:${edge};--on-block:var(--on-source)`
        : `--block:${pattern} ${mark};--on-block:var(--ink)`;
    // Shapes cannot be filled with a pattern in CSS: their outlines are solid, dashed or dotted instead.
    const lap = Math.floor(index / SOURCE_COLOURS.length);
    const shape =
      lap === 0
        ? ""
        : `.minimap .c${number}{fill:${mark};stroke:${edge};stroke-dasharray:${[0, "5 3", "1 3"][lap - 1]}}`;
    return `${shape}.c${number}{--m:${mark};--c:${edge};--pattern:${pattern};${block}}.u${number}{--u:${edge}}.v${number}{--v:${edge}}`;
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join(""));
  document.adoptedStyleSheets.push(sheet);
}

const [, , checkId = ""] = location.pathname.split("/");
addSourceLooks();
mount(<ReportPage checkId={checkId} />);
