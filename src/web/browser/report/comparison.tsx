import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MeaningComparison, Passage, Report } from "../../../client/index.ts";
import type { ComparedPiece } from "../../../report/figures/compare-sides.ts";
import { colourOf } from "../../../report/source-colours.ts";
import { passageInWords } from "../../../report/wording.ts";
import { codePointLength } from "../../../text/code-points.ts";
import { Button, ExternalLink, SmallButton, StepButtons } from "../shared/elements.tsx";
import { announce } from "../shared/mount.tsx";
import { ErrorNotice } from "../shared/notice.tsx";
import { countParts, say, sayCount, sayParts, texts } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { count } from "../shared/wording.ts";
import { type ComparedPart, comparePart } from "./compare-part.ts";
import { PassageNote } from "./passage-note.tsx";
import type { PlacedPassage } from "./passages.ts";
import { ResizeHandle, WIDE } from "./resize-handle.tsx";
import { SentenceTable } from "./sentence-table.tsx";
import type { Reading } from "./use-reading.ts";
import { isDeleted, PendingSource, readSource, WholeSource } from "./whole-source.tsx";
import { Why } from "./why.tsx";

type ComparisonProps = {
  readonly passage: PlacedPassage;
  readonly reading: Reading;
  readonly onExclude: () => void;
};

/** Between the comparison and the top of the window, as in its styles. */
const GAP_PX = 12;

