import { codePointOffsets } from "../text/code-points.ts";
import type { Span } from "../text/span.ts";
import type { OffsetUnit } from "./offset-unit.ts";

/**
 * The longest text of one answer, in the requested unit: about 30 pages, far more than the surroundings of a passage, and
 * at most three sections to read and unpack.
 */
export const SOURCE_TEXT_CHARS_MAX = 100_000;

/** One place of a text, counted in both units. */
export type Landmark = { readonly utf16: number; readonly codePoint: number };

/**
 * Places of a text in both units: ascending, the first at its start and the last at its end. Between two of them an
 * offset is converted with the text between them, so that the rest of a book need not be read.
 */
export type Landmarks = { readonly utf16: readonly number[]; readonly codePoints: readonly number[] };

/** A part of a text; `start` and `end` are offsets into the whole of it, in the unit that was asked for. */
export type Excerpt = Span & { readonly text: string };

/** The part of the text between the nearest landmarks around a span in `unit`: what has to be read to cut it out. */
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

/**
 * Cuts a span out of the text that runs from `before` beyond its end. An offset inside a surrogate pair counts as the
 * pair's start, so that no character is split and two spans that touch give the text of both.
 */
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
