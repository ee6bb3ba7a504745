import { useState } from "preact/hooks";
import type { Check, Report } from "../../../client/index.ts";
import { ErrorNotice } from "../shared/parts/notice.tsx";
import { counted } from "../shared/wording/numbers.ts";
import { FilterForm } from "./aside/filter-form.tsx";
import { Narrowable } from "./aside/narrowable.tsx";
import { SourceList } from "./aside/source-list.tsx";
import { Comparison } from "./compare/comparison.tsx";
import { IntegrityNotes } from "./head/integrity-notes.tsx";
import { KeysDialog } from "./head/keys-dialog.tsx";
import { ReportHead } from "./head/report-head.tsx";
import { changedFilters, type Filters } from "./model/report-address.ts";
import { useReading } from "./state/use-reading.ts";
import { useReportAddress } from "./state/use-report-address.ts";
import { useReportKeys } from "./state/use-report-keys.ts";
import { useReports } from "./state/use-reports.ts";
import { useSingleKeys } from "./state/use-single-keys.ts";
import { Minimap } from "./text/minimap.tsx";
import { PassageBar } from "./text/passage-bar.tsx";
import { TextView } from "./text/text-view.tsx";

type Renaming = { readonly check: Check; readonly onRenamed: (check: Check) => void };

/** The report of a complete check. */
export function ReportView({ check, onRenamed }: Renaming) {
  const place = useReportAddress();
  const reports = useReports(check.check_id, place.address.filters);
  const { whole, shown, error, isLoading } = reports;
  if (whole === undefined || shown === undefined)
    return error === undefined ? (
      <p class="quiet">Loading the report…</p>
    ) : (
      <ErrorNotice error={error} onRetry={reports.reload} />
    );
  return (
    <div class="report" aria-busy={isLoading}>
      {error !== undefined && <ErrorNotice error={error} onRetry={reports.reload} />}
      <ReadableReport check={check} onRenamed={onRenamed} whole={whole} shown={shown} place={place} />
    </div>
  );
}

function ReadableReport({
  check,
  onRenamed,
  whole,
  shown,
  place,
}: Renaming & {
  readonly whole: Report;
  readonly shown: Report;
  readonly place: ReturnType<typeof useReportAddress>;
}) {
  const [showsKeys, setShowsKeys] = useState(false);
  const { address, change } = place;
  const { filters } = address;
  const reading = useReading(whole, shown, place);
  const { chosen, source, steps } = reading;
  const singleKeys = useSingleKeys();
  const keyActions = {
    next: () => reading.step(1),
    previous: () => reading.step(-1),
    close: reading.close,
    help: () => setShowsKeys(true),
  };
  useReportKeys(keyActions, singleKeys.areOn);
  const setFilters = (next: Filters) => change({ filters: next }, "push");
  const exclude = (id: string, isExcluded: boolean) => {
    const others = (filters.exclude_sources ?? []).filter((one) => one !== id);
    setFilters(changedFilters(filters, { exclude_sources: isExcluded ? [...others, id] : others }));
  };
  return (
    <>
      <ReportHead check={check} report={shown} filters={filters} onRenamed={onRenamed} />
      <IntegrityNotes report={whole} onPlace={reading.reveal} />
      <div class="report-body">
        <aside aria-label="Sources and filters">
          <Narrowable title={counted(reading.numbered.length, "source")}>
            <SourceList
              numbered={reading.numbered}
              shown={shown.sources}
              excluded={filters.exclude_sources ?? []}
              chosen={source?.source_document_id}
              onChoose={reading.choose}
              onExclude={exclude}
            />
          </Narrowable>
          <Narrowable title="Filters">
            <FilterForm filters={filters} onFilters={setFilters} />
          </Narrowable>
        </aside>
        <section class="reading" aria-label="Submitted text">
          <PassageBar
            steps={steps}
            chosen={chosen}
            source={source}
            onStep={reading.step}
            onAll={() => reading.choose(undefined)}
            onKeys={() => setShowsKeys(true)}
          />
          <TextView
            text={whole.query_text}
            language={whole.language}
            blocks={reading.blocks}
            segments={reading.segments}
            emphasis={{ passage: chosen, source: source?.number, tabStop: chosen ?? steps[0] }}
            container={reading.container}
            linkOf={reading.linkOf}
            onPassage={reading.open}
          />
        </section>
        <Minimap
          segments={reading.segments}
          blocks={reading.blocks}
          length={whole.query_text.length}
          source={source?.number}
          container={reading.container}
          onPlace={reading.reveal}
        />
      </div>
      {chosen !== undefined && (
        <Comparison
          checkId={check.check_id}
          text={whole.query_text}
          language={whole.language}
          filters={filters}
          passage={chosen}
          position={reading.position}
          beside={reading.beside}
          takesFocus={reading.wasAsked}
          linkOf={reading.linkOf}
          onStep={reading.step}
          onPassage={reading.open}
          onClose={reading.close}
        />
      )}
      {showsKeys && <KeysDialog singleKeys={singleKeys} onClose={() => setShowsKeys(false)} />}
    </>
  );
}
