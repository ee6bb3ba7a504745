import { codePointOffsets } from "../../text/code-points.ts";
import { joinSpans, type Span } from "../../text/span.ts";
import { DIRECTIONAL_MARKS, directionalQuotations } from "./directional-quotations.ts";
import { FLANKED_MARKS, flankedQuotations } from "./flanked-quotations.ts";
import { lines } from "./lines.ts";
import type { FitsQuotation, MarkReader } from "./mark-reader.ts";

/**
 * The longest text between a pair of quotation marks, in code points, that is taken for a quotation: the wire contract's
 * limit. It keeps a mark that nobody closed from swallowing the pages up to the next one.
 */
export const QUOTATION_CHARS_MAX = 1_500;

const MARK = new RegExp(`[${DIRECTIONAL_MARKS}${FLANKED_MARKS}]`, "g");
const BLOCK_QUOTE = /^[ \t]{0,3}>/;
const BLANK = /^\s*$/;

/**
 * The quoted parts of a text: ascending, disjoint UTF-16 spans that include the marks.
 * Quoted is what stands between paired quotation marks of any language, and each line that starts with `>`, with the
 * line breaks between such lines. A mark without a partner encloses nothing. Linear in the text.
 */
export function quotations(text: string): Span[] {
  const { toCodePoint } = codePointOffsets(text);
  const fits: FitsQuotation = (opening, closing) => {
    const units = closing - opening - 1;
    // A code point is one unit or two: the exact count is needed only where that leaves a doubt.
    if (units <= QUOTATION_CHARS_MAX || units > 2 * QUOTATION_CHARS_MAX) return units <= QUOTATION_CHARS_MAX;
    return toCodePoint(closing) - toCodePoint(opening + 1) <= QUOTATION_CHARS_MAX;
  };
  const readers = [directionalQuotations(text, fits), flankedQuotations(text, fits)];

  const blockQuotes: Span[] = [];
  let paragraph = 0;
  let followsBlockQuote = false;
  for (const { start, end } of lines(text)) {
    const line = text.slice(start, end);
    const isBlockQuote = BLOCK_QUOTE.test(line);
    if (isBlockQuote) addBlockQuote(blockQuotes, { start, end }, followsBlockQuote);
    if (isBlockQuote || BLANK.test(line)) paragraph++;
    else readMarks(line, start, paragraph, readers);
    followsBlockQuote = isBlockQuote;
  }
  return joinSpans([...blockQuotes, ...readers.flatMap((reader) => reader.finish())]);
}

function addBlockQuote(blockQuotes: Span[], line: Span, followsBlockQuote: boolean): void {
  const last = followsBlockQuote ? blockQuotes.pop() : undefined;
  blockQuotes.push({ start: last?.start ?? line.start, end: line.end });
}

function readMarks(line: string, lineStart: number, paragraph: number, readers: readonly MarkReader[]): void {
  for (const { 0: mark, index } of line.matchAll(MARK))
    for (const reader of readers) reader.read(mark, lineStart + index, paragraph);
}
