import { useState } from "preact/hooks";
import type { Check, Report } from "../../../client/index.ts";
import { colourOf } from "../../../reports/source-colours.ts";
import {
  coverageInWords,
  JUDGEMENT_ADVICE,
  languageName,
  languageOriginInWords,
  pendingInWords,
  scoreInWords,
  semanticCoverageInWords,
} from "../../../reports/wording.ts";
import { SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { LanguageDialog } from "../shared/language-dialog.tsx";
import { Notice } from "../shared/notice.tsx";
import { TitleEditor, useFocusAfter } from "../shared/title-editor.tsx";
import { count, counted, percent } from "../shared/wording.ts";
import { Kinds } from "./kinds.tsx";
import type { NumberedSource } from "./passages.ts";
import { type Filters, filterQuery } from "./report-address.ts";

export type Renaming = { readonly check: Check; readonly onRenamed: (check: Check) => void };

type ReportHeadProps = Renaming & {
  readonly report: Report;
  /** The sources of the report without filters. */
  readonly numbered: readonly NumberedSource[];
  /** The current filters; the report may still have earlier ones. */
  readonly filters: Filters;
};

/** Title, facts, exports and score of a report. */
export function ReportHead({ check, report, numbered, filters, onRenamed }: ReportHeadProps) {
  const coverage = coverageInWords(report, count);
  const pending = pendingInWords(report, count);
  const semantic = semanticCoverageInWords(report, count);
  return (
    <header class="report-head">
      <div class="about">
        <div>
          <ReportTitle check={check} onRenamed={onRenamed} />
          <p class="quiet facts">
            {languageName(report.language)}
            {languageOriginInWords(report.language_origin)} · {counted(report.char_count, "character")} ·{" "}
            {counted(report.word_count, "word")} · checked <Timestamp at={report.completed_at} /> against
            about {counted(report.corpus_sources, "document")}
          </p>
          <CheckAgain report={report} />
        </div>
        <Exports checkId={check.check_id} filters={filters} />
      </div>
      <Score report={report} numbered={numbered} />
      {pending !== undefined && (
        <Notice kind="warn" title="Some documents were not compared">
          <p>{pending}</p>
        </Notice>
      )}
      {semantic !== undefined && report.semantic_coverage_reason !== "off" && (
        <Notice kind="warn" title="Not everything was compared by meaning">
          <p>{semantic}</p>
        </Notice>
      )}
      {report.semantic_coverage_reason === "off" && <p class="quiet">{semantic}</p>}
      {report.coverage === "partial" && (
        <Notice kind="warn" title={coverage.title}>
          <p>{coverage.text}</p>
        </Notice>
      )}
    </header>
  );
}

/** The title, which can be edited in place. */
export function ReportTitle({ check, onRenamed }: Renaming) {
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
      <h1 dir="auto">{check.display_title}</h1>
      <SmallButton ref={opener} onClick={() => setIsEditing(true)}>
        Rename
      </SmallButton>
    </div>
  );
}

/** Checks the text again if its language was detected wrongly or stated by mistake. */
function CheckAgain({ report }: { readonly report: Report }) {
  const [isOpen, setIsOpen] = useState(false);
  const { query_text, title, language: before } = report;
  return (
    <div class="check-again">
      <SmallButton onClick={() => setIsOpen(true)}>Check in another language</SmallButton>
      {isOpen && (
        <LanguageDialog
          title="Check in another language"
          explanation={`This check read the text as ${languageName(before)}. Choose its language to check it once more; this report stays as it is.`}
          action="Check again"
          language={before}
          onChosen={async (language) => {
            const { check_id: id } = await engine.submitCheck({ query_text, language, title });
            location.assign(`/checks/${id}`);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  );
}

function Exports({ checkId, filters }: { readonly checkId: string; readonly filters: Filters }) {
  const query = filterQuery(filters);
  const search = query.size === 0 ? "" : `?${query}`;
  const base = `/v1/checks/${encodeURIComponent(checkId)}`;
  return (
    <nav class="exports" aria-label="Export the report">
      {/* Without "download", so that the browser shows why there is none. */}
      <a class="button small" href={`${base}/report.pdf${search}`}>
        PDF
      </a>
      <a class="button small" href={`${base}/report.html${search}`} download>
        HTML
      </a>
      <a class="button small" href={`${base}/passages.csv${search}`} download>
        CSV
      </a>
      <a class="button small" href={`${base}/report${search}`} download={`report-${checkId}.json`}>
        JSON
      </a>
    </nav>
  );
}

type ScoreProps = { readonly report: Report; readonly numbered: readonly NumberedSource[] };

function Score({ report, numbered }: ScoreProps) {
  const { filters, overall_similarity_pct: similarity } = report;
  return (
    <div class="score" role="status">
      <p class="score-number">{percent(similarity)}</p>
      <div class="score-words">
        {filters !== null && (
          <p class="filtered">
            Filtered: {percent(similarity)} ({percent(filters.unfiltered_similarity_pct)} without filters)
          </p>
        )}
        <p>{scoreInWords(report, count)}</p>
        <SourceBar report={report} numbered={numbered} />
        <Kinds report={report} />
        <p class="quiet">{JUDGEMENT_ADVICE}</p>
      </div>
    </div>
  );
}

/** A number in a narrower part would be cut. */
const NUMBERED_PCT_MIN = 4;

/** How much each source explains best: a bar as long as the text. The list of sources says the same in words. */
function SourceBar({ report, numbered }: ScoreProps) {
  const numbers = new Map(numbered.map(({ source_document_id: id, number }) => [id, number]));
  const parts = report.sources
    .filter(({ exclusive_matched_chars: chars }) => chars > 0)
    .toSorted((a, b) => b.exclusive_matched_chars - a.exclusive_matched_chars);
  return (
    <div class="source-bar" aria-hidden="true">
      {parts.map(({ source_document_id: id, exclusive_matched_chars: chars }) => {
        const number = numbers.get(id) ?? 1;
        const pct = (chars / report.compared_chars) * 100;
        return (
          <span key={id} class={`c${colourOf(number)}`} style={{ width: `${pct}%` }}>
            {pct >= NUMBERED_PCT_MIN && number}
          </span>
        );
      })}
    </div>
  );
}
