import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Check, type GetReportQuery, ProblemError, type Report } from "../../../client/index.ts";
import { colourOf, SOURCE_COLOURS, SOURCE_LOOKS } from "../../../report/source-colours.ts";
import { isComparedWithMembersOnly } from "../../../report/wording.ts";
import { codePointOffsets } from "../../../text/code-points.ts";
import { CheckProgress } from "../shared/check-progress.tsx";
import { SmallButton, StepButtons } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { announce, mount, usePageTitle } from "../shared/mount.tsx";
import { ErrorNotice, NotFound, Notice, Pending } from "../shared/notice.tsx";
import { say, sayCount, sayParts, texts } from "../shared/texts.ts";
import { useFollowed, useLoaded } from "../shared/use-loaded.ts";
import { count } from "../shared/wording.ts";
import { Comparison } from "./comparison.tsx";
import { DocumentView } from "./document-view.tsx";
import { FilterForm } from "./filter-form.tsx";
import { IntegrityNotes } from "./integrity-notes.tsx";
import { Minimap } from "./minimap.tsx";
import {
  type AddressState,
  changedFilters,
  type Filters,
  filterQuery,
  isFiltered,
  keptFilters,
  readReference,
  useReportAddress,
} from "./report-address.ts";
import { type Renaming, ReportHead, ReportTitle } from "./report-head.tsx";
import { KeysDialog, useReportKeys, useSingleKeys } from "./report-keys.tsx";
import { WIDE } from "./resize-handle.tsx";
import { ReviewPanel } from "./review-panel.tsx";
import { CameClose, SourceList } from "./source-list.tsx";
import { type Reading, useReading } from "./use-reading.ts";
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
    return <NotFound title={say("notFound.check")} listHref="/checks" listName={say("notFound.allChecks")} />;
  if (check === undefined) return <Pending text={say("loading.check")} error={error} reload={reload} />;
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
      <p class="quiet">{say("report.willOpen")}</p>
    </>
  );
}

