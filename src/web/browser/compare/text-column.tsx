import { Fragment, type RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { passageInWords } from "../../../report/wording.ts";
import { overlapLength } from "../../../text/span.ts";
import { HiddenTexts, VisibleSigns } from "../report/text-view.tsx";
import { counterpartOf } from "../shared/counterpart.ts";
import { type TextBlock, useBlockLines, useDrawnBlocks } from "../shared/text-blocks.ts";
import { clickedPassage, edgesOf, offsetsInView, passageOf } from "../shared/text-places.ts";
import { say, texts } from "../shared/texts.ts";
import { type SyncedScroll, useSyncedScroll } from "../shared/use-synced-scroll.ts";
import { count } from "../shared/wording.ts";
import { otherSide, type PairedPassage, type Side, type SideSegment } from "./paired-passages.ts";

/** The passages that are emphasised in both texts. */
type PairEmphasis = {
  readonly chosen: PairedPassage | undefined;
  /** Under the pointer or with the focus. */
  readonly lit: PairedPassage | undefined;
  /** The one that the Tab key reaches; shortcuts lead to the others. */
  readonly tabStop: PairedPassage | undefined;
};

type TextColumnProps = {
  readonly side: Side;
  readonly name: string;
  readonly text: string;
  readonly language: string;
  /** The source's language, for the names of passages. */
  readonly sourceLanguage: string;
  readonly refs: ColumnRefs;
  readonly blocks: readonly TextBlock[];
  readonly segments: readonly (readonly SideSegment[])[];
  readonly emphasis: PairEmphasis;
  /** Gets the index of a passage; undefined when the pointer or the focus leaves. */
  readonly onLight: (index: number | undefined) => void;
  readonly onChoose: (index: number) => void;
};

/** One text of a comparison in a box of its own. Its text content is exactly the text. */
export function TextColumn(props: TextColumnProps) {
  const { side, name, text, language, sourceLanguage, refs, blocks, segments, emphasis } = props;
  const { onLight, onChoose } = props;
  const drawn = useDrawnBlocks(blocks.length);
  const lines = useBlockLines(refs.text, text, blocks);
  const light = (event: Event) => onLight(passageOf(event.target));
  const choose = (event: MouseEvent) => {
    const index = clickedPassage(event);
    if (index !== undefined) onChoose(index);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, so the keyboard has to reach it
    <section class="pair-scroller" aria-label={name} tabIndex={0} ref={refs.scroller}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the number before each passage is a link, which Enter follows */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: one listener for thousands of marks */}
      <div
        class="text"
        lang={language}
        ref={refs.text}
        onClick={choose}
        onPointerOver={light}
        onPointerLeave={() => onLight(undefined)}
        onFocusIn={light}
        onFocusOut={() => onLight(undefined)}
      >
        {blocks.map((block, index) => (
          <Block
            key={block.start}
            side={side}
            text={text}
            block={block}
            segments={segments[index] ?? NONE}
            emphasis={emphasis}
            sourceLanguage={sourceLanguage}
            lines={lines[index] ?? 1}
            isDrawn={index < drawn}
          />
        ))}
      </div>
    </section>
  );
}

const NONE: readonly SideSegment[] = [];

type BlockProps = Pick<TextColumnProps, "side" | "text" | "emphasis" | "sourceLanguage"> & {
  readonly block: TextBlock;
  readonly segments: readonly SideSegment[];
  /** Estimates the height until the block is laid out. */
  readonly lines: number;
  /** The block is empty until then. */
  readonly isDrawn: boolean;
};

