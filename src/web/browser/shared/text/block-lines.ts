import type { TextBlock } from "./text-blocks.ts";

/**
 * About how many lines a block takes, so that the page has nearly its height before the block is laid out.
 * @param lineWidth of the text, in ems
 */
export function blockLines(text: string, { start, end }: TextBlock, lineWidth: number): number {
  let lines = 0;
  let width = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === NEWLINE) {
      lines += Math.max(1, Math.ceil(width / lineWidth));
      width = 0;
    } else width += unit >= FIRST_WIDE ? WIDE_EMS : NARROW_EMS;
  }
  return lines + Math.ceil(width / lineWidth);
}

const NEWLINE = 10;

/** From the radicals of Chinese on, letters are as wide as they are high. */
const FIRST_WIDE = 0x2e80;
const WIDE_EMS = 1;

/** A letter of English prose with its share of spaces, in the serif faces of the text; lines also end early. */
const NARROW_EMS = 0.47;
