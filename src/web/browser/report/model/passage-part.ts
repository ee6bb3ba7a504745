import type { PlacedPassage } from "./passages.ts";

/** What is compared at once of a passage: UTF-16 offsets into both texts. */
export type PassagePart = {
  readonly queryStart: number;
  readonly queryEnd: number;
  readonly sourceStart: number;
  readonly sourceEnd: number;
  /** More of the passage follows. */
  readonly goesOn: boolean;
};

/**
 * What is compared at once of the submitted text: about three pages. A table of 1,000 words on each side takes 10 ms; of
 * Chinese, which has more words in as many characters, 60 ms.
 */
const QUERY_CHARS_MAX = 6_000;

/** The source's part may be longer, as a source that was shortened is. */
const SOURCE_CHARS_MAX = 2 * QUERY_CHARS_MAX;

/** The part of a passage that begins at these places, by default its first. */
export function partFrom(
  { start, end, passage }: PlacedPassage,
  queryStart = start,
  sourceStart = passage.source_document_start,
): PassagePart {
  const queryEnd = Math.min(end, queryStart + QUERY_CHARS_MAX);
  const sourceEnd = Math.min(passage.source_document_end, sourceStart + SOURCE_CHARS_MAX);
  return { queryStart, queryEnd, sourceStart, sourceEnd, goesOn: queryEnd < end };
}

/**
 * A part as it is shown, and where the next one begins: both sides end with the last words that are equal in both, so
 * that the next part is compared from the same place on.
 * @param lastEqual see `WordDiff`; undefined where nothing is equal: the sides are then cut where they were
 */
export function partUntil(
  part: PassagePart,
  lastEqual: { readonly queryEnd: number; readonly sourceEnd: number } | undefined,
): PassagePart {
  if (!part.goesOn || lastEqual === undefined) return part;
  return {
    ...part,
    queryEnd: part.queryStart + lastEqual.queryEnd,
    sourceEnd: part.sourceStart + lastEqual.sourceEnd,
  };
}
