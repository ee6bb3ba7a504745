import { useMemo } from "preact/hooks";
import type { TextBlock } from "../../shared/text/text-blocks.ts";
import type { PlacedPassage } from "../model/passages.ts";
import type { Segment } from "../model/segments.ts";
import { type Emphasis, SegmentView } from "./segment-view.tsx";

export type BlockViewProps = {
  /** The whole submitted text. */
  readonly text: string;
  readonly block: TextBlock;
  readonly segments: readonly Segment[];
  readonly emphasis: Emphasis;
  readonly lines: number;
  /** Until it is, the block only has its height. */
  readonly isDrawn: boolean;
  readonly linkOf: (passage: PlacedPassage) => string;
};

/**
 * A block of the text. All blocks are in the document, where the browser's own search finds them, but it lays out only
 * those near the view; `lines` stands for the height of the others.
 */
export function BlockView({ text, block, segments, emphasis, lines, isDrawn, linkOf }: BlockViewProps) {
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
    [text, block, segments, own.passage, own.source, own.tabStop, lines, isDrawn, linkOf],
  );
}

/** What of the emphasis changes this block, so that choosing a passage draws only the blocks that it concerns. */
function ownEmphasis(block: TextBlock, segments: readonly Segment[], emphasis: Emphasis): Emphasis {
  const { passage, source, tabStop } = emphasis;
  const isIn = (one: PlacedPassage | undefined) =>
    one !== undefined && one.start < block.end && one.end > block.start;
  return {
    passage: isIn(passage) ? passage : undefined,
    source: segments.some(({ passages }) => passages.length > 0) ? source : undefined,
    tabStop: isIn(tabStop) ? tabStop : undefined,
  };
}
