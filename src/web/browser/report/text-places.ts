import { firstIndex, type Span } from "../../../core/text/span.ts";
import type { TextBlock } from "../shared/text-blocks.ts";

/** Scrolls a place of the text into view, without animation, which would lay out everything on the way. */
export function revealPlace(container: Element, blocks: readonly TextBlock[], offset: number): void {
  scrollToPlace(container, blocks, offset);
  // The surrounding blocks are laid out only now, and their heights may differ from the estimates.
  requestAnimationFrame(() => requestAnimationFrame(() => scrollToPlace(container, blocks, offset)));
}

/** A revealed place is scrolled to this share of the visible height, to show what follows it. */
export const TARGET = 0.3;

function scrollToPlace(container: Element, blocks: readonly TextBlock[], offset: number): void {
  const box = boxOf(container, blocks, offset);
  if (box !== undefined) scrollToBox(box);
}

/** Scrolls to a box in the window, unless all of it is in view. */
export function scrollToBox(box: Pick<DOMRect, "top" | "bottom">): void {
  const view = unobscuredView();
  if (box.top >= view.top && box.bottom <= view.bottom) return;
  const target = view.top + (view.bottom - view.top) * TARGET;
  scrollTo({ top: scrollY + box.top - target, behavior: "instant" });
}

/** The part of the window between the bar above the text and the comparison, from the scroll padding in the styles. */
function unobscuredView(): { readonly top: number; readonly bottom: number } {
  const style = getComputedStyle(document.documentElement);
  const padding = (value: string) => Number.parseFloat(value) || 0;
  return {
    top: padding(style.scrollPaddingTop),
    bottom: innerHeight - padding(style.scrollPaddingBottom),
  };
}

/** The box of a character in the window, or of its block as long as that is not drawn. */
export function boxOf(container: Element, blocks: readonly TextBlock[], offset: number): DOMRect | undefined {
  const index = blockIndex(blocks, offset);
  const block = blocks[index];
  const element = container.children[index];
  if (block === undefined || element === undefined) return undefined;
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = offset - block.start;
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const length = node.nodeValue?.length ?? 0;
    if (left < length) {
      const range = document.createRange();
      range.setStart(node, left);
      range.setEnd(node, left + 1);
      return range.getBoundingClientRect();
    }
    left -= length;
  }
  return element.getBoundingClientRect();
}

/** The index of the block that contains an offset; the last one for an offset behind it. */
export function blockIndex(blocks: readonly TextBlock[], offset: number): number {
  return firstIndex(blocks.length - 1, (index) => (blocks[index]?.end ?? 0) > offset);
}

/** The visible part of the text, as offsets interpolated by height within a block. */
export function visibleRange(container: Element, blocks: readonly TextBlock[]): Span {
  const view = unobscuredView();
  return { start: offsetAt(container, blocks, view.top), end: offsetAt(container, blocks, view.bottom) };
}

/** The offset at a vertical position in the window. */
export function offsetAt(container: Element, blocks: readonly TextBlock[], y: number): number {
  const boxAt = (index: number) => container.children[index]?.getBoundingClientRect();
  const index = firstIndex(blocks.length - 1, (one) => (boxAt(one)?.bottom ?? Number.POSITIVE_INFINITY) > y);
  const block = blocks[index];
  const box = boxAt(index);
  if (block === undefined || box === undefined || box.height === 0) return 0;
  const share = Math.min(1, Math.max(0, (y - box.top) / box.height));
  return block.start + share * (block.end - block.start);
}
