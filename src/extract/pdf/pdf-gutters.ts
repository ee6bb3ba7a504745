import type { PaintedGlyph } from "./pdf-painting.ts";

/** The gap between two columns, at least, in points. */
const GUTTER_MIN = 5.5;

/** Rows that a gap between columns divides, at least. */
const ROWS_MIN = 6;

/** Of the rows on both sides of a gap between columns, in its height, the share that it divides: others are titles and figures. */
const DIVIDED_SHARE = 0.6;

/** Narrower columns are cells of a table, in points. */
const COLUMN_MIN = 50;

/** A part of a row that is text has so many letters. */
const LETTERS_MIN = 14;

/** In a column of text, so many rows are text, and so many begin within a sentence. Cells begin with capitals or numbers. */
const TEXT_SHARE = 0.6;
const RUNNING_SHARE = 0.3;

/** Rounding tolerance in points. */
const SLACK = 0.5;

/** Characters on one baseline, from left to right unless the file draws them otherwise. */
export type Row = { readonly glyphs: readonly PaintedGlyph[]; readonly isRightToLeft: boolean };

type Gap = { readonly from: number; readonly to: number; readonly y: number };

/**
 * Cuts rows that are drawn across the gap between two columns. A gap is one between columns, and not between cells, if many rows have it at
 * the same place, and on both sides stands running text.
 * Rows that are not upright stay whole.
 */
export function cutAtGutters(rows: readonly Row[]): readonly Row[] {
  const all = rows.map(({ glyphs }) => glyphs);
  const gaps = all.map(gapsOf);
  const places = guttersOf(all, gaps);
  const kept = places.filter((place) => isBetweenTexts(all, gaps, places, place));
  if (kept.length === 0) return rows;
  return rows.flatMap(({ glyphs, ...row }, at) =>
    cutRow(glyphs, gaps[at] ?? [], kept).map((part) => ({ ...row, glyphs: part })),
  );
}

function gapsOf(row: readonly PaintedGlyph[]): Gap[] {
  const [first] = row;
  if (first === undefined || first.run.direction[0] < 0.99) return [];
  const gaps: Gap[] = [];
  let end: number | undefined;
  for (const { x, y, width, isSpace, isMark } of row) {
    if (isSpace || isMark) continue;
    if (end !== undefined && x - end >= GUTTER_MIN) gaps.push({ from: end, to: x, y });
    end = Math.max(end ?? x, x + width);
  }
  return gaps;
}

/** The places where columns may begin that enough rows have in common, from the left. */
function guttersOf(rows: readonly (readonly PaintedGlyph[])[], gaps: readonly (readonly Gap[])[]): number[] {
  const all = gaps.flat();
  const votes = new Map<number, number>();
  for (const { to } of all) {
    const place = Math.round(to);
    votes.set(place, (votes.get(place) ?? 0) + 1);
  }
  const candidates = [...votes.keys()].flatMap((place) => {
    const share = (votes.get(place) ?? 0) < ROWS_MIN / 2 ? 0 : dividedShare(rows, all, place);
    return share < DIVIDED_SHARE ? [] : [{ place, share }];
  });
  const places: number[] = [];
  for (const { place } of candidates.toSorted((a, b) => b.share - a.share))
    if (places.every((other) => Math.abs(other - place) >= COLUMN_MIN)) places.push(place);
  return places.toSorted((a, b) => a - b);
}

/** Of the rows on both sides of a place, the share that has a gap there; 0 if too few have one. */
function dividedShare(
  rows: readonly (readonly PaintedGlyph[])[],
  gaps: readonly Gap[],
  place: number,
): number {
  const across = gaps.filter((gap) => isAcross(gap, place));
  if (across.length < ROWS_MIN) return 0;
  const top = across.reduce((most, { y }) => Math.max(most, y), Number.NEGATIVE_INFINITY);
  const bottom = across.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY);
  const beside = rows.filter((row) => {
    const [first, last] = [row[0], row.at(-1)];
    if (first === undefined || last === undefined || first.run.direction[0] < 0.99) return false;
    const isAtHeight = first.y <= top && first.y >= bottom;
    return isAtHeight && first.x < place - GUTTER_MIN && last.x + last.width > place + SLACK;
  });
  return across.length / Math.max(1, beside.length);
}

/** Whether a gap ends where a column begins, or at an indented first line of it. */
function isAcross({ from, to }: Gap, place: number): boolean {
  return from <= place - GUTTER_MIN + SLACK && to >= place - 1;
}

function isBetweenTexts(
  rows: readonly (readonly PaintedGlyph[])[],
  gaps: readonly (readonly Gap[])[],
  places: readonly number[],
  place: number,
): boolean {
  const at = places.indexOf(place);
  const [left, right] = [
    places[at - 1] ?? Number.NEGATIVE_INFINITY,
    places[at + 1] ?? Number.POSITIVE_INFINITY,
  ];
  const divided = rows.filter((_, row) => gaps[row]?.some((gap) => isAcross(gap, place)));
  const parts = (from: number, to: number) =>
    divided
      .map((row) => row.filter(({ x }) => x >= from - 1 && x < to - 1))
      .filter((part) => part.length > 0)
      .map((part) =>
        part
          .map(({ char }) => char)
          .join("")
          .trim(),
      );
  return [parts(left, place), parts(place, right)].every((column) => {
    const text = column.filter((part) => part.replaceAll(/\P{L}/gu, "").length >= LETTERS_MIN);
    const running = text.filter((part) => /^[\p{Ll}\p{Lo}]/u.test(part));
    return text.length >= TEXT_SHARE * column.length && running.length >= RUNNING_SHARE * text.length;
  });
}

function cutRow(
  row: readonly PaintedGlyph[],
  gaps: readonly Gap[],
  places: readonly number[],
): (readonly PaintedGlyph[])[] {
  const cuts = gaps.filter((gap) => places.some((place) => isAcross(gap, place))).map(({ to }) => to);
  const parts: PaintedGlyph[][] = [[]];
  for (const glyph of row) {
    if (!glyph.isSpace && !glyph.isMark && cuts.includes(glyph.x)) parts.push([]);
    parts.at(-1)?.push(glyph);
  }
  return parts.filter((part) => part.some(({ isSpace }) => !isSpace));
}
