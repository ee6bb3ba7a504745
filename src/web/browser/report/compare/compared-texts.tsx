import { useEffect, useState } from "preact/hooks";
import { ProblemError } from "../../../../client/index.ts";
import type { DiffPiece } from "../../../../core/report/compare-sides.ts";
import { codePointLength } from "../../../../core/text/code-points.ts";
import { ExternalLink } from "../../shared/parts/external-link.tsx";
import { ErrorNotice } from "../../shared/parts/notice.tsx";
import { count, counted } from "../../shared/wording/numbers.ts";
import type { PlacedPassage } from "../model/passages.ts";
import { type ComparedPart, comparePart } from "./compare-part.ts";

/** Both texts of a passage with what stands around them, their differences marked; a long one part by part. */
export function ComparedTexts({
  checkId,
  text,
  language,
  passage,
}: {
  readonly checkId: string;
  readonly text: string;
  readonly language: string;
  readonly passage: PlacedPassage;
}) {
  const [parts, setParts] = useState<readonly ComparedPart[]>([]);
  const [asked, setAsked] = useState(1);
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(1);
  const last = parts.at(-1);
  useEffect(() => {
    if (parts.length >= asked) return;
    const left = new AbortController();
    setError(undefined);
    comparePart({ checkId, text, language, passage, after: last?.part }, left.signal).then(
      (part) => !left.signal.aborted && setParts((before) => [...before, part]),
      (failure: unknown) => !left.signal.aborted && setError(failure),
    );
    return () => left.abort();
  }, [asked, parts.length, attempt]);

  const [first] = parts;
  if (error !== undefined && isGone(error)) return <Gone passage={passage} />;
  const notice = error !== undefined && <ErrorNotice error={error} onRetry={() => setAttempt(attempt + 1)} />;
  if (notice && last === undefined) return notice;
  if (first === undefined || last === undefined) return <p class="quiet">Reading the source…</p>;
  return (
    <>
      <Summary parts={parts} />
      <div class="sides">
        <Side
          heading="This text"
          place={placeInQuery(text, passage)}
          before={first.queryBefore}
          after={last.part.goesOn ? "" : last.queryAfter}
          pieces={parts.map(({ diff }) => diff.query)}
          goesOn={last.part.goesOn}
        />
        <Side
          heading="Source"
          link={passage.source.source_url}
          place={placeInSource(passage, first.sourceLength)}
          before={first.sourceBefore}
          after={last.part.goesOn ? "" : last.sourceAfter}
          pieces={parts.map(({ diff }) => diff.source)}
          goesOn={last.part.goesOn || last.part.sourceEnd < passage.passage.source_document_end}
        />
      </div>
      {notice}
      {last.part.goesOn && error === undefined && (
        <button type="button" class="small" onClick={() => setAsked(parts.length + 1)}>
          Compare the next part
        </button>
      )}
    </>
  );
}

function Summary({ parts }: { readonly parts: readonly ComparedPart[] }) {
  const equal = parts.reduce((sum, { diff }) => sum + diff.equalWords, 0);
  const all = parts.reduce((sum, { diff }) => sum + diff.queryWords, 0);
  const isPart = parts.at(-1)?.part.goesOn === true;
  return (
    <p class="equal-words">
      <strong>{count(equal)}</strong> {equal === 1 ? "word" : "words"} equal of {count(all)}
      {isPart && ", in the part compared so far"}
    </p>
  );
}

function Side({
  heading,
  link = null,
  place,
  before,
  after,
  pieces,
  goesOn,
}: {
  readonly heading: string;
  readonly link?: string | null;
  /** Where the passage stands in its text, in words. */
  readonly place: string;
  readonly before: string;
  readonly after: string;
  readonly pieces: readonly (readonly DiffPiece[])[];
  readonly goesOn: boolean;
}) {
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
      <p class="around before" dir="auto">
        {before}
      </p>
      <p class="compared" dir="auto">
        {pieces.flat().map(({ text, differs }, index) =>
          differs ? (
            <mark key={index} class="differs">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
      <p class="around" dir="auto">
        {goesOn ? "…" : after}
      </p>
    </div>
  );
}

/** In code points, as the exports count. */
function placeInQuery(text: string, { start, end }: PlacedPassage): string {
  const length = codePointLength(text.slice(start, end));
  return `at character ${count(codePointLength(text.slice(0, start)))}, ${counted(length, "character")}`;
}

/** As a share: how many code points stand before it only the whole of the source could tell. */
function placeInSource({ passage }: PlacedPassage, sourceLength: number): string {
  return `${Math.floor((passage.source_document_start / sourceLength) * 100)}% into the document`;
}

function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.code === "source_not_found";
}

function Gone({ passage }: { readonly passage: PlacedPassage }) {
  return (
    <div class="notice warn">
      <p class="notice-title">The source has been deleted from the corpus</p>
      <p>Its text can no longer be read here. What the report kept of it:</p>
      <p dir="auto" class="kept">
        {passage.passage.overlap_text_preview}
      </p>
    </div>
  );
}
