import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { SmallButton } from "../../shared/elements.tsx";

/** Widths of a page as multiples of the width of its view. */
const LEVELS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;

export type Zoom = { readonly scale: number; readonly change: (scale: number) => void };

/** The middle of the window as a place on a page: its index, and shares of its width and height. */
type Place = { readonly page: number; readonly across: number; readonly down: number };

/** The size of the pages in a container; a change keeps the place in the middle of the window there. */
export function useZoom(container: RefObject<HTMLDivElement | null>): Zoom {
  const [scale, setScale] = useState(1);
  const kept = useRef<Place | undefined>(undefined);
  useLayoutEffect(() => {
    if (container.current !== null && kept.current !== undefined) restore(container.current, kept.current);
    kept.current = undefined;
  }, [scale]);
  const change = (next: number) => {
    if (container.current !== null) kept.current = placeInMiddle(container.current);
    setScale(next);
  };
  return { scale, change };
}

function middleOf(container: Element): readonly [x: number, y: number] {
  const { left, width } = container.getBoundingClientRect();
  return [left + width / 2, innerHeight / 2];
}

function placeInMiddle(container: Element): Place | undefined {
  const [x, y] = middleOf(container);
  const pages = [...container.children];
  const below = pages.findIndex((page) => page.getBoundingClientRect().bottom > y);
  const page = below < 0 ? pages.length - 1 : below;
  const box = pages[page]?.getBoundingClientRect();
  return box && { page, across: (x - box.left) / box.width, down: (y - box.top) / box.height };
}

function restore(container: Element, { page, across, down }: Place): void {
  const [x, y] = middleOf(container);
  const box = container.children[page]?.getBoundingClientRect();
  if (box === undefined) return;
  container.scrollBy({ left: box.left + across * box.width - x, behavior: "instant" });
  scrollBy({ top: box.top + down * box.height - y, behavior: "instant" });
}

/** Scrolls a container sideways until a place in the window is in view, with some of what follows it. */
export function revealSideways(container: Element, x: number): void {
  const { left, width } = container.getBoundingClientRect();
  if (x < left || x > left + SHOWN_SHARE * width)
    container.scrollBy({ left: x - left - (1 - SHOWN_SHARE) * width, behavior: "instant" });
}

const SHOWN_SHARE = 0.8;

/** The buttons that change the size of the pages, at the bottom of the window as long as pages are in it. */
export function ZoomBar({ scale, change }: Zoom) {
  const smaller = LEVELS.findLast((level) => level < scale);
  const larger = LEVELS.find((level) => level > scale);
  return (
    <fieldset class="zoom-bar">
      <legend class="hidden-visually">Size of the pages</legend>
      <SmallButton
        aria-label="Smaller"
        aria-disabled={smaller === undefined}
        onClick={() => smaller !== undefined && change(smaller)}
      >
        −
      </SmallButton>
      <output>{Math.round(scale * 100)}%</output>
      <SmallButton
        aria-label="Larger"
        aria-disabled={larger === undefined}
        onClick={() => larger !== undefined && change(larger)}
      >
        +
      </SmallButton>
      <SmallButton aria-pressed={scale === 1} onClick={() => change(1)}>
        Fit width
      </SmallButton>
    </fieldset>
  );
}
