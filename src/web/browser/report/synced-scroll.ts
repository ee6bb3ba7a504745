import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Span } from "../../../core/text/span.ts";
import type { TextBlock } from "../shared/text-blocks.ts";
import { boxOf, offsetAt, revealPlace, TARGET } from "./text-places.ts";

/** A text that is shown in blocks; see `textBlocks`. */
type ShownText = {
  readonly container: RefObject<HTMLElement | null>;
  readonly blocks: readonly TextBlock[];
};

type SyncedTexts = {
  /** Scrolls with the window. */
  readonly query: ShownText;
  /** Scrolls with `scroller`. */
  readonly source: ShownText;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Ranges of both texts that correspond. */
  readonly places: readonly { readonly query: Span; readonly source: Span }[];
};

/**
 * Scrolls the source with the submitted text, and the other way round: where a passage of the source is at the reader's line, the
 * corresponding place of the other text comes to the same line. The side under the pointer, or with the focus, leads.
 */
export function useSyncedScroll({ query, source, scroller, places }: SyncedTexts): void {
  const latest = useRef({ query, source, places });
  latest.current = { query, source, places };
  useEffect(() => {
    const panel = scroller.current;
    if (panel === null) return;
    let sourceLeads = false;
    let frame = 0;
    const lead = (leads: boolean) => () => {
      sourceLeads = leads;
    };
    const follow = () => {
      const { query: text, source: other, places: all } = latest.current;
      if (text.container.current === null || other.container.current === null) return;
      if (sourceLeads) {
        const at = offsetAt(other.container.current, other.blocks, lineOf(panel));
        const place = all.find((one) => contains(one.source, at));
        if (place) revealPlace(text.container.current, text.blocks, mapped(at, place.source, place.query));
      } else {
        const at = offsetAt(text.container.current, text.blocks, innerHeight * TARGET);
        const place = all.find((one) => contains(one.query, at));
        if (place)
          scrollIn(panel, other.container.current, other.blocks, mapped(at, place.query, place.source));
      }
    };
    const scrolled = (isSource: boolean) => () => {
      if (isSource !== sourceLeads) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(follow);
    };
    const left = new AbortController();
    const options = { signal: left.signal, passive: true };
    for (const event of ["pointerenter", "focusin", "touchstart"] as const)
      panel.addEventListener(event, lead(true), options);
    for (const event of ["pointerleave", "focusout"] as const)
      panel.addEventListener(event, lead(false), options);
    panel.addEventListener("scroll", scrolled(true), options);
    addEventListener("scroll", scrolled(false), options);
    return () => {
      left.abort();
      cancelAnimationFrame(frame);
    };
  }, [scroller]);
}

/** Scrolls a place of a text into view within the element that scrolls it. */
export function revealIn(
  scroller: Element,
  container: Element,
  blocks: readonly TextBlock[],
  offset: number,
): void {
  scrollIn(scroller, container, blocks, offset);
  // The surrounding blocks are laid out only now, and their heights may differ from the estimates.
  requestAnimationFrame(() => requestAnimationFrame(() => scrollIn(scroller, container, blocks, offset)));
}

function scrollIn(scroller: Element, container: Element, blocks: readonly TextBlock[], offset: number): void {
  const box = boxOf(container, blocks, offset);
  if (box !== undefined) scroller.scrollTop += box.top - lineOf(scroller);
}

/** The line at which the reader is, in the window. */
function lineOf(scroller: Element): number {
  const { top, height } = scroller.getBoundingClientRect();
  return top + height * TARGET;
}

const contains = ({ start, end }: Span, offset: number) => start <= offset && offset < end;

/** The corresponding offset, in proportion. */
function mapped(offset: number, from: Span, to: Span): number {
  return Math.floor(to.start + ((offset - from.start) / (from.end - from.start)) * (to.end - to.start));
}
