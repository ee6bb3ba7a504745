import { codePointLength, codePointOffsets } from "../text/code-points.ts";
import { reportFigures } from "./figures.ts";
import type { MatchedSource, ReportFigures, SourcePassage } from "./report.ts";
import { type WordBorders, wordBorders } from "./word-borders.ts";

/**
 * The report on a query text, from the passages that the aligner found in each source.
 * White space and punctuation between two neighbouring passages of a source, and at the text's ends beside one, become
 * part of them: the first passage then ends where the second starts. Such text between passages of different sources
 * stays unmatched. Only the query side is widened; the source side stays as it was aligned.
 */
export function assemble(queryText: string, sources: readonly MatchedSource[]): ReportFigures {
  const borders = wordBorders(queryText);
  const widened = sources.map((source) => ({
    documentId: source.documentId,
    passages: widenedPassages(source.passages, borders, queryText.length),
  }));
  return reportFigures(codePointOffsets(queryText), codePointLength(queryText), widened);
}

function widenedPassages(
  passages: readonly SourcePassage[],
  borders: WordBorders,
  textLength: number,
): SourcePassage[] {
  const widened: SourcePassage[] = [];
  // The passage that reaches furthest so far: overlapping passages need not end in the order in which they start.
  let furthest = -1;
  let reached = 0;
  const moveFurthestEnd = (end: number): void => {
    const passage = widened[furthest];
    if (passage !== undefined) widened[furthest] = { ...passage, query: { ...passage.query, end } };
  };

  for (const passage of passages.toSorted((a, b) => a.query.start - b.query.start)) {
    const { start, end } = passage.query;
    const gapIsEmptyOfWords = start > reached && borders.nextWord(reached) >= start;
    if (gapIsEmptyOfWords) moveFurthestEnd(start);
    const isFirst = widened.length === 0;
    widened.push(isFirst && gapIsEmptyOfWords ? { ...passage, query: { start: 0, end } } : passage);
    if (isFirst || end > reached) {
      furthest = widened.length - 1;
      reached = end;
    }
  }
  if (borders.nextWord(reached) >= textLength) moveFurthestEnd(textLength);
  return widened;
}