function Failed({ message }: { readonly message: string | null }) {
  return (
    <Notice kind="bad" title={say("report.failed")}>
      <p dir="auto">{message ?? say("report.noReason")}</p>
      <p>{sayParts("report.noReport", { link: <a href="/">{say("report.checkAgain")}</a> })}</p>
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

/** The report of a complete check. */
function ReportView({ check, onRenamed }: Renaming) {
  const view = useReportAddress(keptFilters(check));
  const { whole, shown, error, isLoading, reload } = useReports(check.check_id, view.address.filters);
  if (whole === undefined || shown === undefined)
    return <Pending text={say("loading.report")} error={error} reload={reload} />;
  return (
    <div class="report" aria-busy={isLoading}>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <LoadedReport check={check} onRenamed={onRenamed} whole={whole} shown={shown} view={view} />
    </div>
  );
}

/** Loads the report without filters, which numbers the sources, and the filtered one. Lengths are in characters. */
function useReports(checkId: string, filters: Filters) {
  const read = (query: GetReportQuery, signal: AbortSignal) =>
    engine.getReport(checkId, { ...query, offset_unit: "utf16", length_unit: "code_point" }, { signal });
  const whole = useLoaded(checkId, (signal) => read({}, signal));
  const filtered = useLoaded(`${checkId}?${filterQuery(filters)}`, async (signal) => {
    if (!isFiltered(filters)) return { report: undefined };
    // The explanation names the filter that excluded a passage.
    return { report: await read({ ...filters, explain: true }, signal) };
  });
  // A link with filters must not show the unfiltered report first.
  const isAwaited = filtered.value === undefined && filtered.error === undefined && isFiltered(filters);
  return {
    whole: whole.value,
    shown: isAwaited ? undefined : (filtered.value?.report ?? whole.value),
    error: whole.error ?? filtered.error,
    isLoading: filtered.isStale && filtered.error === undefined,
    reload: () => {
      whole.reload();
      filtered.reload();
    },
  };
}

type LoadedReportProps = Renaming & {
  readonly whole: Report;
  readonly shown: Report;
  readonly view: AddressState;
};

function LoadedReport({ check, onRenamed, whole, shown, view }: LoadedReportProps) {
  const [showsKeys, setShowsKeys] = useState(false);
  const { filters } = view.address;
  const reading = useReading(whole, shown, view);
  const singleKeys = useSingleKeys();
  const keyActions = new Map([
    ["n", () => reading.step(1)],
    ["p", () => reading.step(-1)],
    ["Escape", reading.close],
    ["?", () => setShowsKeys(true)],
  ]);
  useReportKeys(keyActions, singleKeys.areOn);
  const setFilters = (next: Filters) => view.change({ filters: next }, "pushState");
  const exclude = (id: string, isExcluded: boolean) => {
    const others = (filters.exclude_sources ?? []).filter((one) => one !== id);
    setFilters(changedFilters(filters, { exclude_sources: isExcluded ? [...others, id] : others }));
  };
  const excludedPassages = filters.exclude_passages ?? [];
  const excludePassages = (excluded: readonly string[]) =>
    view.change(
      { filters: changedFilters(filters, { exclude_passages: [...excluded] }), passage: undefined },
      "pushState",
    );
  const { chosen } = reading;
  const membersOnly = isComparedWithMembersOnly(whole);
  return (
    <>
      <ReportHead check={check} report={shown} filters={filters} onRenamed={onRenamed}>
        <IntegrityNotes report={whole} onPlace={reading.reveal} />
      </ReportHead>
      <div class="report-body">
        <aside aria-label={say("report.aside")}>
          {/* Filters choose among passages of sources, and this report has no sources. */}
          {!membersOnly && (
            <Collapsible title={say("report.filters")}>
              <FilterForm
                filters={filters}
                hasTranslations={!["off", "unavailable"].includes(whole.semantic_coverage_reason ?? "")}
                groups={whole.match_groups}
                onFilters={setFilters}
              />
              <ExcludedPassages
                report={whole}
                excluded={excludedPassages}
                noteOf={reading.notes.ofReference}
                onInclude={(reference) =>
                  excludePassages(excludedPassages.filter((one) => one !== reference))
                }
              />
            </Collapsible>
          )}
          <Collapsible title={sourcesTitle(whole.sources.length, shown.sources.length)}>
            <SourceList
              language={whole.language}
              isCorpusCompared={!membersOnly}
              sources={whole.sources}
              shown={shown.sources}
              comparedChars={shown.compared_chars}
              excluded={filters.exclude_sources ?? []}
              chosen={reading.source?.source_document_id}
              onChoose={reading.choose}
              onExclude={exclude}
            />
            {!membersOnly && (
              <CameClose
                checkId={check.check_id}
                queryText={whole.query_text}
                isOpen={whole.sources.length === 0 && whole.total_matched_chars === 0}
                onSelect={reading.select}
              />
            )}
          </Collapsible>
        </aside>
        <section class="reading" aria-label={say("report.text")}>
          <PassageBar reading={reading} onKeys={() => setShowsKeys(true)} />
          <DocumentView check={check} reading={reading} view={view} />
        </section>
        <Minimap reading={reading} />
        {chosen !== undefined && (
          <Comparison
            passage={chosen}
            reading={reading}
            onExclude={() => {
              excludePassages([...excludedPassages, reading.referenceOf(chosen)]);
              announce(say("report.excludedNow"));
            }}
          />
        )}
      </div>
      <ReviewPanel check={check} filters={filters} onFilters={setFilters} onKept={onRenamed} />
      {showsKeys && <KeysDialog singleKeys={singleKeys} onClose={() => setShowsKeys(false)} />}
    </>
  );
}

/** Says when filters exclude all of some sources: the number beside the score counts only the others. */
function sourcesTitle(all: number, left: number): string {
  return left === all
    ? sayCount("count.sources", all)
    : say("report.sourcesOf", { left: count(left), sources: sayCount("count.sources", all) });
}

/** Closed at first in a narrow window, where it would push the text far down. */
function Collapsible({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const [isOpen] = useState(() => matchMedia(WIDE).matches);
  return (
    <details class="collapsible" open={isOpen}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}

type PassageBarProps = { readonly reading: Reading; readonly onKeys: () => void };

/** The sticky bar above the text: the position among the passages, and the buttons to go through them. */
function PassageBar({ reading: { steps, chosen, source, step, choose }, onKeys }: PassageBarProps) {
  const at = chosen === undefined ? -1 : steps.indexOf(chosen);
  return (
    <div class="passage-bar">
      <p role="status">
        {at < 0
          ? sayCount("count.passages", steps.length)
          : say("report.passageOf", { number: count(at + 1), total: count(steps.length) })}
        {source !== undefined && (
          <>
            {" "}
            {sayParts("report.fromSource", {
              number: <span class={`number-box c${colourOf(source.number)}`}>{source.number}</span>,
            })}
          </>
        )}
      </p>
      {source !== undefined && (
        <SmallButton onClick={() => choose(undefined)}>{say("report.showAllSources")}</SmallButton>
      )}
      <span class="steps">
        <StepButtons isDisabled={steps.length === 0} onStep={step} />
        <SmallButton onClick={onKeys}>
          <span class="sign-for-word" aria-hidden="true">
            ?
          </span>
          <span class="word">{say("report.shortcuts")}</span>
        </SmallButton>
      </span>
    </div>
  );
}

const EXCERPT_CHARS = 70;

type ExcludedPassagesProps = {
  readonly report: Report;
  /** As the filter names them. */
  readonly excluded: readonly string[];
  readonly noteOf: (reference: string) => string;
  readonly onInclude: (reference: string) => void;
};

/** The passages that the reader has excluded, each with a way back. */
function ExcludedPassages({ report, excluded, noteOf, onInclude }: ExcludedPassagesProps) {
  if (excluded.length === 0) return null;
  const { toUtf16 } = codePointOffsets(report.query_text);
  return (
    <section class="excluded-passages" aria-labelledby="excluded-passages">
      <h3 id="excluded-passages">{sayCount("report.excludedPassages", excluded.length)}</h3>
      <ul>
        {excluded.map((reference) => {
          const passage = readReference(reference);
          const source = report.sources.find(({ source_document_id: id }) => id === passage?.documentId);
          const text = report.query_text.slice(toUtf16(passage?.start ?? 0), toUtf16(passage?.end ?? 0));
          const isCut = text.length > EXCERPT_CHARS;
          return (
            <li key={reference}>
              <p>
                <bdi>{texts.quote(`${text.slice(0, EXCERPT_CHARS).toWellFormed()}${isCut ? "…" : ""}`)}</bdi>{" "}
                <span class="quiet">
                  {source === undefined
                    ? say("report.deletedSource")
                    : say("report.sourceTitle", { number: source.number, title: source.title })}
                </span>
              </p>
              {noteOf(reference) !== "" && (
                <p class="note" dir="auto">
                  {say("report.note", { note: noteOf(reference) })}
                </p>
              )}
              <SmallButton onClick={() => onInclude(reference)}>{say("report.includeAgain")}</SmallButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const [, , checkId = ""] = location.pathname.split("/");
addSourceLooks();
mount(<ReportPage checkId={checkId} />);
