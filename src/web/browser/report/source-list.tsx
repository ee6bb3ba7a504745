import { useState } from "preact/hooks";
import type { Source, SourceExplanation } from "../../../client/index.ts";
import { percent as shareOf } from "../../../report/figures/figures.ts";
import { colourOf } from "../../../report/source-colours.ts";
import { dropReason, passagesInWords } from "../../../report/wording.ts";
import type { Span } from "../../../text/span.ts";
import { Button, ExternalLink, SmallButton } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { announce } from "../shared/mount.tsx";
import { Pending } from "../shared/notice.tsx";
import { languageName, say, sayCount, sayParts, texts } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { percent } from "../shared/wording.ts";

/** The list shows this many sources at first, because a report may have hundreds. Print shows all of them. */
const SHOWN_FIRST = 30;

type SourceListProps = {
  /** Of the submitted text. */
  readonly language: string;
  /** Of the report without filters. */
  readonly sources: readonly Source[];
  /** The sources with the current filters; sources without remaining passages are missing. */
  readonly shown: readonly Source[];
  /** The length of the text that shares are shares of. */
  readonly comparedChars: number;
  readonly isCorpusCompared: boolean;
  readonly excluded: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly onExclude: (id: string, isExcluded: boolean) => void;
};

/** Explains the shares in the list. */
type Shares = "score" | "alone";

/** The sources, by matched text. Each can be viewed alone or excluded. */
export function SourceList({
  language,
  isCorpusCompared,
  sources,
  shown,
  comparedChars,
  excluded,
  chosen,
  onChoose,
  onExclude,
}: SourceListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const [shares, setShares] = useState<Shares>("score");
  const filtered = new Map(shown.map((source) => [source.source_document_id, source]));
  const percents = sharesOf(shown, comparedChars, shares);
  const isCut = !showsAll && sources.length > SHOWN_FIRST;
  return (
    <div class="sources">
      {sources.length === 0 && (
        <p class="quiet">{isCorpusCompared ? say("report.noDocument") : say("report.notCompared")}</p>
      )}
      {sources.length > 1 && <ShareChoice shares={shares} onShares={setShares} />}
      <ol>
        {ranked(sources, filtered, shares).map((source, index) => {
          const id = source.source_document_id;
          return (
            <Row
              key={id}
              isForeign={source.language !== language}
              source={source}
              remaining={filtered.get(id)}
              share={percents.get(id)}
              isExcluded={excluded.includes(id)}
              isChosen={id === chosen}
              isHidden={isCut && index >= SHOWN_FIRST}
              onChoose={() => onChoose(id === chosen ? undefined : id)}
              onExclude={(isExcluded) => onExclude(id, isExcluded)}
            />
          );
        })}
      </ol>
      {isCut && (
        <SmallButton onClick={() => setShowsAll(true)}>
          {sayCount("count.showSources", sources.length)}
        </SmallButton>
      )}
    </div>
  );
}

/** By shares of the score, the source that explains most comes first; the numbers stay as in the text. */
function ranked(
  sources: readonly Source[],
  filtered: ReadonlyMap<string, Source>,
  shares: Shares,
): readonly Source[] {
  if (shares === "alone") return sources;
  const explained = ({ source_document_id: id }: Source) => filtered.get(id)?.exclusive_matched_chars ?? -1;
  return sources.toSorted((a, b) => explained(b) - explained(a) || a.number - b.number);
}

type ShareChoiceProps = { readonly shares: Shares; readonly onShares: (shares: Shares) => void };

function ShareChoice({ shares, onShares }: ShareChoiceProps) {
  return (
    <fieldset class="share-choice">
      <legend class="hidden-visually">{say("report.shares")}</legend>
      {(["score", "alone"] as const).map((value) => (
        <label key={value}>
          <input type="radio" name="shares" checked={shares === value} onChange={() => onShares(value)} />
          {say(value === "score" ? "report.sharesScore" : "report.sharesAlone")}
        </label>
      ))}
      <p class="quiet">{say(shares === "score" ? "advice.overview" : "advice.alone")}</p>
    </fieldset>
  );
}

type RowProps = {
  readonly source: Source;
  /** The source with the current filters; undefined if they exclude all of it. */
  readonly remaining: Source | undefined;
  /** In percent. */
  readonly share: number | undefined;
  readonly isForeign: boolean;
  readonly isExcluded: boolean;
  readonly isChosen: boolean;
  readonly isHidden: boolean;
  readonly onChoose: () => void;
  readonly onExclude: (isExcluded: boolean) => void;
};

