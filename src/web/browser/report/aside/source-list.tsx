import { useState } from "preact/hooks";
import type { Source } from "../../../../client/index.ts";
import { colourOf } from "../../../../reports/source-colours.ts";
import { passagesInWords } from "../../../../reports/wording.ts";
import { ExternalLink } from "../../shared/parts/external-link.tsx";
import { count, counted, percent } from "../../shared/wording/numbers.ts";
import type { NumberedSource } from "../model/passages.ts";

/** Further sources are shown when they are asked for, and on paper; a report may have hundreds. */
const SHOWN_FIRST = 30;

/** The sources, those with most text first. One can be looked at alone, and each be left out. */
export function SourceList({
  numbered,
  shown,
  excluded,
  chosen,
  onChoose,
  onExclude,
}: {
  readonly numbered: readonly NumberedSource[];
  /** The sources with the filters that are set; those that have nothing left are missing. */
  readonly shown: readonly Source[];
  readonly excluded: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly onExclude: (id: string, isExcluded: boolean) => void;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const filtered = new Map(shown.map((source) => [source.source_document_id, source]));
  const isCut = !isWhole && numbered.length > SHOWN_FIRST;
  return (
    <div class="sources">
      {numbered.length === 0 && (
        <p class="quiet">No document of the corpus has text in common with this one.</p>
      )}
      <ol>
        {numbered.map((source, index) => (
          <SourceRow
            key={source.source_document_id}
            source={source}
            left={filtered.get(source.source_document_id)}
            isExcluded={excluded.includes(source.source_document_id)}
            isChosen={source.source_document_id === chosen}
            isBeyond={isCut && index >= SHOWN_FIRST}
            onChoose={onChoose}
            onExclude={onExclude}
          />
        ))}
      </ol>
      {isCut && (
        <button type="button" class="small" onClick={() => setIsWhole(true)}>
          Show all {counted(numbered.length, "source")}
        </button>
      )}
    </div>
  );
}

function SourceRow({
  source,
  left,
  isExcluded,
  isChosen,
  isBeyond,
  onChoose,
  onExclude,
}: {
  readonly source: NumberedSource;
  readonly left: Source | undefined;
  readonly isExcluded: boolean;
  readonly isChosen: boolean;
  /** Not listed on the screen yet. */
  readonly isBeyond: boolean;
  readonly onChoose: (id: string | undefined) => void;
  readonly onExclude: (id: string, isExcluded: boolean) => void;
}) {
  const { source_document_id: id, title, source_url: url, number } = source;
  return (
    <li
      class={`source c${colourOf(number)}${left === undefined ? " nothing-left" : ""}${isBeyond ? " beyond" : ""}`}
    >
      <button
        type="button"
        class="source-choice"
        aria-pressed={isChosen}
        disabled={left === undefined}
        onClick={() => onChoose(isChosen ? undefined : id)}
      >
        <span class="number-box">{number}</span>
        <span class="source-title" dir="auto">
          {title}
        </span>
        <span class="share">{left === undefined ? "–" : percent(left.similarity_pct)}</span>
      </button>
      <div class="source-more">
        <span class="quiet">
          {left === undefined ? nothingLeft(isExcluded) : passagesInWords(left.passages, count)}
        </span>
        <label class="leave-out">
          <input
            type="checkbox"
            checked={!isExcluded}
            onChange={(event) => onExclude(id, !event.currentTarget.checked)}
          />
          Include <span class="hidden-visually">source {number}</span>
        </label>
      </div>
      {url !== null && (
        <div class="source-link">
          <ExternalLink href={url}>{siteOf(url)}</ExternalLink>
        </div>
      )}
    </li>
  );
}

/** The name of the site; the title above says which of its pages. */
function siteOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function nothingLeft(isExcluded: boolean): string {
  return isExcluded ? "left out" : "nothing left with these filters";
}
