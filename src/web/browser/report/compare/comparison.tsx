import { useEffect, useRef, useState } from "preact/hooks";
import { colourOf } from "../../../../reports/source-colours.ts";
import { matchTypeLabel } from "../../../../reports/wording.ts";
import { counted } from "../../shared/wording/numbers.ts";
import type { PlacedPassage } from "../model/passages.ts";
import type { Filters } from "../model/report-address.ts";
import { ComparedTexts } from "./compared-texts.tsx";
import { PassageLink } from "./passage-link.tsx";
import { Why } from "./why.tsx";

/** A passage beside the text that it was found in, in a panel at the foot of the window; the text above stays in view. */
export function Comparison({
  checkId,
  text,
  language,
  filters,
  passage,
  position,
  beside,
  takesFocus,
  linkOf,
  onStep,
  onPassage,
  onClose,
}: {
  readonly checkId: string;
  readonly text: string;
  readonly language: string;
  readonly filters: Filters;
  readonly passage: PlacedPassage;
  /** Among those that are gone through: `3 of 41`. */
  readonly position: string;
  /** Passages of other sources at the same place. */
  readonly beside: readonly PlacedPassage[];
  /** When it opens because the reader asked for this passage, not because a link did. */
  readonly takesFocus: boolean;
  readonly linkOf: (passage: PlacedPassage) => string;
  readonly onStep: (step: 1 | -1) => void;
  readonly onPassage: (index: number) => void;
  readonly onClose: () => void;
}) {
  const [asksWhy, setAsksWhy] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const { source } = passage;
  return (
    <section class={`comparison c${colourOf(source.number)}`} aria-labelledby="comparison-title">
      <header>
        <h2 id="comparison-title" tabIndex={-1} ref={title}>
          <span class="number-box">{source.number}</span>
          <span class="hidden-visually">Source {source.number}: </span>
          <bdi>{source.title}</bdi>
        </h2>
        <p class="quiet position">
          Passage {position} · {matchTypeLabel(passage.passage.match_type)}
        </p>
        <div class="comparison-buttons">
          <button type="button" class="small" onClick={() => onStep(-1)}>
            Previous
          </button>
          <button type="button" class="small" onClick={() => onStep(1)}>
            Next
          </button>
          <button type="button" class="small" aria-expanded={asksWhy} onClick={() => setAsksWhy(!asksWhy)}>
            Why?
          </button>
          <PassageLink href={linkOf(passage)} />
          <button type="button" class="small" onClick={onClose}>
            Close
          </button>
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be within reach of the keys */}
      <section class="comparison-body" aria-label="Both texts" tabIndex={0}>
        {beside.length > 0 && <Beside beside={beside} onPassage={onPassage} />}
        {asksWhy && <Why checkId={checkId} filters={filters} passage={passage} />}
        <ComparedTexts
          key={`${passage.start}-${passage.end}-${source.source_document_id}`}
          checkId={checkId}
          text={text}
          language={language}
          passage={passage}
        />
      </section>
    </section>
  );
}

/** How many other sources are named; a phrase that everybody copies has hundreds. */
const BESIDE_MAX = 12;

function Beside({
  beside,
  onPassage,
}: {
  readonly beside: readonly PlacedPassage[];
  readonly onPassage: (index: number) => void;
}) {
  const more = beside.length - BESIDE_MAX;
  return (
    <p class="beside">
      Also in:{" "}
      {beside.slice(0, BESIDE_MAX).map(({ index, source }) => (
        <button
          key={index}
          type="button"
          class={`small c${colourOf(source.number)}`}
          onClick={() => onPassage(index)}
        >
          <span class="number-box">{source.number}</span>
          <bdi>{source.title}</bdi>
        </button>
      ))}
      {more > 0 && ` and ${counted(more, "other")}`}
    </p>
  );
}
