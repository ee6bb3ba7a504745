import type { LaidOutText } from "../../../extract/pdf/pdf-layout.ts";
import type { TextItem } from "../../../extract/pdf/pdf-lines.ts";
import type { ReadPage } from "../../../extract/pdf/pdf-page.ts";
import { firstIndex, type Span } from "../../../text/span.ts";

/** A piece of the text that is drawn at once, with the index of its page. */
export type PagePiece = Span & { readonly page: number; readonly item: TextItem };

/** The pieces of a text, ascending. Text without a place, such as the values of form fields, is missing. */
export function pagePieces({ lines }: LaidOutText): PagePiece[] {
  return lines.flatMap(({ start: lineStart, page, line }) =>
    (line.pieces ?? []).map(({ start, item }) => ({
      start: lineStart + start,
      end: lineStart + start + item.str.length,
      page,
      item,
    })),
  );
}

/** The pieces that a range of the text covers or touches in part. */
export function piecesIn(pieces: readonly PagePiece[], { start, end }: Span): readonly PagePiece[] {
  const first = firstIndex(pieces.length, (index) => (pieces[index]?.end ?? 0) > start);
  const last = firstIndex(pieces.length, (index) => (pieces[index]?.start ?? 0) >= end);
  return pieces.slice(first, last);
}

/** A rectangle in the space of a page: points from the lower left corner, or pixels from the upper left one. */
export type Box = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** Measures a text in a font family, in any unit. */
export type MeasureText = (text: string, fontFamily: string) => number;

/** For fonts that do not state them: usual values of text fonts. */
const ASCENT = 0.8;
const DESCENT = -0.2;

/**
 * The corners of a part of a piece, in the space of its page. PDF states only the width of the whole piece: within it, letters are as
 * wide as in a font of the same kind, scaled to that width.
 */
export function cornersOf(
  { item, start: pieceStart }: PagePiece,
  { start, end }: Span,
  fonts: ReadPage["fonts"],
  measure: MeasureText,
): readonly (readonly [x: number, y: number])[] {
  const { str, width, height, transform, dir } = item;
  const font = fonts[item.fontName];
  const family = font?.fontFamily ?? "sans-serif";
  const whole = measure(str, family);
  const until = (offset: number) => {
    const share = whole === 0 ? 0 : measure(str.slice(0, Math.max(0, offset - pieceStart)), family) / whole;
    return width * Math.min(1, dir === "rtl" ? 1 - share : share);
  };
  const [a = 1, b = 0, , , x = 0, y = 0] = transform;
  const length = Math.hypot(a, b) || 1;
  const [ux, uy] = [a / length, b / length];
  const at = (along: number, up: number) => [x + along * ux - up * uy, y + along * uy + up * ux] as const;
  const [ascent, descent] = [font?.ascent || ASCENT, font?.descent || DESCENT].map((share) => share * height);
  const [from, to] = [until(start), until(end)];
  return [at(from, descent ?? 0), at(from, ascent ?? 0), at(to, descent ?? 0), at(to, ascent ?? 0)];
}

/** The smallest box around points. */
export function boxAround(points: readonly (readonly [x: number, y: number])[]): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** Joins boxes that follow each other on a line, so that a mark has no gaps between words. In pixels, from above. */
export function joinBoxes(boxes: readonly Box[]): Box[] {
  const joined: Box[] = [];
  for (const box of boxes) {
    const last = joined.at(-1);
    if (last !== undefined && isOnLineOf(last, box))
      joined[joined.length - 1] = {
        left: Math.min(last.left, box.left),
        right: Math.max(last.right, box.right),
        top: Math.min(last.top, box.top),
        bottom: Math.max(last.bottom, box.bottom),
      };
    else joined.push(box);
  }
  return joined;
}

/** Lines over the whole width have their centre near the middle, on either side of it; a right column lies well beyond. */
const RIGHT_COLUMN_SHARE = 0.6;

/** The side of a page, beside its own column, where the number of these boxes stands. */
export function sideOf(boxes: readonly Box[], pageWidth: number): "left" | "right" {
  const left = Math.min(...boxes.map((box) => box.left));
  const right = Math.max(...boxes.map((box) => box.right));
  return (left + right) / 2 > RIGHT_COLUMN_SHARE * pageWidth ? "right" : "left";
}

/** Moves ranges of the same axis, by their starts, down as far as they would lie on the one before. @returns their new starts */
export function stack(ranges: readonly { readonly start: number; readonly length: number }[]): number[] {
  let free = Number.NEGATIVE_INFINITY;
  return ranges.map(({ start, length }) => {
    const place = Math.max(start, free);
    free = place + length;
    return place;
  });
}

/** A wider gap, as a share of the height of the line, divides columns or cells; words of a justified line lie up to twice its height apart. */
const GAP_MAX = 2;

function isOnLineOf(before: Box, box: Box): boolean {
  const height = Math.min(before.bottom - before.top, box.bottom - box.top);
  const shared = Math.min(before.bottom, box.bottom) - Math.max(before.top, box.top);
  const gap = Math.max(before.left, box.left) - Math.min(before.right, box.right);
  return shared > height / 2 && gap <= GAP_MAX * height;
}
