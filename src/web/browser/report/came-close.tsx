import { useState } from "preact/hooks";
import type { SourceExplanation } from "../../../client/index.ts";
import { dropReason } from "../../../report/wording.ts";
import type { Span } from "../../../text/span.ts";
import { SmallButton } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { announce } from "../shared/mount.tsx";
import { Pending } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";

const EXCERPT_CHARS = 140;

type CameCloseProps = {
  readonly checkId: string;
  readonly queryText: string;
  /** Shows a part of the text. */
  readonly onSelect: (span: Span) => void;
};

/** The documents without a passage that came closest to one, and why their matches are not reported; loaded when it is first opened. */
export function CameClose(props: CameCloseProps) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details class="came-close" onToggle={() => setWasOpen(true)}>
      <summary>Documents that came close</summary>
      {wasOpen && <Candidates {...props} />}
    </details>
  );
}

function Candidates({ checkId, queryText, onSelect }: CameCloseProps) {
  const { value, error, reload } = useLoaded(checkId, (signal) =>
    engine.getReport(checkId, { offset_unit: "utf16", explain: true }, { signal }),
  );
  if (error !== undefined || value === undefined)
    return <Pending what="explanation" error={error} reload={reload} />;
  const candidates = (value.explanation?.unreported_candidates ?? []).flatMap((candidate) => {
    const [best] = candidate.explanation.dropped_matches;
    return best === undefined ? [] : [{ ...candidate, best }];
  });
  if (candidates.length === 0)
    return <p class="quiet">No document that is still in the corpus was nearly reported.</p>;
  return (
    <ul>
      {candidates.map(({ source_document_id: id, title, best }) => (
        <li key={id}>
          <p>
            <bdi>{title}</bdi>: <span class="quiet">{dropReason(best.reason)}</span>
          </p>
          <Match match={best} queryText={queryText} />
          <SmallButton
            onClick={() => {
              onSelect({ start: best.query_start, end: best.query_end });
              announce("The match is selected in the text.");
            }}
          >
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
      {names.length > 0 && (
        <p class="quiet">
          Names and numbers that this document lacks there: <bdi>{names.join(", ")}</bdi>
        </p>
      )}
    </>
  );
}
