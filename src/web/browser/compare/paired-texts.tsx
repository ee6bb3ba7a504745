import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { MATCH_TYPES_CLOSEST_FIRST, matchTypeLabel, passageInWords } from "../../../report/wording.ts";
import { useReportKeys } from "../report/report-keys.tsx";
import { SmallButton, StepButtons } from "../shared/elements.tsx";
import { textBlocks } from "../shared/text-blocks.ts";
import { isRightToLeft, say, sayCount, texts as words } from "../shared/texts.ts";
import { count } from "../shared/wording.ts";
import {
  type MatchType,
  otherSide,
  type PairedPassage,
  type PairedText,
  type PlacesOfTwo,
  pairedPassages,
  passageBeside,
  type Side,
  sideSegments,
} from "./paired-passages.ts";
import { Bands, TextColumn, usePairedScroll } from "./text-column.tsx";
import "../report/report.css";
import "../report/text.css";
import "./paired-texts.css";
import type { MeaningComparison } from "../../../client/index.ts";
import { mirroredMeaning } from "../report/sentence-rows.ts";
import { SentenceTable, type TableSide } from "../report/sentence-table.tsx";
import { WhyByMeaning } from "../report/why.tsx";

type PairedTextsProps = {
  readonly texts: Readonly<Record<Side, PairedText>>;
  /** With offsets in UTF-16 units, in the order of the query. */
  readonly passages: readonly PlacesOfTwo[];
  /** The text that stands first in the line at first: on the left where lines begin there. */
  readonly opening?: Side;
  /** Says of a passage more than its kind. */
  readonly remarkOn?: (passage: PlacesOfTwo) => string | undefined;
  /** The remark above a text. */
  readonly headOf: (side: Side) => ComponentChildren;
};

/** Two texts side by side with the passages that they share: they scroll in step, and passages are connected. */
export function PairedTexts({ texts, passages: all, opening = "query", remarkOn, headOf }: PairedTextsProps) {
  const [first, setFirst] = useState<Side>(opening);
  const [hidden, setHidden] = useState<ReadonlySet<MatchType>>(new Set());
  const [chosenIndex, setChosenIndex] = useState<number>();
  const [litIndex, setLitIndex] = useState<number>();
  const [prefersSentences, setPrefersSentences] = useState(false);
  const sentencesButton = useRef<HTMLButtonElement>(null);
  const nextButton = useRef<HTMLButtonElement>(null);
  const { query, source } = texts;
  const passages = useMemo(() => pairedPassages(all, hidden), [all, hidden]);
  const blocks = useMemo(() => ({ query: textBlocks(query.text), source: textBlocks(source.text) }), [texts]);
  const segments = useMemo(
    () => ({
      query: sideSegments(blocks.query, { side: "query", passages, ...query }),
      source: sideSegments(blocks.source, { side: "source", passages, ...source }),
    }),
    [blocks, passages, texts],
  );
  const lengths = useMemo(() => ({ query: query.text.length, source: source.text.length }), [texts]);
  const scroll = usePairedScroll(passages, blocks, lengths);
  useEffect(() => {
    const [passage] = passages;
    if (passage !== undefined) scroll.reveal(passage);
  }, []);
  const chosen = passages.find(({ index }) => index === chosenIndex);
  const meaning = chosen?.passage.meaning ?? undefined;
  const showsSentences = prefersSentences && meaning !== undefined;
  const lit = passages.find(({ index }) => index === litIndex);
  const inWords = ({ passage }: PairedPassage) =>
    [passageInWords(passage, source.language, words), remarkOn?.(passage)]
      .filter((part) => part !== undefined)
      .join(", ");
  const step = (direction: 1 | -1) => {
    const next = passageBeside(passages, chosen, direction);
    if (next === undefined) return;
    holdFocus(next);
    setChosenIndex(next.index);
    scroll.reveal(next);
  };
  /** Moves the focus from an element that goes with the passage: the button for its sentences, their section or a row of it. */
  const holdFocus = (next: PairedPassage | undefined) => {
    const focused = document.activeElement;
    const section = focused?.closest<HTMLElement>(".pair-sentences");
    if (next?.passage.meaning) {
      if (focused?.closest(".sentence-pairs")) section?.focus();
    } else if (section || focused === sentencesButton.current) nextButton.current?.focus();
  };
  useReportKeys(
    new Map([
      ["n", () => step(1)],
      ["p", () => step(-1)],
      ["Escape", () => (showsSentences ? hideSentences() : unchoose())],
    ]),
    true,
  );
  const unchoose = () => {
    holdFocus(undefined);
    setChosenIndex(undefined);
  };
  const hideSentences = () => {
    setPrefersSentences(false);
    sentencesButton.current?.focus();
  };
  const choose = (index: number, side: Side) => {
    const passage = passages.find((one) => one.index === index);
    setChosenIndex(index);
    if (passage !== undefined) scroll.level(passage, side);
  };
  const column = (side: Side) => (
    <TextColumn
      key={side}
      side={side}
      name={texts[side].name}
      text={texts[side].text}
      language={texts[side].language}
      sourceLanguage={source.language}
      refs={scroll.refs[side]}
      blocks={blocks[side]}
      segments={segments[side]}
      emphasis={{ chosen, lit, tabStop: chosen ?? passages[0] }}
      onLight={setLitIndex}
      onChoose={(index) => choose(index, side)}
    />
  );
  const second = otherSide(first);
  return (
    <div class="pair">
      <div class="pair-heads">
        {headOf(first)}
        {headOf(second)}
      </div>
      <div class="pair-reading">
        <div class="passage-bar">
          <p role="status">{positionInWords(passages, chosen, all.length, inWords)}</p>
          <KindChoice passages={all} hidden={hidden} onHidden={setHidden} />
          <span class="steps">
            {meaning !== undefined && (
              <SmallButton
                ref={sentencesButton}
                aria-pressed={showsSentences}
                onClick={() => setPrefersSentences(!showsSentences)}
              >
                {say("pair.sentences")}
              </SmallButton>
            )}
            <StepButtons isDisabled={passages.length === 0} nextRef={nextButton} onStep={step} />
            <SmallButton onClick={() => setFirst(second)}>
              <span aria-hidden="true">⇄</span> {say("pair.swap")}
            </SmallButton>
          </span>
        </div>
        <div class="pair-texts" inert={showsSentences}>
          {column(first)}
          <Bands
            passages={passages}
            scroll={scroll}
            left={isRightToLeft ? second : first}
            chosen={chosen}
            lit={lit}
          />
          {column(second)}
        </div>
        {chosen !== undefined && showsSentences && (
          <PairedSentences passage={chosen} meaning={meaning} texts={texts} first={first} />
        )}
      </div>
    </div>
  );
}

