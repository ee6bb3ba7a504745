import { firstIndex, type Span } from "../../../text/span.ts";
import type { TextBlock } from "./text-blocks.ts";

/** A text that is shown in blocks; see `textBlocks`. */
export type ScrolledText = {
  /** The element that scrolls it: `document.documentElement` if it scrolls with the window. */
  readonly scroller: Element;
  /** The element whose children are the blocks. */
  readonly text: Element;
  readonly blocks: readonly TextBlock[];
};

/** The upper and lower edge of something in the window. */
type Edges = { readonly top: number; readonly bottom: number };

/** A revealed place is scrolled to this share of the visible height, to show the text after it. */
const TARGET = 0.3;

/** Blocks further away than this are not laid out only to say exactly where a line in them is. */
const EXACT_REACH_PX = 400;

/** Scrolls a place of a text that scrolls with the window into view, without animation, which would lay out everything on the way. */
export function revealPlace(text: Element, blocks: readonly TextBlock[], offset: number): void {
  settled(() => {
    const box = boxOf(text, blocks, offset);
    if (box !== undefined) scrollToBox(box);
  });
}

/** Selects a span of a text, as a reader would with the pointer. */
export function selectSpan(text: Element, blocks: readonly TextBlock[], { start, end }: Span): void {
  const [from, to] = [pointAt(text, blocks, start), pointAt(text, blocks, end - 1)];
  if (from !== undefined && to !== undefined)
    getSelection()?.setBaseAndExtent(from.node, from.at, to.node, to.at + 1);
}

/** The passage whose mark or number was clicked, by its index. Other clicks are left to the browser. */
export function clickedPassage(event: MouseEvent): number | undefined {
  const index = passageOf(event.target);
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  // A click that ends a text selection asks for nothing.
  if (index === undefined || hasModifier || getSelection()?.isCollapsed === false) return undefined;
  event.preventDefault();
  return index;
}

/** The index of the passage that an element belongs to. */
export function passageOf(target: EventTarget | null): number | undefined {
  const marked = target instanceof Element ? target.closest("[data-passage]") : null;
  const index = marked?.getAttribute("data-passage") ?? null;
  return index === null ? undefined : Number(index);
}

/** Scrolls twice: the blocks around the place are laid out only after the first time, and may differ from the estimates. */
export function settled(scroll: () => void): void {
  scroll();
  requestAnimationFrame(() => requestAnimationFrame(scroll));
}

/** Scrolls the window to a box, unless all of it is in view. */
export function scrollToBox(box: Edges): void {
  const view = viewOf(document.documentElement);
  if (box.top >= view.top && box.bottom <= view.bottom) return;
  scrollTo({ top: scrollY + box.top - readingLine(view), behavior: "instant" });
}

/** The part of a scroller that shows text: of the window, the one between the bar above the text and the comparison below. */
export function viewOf(scroller: Element): Edges {
  if (scroller !== document.documentElement) return scroller.getBoundingClientRect();
  const style = getComputedStyle(scroller);
  const padding = (value: string) => Number.parseFloat(value) || 0;
  return {
    top: padding(style.scrollPaddingTop),
    bottom: innerHeight - padding(style.scrollPaddingBottom),
  };
}

/** The line at which the reader is taken to be. */
export function readingLine({ top, bottom }: Edges): number {
  return top + TARGET * (bottom - top);
}

/** Scrolls a text so that the line of an offset begins at a vertical position in the window. */
export function scrollLevel({ scroller, text, blocks }: ScrolledText, offset: number, top: number): void {
  const box = boxOf(text, blocks, Math.floor(offset));
  if (box !== undefined) scroller.scrollTo({ top: scroller.scrollTop + box.top - top, behavior: "instant" });
}

/** The index of the block that contains an offset; the last one for an offset behind it. */
export function blockIndex(blocks: readonly TextBlock[], offset: number): number {
  return firstIndex(blocks.length - 1, (index) => (blocks[index]?.end ?? 0) > offset);
}

/** The visible part of a text, as offsets interpolated by height within a block. */
export function offsetsInView({ scroller, text, blocks }: ScrolledText): Span {
  const { top, bottom } = viewOf(scroller);
  return { start: offsetAt(text, blocks, top), end: offsetAt(text, blocks, bottom) };
}

/** The offset of a text at a vertical position in the window, and where its line begins. */
export function placeAt(
  { text, blocks }: ScrolledText,
  y: number,
): { readonly offset: number; readonly top: number } {
  const estimate = Math.floor(offsetAt(text, blocks, y));
  const block = blocks[blockIndex(blocks, estimate)];
  if (block === undefined) return { offset: 0, top: y };
  const bottomAt = (offset: number) => boxOf(text, blocks, offset)?.bottom ?? Number.POSITIVE_INFINITY;
  const length = block.end - block.start;
  const offset = block.start + firstIndex(length - 1, (at) => bottomAt(block.start + at) > y);
  return { offset, top: boxOf(text, blocks, offset)?.top ?? y };
}

/** The top and bottom of a span in the window; far outside the view by the heights of its blocks. */
export function edgesOf(text: ScrolledText, { start, end }: Span): Edges {
  return { top: edgesAt(text, start).top, bottom: edgesAt(text, Math.max(start, end - 1)).bottom };
}

function edgesAt({ scroller, text, blocks }: ScrolledText, offset: number): Edges {
  const index = blockIndex(blocks, offset);
  const [block, element] = [blocks[index], text.children[index]];
  if (block === undefined || element === undefined) return { top: 0, bottom: 0 };
  const view = viewOf(scroller);
  const box = element.getBoundingClientRect();
  const isNear = box.bottom > view.top - EXACT_REACH_PX && box.top < view.bottom + EXACT_REACH_PX;
  const exact = isNear ? boxOf(text, blocks, offset) : undefined;
  if (exact !== undefined) return exact;
  const share = (offset - block.start) / Math.max(1, block.end - block.start);
  const y = box.top + share * box.height;
  return { top: y, bottom: y };
}

/** The box of a character in the window, or of its block until the block is drawn. */
function boxOf(text: Element, blocks: readonly TextBlock[], offset: number): DOMRect | undefined {
  const point = pointAt(text, blocks, offset);
  if (point === undefined) return text.children[blockIndex(blocks, offset)]?.getBoundingClientRect();
  const range = document.createRange();
  range.setStart(point.node, point.at);
  range.setEnd(point.node, point.at + 1);
  return range.getBoundingClientRect();
}

/** The place of a character in the document; undefined until its block is drawn. */
function pointAt(
  text: Element,
  blocks: readonly TextBlock[],
  offset: number,
): { readonly node: Node; readonly at: number } | undefined {
  const index = blockIndex(blocks, offset);
  const block = blocks[index];
  const element = text.children[index];
  if (block === undefined || element === undefined) return undefined;
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = offset - block.start;
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const length = node.nodeValue?.length ?? 0;
    if (left < length) return { node, at: left };
    left -= length;
  }
  return undefined;
}

/** The offset at a vertical position in the window. */
function offsetAt(text: Element, blocks: readonly TextBlock[], y: number): number {
  const boxAt = (index: number) => text.children[index]?.getBoundingClientRect();
  const index = firstIndex(blocks.length - 1, (one) => (boxAt(one)?.bottom ?? Number.POSITIVE_INFINITY) > y);
  const block = blocks[index];
  const box = boxAt(index);
  if (block === undefined || box === undefined || box.height === 0) return 0;
  const share = Math.min(1, Math.max(0, (y - box.top) / box.height));
  return block.start + share * (block.end - block.start);
}