/** All blocks are in the document, for the browser's own search, but only visible ones are laid out. */
function Block({ side, text, block, segments, emphasis, sourceLanguage, lines, isDrawn }: BlockProps) {
  const own = (passage: PairedPassage | undefined) =>
    passage !== undefined && passage[side].start < block.end && passage[side].end > block.start
      ? passage
      : undefined;
  const [chosen, lit, tabStop] = [own(emphasis.chosen), own(emphasis.lit), own(emphasis.tabStop)];
  return useMemo(
    () => (
      <p class="block" dir="auto" style={{ containIntrinsicBlockSize: `auto ${lines}lh` }}>
        {isDrawn &&
          segments.map((segment) => (
            <Fragment key={segment.start}>
              {segment.begins.map((passage) => (
                // biome-ignore lint/a11y/useAnchorContent: its label names it; the visible number is in the styles
                <a
                  key={passage.index}
                  id={`${side}-passage-${passage.index + 1}`}
                  class={`number k-${passage.passage.match_type}-mark`}
                  href={`#${otherSide(side)}-passage-${passage.index + 1}`}
                  data-passage={passage.index}
                  data-number={passage.index + 1}
                  tabIndex={passage === tabStop ? 0 : -1}
                  aria-label={say("pair.toOther", {
                    number: count(passage.index + 1),
                    kind: passageInWords(passage.passage, sourceLanguage, texts),
                  })}
                />
              ))}
              <Marked segment={segment} text={text} chosen={chosen} lit={lit} />
            </Fragment>
          ))}
      </p>
    ),
    [side, text, block, segments, chosen, lit, tabStop, sourceLanguage, lines, isDrawn],
  );
}

type MarkedProps = {
  readonly segment: SideSegment;
  readonly text: string;
  readonly chosen: PairedPassage | undefined;
  readonly lit: PairedPassage | undefined;
};

function Marked({ segment, text, chosen, lit }: MarkedProps) {
  const { start, end, passages, matchType, flags, uncompared } = segment;
  const own = text.slice(start, end);
  const shown = (
    <>
      <HiddenTexts flags={flags} />
      {flags.length === 0 ? own : <VisibleSigns text={own} flags={flags} />}
    </>
  );
  if (uncompared !== undefined)
    return (
      <span class="margin" title={uncompared}>
        {shown}
      </span>
    );
  const [first] = passages;
  if (first === undefined) return <>{shown}</>;
  const classes = [`k-${matchType}-mark`, `t-${matchType}`];
  if (chosen !== undefined && passages.includes(chosen)) classes.push("chosen");
  if (lit !== undefined && passages.includes(lit)) classes.push("lit");
  return (
    <mark class={classes.join(" ")} data-passage={first.index}>
      {shown}
    </mark>
  );
}

/** More bands at once could not be told apart, and would slow the scrolling down. */
const BANDS_MAX = 80;

/** A band leads this far out of sight towards a place that is not in view. */
const BEYOND_PX = 60;

type Band = { readonly passage: PairedPassage; readonly path: string };

type BandsProps = {
  readonly passages: readonly PairedPassage[];
  readonly scroll: PairedScroll;
  /** The text on the left. */
  readonly left: Side;
  readonly chosen: PairedPassage | undefined;
  readonly lit: PairedPassage | undefined;
};

/** Connects the passages in view with their places in the other text. */
export function Bands({ passages, scroll, left, chosen, lit }: BandsProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [bands, setBands] = useState<readonly Band[]>([]);
  const { textOf, refs } = scroll;
  useEffect(() => {
    let requested = 0;
    const draw = () => {
      requested = 0;
      const box = svg.current?.getBoundingClientRect();
      // On narrow screens there is no space for bands.
      if (box !== undefined && box.width > 0) setBands(bandsOf(passages, textOf, left, box));
    };
    const request = () => {
      requested ||= requestAnimationFrame(draw);
    };
    request();
    const observer = new ResizeObserver(request);
    for (const side of ["query", "source"] as const) {
      refs[side].scroller.current?.addEventListener("scroll", request, { passive: true });
      // Blocks that are laid out change the height of the text.
      if (refs[side].text.current !== null) observer.observe(refs[side].text.current);
    }
    if (svg.current !== null) observer.observe(svg.current);
    return () => {
      cancelAnimationFrame(requested);
      observer.disconnect();
      for (const { scroller } of Object.values(refs))
        scroller.current?.removeEventListener("scroll", request);
    };
  }, [passages, textOf, refs, left]);
  // The emphasised ones lie above the others.
  const rank = ({ passage }: Band) => (passage === lit ? 2 : Number(passage === chosen));
  return (
    <svg class="pair-bands" ref={svg} aria-hidden="true">
      {bands
        .toSorted((a, b) => rank(a) - rank(b))
        .map(({ passage, path }) => {
          const classes = ["band", `k-${passage.passage.match_type}-mark`];
          if (passage === chosen) classes.push("chosen");
          if (passage === lit) classes.push("lit");
          return <path key={passage.index} class={classes.join(" ")} d={path} />;
        })}
    </svg>
  );
}

