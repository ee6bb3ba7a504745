import { useState } from "preact/hooks";
import type { SourceExplanation } from "../../../client/index.ts";
import { dropReason } from "../../../reports/wording.ts";
import { SmallButton } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { ErrorNotice } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";

const EXCERPT_CHARS = 140;

type CameCloseProps = {
  readonly checkId: string;
  readonly queryText: string;
  readonly onPlace: (offset: number) => void;
};

/** The documents without a passage that came closest to one, and why their matches are not reported; loaded once it is opened. */
export function CameClose(props: CameCloseProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="came-close" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Documents that came close</summary>
      {isOpen && <Candidates {...props} />}
    </details>
  );
}

function Candidates({ checkId, queryText, onPlace }: CameCloseProps) {
  const { value, error, reload } = useLoaded(checkId, (signal) =>
    engine.getReport(checkId, { offset_unit: "utf16", explain: true }, { signal }),
  );
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (value === undefined) return <p class="quiet">Loading the explanation…</p>;
  const candidates = (value.explanation?.unreported_candidates ?? []).flatMap((candidate) => {
    const [best] = candidate.explanation.dropped_matches;
    return best === undefined ? [] : [{ ...candidate, best }];
  });
  if (candidates.length === 0) return <p class="quiet">No other document has a match.</p>;
  return (
    <ul>
      {candidates.map(({ source_document_id: id, title, best }) => (
        <li key={id}>
          <p>
            <bdi>{title}</bdi>: <span class="quiet">{dropReason(best.reason)}</span>
          </p>
          <Match match={best} queryText={queryText} />
          <SmallButton onClick={() => onPlace(best.query_start)}>
            Show in the text<span class="hidden-visually"> ({title})</span>
          </SmallButton>
        </li>
      ))}
    </ul>
  );
}

type MatchProps = {
  readonly match: SourceExplanation["dropped_matches"][number];
  readonly queryText: string;
};

function Match({ match: { query_start: start, query_end: end, own_names: names }, queryText }: MatchProps) {
  const text = queryText.slice(start, Math.min(end, start + EXCERPT_CHARS)).toWellFormed();
  return (
    <>
      <p>
        <bdi>
          “{text}
          {end - start > EXCERPT_CHARS && "…"}”
        </bdi>
      </p>
      {names !== null && names.length > 0 && (
        <p class="quiet">
          Names and numbers that this document lacks there: <bdi>{names.join(", ")}</bdi>
        </p>
      )}
    </>
  );
}