/** A passage and its source, in a panel beside the text; in a narrow window, at its bottom. */
export function Comparison({ passage, reading, onExclude }: ComparisonProps) {
  const [showsWhy, setShowsWhy] = useState(false);
  const [showsWhole, setShowsWhole] = useState(false);
  const body = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const panel = useRef<HTMLElement>(null);
  const { report, steps, overlapping, takesFocus } = reading;
  useEffect(() => {
    if (takesFocus) title.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  // Beside the text, it is as high as the window, which the head of the report would leave too little of.
  useLayoutEffect(() => {
    const top = panel.current?.getBoundingClientRect().top ?? 0;
    if (matchMedia(WIDE).matches && top > 0) scrollBy({ top: top - GAP_PX, behavior: "instant" });
  }, []);
  const { source } = passage;
  return (
    <section class={`comparison c${colourOf(source.number)}`} aria-labelledby="comparison-title" ref={panel}>
      <ResizeHandle />
      <header>
        <div class="comparison-title">
          <h2 id="comparison-title" tabIndex={-1} ref={title}>
            <span class="number-box">{source.number}</span>
            <span class="hidden-visually">{say("report.sourceHidden", { number: source.number })}</span>
            <bdi>{source.title}</bdi>
          </h2>
          <SmallButton onClick={reading.close}>{say("common.close")}</SmallButton>
        </div>
        <div class="comparison-place">
          <p class="quiet">
            {say("report.passageOf", {
              number: count(steps.indexOf(passage) + 1),
              total: count(steps.length),
            })}{" "}
            · {passageInWords(passage.passage, source.language, texts)}
            {passage.passage.match_group !== undefined && ` · ${say(`group.${passage.passage.match_group}`)}`}
          </p>
          <StepButtons onStep={reading.step} />
        </div>
        <div class="comparison-buttons">
          <SmallButton aria-expanded={showsWhy} onClick={() => setShowsWhy(!showsWhy)}>
            {say("report.why")}
          </SmallButton>
          <SmallButton aria-pressed={showsWhole} onClick={() => setShowsWhole(!showsWhole)}>
            {say("report.wholeSource")}
          </SmallButton>
          <SmallButton onClick={onExclude}>{say("report.excludePassage")}</SmallButton>
          <PassageLink href={reading.linkOf(passage)} />
        </div>
      </header>
      <section
        class="comparison-body"
        aria-label={say(showsWhole ? "report.sourceSide" : "report.bothTexts")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the section scrolls, so the keyboard has to reach it
        tabIndex={0}
        ref={body}
      >
        <PassageNote
          key={reading.referenceOf(passage)}
          checkId={report.check_id}
          reference={reading.referenceOf(passage)}
          note={reading.notes.of(passage)}
          onWritten={reading.notes.add}
        />
        {overlapping.length > 0 && <OtherSources passages={overlapping} onPassage={reading.open} />}
        {showsWhy && <Why checkId={report.check_id} filters={reading.filters} passage={passage} />}
        {showsWhole ? (
          <WholeSource passage={passage} reading={reading} scroller={body} />
        ) : (
          <BothTexts report={report} passage={passage} />
        )}
      </section>
    </section>
  );
}

type BothTextsProps = { readonly report: Report; readonly passage: PlacedPassage };

function BothTexts({ report, passage }: BothTextsProps) {
  const { meaning } = passage.passage;
  const key = `${passage.start}-${passage.end}-${passage.source.source_document_id}`;
  return meaning === null ? (
    <ComparedTexts key={key} report={report} passage={passage} />
  ) : (
    <CorrespondingSentences key={key} report={report} passage={passage} meaning={meaning} />
  );
}

/** Limits the list: hundreds of sources may share a common phrase. */
const OTHER_SOURCES_MAX = 12;

type OtherSourcesProps = {
  readonly passages: readonly PlacedPassage[];
  readonly onPassage: (index: number) => void;
};

function OtherSources({ passages, onPassage }: OtherSourcesProps) {
  const more = passages.length - OTHER_SOURCES_MAX;
  return (
    <p class="other-sources">
      {say("report.alsoInSources")}{" "}
      {passages.slice(0, OTHER_SOURCES_MAX).map(({ index, source }) => (
        <Button key={index} class={`small c${colourOf(source.number)}`} onClick={() => onPassage(index)}>
          <span class="number-box">{source.number}</span>
          <bdi>{source.title}</bdi>
        </Button>
      ))}
      {more > 0 && ` ${sayCount("count.others", more)}`}
    </p>
  );
}

/** How long the link says "Copied". */
const COPIED_MS = 2_000;

/** A permanent link to this passage with these filters. A click copies it if the browser allows that. */
function PassageLink({ href }: { readonly href: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (event: MouseEvent) => {
    if (!isSecureContext || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      await navigator.clipboard.writeText(new URL(href, location.href).href);
      setIsCopied(true);
      announce(say("report.linkCopied"));
    } catch {
      announce(say("report.notCopied"));
    }
  };
  return (
    <a class="button small" href={href} onClick={copy}>
      {isCopied ? (
        say("report.copied")
      ) : (
        <>
          <span class="sign-for-word" aria-hidden="true">
            {say("report.link")}
          </span>
          <span class="word">{say("report.copyLink")}</span>
        </>
      )}
      <span class="hidden-visually">{say("report.toPassage")}</span>
    </a>
  );
}

type CorrespondingSentencesProps = {
  readonly report: Report;
  readonly passage: PlacedPassage;
  readonly meaning: MeaningComparison;
};

/** The sentences of a report's passage and its source, whose text is read when they are shown. */
function CorrespondingSentences({ report, passage, meaning }: CorrespondingSentencesProps) {
  const { source, start, end } = passage;
  const { source_document_start: sourceStart, source_document_end: sourceEnd } = passage.passage;
  const { value, error, reload } = useLoaded(
    `${report.check_id}/${source.source_document_id}/${sourceStart}-${sourceEnd}`,
    async (signal) =>
      (await readSource(report.check_id, source.source_document_id, sourceStart, sourceEnd, signal)).text,
  );
  if (error !== undefined || value === undefined)
    return <PendingSource passage={passage} error={error} reload={reload} />;
  const link = source.source_url !== null && (
    <span class="side-link">
      <ExternalLink href={source.source_url}>{say("report.openSource")}</ExternalLink>
    </span>
  );
  return (
    <SentenceTable
      meaning={meaning}
      isTranslated={passage.passage.match_type === "translated"}
      query={{
        ...{ text: report.query_text, at: 0, start, end },
        ...{ name: say("report.thisTextName"), heading: say("report.thisText"), language: report.language },
      }}
      source={{
        ...{ text: value, at: sourceStart, start: sourceStart, end: sourceEnd },
        ...{
          name: say("report.sourceName"),
          heading: say("report.sourceSide"),
          language: source.language,
          link,
        },
      }}
    />
  );
}

type ComparedTextsProps = { readonly report: Report; readonly passage: PlacedPassage };

/** Both texts of a passage with their context and differences. Long passages are compared part by part. */
function ComparedTexts({ report, passage }: ComparedTextsProps) {
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
          heading={say("report.thisText")}
          place={placeInQuery(report.query_text, passage)}
          before={first.query.before}
          after={hasMore ? "…" : last.query.after}
          pieces={parts.flatMap(({ compared }) => compared.query)}
        />
        <Side
          heading={say("report.sourceSide")}
          link={passage.source.source_url}
          place={placeInSource(passage, first.sourceLength)}
          before={first.source.before}
          after={hasMore || sourceEnd < passage.passage.source_document_end ? "…" : last.source.after}
          pieces={parts.flatMap(({ compared }) => compared.source)}
        />
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={retry} />}
      {hasMore && error === undefined && (
        <SmallButton onClick={() => setRequested(parts.length + 1)}>{say("report.nextPart")}</SmallButton>
      )}
    </>
  );
}

type MatchingWordsProps = { readonly parts: readonly ComparedPart[]; readonly runs: Passage["runs"] };

function MatchingWords({ parts, runs }: MatchingWordsProps) {
  const equal = parts.reduce((sum, { compared }) => sum + compared.equalWords, 0);
  const all = parts.reduce((sum, { compared }) => sum + compared.queryWords, 0);
  const isReworded = ({ match_type: type }: Passage["runs"][number]) => type === "paraphrased";
  const shared = <mark class="shared">{say("report.sharedWording")}</mark>;
  if (runs.every(isReworded)) return <p class="matching-words">{sayParts("report.marked", { shared })}</p>;
  return (
    <p class="matching-words">
      {countParts<ComponentChild>("report.wordsMatch", equal, {
        count: <strong>{count(equal)}</strong>,
        words: sayCount("count.words", all),
      })}
      {parts.at(-1)?.part.hasMore === true && say("report.soFar")}
      {runs.some(isReworded) && sayParts("report.markedReworded", { shared })}
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
            <ExternalLink href={link}>{say("report.openSource")}</ExternalLink>
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
  return say("report.characters", {
    start: count(first),
    end: count(first + codePointLength(text.slice(start, end))),
  });
}

/** A percentage, because counting the code points before the passage would need the whole source. */
function placeInSource({ passage }: PlacedPassage, sourceLength: number): string {
  const pct = Math.floor((passage.source_document_start / sourceLength) * 100);
  return pct === 0 ? say("report.atBeginning") : say("report.after", { pct: texts.wholePercent(pct) });
}
