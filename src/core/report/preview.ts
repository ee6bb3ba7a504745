/** The longest preview in code points, "…" included: the wire contract's limit. */
export const PREVIEW_CHARS_MAX = 200;

/**
 * How much of a passage is looked at, in UTF-16 units, so that a preview costs the same however long the passage is.
 * Twenty times the limit: only a passage with thousands of white space characters up front gets a shorter preview for it.
 */
const HEAD_UNITS = 20 * PREVIEW_CHARS_MAX;

const ELLIPSIS = "…";

// "und" is the root locale: the same borders on every machine, whatever its language is set to.
const WORDS = new Intl.Segmenter("und", { granularity: "word" });
const GRAPHEMES = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * A short excerpt from the start of a source passage, for display: white space collapsed to single spaces, at most
 * `PREVIEW_CHARS_MAX` code points. A longer passage is cut at a word border and ends in "…"; a first word that is too
 * long by itself is cut between graphemes, so that no letter loses its marks.
 */
export function overlapTextPreview(passageText: string): string {
  const head = passageText.slice(0, HEAD_UNITS);
  const collapsed = head.replace(/\s+/gu, " ").trim();
  const isWhole = head.length === passageText.length;
  if (isWhole && isWithin(collapsed, PREVIEW_CHARS_MAX)) return collapsed;

  const room = PREVIEW_CHARS_MAX - ELLIPSIS.length;
  const words = leadingSegments(WORDS, collapsed, room, isWhole);
  const kept = words === "" ? leadingSegments(GRAPHEMES, collapsed, room, isWhole) : words;
  return kept.trimEnd() + ELLIPSIS;
}

/** As many whole segments from the start as fit in `room` code points; the last one counts only where the text truly ends. */
function leadingSegments(segmenter: Intl.Segmenter, text: string, room: number, isWhole: boolean): string {
  let kept = 0;
  let left = room;
  for (const { segment, index } of segmenter.segment(text)) {
    const end = index + segment.length;
    if (!isWithin(segment, left) || (end === text.length && !isWhole)) break;
    left -= [...segment].length;
    kept = end;
  }
  return text.slice(0, kept);
}

/** Whether a text has at most `limit` code points, without counting all of a long one. */
function isWithin(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= 2 * limit && [...text].length <= limit);
}
