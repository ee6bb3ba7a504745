import { useState } from "preact/hooks";
import type { Check, Report } from "../../../../client/index.ts";
import { coverageInWords, scoreInWords } from "../../../../reports/wording.ts";
import { engine } from "../../shared/engine.ts";
import { Moment } from "../../shared/parts/moment.tsx";
import { TitleEditor } from "../../shared/parts/title-editor.tsx";
import { useFocusAfter } from "../../shared/state/use-focus-after.ts";
import { languageName } from "../../shared/wording/languages.ts";
import { count, counted, percent } from "../../shared/wording/numbers.ts";
import type { Filters } from "../model/report-address.ts";
import { reportTitle } from "../model/report-wording.ts";
import { TakeAlong } from "./take-along.tsx";

/** What the report is about, and its figure with what it means. */
export function ReportHead({
  check,
  report,
  filters,
  onRenamed,
}: {
  readonly check: Check;
  readonly report: Report;
  /** Those that are set; the report's own may still be on their way. */
  readonly filters: Filters;
  readonly onRenamed: (check: Check) => void;
}) {
  return (
    <header class="report-head">
      <div class="about">
        <div>
          <ReportTitle check={check} onRenamed={onRenamed} />
          <p class="quiet facts">
            {languageName(report.language)} · {counted(report.char_count, "character")} ·{" "}
            {counted(report.word_count, "word")} · checked <Moment at={report.completed_at} /> against about{" "}
            {counted(report.corpus_sources, "document")}
          </p>
        </div>
        <TakeAlong checkId={check.check_id} filters={filters} />
      </div>
      <Score report={report} />
      <Coverage report={report} />
    </header>
  );
}

/** The title, which can be changed in place. */
export function ReportTitle({
  check,
  onRenamed,
}: {
  readonly check: Check;
  readonly onRenamed: (check: Check) => void;
}) {
  const [isEditing, setIsEditing] = useState(false);
  const opener = useFocusAfter<HTMLButtonElement>(isEditing);
  if (isEditing)
    return (
      <TitleEditor
        title={check.title ?? ""}
        onSave={async (title) => onRenamed(await engine.renameCheck(check.check_id, { title }))}
        onClose={() => setIsEditing(false)}
      />
    );
  return (
    <div class="title-line">
      <h1 dir="auto">{reportTitle(check)}</h1>
      <button ref={opener} type="button" class="small" onClick={() => setIsEditing(true)}>
        Rename
      </button>
    </div>
  );
}

function Score({ report }: { readonly report: Report }) {
  const { filters, overall_similarity_pct: share } = report;
  return (
    <div class="score" role="status">
      <p class="score-number">{percent(share)}</p>
      <div class="score-words">
        {filters !== null && (
          <p class="filtered">
            Filtered: {percent(share)} ({percent(filters.unfiltered_similarity_pct)} without filters)
          </p>
        )}
        <p>{scoreInWords(report, count)}</p>
        <p class="quiet">
          The share says how much text stands in other documents too, not whether that is wrong: quotations,
          set phrases and the author’s own earlier work count like any other match.
        </p>
      </div>
    </div>
  );
}

function Coverage({ report }: { readonly report: Report }) {
  if (report.coverage === "full") return null;
  const { title, text } = coverageInWords(report, count);
  return (
    <div class="notice warn coverage">
      <p class="notice-title">{title}</p>
      <p>{text}</p>
    </div>
  );
}