function positionInWords(
  passages: readonly PairedPassage[],
  chosen: PairedPassage | undefined,
  all: number,
  inWords: (passage: PairedPassage) => string,
): string {
  if (all === 0) return say("pair.none");
  if (chosen !== undefined)
    return say("join.colon", {
      name: say("report.passageOf", {
        number: count(passages.indexOf(chosen) + 1),
        total: count(passages.length),
      }),
      text: inWords(chosen),
    });
  const whole = sayCount("count.passages", all);
  return passages.length === all ? whole : say("of", { part: count(passages.length), whole });
}

type KindChoiceProps = {
  readonly passages: readonly PlacesOfTwo[];
  readonly hidden: ReadonlySet<MatchType>;
  readonly onHidden: (hidden: ReadonlySet<MatchType>) => void;
};

/** The legend: the kinds that occur. Each can be hidden. */
function KindChoice({ passages, hidden, onHidden }: KindChoiceProps) {
  const occurring = new Set(passages.flatMap(({ runs }) => runs.map((run) => run.match_type)));
  if (occurring.size === 0) return null;
  const toggle = (kind: MatchType) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    onHidden(next);
  };
  return (
    <fieldset class="pair-kinds">
      <legend class="hidden-visually">{say("pair.kinds")}</legend>
      {MATCH_TYPES_CLOSEST_FIRST.filter((kind) => occurring.has(kind)).map((kind) => (
        <label key={kind}>
          <input type="checkbox" checked={!hidden.has(kind)} onChange={() => toggle(kind)} />
          <span class={`kind-sign k-${kind}`} aria-hidden="true" />
          <span class="kind-name">{matchTypeLabel(kind, words)}</span>
        </label>
      ))}
    </fieldset>
  );
}

type PairedSentencesProps = {
  readonly passage: PairedPassage;
  readonly meaning: MeaningComparison;
  readonly texts: Readonly<Record<Side, PairedText>>;
  /** The text that stands first in the line. */
  readonly first: Side;
};

/** The sentences of a passage that was found by its meaning, in the place of both texts. */
function PairedSentences({ passage, meaning, texts, first }: PairedSentencesProps) {
  const [showsWhy, setShowsWhy] = useState(false);
  const section = useRef<HTMLElement>(null);
  // The section stays from passage to passage, and each begins at its top.
  useLayoutEffect(() => section.current?.scrollTo(0, 0), [passage.index]);
  const tableSide = (side: Side): TableSide => {
    const { name, text, language } = texts[side];
    const { start, end } = passage[side];
    const named = <bdi>{name}</bdi>;
    return { text, at: 0, start, end, name: named, heading: named, language };
  };
  const type = passage.passage.match_type;
  // The table is in the order of the first text.
  const shown = first === "query" ? meaning : mirroredMeaning(meaning);
  return (
    <section
      ref={section}
      class={`pair-sentences k-${type}-mark`}
      aria-label={say("pair.corresponding")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the section scrolls, so the keyboard has to reach it
      tabIndex={0}
    >
      <p>
        <SmallButton aria-expanded={showsWhy} onClick={() => setShowsWhy(!showsWhy)}>
          {say("report.why")}
        </SmallButton>
      </p>
      {showsWhy && (
        <div class="why">
          <WhyByMeaning meaning={shown} />
        </div>
      )}
      <SentenceTable
        key={passage.index}
        meaning={shown}
        isTranslated={type === "translated"}
        query={tableSide(first)}
        source={tableSide(otherSide(first))}
      />
    </section>
  );
}
