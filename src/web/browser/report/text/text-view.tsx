import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { blockLines } from "../../shared/text/block-lines.ts";
import type { TextBlock } from "../../shared/text/text-blocks.ts";
import type { PlacedPassage } from "../model/passages.ts";
import type { Segment } from "../model/segments.ts";
import { BlockView } from "./block-view.tsx";
import { blockIndex } from "./place-in-text.ts";
import type { Emphasis } from "./segment-view.tsx";

/** The submitted text with its marks. Its text content is exactly what was submitted. */
export function TextView({
  text,
  language,
  blocks,
  segments,
  emphasis,
  container,
  linkOf,
  onPassage,
}: {
  readonly text: string;
  readonly language: string;
  readonly blocks: readonly TextBlock[];
  readonly segments: readonly (readonly Segment[])[];
  readonly emphasis: Emphasis;
  readonly container: RefObject<HTMLDivElement | null>;
  readonly linkOf: (passage: PlacedPassage) => string;
  /** `index` of the passage that was clicked, or whose number was. */
  readonly onPassage: (index: number) => void;
}) {
  const drawn = useDrawnBlocks(blocks.length);
  const near = emphasis.passage === undefined ? 0 : blockIndex(blocks, emphasis.passage.start);
  const lineWidth = useLineWidth(container);
  const lines = useMemo(
    () => blocks.map((block) => blockLines(text, block, lineWidth)),
    [blocks, text, lineWidth],
  );
  const open = useCallback(
    (event: MouseEvent) => {
      const index = passageOf(event.target);
      const isOtherClick = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      // Whoever selects text to copy it does not ask for a comparison.
      if (index === undefined || isOtherClick || getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      onPassage(index);
    },
    [onPassage],
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the number before each passage is a link, which Enter follows
    // biome-ignore lint/a11y/noStaticElementInteractions: one listener for thousands of marks
    <div class="text" lang={language} ref={container} onClick={open}>
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

/** The first screens, which are drawn at once. */
const FIRST_BLOCKS = 8;

/** And on both sides of the passage that a link opens: about a screen. */
const NEAR_BLOCKS = 3;

/** Of those after them so many are drawn at a time: some 20 ms, so that scrolling and typing go on meanwhile. */
const NEXT_BLOCKS = 40;

/** How many blocks are drawn by now: the first ones at once, so that there is something to read, then the others. */
function useDrawnBlocks(all: number): number {
  const [drawn, setDrawn] = useState(FIRST_BLOCKS);
  useEffect(() => {
    if (drawn >= all) return;
    const timer = setTimeout(() => setDrawn(drawn + NEXT_BLOCKS));
    return () => clearTimeout(timer);
  }, [drawn, all]);
  return drawn;
}

function passageOf(target: EventTarget | null): number | undefined {
  const marked = target instanceof Element ? target.closest("[data-passage]") : null;
  const index = marked?.getAttribute("data-passage") ?? null;
  return index === null ? undefined : Number(index);
}

/** Before the page has been laid out once. */
const LINE_EMS = 38;

/** A width that changes less than this changes no estimate worth drawing for. */
const STEP_EMS = 4;

/** The width of the text's lines in ems, roughly. */
function useLineWidth(container: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(LINE_EMS);
  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return;
    const measure = () => {
      const ems = element.clientWidth / Number.parseFloat(getComputedStyle(element).fontSize);
      setWidth(Math.max(STEP_EMS, Math.round(ems / STEP_EMS) * STEP_EMS));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [container]);
  return width;
}
