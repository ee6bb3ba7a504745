import { type ComponentChild, Fragment } from "preact";
import { useMemo } from "preact/hooks";
import type { IntegrityFlag } from "../../../client/index.ts";
import { colourOf } from "../../../report/source-colours.ts";
import { filterReason, flagCount, passageInWords } from "../../../report/wording.ts";
import { visibleSigns } from "../../../text/visible-signs.ts";
import { type TextBlock, useBlockLines, useDrawnBlocks } from "../shared/text-blocks.ts";
import { blockIndex, clickedPassage } from "../shared/text-places.ts";
import { say, texts } from "../shared/texts.ts";
import { matchTypeAt, type PlacedPassage, type Segment } from "./passages.ts";
import type { Reading } from "./use-reading.ts";

/** The submitted text with its marks. Its text content is exactly the submitted text. */
export function TextView({ reading }: { readonly reading: Reading }) {
  const { blocks, segments, chosen, container, linkOf } = reading;
  const { query_text: text, integrity_flags: flags, language } = reading.report;
  const emphasis = emphasisOf(reading);
  const drawn = useDrawnBlocks(blocks.length);
  const near = chosen === undefined ? 0 : blockIndex(blocks, chosen.start);
  const lines = useBlockLines(container, text, blocks);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the number before each passage is a link, which Enter follows
    // biome-ignore lint/a11y/noStaticElementInteractions: one listener for thousands of marks
    <div class="text" lang={language} ref={container} onClick={(event) => openClicked(event, reading)}>
      {blocks.map((block, index) => (
        <BlockView
          key={block.start}
          text={text}
          block={block}
          segments={segments[index] ?? []}
          emphasis={emphasis}
          lines={lines[index] ?? 1}
          isDrawn={index < drawn || Math.abs(index - near) <= NEAR_BLOCKS}
          linkOf={linkOf}
        />
      ))}
      <HiddenTexts flags={flags.filter(({ hidden, start }) => hidden && start === text.length)} />
    </div>
  );
}

/** Opens the passage whose mark or number was clicked. */
export function openClicked(event: MouseEvent, reading: Reading): void {
  const index = clickedPassage(event);
  if (index !== undefined) reading.open(index);
}

/** About a screen on both sides of the passage that a link opens. */
const NEAR_BLOCKS = 3;

type BlockViewProps = {
  readonly text: string;
  readonly block: TextBlock;
  readonly segments: readonly Segment[];
  readonly emphasis: Emphasis;
  /** Estimates the height until the block is laid out. */
  readonly lines: number;
  /** The block is empty until then. */
  readonly isDrawn: boolean;
  readonly linkOf: (passage: PlacedPassage) => string;
};

/** A block of the text. All blocks are in the document, for the browser's own search, but only visible ones are laid out. */
function BlockView({ text, block, segments, emphasis, lines, isDrawn, linkOf }: BlockViewProps) {
  const own = ownEmphasis(block, segments, emphasis);
  return useMemo(
    () => (
      <p class="block" dir="auto" style={{ containIntrinsicBlockSize: `auto ${lines}lh` }}>
        {isDrawn &&
          segments.map((segment) => (
            <SegmentView
              key={segment.start}
              text={text.slice(segment.start, segment.end)}
              segment={segment}
              emphasis={own}
              linkOf={linkOf}
            />
          ))}
      </p>
    ),
    [text, block, segments, own.passage, own.source, own.tabStop, own.noted, lines, isDrawn, linkOf],
  );
}

/** The emphasis that concerns this block, so that choosing a passage redraws only the affected blocks. */
function ownEmphasis(block: TextBlock, segments: readonly Segment[], emphasis: Emphasis): Emphasis {
  const { passage, source, tabStop, noted } = emphasis;
  const isIn = (one: PlacedPassage | undefined) =>
    one !== undefined && one.start < block.end && one.end > block.start;
  return {
    passage: isIn(passage) ? passage : undefined,
    source: segments.some(({ passages }) => passages.length > 0) ? source : undefined,
    tabStop: isIn(tabStop) ? tabStop : undefined,
    noted,
  };
}

/** The emphasised part of the text: one passage, or all passages of one source. */
export type Emphasis = {
  readonly passage: PlacedPassage | undefined;
  readonly source: number | undefined;
  /** The one passage that the Tab key reaches; shortcuts lead to the others. */
  readonly tabStop: PlacedPassage | undefined;
  readonly noted: ReadonlySet<PlacedPassage>;
};

/** Sources that are drawn for one segment: as underlines, and as numbers. */
export const SOURCES_SHOWN = 3;

export function emphasisOf({ chosen, source, steps, notes }: Reading): Emphasis {
  return { passage: chosen, source: source?.number, tabStop: chosen ?? steps[0], noted: notes.noted };
}

type SegmentViewProps = {
  readonly text: string;
  readonly segment: Segment;
  readonly emphasis: Emphasis;
  readonly linkOf: (passage: PlacedPassage) => string;
};

