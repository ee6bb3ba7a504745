import { type MatchedSource, type SourcePassage, withQuery } from "../../matching/words/source-passage.ts";
import { codePointLength, codePointOffsets } from "../../text/code-points.ts";
import { RUN_LENGTH_MAX, WORD_CHARACTER } from "../../text/word-characters.ts";
import { reportFigures } from "./figures.ts";
import type { ReportFigures } from "./report.ts";

/**
 * The report on a query text. White space and punctuation between two neighbouring passages of one source, and at the text's
 * ends beside one, become part of the passage before (at the start, after). The source side stays as it was aligned.
 */
export function computeFigures({
  queryText,
  sources,
}: {
  queryText: string;
  sources: readonly MatchedSource[];
}): ReportFigures {
  const boundaries = wordBoundaries(queryText);
  const widened = sources.map((source) => ({
    documentId: source.documentId,
    passages: widenedPassages(source.passages, boundaries, queryText.length),
  }));
  return reportFigures(codePointOffsets(queryText), codePointLength(queryText), widened);
}

function widenedPassages(
  passages: readonly SourcePassage[],
  boundaries: WordBoundaries,
  textLength: number,
): SourcePassage[] {
  const widened: SourcePassage[] = [];
  // The passage that reaches furthest so far: overlapping passages need not end in the order in which they start.
  let furthest = -1;
  let reached = 0;
  const moveFurthestEnd = (end: number): void => {
    const passage = widened[furthest];
    if (passage !== undefined) widened[furthest] = withQuery(passage, { ...passage.query, end });
  };

  for (const passage of passages.toSorted((a, b) => a.query.start - b.query.start)) {
    const { start, end } = passage.query;
    const gapIsEmptyOfWords = start > reached && boundaries.nextWord(reached) >= start;
    if (gapIsEmptyOfWords) moveFurthestEnd(start);
    const isFirst = widened.length === 0;
    widened.push(isFirst && gapIsEmptyOfWords ? withQuery(passage, { start: 0, end }) : passage);
    if (isFirst || end > reached) {
      furthest = widened.length - 1;
      reached = end;
    }
  }
  if (boundaries.nextWord(reached) >= textLength) moveFurthestEnd(textLength);
  return widened;
}

// A mark belongs to the letter before it; one that follows none, such as the selector after an emoji, is part of no word.
const WORDS = new RegExp(String.raw`(?!\p{M})${WORD_CHARACTER}${WORD_CHARACTER}{0,${RUN_LENGTH_MAX}}`, "gv");

/** Finds word borders around an offset in constant time. Offsets are UTF-16. */
export type WordBoundaries = {
  /** The start of the first letter, digit or mark at or after `offset`; the text's length when none follows. */
  readonly nextWord: (offset: number) => number;
  /** The end of the last letter, digit or mark before `offset`; 0 when none precedes. */
  readonly previousWordEnd: (offset: number) => number;
};

/** The tokeniser finds the words; the rest is white space and punctuation. Linear time; 8 bytes per UTF-16 unit. */
export function wordBoundaries(text: string): WordBoundaries {
  const next = new Int32Array(text.length + 1);
  const previousEnd = new Int32Array(text.length + 1);
  let gapStart = 0;
  for (const { 0: run, index } of text.matchAll(WORDS)) {
    next.fill(index, gapStart, index);
    previousEnd.fill(gapStart, gapStart, index + 1);
    gapStart = index + run.length;
    for (let offset = index; offset < gapStart; offset++) {
      next[offset] = offset;
      previousEnd[offset + 1] = offset + 1;
    }
  }
  next.fill(text.length, gapStart);
  previousEnd.fill(gapStart, gapStart);
  return {
    nextWord: (offset) => next[offset] ?? text.length,
    previousWordEnd: (offset) => previousEnd[offset] ?? gapStart,
  };
}
