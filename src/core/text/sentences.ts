import { segmenterLocale } from "./segmenter-locale.ts";
import type { Span } from "./span.ts";

/**
 * The sentences of `text`: spans that cover it without gaps, each with the space that follows it.
 *
 * A blank line always ends a sentence; a single line break never does by itself, because extracted text breaks lines anywhere
 * (to ICU, every line break would be an end). Abbreviations are ICU's matter: it takes "Dr. Smith" for an end, and `Intl`
 * ignores the `ss` key (suppressions) that would mend it. Chunks lose nothing by that.
 */
export function sentences(text: string, language: string): Span[] {
  const segmenter = new Intl.Segmenter(segmenterLocale(language), { granularity: "sentence" });
  const spans: Span[] = [];
  for (const paragraph of paragraphs(text)) {
    const line = text.slice(paragraph.start, paragraph.end).replace(LINE_BREAK, " ");
    for (const { index, segment } of segmenter.segment(line)) {
      const start = paragraph.start + index;
      spans.push({ start, end: start + segment.length });
    }
  }
  return spans;
}

const LINE_BREAK = /[\n\v\f\r\x85\u2028\u2029]/g;

/** Bounded, as the regular expression engine needs; longer blank stretches become paragraphs of their own. */
const BLANK_LINE = /(?:(?:\r\n|\n|\r(?!\n))[^\S\n\r]{0,200}[\n\r]|\u2029)\s{0,1000}/g;

function paragraphs(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { 0: blank, index } of text.matchAll(BLANK_LINE)) {
    const end = index + blank.length;
    spans.push({ start, end });
    start = end;
  }
  if (start < text.length) spans.push({ start, end: text.length });
  return spans;
}
