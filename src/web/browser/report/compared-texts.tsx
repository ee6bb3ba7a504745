import { useEffect, useState } from "preact/hooks";
import type { Passage, Report } from "../../../client/index.ts";
import type { ComparedPiece } from "../../../report/figures/compare-sides.ts";
import { codePointLength } from "../../../text/code-points.ts";
import { ExternalLink, SmallButton } from "../shared/elements.tsx";
import { ErrorNotice } from "../shared/notice.tsx";
import { count, counted } from "../shared/wording.ts";
import { type ComparedPart, comparePart } from "./compare-part.ts";
import type { PlacedPassage } from "./passages.ts";
import { isDeleted, PendingSource } from "./whole-source.tsx";

type ComparedTextsProps = { readonly report: Report; readonly passage: PlacedPassage };

/** Both texts of a passage with their context and differences. Long passages are compared part by part. */
export function ComparedTexts({ report, passage }: ComparedTextsProps) {
  const [parts, setParts] = useState<readonly ComparedPart[]>([]);
  const [requested, setRequested] = useState(1);
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(1);
  const last = parts.at(-1);
  useEffect(() => {
    if (parts.length >= requested) return;
    const left = new AbortController();
    setError(undefined);
    comparePart(report, passage, last?.part, left.signal).then(
      (part) => !left.signal.aborted && setParts((before) => [...before, part]),
      (failure: unknown) => !left.signal.aborted && setError(failure),
    );
    return () => left.abort();
  }, [requested, parts.length, attempt]);

  const [first] = parts;
  const retry = () => setAttempt(attempt + 1);
  if (isDeleted(error) || first === undefined || last === undefined)
    return <PendingSource passage={passage} error={error} reload={retry} />;
  const { hasMore, sourceEnd } = last.part;
  return (
    <>
      <MatchingWords parts={parts} runs={passage.passage.runs} />
      <div class="sides">
        <Side
          heading="This text"
          place={placeInQuery(report.query_text, passage)}
          before={first.query.before}
          after={hasMore ? "…" : last.query.after}
          pieces={parts.flatMap(({ compared }) => compared.query)}
        />
        <Side
          heading="Source"
          link={passage.source.source_url}
          place={placeInSource(passage, first.sourceLength)}
          before={first.source.before}
          after={hasMore || sourceEnd < passage.passage.source_document_end ? "…" : last.source.after}
          pieces={parts.flatMap(({ compared }) => compared.source)}
        />
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={retry} />}
      {hasMore && error === undefined && (
        <SmallButton onClick={() => setRequested(parts.length + 1)}>Compare the next part</SmallButton>
      )}
    </>
  );
}

type MatchingWordsProps = { readonly parts: readonly ComparedPart[]; readonly runs: Passage["runs"] };

function MatchingWords({ parts, runs }: MatchingWordsProps) {
  const equal = parts.reduce((sum, { compared }) => sum + compared.equalWords, 0);
  const all = parts.reduce((sum, { compared }) => sum + compared.queryWords, 0);
  const isReworded = ({ match_type: type }: Passage["runs"][number]) => type === "paraphrased";
  const shared = <mark class="shared">wording that both sides share</mark>;
  if (runs.every(isReworded)) return <p class="matching-words">Marked: {shared}, in any order and form.</p>;
  return (
    <p class="matching-words">
      <strong>{count(equal)}</strong> of {counted(all, "word")} {equal === 1 ? "matches" : "match"}
      {parts.at(-1)?.part.hasMore === true && " in the part compared so far"}
      {runs.some(isReworded) && <>. Marked in reworded sentences: {shared}</>}
    </p>
  );
}

type SideProps = {
  readonly heading: string;
  readonly link?: string | null;
  readonly place: string;
  readonly before: string;
  readonly after: string;
  readonly pieces: readonly ComparedPiece[];
};

function Side({ heading, link = null, place, before, after, pieces }: SideProps) {
  return (
    <div class="side">
      <h3>
        {heading} <span class="quiet">{place}</span>
        {link !== null && (
          <span class="side-link">
            <ExternalLink href={link}>Open the source</ExternalLink>
          </span>
        )}
      </h3>
      <p class="context before" dir="auto">
        {before}
      </p>
      <p class="compared" dir="auto">
        {pieces.map(({ text, mark }, index) =>
          mark === undefined ? (
            text
          ) : (
            <mark key={index} class={mark}>
              {text}
            </mark>
          ),
        )}
      </p>
      <p class="context" dir="auto">
        {after}
      </p>
    </div>
  );
}

/** In code points, as the exports count. */
function placeInQuery(text: string, { start, end }: PlacedPassage): string {
  const first = codePointLength(text.slice(0, start));
  return `characters ${count(first)}–${count(first + codePointLength(text.slice(start, end)))}`;
}

/** A percentage, because counting the code points before the passage would need the whole source. */
function placeInSource({ passage }: PlacedPassage, sourceLength: number): string {
  const pct = Math.floor((passage.source_document_start / sourceLength) * 100);
  return pct === 0 ? "at its beginning" : `after ${pct}% of its text`;
}