/** A segment of the text with its marks. Its text content is the submitted text, character by character. */
export function SegmentView({ text, segment, emphasis, linkOf }: SegmentViewProps) {
  const { flags } = segment;
  const kinds = [...new Set(flags.map(({ kind }) => kind))];
  const shown =
    flags.length === 0 ? (
      text
    ) : (
      <span class="flagged" title={kinds.map((kind) => flagCount(kind, 1, texts)).join("; ")}>
        <VisibleSigns text={text} flags={flags} />
      </span>
    );
  return (
    <Fragment>
      <HiddenTexts flags={segment.hidden} />
      <Numbers segment={segment} emphasis={emphasis} linkOf={linkOf} />
      {marked(shown, segment, emphasis)}
    </Fragment>
  );
}

function marked(shown: ComponentChild, segment: Segment, emphasis: Emphasis): ComponentChild {
  const { excluded, isOrphan, isMargin } = segment;
  if (isMargin)
    return (
      <span class="margin" title={say("mark.margin")}>
        {shown}
      </span>
    );
  if (excluded !== undefined)
    return (
      <span class="excluded" title={say("mark.filtered", { reason: filterReason(excluded.filter, texts) })}>
        {shown}
      </span>
    );
  if (isOrphan)
    return (
      <mark class="orphan" title={say("mark.deleted")}>
        {shown}
      </mark>
    );
  const mark = passageMark(segment, emphasis);
  if (mark === undefined) return shown;
  return (
    <mark class={mark.classes} data-passage={mark.passage}>
      {shown}
    </mark>
  );
}

/** How the passages of a segment look, and the index of the one that a click opens; undefined without passages. */
export function passageMark(
  segment: Segment,
  emphasis: Emphasis,
): { readonly classes: string; readonly passage: number } | undefined {
  const { passages } = segment;
  const first = leading(passages, emphasis);
  if (first === undefined) return undefined;
  const others = passages.filter((one) => one.source !== first.source).slice(0, SOURCES_SHOWN - 1);
  const classes = [
    `c${colourOf(first.source.number)}`,
    `t-${matchTypeAt(first, segment.start)}`,
    ...others.map(
      ({ source }, index) => `${index === 0 ? "also u" : "and-also v"}${colourOf(source.number)}`,
    ),
  ];
  if (emphasis.passage !== undefined && passages.includes(emphasis.passage)) classes.push("chosen");
  if (isFaint(first, emphasis)) classes.push("faint");
  return { classes: classes.join(" "), passage: first.index };
}

/** The passage that gives a segment its colour: the chosen one, one of the chosen source, or the first source's. */
function leading(
  passages: readonly PlacedPassage[],
  { passage, source }: Emphasis,
): PlacedPassage | undefined {
  if (passage !== undefined && passages.includes(passage)) return passage;
  return passages.find((one) => one.source.number === source) ?? passages[0];
}

function isFaint({ source }: PlacedPassage, emphasis: Emphasis): boolean {
  return emphasis.source !== undefined && source.number !== emphasis.source;
}

/** The links before the passages that begin here, by source number. */
export function Numbers({ segment: { begins }, emphasis, linkOf }: Omit<SegmentViewProps, "text">) {
  if (begins.length === 0) return null;
  const own = begins.filter(({ source }) => source.number === emphasis.source);
  const kept = emphasis.passage !== undefined && begins.includes(emphasis.passage) ? [emphasis.passage] : own;
  const numbered = [...new Set([...kept, ...begins])]
    .slice(0, SOURCES_SHOWN)
    .sort((a, b) => a.source.number - b.source.number);
  const more = begins.length - numbered.length;
  return (
    <span class="numbers">
      {numbered.map((passage) => (
        // biome-ignore lint/a11y/useAnchorContent: its label names it; the visible number is in the styles, outside the text
        <a
          key={passage.index}
          class={`number c${colourOf(passage.source.number)}`}
          href={linkOf(passage)}
          data-passage={passage.index}
          data-number={passage.source.number}
          data-note={emphasis.noted.has(passage) ? "" : undefined}
          tabIndex={passage === emphasis.tabStop ? 0 : -1}
          aria-label={say(emphasis.noted.has(passage) ? "mark.noted" : "mark.passage", {
            number: passage.index + 1,
            kind: passageInWords(passage.passage, passage.source.language, texts),
            source: passage.source.number,
            title: passage.source.title,
          })}
        />
      ))}
      {more > 0 && <span class="more-numbers" data-more={`+${more}`} />}
    </span>
  );
}

/** The texts that the file hides from its reader, struck. They are in the styles, outside the text. */
export function HiddenTexts({ flags }: { readonly flags: readonly IntegrityFlag[] }) {
  return flags.map(({ detail, hidden }, index) =>
    hidden === undefined ? null : (
      <del key={index} class="hidden-text" title={say("mark.hidden", { detail })} data-text={hidden.text} />
    ),
  );
}

type VisibleSignsProps = { readonly text: string; readonly flags: readonly IntegrityFlag[] };

/** Flagged text with visible signs for invisible characters and foreign letters. The characters stay in it, to be copied. */
export function VisibleSigns({ text, flags }: VisibleSignsProps) {
  return visibleSigns(text, flags).map(({ text: piece, code, script }, index) => {
    if (code !== undefined)
      return (
        <span key={index} class="sign" data-code={code}>
          {piece}
        </span>
      );
    if (script === undefined) return <Fragment key={index}>{piece}</Fragment>;
    return (
      <span key={index} class="foreign-letter" title={say("mark.letter", { script })}>
        {piece}
      </span>
    );
  });
}
