import { useMemo } from "preact/hooks";
import { type TextBlock, useBlockLines, useDrawnBlocks } from "../shared/text-blocks.ts";
import { blockIndex, clickedPassage } from "../shared/text-places.ts";
import type { PlacedPassage } from "./passages.ts";
import { type Emphasis, emphasisOf, SegmentView } from "./segment-view.tsx";
import type { Segment } from "./segments.ts";
import type { Reading } from "./use-reading.ts";

/** The submitted text with its marks. Its text content is exactly the submitted text. */
export function TextView({ reading }: { readonly reading: Reading }) {
  const { blocks, segments, chosen, container, linkOf } = reading;
  const { query_text: text, language } = reading.report;
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
