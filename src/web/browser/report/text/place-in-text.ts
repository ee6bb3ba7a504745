import type { TextBlock } from "../../shared/text/text-blocks.ts";

/**
 * Brings a place of the text into view, into the part that no bar covers, unless it is there already. At once, not by
 * a movement: far away that would lay out everything between.
 */
export function revealPlace(container: Element, blocks: readonly TextBlock[], offset: number): void {
  scrollToPlace(container, blocks, offset);
  // The blocks around it are laid out only now, and may be higher than was thought.
  requestAnimationFrame(() => requestAnimationFrame(() => scrollToPlace(container, blocks, offset)));
}

/** Where in its block a place stands while the block is not drawn: lines are short beside a view. */
function scrollToPlace(container: Element, blocks: readonly TextBlock[], offset: number): void {
  const box = boxOf(container, blocks, offset);
  if (box === undefined) return;
  const view = freeView();
  if (box.top >= view.top && box.bottom <= view.bottom) return;
  const aim = view.top + (view.bottom - view.top) * AIM;
  scrollTo({ top: scrollY + box.top - aim, behavior: "instant" });
}

/** A place that is brought into view comes to stand this far down: what follows it is read next. */
const AIM = 0.3;

/** The part of the window that neither the bar above the text nor the comparison covers, by the scroll padding in the styles. */
function freeView(): { readonly top: number; readonly bottom: number } {
  const style = getComputedStyle(document.documentElement);
  const padding = (value: string) => Number.parseFloat(value) || 0;
  return {
    top: padding(style.scrollPaddingTop),
    bottom: innerHeight - padding(style.scrollPaddingBottom),
  };
}

function boxOf(container: Element, blocks: readonly TextBlock[], offset: number): DOMRect | undefined {
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

/** The index of the block that holds a place. */
export function blockIndex(blocks: readonly TextBlock[], offset: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blocks[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Which part of the text is in view, as offsets; between the lines of a block by their height. */
export function placesInView(
  container: Element,
  blocks: readonly TextBlock[],
): { readonly start: number; readonly end: number } {
  const view = freeView();
  return { start: placeAt(container, blocks, view.top), end: placeAt(container, blocks, view.bottom) };
}

/** The place at a height of the window. */
function placeAt(container: Element, blocks: readonly TextBlock[], y: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const box = container.children[middle]?.getBoundingClientRect();
    if (box !== undefined && box.bottom <= y) low = middle + 1;
    else high = middle;
  }
  const block = blocks[low];
  const box = container.children[low]?.getBoundingClientRect();
  if (block === undefined || box === undefined || box.height === 0) return 0;
  const share = Math.min(1, Math.max(0, (y - box.top) / box.height));
  return block.start + share * (block.end - block.start);
}
