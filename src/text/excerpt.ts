import { codePointOffsets } from "./code-points.ts";
import type { Span } from "./span.ts";

/** The unit of an offset or a length: Unicode code points, or UTF-16 units as in JavaScript. */
export type OffsetUnit = "code_point" | "utf16";

/** The longest text of one answer, in the requested unit: 30 pages, at most three sections to read and unpack. */
export const SOURCE_TEXT_CHARS_MAX = 100_000;

export type Landmark = { readonly utf16: number; readonly codePoint: number };

/** Ascending places of a text in both units, its start and end included: an offset is converted with the text between two. */
export type Landmarks = { readonly utf16: readonly number[]; readonly codePoints: readonly number[] };

/** A part of a text; `start` and `end` are offsets into the whole text, in the requested unit. */
export type Excerpt = Span & { readonly text: string };

/** The text between the nearest landmarks around a span in `unit` has to be read to cut the span out. */
export function landmarksAround(
  landmarks: Landmarks,
  unit: OffsetUnit,
  span: Span,
): { readonly before: Landmark; readonly after: Landmark } {
  const places = unit === "utf16" ? landmarks.utf16 : landmarks.codePoints;
  const last = places.length - 1;
  const before = places.findLastIndex((place) => place <= span.start);
  const after = places.findIndex((place) => place >= span.end);
  return {
    before: landmarkAt(landmarks, Math.max(0, before)),
    after: landmarkAt(landmarks, after < 0 ? last : after),
  };
}

/** Cuts a span out of a text that begins at `before`. An offset inside a surrogate pair counts as the pair's start. */
export function cutExcerpt(text: string, before: Landmark, unit: OffsetUnit, span: Span): Excerpt {
  const { toCodePoint, toUtf16 } = codePointOffsets(text);
  const base = unit === "utf16" ? before.utf16 : before.codePoint;
  const inText = (offset: number) => toUtf16(unit === "utf16" ? toCodePoint(offset - base) : offset - base);
  const start = inText(span.start);
  const end = inText(span.end);
  const inUnit = (utf16: number) => base + (unit === "utf16" ? utf16 : toCodePoint(utf16));
  return { start: inUnit(start), end: inUnit(end), text: text.slice(start, end) };
}

function landmarkAt({ utf16, codePoints }: Landmarks, index: number): Landmark {
  return { utf16: utf16[index] ?? 0, codePoint: codePoints[index] ?? 0 };
}

/** The longest preview in code points, "…" included: the wire contract's limit. */
export const PREVIEW_CHARS_MAX = 200;

/** UTF-16 units that are read of a passage of any length. Thousands of spaces at its start shorten the preview. */
const HEAD_UNITS = 20 * PREVIEW_CHARS_MAX;

const ELLIPSIS = "…";

// "und" is the root locale: the same borders on every machine, whatever its language is set to.
const WORDS = new Intl.Segmenter("und", { granularity: "word" });
const GRAPHEMES = new Intl.Segmenter("und", { granularity: "grapheme" });

/** The start of a passage for display, with single spaces. It is cut between words, or between graphemes in a long first word. */
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

/** As many whole segments as fit in `room` code points; the last one counts only at the end of the whole text. */
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
