import { firstIndex } from "../../../core/text/span.ts";
import { blockIndex, boxOf, offsetAt } from "../report/text-places.ts";
import type { TextBlock } from "../shared/text-blocks.ts";

/** A text that scrolls in a box of its own. */
export type Column = {
  readonly scroller: HTMLElement;
  /** The element whose children are the blocks. */
  readonly text: HTMLElement;
  readonly blocks: readonly TextBlock[];
};

/** The line of a column that stays level with the corresponding one, as a share of the column's height. */
const LEVEL = 0.3;

/** Blocks further away than this are not laid out only to say exactly where a line in them is. */
const EXACT_REACH_PX = 400;

/** The vertical position of that line in the window. */
export function levelOf({ scroller }: Column): number {
  const { top, height } = scroller.getBoundingClientRect();
  return top + LEVEL * height;
}

/** The offset of the text at a vertical position in the window, and where its line begins. */
export function placeAt(column: Column, y: number): { readonly offset: number; readonly top: number } {
  const { text, blocks } = column;
  const estimate = Math.floor(offsetAt(text, blocks, y));
  const block = blocks[blockIndex(blocks, estimate)];
  if (block === undefined) return { offset: 0, top: y };
  const bottomAt = (offset: number) => boxOf(text, blocks, offset)?.bottom ?? Number.POSITIVE_INFINITY;
  const length = block.end - block.start;
  const offset = block.start + firstIndex(length - 1, (at) => bottomAt(block.start + at) > y);
  return { offset, top: boxOf(text, blocks, offset)?.top ?? y };
}

/** Scrolls a column so that the line of an offset begins at a vertical position in the window. */
export function scrollLevel({ scroller, text, blocks }: Column, offset: number, top: number): void {
  const box = boxOf(text, blocks, Math.floor(offset));
  if (box !== undefined) scroller.scrollTo({ top: scroller.scrollTop + box.top - top, behavior: "instant" });
}

/** The top and bottom of a span in the window; far outside the column by the heights of its blocks. */
export function heightOf(
  column: Column,
  { start, end }: { readonly start: number; readonly end: number },
): { readonly top: number; readonly bottom: number } {
  return { top: edgeOf(column, start).top, bottom: edgeOf(column, Math.max(start, end - 1)).bottom };
}

type Edges = { readonly top: number; readonly bottom: number };

function edgeOf({ scroller, text, blocks }: Column, offset: number): Edges {
  const index = blockIndex(blocks, offset);
  const [block, element] = [blocks[index], text.children[index]];
  if (block === undefined || element === undefined) return { top: 0, bottom: 0 };
  const view = scroller.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  const isNear = box.bottom > view.top - EXACT_REACH_PX && box.top < view.bottom + EXACT_REACH_PX;
  const exact = isNear ? boxOf(text, blocks, offset) : undefined;
  if (exact !== undefined) return exact;
  const share = (offset - block.start) / Math.max(1, block.end - block.start);
  const y = box.top + share * box.height;
  return { top: y, bottom: y };
}

/** The part of the text that is in view, by the heights of its blocks. */
export function offsetsInView({ scroller, text, blocks }: Column): { start: number; end: number } {
  const { top, bottom } = scroller.getBoundingClientRect();
  return { start: offsetAt(text, blocks, top), end: offsetAt(text, blocks, bottom) };
}
