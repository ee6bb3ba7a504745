import type { Span } from "./span.ts";

/** Headers, footers and page numbers of a PDF in its text (UTF-16, ascending, disjoint). One that begins and ends with a line end divides a paragraph. */
export type Margins = readonly Span[];

const HYPHEN_BEFORE = /\p{L}[-\u2010\u00ad]$/u;

/** The text for comparison: blanks replace the margins, so length and offsets do not change. */
export function blankMargins(text: string, margins: Margins): string {
  return replaced(text, margins, (margin, joiner) => joiner + " ".repeat(margin.length - joiner.length));
}

/** The text without its margins; a paragraph that one of them divides is whole. */
export function withoutMargins(text: string, margins: Margins): string {
  const withLineEnds = margins.map(({ start, end }) => ({
    start,
    end: text.charAt(end) === "\n" && !dividesParagraph(text.slice(start, end)) ? end + 1 : end,
  }));
  return replaced(text, withLineEnds, (margin, joiner) => (dividesParagraph(margin) ? joiner : ""));
}

function dividesParagraph(margin: string): boolean {
  return margin.startsWith("\n") && margin.endsWith("\n");
}

/** @param replace gets the character that joins the text on both sides: a line end after a hyphen, so that matching recognises it, otherwise a blank */
function replaced(
  text: string,
  margins: Margins,
  replace: (margin: string, joiner: "\n" | " ") => string,
): string {
  const parts: string[] = [];
  let end = 0;
  for (const margin of margins) {
    const before = text.slice(end, margin.start);
    const own = text.slice(margin.start, margin.end);
    parts.push(before, replace(own, HYPHEN_BEFORE.test(before) && dividesParagraph(own) ? "\n" : " "));
    end = margin.end;
  }
  return parts.join("") + text.slice(end);
}
