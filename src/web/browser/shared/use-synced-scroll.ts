import type { RefObject } from "preact";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { otherSide, type Place, type Side } from "./counterpart.ts";
import type { TextBlock } from "./text-blocks.ts";
import {
  edgesOf,
  offsetsInView,
  placeAt,
  readingLine,
  type ScrolledText,
  scrollLevel,
  settled,
  viewOf,
} from "./text-places.ts";

type Both<T> = Readonly<Record<Side, T>>;

/** Elements that stay the same while both texts are shown. One scroller may contain the other. */
type TextRefs = {
  readonly scroller: RefObject<Element | null>;
  readonly text: RefObject<Element | null>;
};

export type SyncedScroll = {
  /** Undefined until it is drawn. */
  readonly textOf: (side: Side) => ScrolledText | undefined;
  /** Scrolls each text to its place. */
  readonly reveal: (offsets: Partial<Both<number>>) => void;
  /** Scrolls the other text so that its place is level with one in this text, or in view if that one is not. */
  readonly level: (side: Side, offsets: Both<number>) => void;
};

/** A jump of a text that the reader does not touch, as of the browser's search, moves the other text too. */
const JUMP_PX = 200;

/**
 * Keeps the corresponding places of two texts level while one of them is scrolled.
 * @param counterpartOf the corresponding offset in the other text; undefined leaves that where it is
 */
export function useSyncedScroll(
  refs: Both<TextRefs>,
  blocks: Both<readonly TextBlock[]>,
  counterpartOf: (place: Place) => number | undefined,
): SyncedScroll {
  const textOf = useCallback(
    (side: Side): ScrolledText | undefined => {
      const [scroller, text] = [refs[side].scroller.current, refs[side].text.current];
      return scroller === null || text === null ? undefined : { scroller, text, blocks: blocks[side] };
    },
    [refs, blocks],
  );
  /** The text that the reader scrolls, and where this script has scrolled the texts itself. */
  const state = useRef<{ driver: Side | undefined; own: Partial<Record<Side, number>> }>({
    driver: undefined,
    own: {},
  });
  const scrollTo = (side: Side, text: ScrolledText, offset: number, top: number) => {
    scrollLevel(text, offset, top);
    state.current.own[side] = text.scroller.scrollTop;
  };
  const withBoth = (act: (texts: Both<ScrolledText>, lines: Both<number>) => void) => {
    const [query, source] = [textOf("query"), textOf("source")];
    if (query !== undefined && source !== undefined) act({ query, source }, linesOf(query, source));
  };
  const follow = (side: Side) =>
    withBoth((texts, lines) => {
      const other = otherSide(side);
      const { offset, top } = placeAt(texts[side], lines[side]);
      const near = offsetsInView(texts[other]);
      const to = counterpartOf({ side, offset, near: (near.start + near.end) / 2 });
      if (to !== undefined) scrollTo(other, texts[other], to, top + lines[other] - lines[side]);
    });
  const latest = useRef(follow);
  latest.current = follow;

  useEffect(() => {
    let requested = 0;
    const left = new AbortController();
    const options = { passive: true, signal: left.signal };
    const take = (side: Side) => {
      state.current.driver = side;
    };
    const onScroll = (side: Side, scroller: Element) => {
      const { driver, own } = state.current;
      const moved = Math.abs(scroller.scrollTop - (own[side] ?? 0));
      if (moved < 2 || (driver !== side && moved < JUMP_PX)) return;
      take(side);
      own[side] = scroller.scrollTop;
      cancelAnimationFrame(requested);
      requested = requestAnimationFrame(() => latest.current(side));
    };
    for (const side of ["query", "source"] as const) {
      const scroller = refs[side].scroller.current;
      const other = refs[otherSide(side)].scroller.current;
      if (scroller === null || other === null) continue;
      for (const event of ["wheel", "pointerdown", "pointerenter", "touchstart", "keydown"])
        scroller.addEventListener(
          event,
          ({ target }) => {
            // Scrolling in the inner scroller does not concern the outer one.
            const isInner = scroller.contains(other) && target instanceof Node && other.contains(target);
            if (!isInner) take(side);
          },
          options,
        );
      if (other.contains(scroller))
        scroller.addEventListener("pointerleave", () => take(otherSide(side)), options);
      const scrolled = scroller === document.documentElement ? document : scroller;
      scrolled.addEventListener("scroll", () => onScroll(side, scroller), options);
    }
    return () => {
      cancelAnimationFrame(requested);
      left.abort();
    };
  }, [refs]);

  return {
    textOf,
    reveal: (offsets) =>
      settled(() => {
        for (const side of ["query", "source"] as const) {
          const [text, offset] = [textOf(side), offsets[side]];
          if (text !== undefined && offset !== undefined)
            scrollTo(side, text, offset, readingLine(viewOf(text.scroller)));
        }
      }),
    level: (side, offsets) =>
      settled(() =>
        withBoth((texts, lines) => {
          const [other, start] = [otherSide(side), offsets[side]];
          const { top } = edgesOf(texts[side], { start, end: start + 1 });
          const view = viewOf(texts[side].scroller);
          const line = top >= view.top && top < view.bottom ? top : lines[side];
          scrollTo(other, texts[other], offsets[other], line + lines[other] - lines[side]);
        }),
      ),
  };
}

/** The lines that stay level: a single one for texts beside each other, and one in each of two texts below each other. */
function linesOf(query: ScrolledText, source: ScrolledText): Both<number> {
  const [one, other] = [viewOf(query.scroller), viewOf(source.scroller)];
  const shared = { top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom) };
  const areBeside = shared.bottom - shared.top > Math.min(one.bottom - one.top, other.bottom - other.top) / 2;
  return areBeside
    ? { query: readingLine(shared), source: readingLine(shared) }
    : { query: readingLine(one), source: readingLine(other) };
}
