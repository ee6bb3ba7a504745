import type { Span } from "../../text/span.ts";

/** A line of a text: `[start, end)` without its line end, in UTF-16 units. */
export type Line = Span;

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** The lines of a text in order, whatever ends them; the last one may be empty. */
export function* lines(text: string): Generator<Line> {
  let start = 0;
  for (const { 0: lineEnd, index } of text.matchAll(LINE_END)) {
    yield { start, end: index };
    start = index + lineEnd.length;
  }
  yield { start, end: text.length };
}
