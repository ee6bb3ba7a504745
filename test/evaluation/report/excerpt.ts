import type { Span } from "../../../src/core/text/span.ts";

/** Characters of a passage that are shown from each of its ends, and of what stands around it. */
const SHOWN_CHARS = 160;
const AROUND_CHARS = 60;

/**
 * A passage in one line, for reading: its offsets, what stands before it, «the passage», what stands after it. A long one is
 * left out in its middle.
 * @param characters the text by code points.
 */
export function excerpt(characters: readonly string[], { start, end }: Span): string {
  const part = (from: number, to: number) => characters.slice(Math.max(0, from), to).join("");
  const inside =
    end - start <= 2 * SHOWN_CHARS
      ? part(start, end)
      : `${part(start, start + SHOWN_CHARS)} [...] ${part(end - SHOWN_CHARS, end)}`;
  const shown = `${part(start - AROUND_CHARS, start)}«${inside}»${part(end, end + AROUND_CHARS)}`;
  return `${start}-${end} ${shown.replaceAll(/\s*\n\s*/g, " ⏎ ")}`;
}