function Row(props: RowProps) {
  const { source, remaining, share, isForeign, isExcluded, isChosen, isHidden, onChoose, onExclude } = props;
  const { source_document_id: id, title, source_url: url, number } = source;
  // Documents added in bulk have no page.
  const isInCorpus = source.document_url !== null;
  const classes = ["source", `c${colourOf(number)}`];
  if (remaining === undefined) classes.push("nothing-left");
  if (isHidden) classes.push("beyond");
  const nothingLeft = say(isExcluded ? "report.excluded" : "report.noneLeft");
  return (
    <li class={classes.join(" ")}>
      <Button
        class="source-choice"
        aria-pressed={isChosen}
        disabled={remaining === undefined}
        onClick={onChoose}
      >
        <span class="number-box">{number}</span>
        <span class="source-title" dir="auto">
          {title}
        </span>
        <span class="share">{share === undefined ? "–" : percent(share)}</span>
      </Button>
      <div class="source-more">
        <span class="quiet">
          {remaining === undefined ? nothingLeft : passagesInWords(remaining.passages, texts)}
          {isForeign && ` · ${say("inLanguage", { language: languageName(source.language) })}`}
        </span>
        <label class="include">
          <input
            type="checkbox"
            checked={!isExcluded}
            onChange={(event) => onExclude(!event.currentTarget.checked)}
          />
          {sayParts("report.include", {
            source: <span class="hidden-visually">{say("report.hiddenSource", { number })}</span>,
          })}
        </label>
      </div>
      {(url !== null || isInCorpus) && (
        <div class="source-link">
          {isInCorpus && (
            <a href={`/corpus/${id}`}>
              {say("report.openInCorpus")}
              <span class="hidden-visually"> ({title})</span>
            </a>
          )}
          {isInCorpus && url !== null && " · "}
          {/* The host is enough: the title names the page. */}
          {url !== null && (
            <ExternalLink href={url}>{URL.canParse(url) ? new URL(url).host : url}</ExternalLink>
          )}
        </div>
      )}
    </li>
  );
}

/** The shares by source, each rounded once, so that a source has the same percentage everywhere. */
function sharesOf(shown: readonly Source[], comparedChars: number, shares: Shares): Map<string, number> {
  return new Map(
    shown.map(({ source_document_id: id, exclusive_matched_chars: chars, similarity_pct: alone }) => [
      id,
      shares === "score" ? shareOf(chars, comparedChars) : alone,
    ]),
  );
}

const EXCERPT_CHARS = 140;

type CameCloseProps = {
  readonly checkId: string;
  readonly queryText: string;
  /** Whether no source was found, so that these are all there is to see. */
  readonly isOpen: boolean;
  /** Shows a part of the text. */
  readonly onSelect: (span: Span) => void;
};

/** The documents without a passage that came closest to one, and why their matches are not reported; loaded when it is first opened. */
export function CameClose({ isOpen, ...props }: CameCloseProps) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  return (
    <details class="came-close" open={isOpen} onToggle={() => setWasOpen(true)}>
      <summary>{say("report.cameClose")}</summary>
      <p class="quiet">{say("report.cameCloseText")}</p>
      {wasOpen && <Candidates {...props} />}
    </details>
  );
}

function Candidates({ checkId, queryText, onSelect }: Omit<CameCloseProps, "isOpen">) {
  const { value, error, reload } = useLoaded(checkId, (signal) =>
    engine.getReport(checkId, { offset_unit: "utf16", explain: true }, { signal }),
  );
  if (error !== undefined || value === undefined)
    return <Pending text={say("loading.explanation")} error={error} reload={reload} />;
  const candidates = (value.explanation?.unreported_candidates ?? []).flatMap((candidate) => {
    const [best] = candidate.explanation.dropped_matches;
    return best === undefined ? [] : [{ ...candidate, best }];
  });
  if (candidates.length === 0) return <p class="quiet">{say("report.noneClose")}</p>;
  return (
    <ul>
      {candidates.map(({ source_document_id: id, title, best }) => (
        <li key={id}>
          <p>
            <bdi>{title}</bdi>: <span class="quiet">{dropReason(best.reason, texts)}</span>
          </p>
          <Match match={best} queryText={queryText} />
          <SmallButton
            onClick={() => {
              onSelect({ start: best.query_start, end: best.query_end });
              announce(say("report.matchSelected"));
            }}
          >
            {say("report.showInText")}
            <span class="hidden-visually"> ({title})</span>
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
        <bdi>{texts.quote(text + (end - start > EXCERPT_CHARS ? "…" : ""))}</bdi>
      </p>
      {names.length > 0 && (
        <p class="quiet">{sayParts("report.ownNames", { names: <bdi>{names.join(", ")}</bdi> })}</p>
      )}
    </>
  );
}
