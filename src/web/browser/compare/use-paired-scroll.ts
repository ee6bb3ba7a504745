import type { RefObject } from "preact";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import type { TextBlock } from "../shared/text-blocks.ts";
import { type Column, heightOf, levelOf, offsetsInView, placeAt, scrollLevel } from "./column-places.ts";
import { counterpartOf } from "./counterpart.ts";
import { otherSide, type PairedPassage, type Side } from "./paired-passages.ts";

export type ColumnRefs = {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly text: RefObject<HTMLDivElement | null>;
};

export type PairedScroll = {
  readonly refs: Readonly<Record<Side, ColumnRefs>>;
  /** Undefined before both are drawn. */
  readonly columnOf: (side: Side) => Column | undefined;
  /** Scrolls both texts to a passage. */
  readonly reveal: (passage: PairedPassage) => void;
  /** Scrolls the other text so that its place of a passage is level with that in this one. */
  readonly level: (passage: PairedPassage, side: Side) => void;
};

/** A jump of a text that the reader does not touch, as of the browser's search, moves the other text too. */
const JUMP_PX = 200;

/** Keeps the corresponding places of two texts level while one of them is scrolled. */
export function usePairedScroll(
  passages: readonly PairedPassage[],
  blocks: Readonly<Record<Side, readonly TextBlock[]>>,
  lengths: Readonly<Record<Side, number>>,
): PairedScroll {
  const query = { scroller: useRef<HTMLDivElement>(null), text: useRef<HTMLDivElement>(null) };
  const source = { scroller: useRef<HTMLDivElement>(null), text: useRef<HTMLDivElement>(null) };
  const refs = useMemo(() => ({ query, source }), []);
  const columnOf = useCallback(
    (side: Side): Column | undefined => {
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

  const scrollTo = (side: Side, offset: number, top: number) => {
    const column = columnOf(side);
    if (column === undefined) return;
    scrollLevel(column, offset, top);
    state.current.own[side] = column.scroller.scrollTop;
  };

  useEffect(() => {
    let requested = 0;
    const follow = (side: Side) => {
      requested = 0;
      const [column, other] = [columnOf(side), columnOf(otherSide(side))];
      if (column === undefined || other === undefined) return;
      const { offset, top } = placeAt(column, levelOf(column));
      const near = offsetsInView(other);
      const place = { side, offset, near: (near.start + near.end) / 2 };
      scrollTo(otherSide(side), counterpartOf(passages, place, lengths), top + shiftBetween(column, other));
    };
    const onScroll = (side: Side) => () => {
      const { driver, own } = state.current;
      const moved = Math.abs((columnOf(side)?.scroller.scrollTop ?? 0) - (own[side] ?? 0));
      if (moved < 2 || (driver !== side && moved < JUMP_PX)) return;
      state.current.driver = side;
      own[side] = columnOf(side)?.scroller.scrollTop ?? 0;
      cancelAnimationFrame(requested);
      requested = requestAnimationFrame(() => follow(side));
    };
    const left = new AbortController();
    const options = { passive: true, signal: left.signal };
    for (const side of ["query", "source"] as const) {
      const scroller = refs[side].scroller.current;
      const take = () => {
        state.current.driver = side;
      };
      for (const event of ["wheel", "pointerdown", "pointerenter", "touchstart", "keydown"])
        scroller?.addEventListener(event, take, options);
      scroller?.addEventListener("scroll", onScroll(side), options);
    }
    return () => {
      cancelAnimationFrame(requested);
      left.abort();
    };
  }, [passages, lengths, columnOf, refs]);

  /** Twice, because the blocks around the place are laid out only after the first time. */
  const settled = (scroll: () => void) => {
    scroll();
    requestAnimationFrame(() => requestAnimationFrame(scroll));
  };
  return {
    refs,
    columnOf,
    reveal: (passage) =>
      settled(() => {
        for (const side of ["query", "source"] as const) {
          const column = columnOf(side);
          if (column !== undefined) scrollTo(side, passage[side].start, levelOf(column));
        }
      }),
    level: (passage, side) =>
      settled(() => {
        const column = columnOf(side);
        const other = columnOf(otherSide(side));
        if (column === undefined || other === undefined) return;
        const { start } = passage[side];
        const { top } = heightOf(column, { start, end: start + 1 });
        scrollTo(otherSide(side), passage[otherSide(side)].start, top + shiftBetween(column, other));
      }),
  };
}

/** How much lower the other text is drawn: nothing beside each other, and a text's height where one is below the other. */
function shiftBetween(column: Column, other: Column): number {
  return levelOf(other) - levelOf(column);
}