function bandsOf(
  passages: readonly PairedPassage[],
  textOf: PairedScroll["textOf"],
  left: Side,
  box: DOMRect,
): Band[] {
  const right = otherSide(left);
  const [leftText, rightText] = [textOf(left), textOf(right)];
  if (leftText === undefined || rightText === undefined) return [];
  const [leftView, rightView] = [offsetsInView(leftText), offsetsInView(rightText)];
  const within = (y: number) =>
    Math.round(Math.min(box.height + BEYOND_PX, Math.max(-BEYOND_PX, y - box.top)) * 2) / 2;
  return passages
    .filter(
      (passage) => overlapLength(passage[left], leftView) > 0 || overlapLength(passage[right], rightView) > 0,
    )
    .slice(0, BANDS_MAX)
    .map((passage) => {
      const [a, b] = [edgesOf(leftText, passage[left]), edgesOf(rightText, passage[right])];
      return {
        passage,
        path: bandPath(box.width, within(a.top), within(a.bottom), within(b.top), within(b.bottom)),
      };
    });
}

/** From a range on the left edge to one on the right, in curves. */
function bandPath(width: number, top: number, bottom: number, otherTop: number, otherBottom: number): string {
  const middle = width / 2;
  return (
    `M0 ${top}C${middle} ${top} ${middle} ${otherTop} ${width} ${otherTop}` +
    `V${otherBottom}C${middle} ${otherBottom} ${middle} ${bottom} 0 ${bottom}Z`
  );
}

type ColumnRefs = {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly text: RefObject<HTMLDivElement | null>;
};

type PairedScroll = Pick<SyncedScroll, "textOf"> & {
  readonly refs: Readonly<Record<Side, ColumnRefs>>;
  /** Scrolls both texts to a passage. */
  readonly reveal: (passage: PairedPassage) => void;
  /** Scrolls the other text so that its place of a passage is level with that in this one. */
  readonly level: (passage: PairedPassage, side: Side) => void;
};

/** Two texts in boxes of their own: their corresponding places stay level, within passages and between them. */
export function usePairedScroll(
  passages: readonly PairedPassage[],
  blocks: Readonly<Record<Side, readonly TextBlock[]>>,
  lengths: Readonly<Record<Side, number>>,
): PairedScroll {
  const query = { scroller: useRef<HTMLDivElement>(null), text: useRef<HTMLDivElement>(null) };
  const source = { scroller: useRef<HTMLDivElement>(null), text: useRef<HTMLDivElement>(null) };
  const refs = useMemo(() => ({ query, source }), []);
  const { textOf, reveal, level } = useSyncedScroll(refs, blocks, (place) =>
    counterpartOf(passages, place, lengths),
  );
  return {
    refs,
    textOf,
    reveal: (passage) => reveal(startsOf(passage)),
    level: (passage, side) => level(side, startsOf(passage)),
  };
}

function startsOf({ query, source }: PairedPassage): Readonly<Record<Side, number>> {
  return { query: query.start, source: source.start };
}
