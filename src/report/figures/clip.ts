import {
  type PassageEvidence,
  runsOf,
  type SourcePassage,
  type SourceRange,
  type SourceRun,
} from "../../matching/words/source-passage.ts";
import type { CodePointOffsets } from "../../text/code-points.ts";
import {
  enclosingSpan,
  overlappingSpans,
  type Span,
  shiftedSpan,
  spanLength,
  subtractSpans,
} from "../../text/span.ts";
import type { WordBoundaries } from "./figures.ts";

/** The query text as clipping needs it; one for all passages. */
export type ClippingGround = {
  readonly text: string;
  readonly boundaries: WordBoundaries;
  readonly offsets: CodePointOffsets;
};

/**
 * The parts of a passage outside the excluded text, ascending; none if no word remains. Without the source text, the source side
 * of a part of a run is counted by characters if the run is `identical` and its sides are equally long, else in proportion,
 * rounded and at least one character. A part keeps the chunk and preview. A part of a passage that was found by its meaning keeps its own
 * pairs of sentences, and its source side spans these pairs.
 * @param excluded the text to leave out: ascending, disjoint UTF-16 spans
 */
export function clipPassage(
  passage: SourcePassage,
  ground: ClippingGround,
  excluded: readonly Span[],
): SourcePassage[] {
  const holes = overlappingSpans(passage.query, excluded);
  if (holes.length === 0) return [passage];
  const pieces = subtractSpans(passage.query, holes);
  const { nextWord } = ground.boundaries;
  if (!pieces.some(({ start, end }) => nextWord(start) < end)) return [];
  const mapped = runsOf(passage).map((run) => ({ run, toRange: rangeWithin(run, ground) }));
  return pieces.map((query) => {
    const runs = mapped.flatMap(({ run, toRange }): SourceRun[] => {
      const part = { start: Math.max(run.query.start, query.start), end: Math.min(run.query.end, query.end) };
      return part.start < part.end
        ? [{ ...run, query: part, sourceDocument: shifted(toRange(part), run.sourceDocument) }]
        : [];
    });
    const [first] = runs;
    const { runs: _ofWhole, evidence, ...rest } = passage;
    const left = evidence && clippedEvidence(evidence, query, ground.text);
    const sourceDocument = (
      left?.meaning?.pairs.map(({ source }) => source) ?? runs.map((run) => run.sourceDocument)
    ).reduce(enclosingRange);
    return {
      ...rest,
      ...(left !== undefined && { evidence: left }),
      query,
      ...(runs.length > 1 && { runs }),
      matchType: runs.every(({ matchType }) => matchType === first?.matchType)
        ? (first?.matchType ?? passage.matchType)
        : passage.matchType,
      sourceChunk: {
        utf16: shiftedSpan(
          sourceDocument.utf16,
          passage.sourceChunk.utf16.start - passage.sourceDocument.utf16.start,
        ),
        codePoint: shiftedSpan(
          sourceDocument.codePoint,
          passage.sourceChunk.codePoint.start - passage.sourceDocument.codePoint.start,
        ),
      },
      sourceDocument,
    };
  });
}

/** The evidence of a part of a passage; without meaning if no pair of sentences lies in the part. */
function clippedEvidence({ meaning, ...words }: PassageEvidence, part: Span, text: string): PassageEvidence {
  const pairs = (meaning?.pairs ?? []).flatMap((pair) => {
    const query = {
      start: Math.max(pair.query.start, part.start),
      end: Math.min(pair.query.end, part.end),
    };
    return query.start < query.end ? [{ ...pair, query }] : [];
  });
  if (meaning === undefined || pairs.length === 0) return words;
  const partText = text.slice(part.start, part.end);
  return {
    ...words,
    meaning: {
      ...meaning,
      pairs,
      sharedWords: meaning.sharedWords.filter((word) => partText.includes(word)),
      ...(meaning.ownNames && { ownNames: meaning.ownNames.filter((word) => partText.includes(word)) }),
    },
  };
}

function enclosingRange(a: SourceRange, b: SourceRange): SourceRange {
  return { utf16: enclosingSpan(a.utf16, b.utf16), codePoint: enclosingSpan(a.codePoint, b.codePoint) };
}

/** Maps a part of a run's query side to a range relative to its source side. */
function rangeWithin(run: SourceRun, ground: ClippingGround): (piece: Span) => SourceRange {
  const { toCodePoint } = ground.offsets;
  const sourceLength = spanLength(run.sourceDocument.codePoint);
  const sourceUnits = spanLength(run.sourceDocument.utf16);
  const parallel = run.matchType === "identical" ? parallelSpan(run, ground) : undefined;
  const from = parallel ?? wordsOf(run.query, ground.boundaries);
  const fromStart = toCodePoint(from.start);
  const ratio = sourceLength / (toCodePoint(from.end) - fromStart);

  const toCodePoints = (utf16: number): number =>
    Math.min(sourceLength, Math.round((toCodePoint(clamped(utf16, from)) - fromStart) * ratio));
  // In proportion, a range never has fewer units than code points nor more than two each, as it is with any text.
  const toUnits = (codePoints: number): number => Math.round((codePoints * sourceUnits) / sourceLength);

  return (piece) => {
    const whole = { start: toCodePoints(piece.start), end: toCodePoints(piece.end) };
    const codePoint = nonEmpty(whole, sourceLength);
    const isExact = parallel !== undefined && codePoint === whole;
    const utf16 = isExact
      ? { start: clamped(piece.start, from) - from.start, end: clamped(piece.end, from) - from.start }
      : { start: toUnits(codePoint.start), end: toUnits(codePoint.end) };
    return { codePoint, utf16 };
  };
}

const PUNCTUATION_AT_START = /^[^\s\p{L}\p{N}]*/u;
const PUNCTUATION_ONLY = /^[^\s\p{L}\p{N}]*$/u;

/** The part of the query side with the length of the source side in both units. Punctuation after the words is tried first. */
function parallelSpan(run: SourceRun, { text, boundaries, offsets }: ClippingGround): Span | undefined {
  const words = wordsOf(run.query, boundaries);
  const punctuation = spanLength(run.sourceDocument.utf16) - spanLength(words);
  if (punctuation < 0) return undefined;
  const behind = text.slice(words.end, Math.min(run.query.end, words.end + punctuation));
  const after = PUNCTUATION_AT_START.exec(behind)?.[0].length ?? 0;
  const before = punctuation - after;
  const start = words.start - before;
  if (start < run.query.start || !PUNCTUATION_ONLY.test(text.slice(start, words.start))) return undefined;
  const span = { start, end: words.end + after };
  const codePoints = offsets.toCodePoint(span.end) - offsets.toCodePoint(span.start);
  return codePoints === spanLength(run.sourceDocument.codePoint) ? span : undefined;
}

/** The query side without the white space and punctuation at its ends. */
function wordsOf(query: Span, { nextWord, previousWordEnd }: WordBoundaries): Span {
  return {
    start: Math.max(query.start, nextWord(query.start)),
    end: Math.min(query.end, previousWordEnd(query.end)),
  };
}

function clamped(offset: number, { start, end }: Span): number {
  return Math.min(Math.max(offset, start), end);
}

/** An empty range becomes the character at its start or, at the source side's end, the one before. */
function nonEmpty(range: Span, length: number): Span {
  if (range.start < range.end) return range;
  return range.start < length
    ? { start: range.start, end: range.start + 1 }
    : { start: length - 1, end: length };
}

function shifted(within: SourceRange, whole: SourceRange): SourceRange {
  return {
    utf16: shiftedSpan(within.utf16, whole.utf16.start),
    codePoint: shiftedSpan(within.codePoint, whole.codePoint.start),
  };
}
