import { normalizeUnicode } from "pdfjs-dist/legacy/build/pdf.mjs";
import { withAccents } from "./pdf-accents.ts";
import { cutAtGutters, type Row } from "./pdf-gutters.ts";
import type { HiddenRun, TextItem } from "./pdf-lines.ts";
import type { GlyphRun, PaintedGlyph } from "./pdf-painting.ts";
import { isFromLeft, readingOrder } from "./pdf-text-direction.ts";

export type PageTexts = { readonly items: readonly TextItem[]; readonly hidden: readonly HiddenRun[] };

/** So many characters of a line that begins on the page may run over its edge, as of a long line of a listing. */
const OVERFLOW_MAX = 30;

/** Gaps as shares of the size of the font: at most this, letters touch, also where a space stands between them. */
const TOUCHING = 0.03;

/** A wider gap stands for a space. */
const SPACE_MIN = 0.102;

/** A wider gap divides pieces, which may be cells. */
const FLOW_MAX = 0.6;

/** Text that begins farther back begins a piece. */
const BACK_MAX = 0.2;

/** A line that is raised by more, as a share of its height, is another piece; by more than its height, another line. */
const RAISED = 0.25;

/** The same letter within this distance of another one is drawn twice, to look bold. */
const REPEATED = 0.15;

/**
 * The pieces of text that a reader sees, as pdf.js cuts them: a piece ends where the font, the line or the column does. Letters that are
 * drawn twice count once, letters that are drawn in another order are read from one end of the line to the other, and spaces between
 * all letters of a word are no spaces.
 */
export function pageTexts(glyphs: readonly PaintedGlyph[]): PageTexts {
  const seen = withAccents(isOverdrawn(glyphs) ? withoutRepetitions(glyphs) : glyphs);
  const visible: PaintedGlyph[] = [];
  const hidden: HiddenRun[] = [];
  const behindHidden = new Map<PaintedGlyph, HiddenRun>();
  let run: PaintedGlyph[] = [];
  let before: PaintedGlyph | undefined;
  const endRun = () => {
    const ended = hiddenRun(run).filter(({ text }) => !isOverflow(run, text, before));
    hidden.push(...ended);
    run = [];
    return ended;
  };
  for (const glyph of seen) {
    const [first] = run;
    if (glyph.hidden !== undefined || (glyph.isSpace && first !== undefined)) {
      if (!glyph.isSpace && first !== undefined && first.hidden !== glyph.hidden) {
        endRun();
      }
      run.push(glyph);
      if (glyph.hidden !== undefined) continue;
    } else if (first !== undefined) {
      for (const one of endRun()) behindHidden.set(glyph, one);
    }
    visible.push(glyph);
    if (!glyph.isSpace) before = glyph;
  }
  endRun();
  return { items: rowsOf(visible).flatMap((row) => itemsOf(row, behindHidden)), hidden };
}

/** Whether text is the end of a line that runs over the edge of its page. */
function isOverflow(run: readonly PaintedGlyph[], text: string, before: PaintedGlyph | undefined): boolean {
  const [first] = run;
  if (first?.hidden !== "outside_page" || before === undefined || text.length > OVERFLOW_MAX) return false;
  return isOnRow(before, first) && Math.abs(alongTo(before, first)) < FLOW_MAX * first.run.em;
}

/** The text of characters that are hidden in the same way, and of the spaces between them. */
function hiddenRun(run: readonly PaintedGlyph[]): HiddenRun[] {
  const [first] = run;
  if (first?.hidden === undefined) return [];
  const items = rowsOf(run).flatMap((row) => itemsOf(row, new Map()));
  const text = items
    .map(({ str, hasEOL }) => (hasEOL ? `${str} ` : str))
    .join("")
    .trim();
  return text === "" ? [] : [{ means: first.hidden, text, x: first.x, y: first.y }];
}

/** Whether text begins within a line that is already drawn. */
function isOverdrawn(glyphs: readonly PaintedGlyph[]): boolean {
  const ends = new Map<number, number>();
  let last: PaintedGlyph | undefined;
  for (const glyph of glyphs) {
    if (glyph.isSpace) continue;
    const row = Math.round(glyph.y / 2);
    const end = Math.max(
      ends.get(row) ?? -Infinity,
      ends.get(row - 1) ?? -Infinity,
      ends.get(row + 1) ?? -Infinity,
    );
    if (glyph.run !== last?.run && glyph.x < end - BACK_MAX * glyph.run.em) return true;
    ends.set(row, Math.max(ends.get(row) ?? -Infinity, glyph.x + glyph.width));
    last = glyph;
  }
  return false;
}

/** The width of the cells in which a letter looks for an equal one. */
const CELL = 3;

/** The share of the letters that are drawn at once that must be repetitions: other texts over each other share some letters. */
const REPEATED_SHARE = 0.8;

/** Drops letters at the place of an equal letter. Of a hidden and a visible one, the visible one stays: it shows the text. */
function withoutRepetitions(glyphs: readonly PaintedGlyph[]): PaintedGlyph[] {
  const byChar = new Map<string, Map<number, PaintedGlyph[]>>();
  const twins = new Map<PaintedGlyph, PaintedGlyph>();
  for (const glyph of glyphs) {
    const cells = byChar.get(glyph.char) ?? new Map<number, PaintedGlyph[]>();
    byChar.set(glyph.char, cells);
    const [column, row] = [Math.round(glyph.x / CELL), Math.round(glyph.y / CELL)];
    let twin: PaintedGlyph | undefined;
    for (let at = 0; at < 9 && twin === undefined; at++) {
      const cell = cells.get(cellKey(column + (at % 3) - 1, row + Math.trunc(at / 3) - 1));
      twin = cell?.find((one) => one.run !== glyph.run && isRepeated(one, glyph));
    }
    if (twin !== undefined) twins.set(glyph, twin);
    const key = cellKey(column, row);
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [glyph]);
    else cell.push(glyph);
  }
  const dropped = new Set<PaintedGlyph>();
  for (const run of Map.groupBy(glyphs, (glyph) => glyph.run).values()) {
    const letters = run.filter(({ isSpace }) => !isSpace);
    if (letters.filter((glyph) => twins.has(glyph)).length < REPEATED_SHARE * letters.length) continue;
    for (const glyph of run) {
      const twin = twins.get(glyph);
      if (twin !== undefined)
        dropped.add(twin.hidden !== undefined && glyph.hidden === undefined ? twin : glyph);
    }
  }
  return glyphs.filter((glyph) => !dropped.has(glyph));
}

function cellKey(column: number, row: number): number {
  return row * 100_000 + column;
}

function isRepeated(one: PaintedGlyph, other: PaintedGlyph): boolean {
  const reach = REPEATED * Math.max(one.run.em, other.run.em);
  return Math.hypot(one.x - other.x, one.y - other.y) < Math.min(reach, 0.9 * Math.max(one.width, 0.1));
}

// Rows

/** Letters for which a page of letters in another order is recognised, and the share of them that begin another line. */
const SCATTERED_MIN = 40;
const SCATTERED_SHARE = 1 / 3;

/**
 * Rows for which a page of words or lines in another order is recognised, and the share of them that are drawn above the row before: in
 * any order it is about half of them, in a table of two-line cells less.
 */
const SCATTERED_ROWS_MIN = 10;
const SCATTERED_ROWS_SHARE = 0.45;

/** A row is above another by more than so many heights of its letters: the parts of a fraction are nearer. */
const ROW_ABOVE = 1;

function rowsOf(glyphs: readonly PaintedGlyph[]): readonly Row[] {
  const rows = drawnRows(glyphs);
  const isScattered =
    glyphs.length >= SCATTERED_MIN &&
    (rows.length > SCATTERED_SHARE * glyphs.length || areScattered(rows) || areInterlaced(rows));
  return cutAtGutters((isScattered ? rowsByPlace(glyphs) : rows).map(sortedRow));
}

/** Whether too many rows stand above the row before for a page that is drawn from its top. */
function areScattered(rows: readonly (readonly PaintedGlyph[])[]): boolean {
  if (rows.length < SCATTERED_ROWS_MIN) return false;
  const above = rows.filter(([glyph], at) => {
    const before = rows[at - 1]?.[0];
    if (glyph === undefined || before === undefined || before.run.direction[0] < 0.99) return false;
    return glyph.y - before.y > ROW_ABOVE * Math.max(glyph.run.height, before.run.height);
  });
  return above.length > SCATTERED_ROWS_SHARE * rows.length;
}

/** Whether a third of the rows stand between the letters of a row that is already drawn, and over none of them. */
function areInterlaced(rows: readonly (readonly PaintedGlyph[])[]): boolean {
  const byLine = Map.groupBy(rows, ([glyph]) => Math.round(glyph?.y ?? 0));
  let interlaced = 0;
  for (const [first = [], ...others] of byLine.values()) {
    let line = first.filter(({ isSpace }) => !isSpace);
    for (const other of others) {
      const row = other.filter(({ isSpace, isMark }) => !isSpace && !isMark);
      const [left, right] = [line[0]?.x ?? 0, line.at(-1)?.x ?? 0];
      const isInside = row.some(({ x }) => x > left && x < right);
      line = [...line, ...row].toSorted((a, b) => a.x - b.x);
      const over = line.filter((glyph, at) => {
        const before = line[at - 1];
        return before !== undefined && alongTo(before, glyph) < -BACK_MAX * glyph.run.em;
      });
      if (isInside && over.length * 10 < line.length) interlaced++;
    }
  }
  return interlaced > 0 && interlaced > SCATTERED_SHARE * rows.length;
}

function drawnRows(glyphs: readonly PaintedGlyph[]): PaintedGlyph[][] {
  const rows: PaintedGlyph[][] = [];
  let last: PaintedGlyph | undefined;
  for (const glyph of glyphs) {
    const row = rows.at(-1);
    if (row !== undefined && last !== undefined && (glyph.isMark || isOnRow(last, glyph))) row.push(glyph);
    else rows.push([glyph]);
    if (!glyph.isMark) last = glyph;
  }
  return rows;
}

/** Cosine of the largest angle between two characters of a row (about 8 degrees). */
const SAME_DIRECTION = 0.99;

function isOnRow(last: PaintedGlyph, glyph: PaintedGlyph): boolean {
  const [[ux, uy], [vx, vy]] = [last.run.direction, glyph.run.direction];
  if (last.run !== glyph.run && ux * vx + uy * vy <= SAME_DIRECTION) return false;
  return Math.abs(acrossTo(last, glyph)) <= 0.5 * Math.max(last.run.height, glyph.run.height);
}

/** All upright characters of a page by their places, line after line; the others as they are drawn. */
function rowsByPlace(glyphs: readonly PaintedGlyph[]): PaintedGlyph[][] {
  const upright = glyphs.filter(({ run }) => run.direction[0] > 0.99);
  const rows: PaintedGlyph[][] = [];
  for (const glyph of upright.toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row !== undefined && first !== undefined && isOnRow(first, glyph)) row.push(glyph);
    else rows.push([glyph]);
  }
  const others = glyphs.filter(({ run }) => run.direction[0] <= 0.99);
  return [...rows.map((row) => row.toSorted((a, b) => a.x - b.x)), ...drawnRows(others)];
}

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The row from its left to its right end if it is not drawn so. */
function sortedRow(row: readonly PaintedGlyph[]): Row {
  const [first] = row;
  let returns = 0;
  for (let at = 1; at < row.length; at++) {
    const [before, glyph] = [row[at - 1], row[at]];
    if (before === undefined || glyph === undefined) continue;
    if (alongTo(before, glyph) < -BACK_MAX * glyph.run.em) returns++;
  }
  const letters = row.filter(({ char }) => LETTER.test(char)).length;
  const fromRight = row.filter(({ char }) => RIGHT_TO_LEFT.test(char)).length;
  // A few words of the other direction do not turn the row.
  const isRightToLeft = returns > 0 && fromRight * 2 > letters;
  if (first === undefined || first.run.font.isVertical || returns < (fromRight > 0 ? 1 : 2))
    return { glyphs: row, isRightToLeft: false };
  const [ux, uy] = first.run.direction;
  const clusters: PaintedGlyph[][] = [];
  for (const glyph of row)
    if (glyph.isMark && clusters.length > 0) clusters.at(-1)?.push(glyph);
    else clusters.push([glyph]);
  const position = ([glyph]: readonly PaintedGlyph[]) => (glyph?.x ?? 0) * ux + (glyph?.y ?? 0) * uy;
  return { glyphs: clusters.toSorted((a, b) => position(a) - position(b)).flat(), isRightToLeft };
}

/** From the end of a character to the beginning of another one, along the direction of writing. */
function alongTo(from: PaintedGlyph, to: PaintedGlyph): number {
  const [ux, uy] = to.run.direction;
  const [vx, vy] = from.run.direction;
  return (to.x - from.x - vx * from.width) * ux + (to.y - from.y - vy * from.width) * uy;
}

/** How far a character stands above or below the line of another one. */
function acrossTo(from: PaintedGlyph, to: PaintedGlyph): number {
  const [ux, uy] = to.run.direction;
  const [vx, vy] = from.run.direction;
  return (to.y - from.y - vy * from.width) * ux - (to.x - from.x - vx * from.width) * uy;
}

// Pieces

/** A piece that grows. */
type Piece = { readonly first: PaintedGlyph; readonly chars: string[]; width: number; before?: HiddenRun };

function itemsOf(
  { glyphs, isRightToLeft }: Row,
  behindHidden: ReadonlyMap<PaintedGlyph, HiddenRun>,
): TextItem[] {
  const items: TextItem[] = [];
  const letters = glyphs.filter(({ isSpace }) => !isSpace);
  const widened = letterGaps(glyphs);
  const fromLeft = !isRightToLeft && isFromLeft(letters.map(({ char }) => char));
  let piece: Piece | undefined;
  const end = () => {
    if (piece !== undefined) items.push(itemOf(piece, fromLeft));
    piece = undefined;
  };
  let last: PaintedGlyph | undefined;
  let isBehindSpace = false;
  /** Of the last space; a font may lack the widths of its characters. */
  let hasWidth = true;
  for (const glyph of glyphs) {
    if (glyph.isSpace) {
      isBehindSpace = true;
      hasWidth = glyph.width > 0;
      continue;
    }
    if (last !== undefined && piece !== undefined && !glyph.isMark) {
      const along = alongTo(last, glyph);
      const gap = (along - (widened.get(glyph) ?? 0)) / last.run.em;
      const isOther = isOtherPiece(last, glyph) || Math.abs(acrossTo(last, glyph)) > RAISED * last.run.height;
      const divides = behindHidden.get(glyph);
      if (gap < -BACK_MAX) end();
      else if (gap > SPACE_MIN || (isBehindSpace && (gap > TOUCHING || !hasWidth))) {
        if (divides !== undefined || (gap <= FLOW_MAX && !isOther)) piece.chars.push(" ");
        else {
          const from = piece;
          end();
          items.push(spaceBetween(last, along, from.first.run.font.name, isRightToLeft));
        }
      }
      if (piece !== undefined) {
        piece.width += along;
        if (divides !== undefined) piece.before = divides;
        if (divides !== undefined || isOther) end();
      }
    }
    piece ??= { first: glyph, chars: [], width: 0 };
    piece.chars.push(glyph.char);
    piece.width += glyph.isMark ? 0 : glyph.width;
    if (!glyph.isMark) last = glyph;
    isBehindSpace = false;
  }
  end();
  if (letters.length === 0) return [];
  const ordered = isRightToLeft ? items.reverse() : items;
  const final = ordered.at(-1);
  return final === undefined ? [] : [...ordered.slice(0, -1), { ...final, hasEOL: true }];
}

function isOtherPiece({ run: one }: PaintedGlyph, { run: other }: PaintedGlyph): boolean {
  return one !== other && (one.font !== other.font || Math.abs(one.height - other.height) > 0.01);
}

function itemOf({ first, chars, width, before }: Piece, isInRowFromLeft: boolean): TextItem {
  const { run, x, y } = first;
  const { text, direction } = run.font.isVertical
    ? { text: chars.join(""), direction: "ltr" }
    : readingOrder(chars, isInRowFromLeft);
  return {
    str: normalizeUnicode(text),
    dir: direction,
    transform: [...run.matrix, x, y],
    width: run.font.isVertical ? Math.hypot(run.matrix[0], run.matrix[1]) : Math.abs(width),
    height: run.font.isVertical ? Math.abs(width) : run.height,
    fontName: run.font.name,
    hasEOL: false,
    ...(before && { before }),
  };
}

function spaceBetween(
  { run, x, y, width: own }: PaintedGlyph,
  width: number,
  fontName: string,
  isRightToLeft: boolean,
): TextItem {
  const [ux, uy] = run.direction;
  const transform = [...run.matrix, x + ux * own, y + uy * own];
  return {
    str: " ",
    dir: isRightToLeft ? "rtl" : "ltr",
    transform,
    width: Math.abs(width),
    height: 0,
    fontName,
    hasEOL: false,
  };
}

// Letter spacing

/** Letters that are spaced apart, at least, for their gaps not to be spaces. */
const SPACED_LETTERS_MIN = 5;

/** Wider gaps are compared with the gaps between words of the same line, if the letters are fewer than this. */
const SPACED_LETTERS_SURE = 16;

/** Fewer gaps do not show that a text is spaced: the file may state as spacing the space between two words. */
const SPACED_GAPS_MIN = 2;

/** A usual space is wider than this. */
const USUAL_SPACE = 0.22;

/** The widest gap between spaced words, and with it all gaps that are looked at. */
const WORD_GAP_MAX = 2;

/** A gap between spaced words is wider than the gaps between their letters by more than this. */
const WORD_GAP = 0.15;

type SpacedGap = {
  readonly glyph: PaintedGlyph;
  /** Without the spacing that the file states, as a share of the size of the font. */
  readonly gap: number;
  readonly em: number;
  /** Whether the file has a space in it. */
  readonly hasSpace: boolean;
};

/** How much of the gap before a character belongs to the spacing of the letters: as the file states it, or as the gaps of many letters show. */
function letterGaps(glyphs: readonly PaintedGlyph[]): ReadonlyMap<PaintedGlyph, number> {
  const widened = new Map<PaintedGlyph, number>();
  const statesSpacing = spacedRuns(glyphs);
  let spaced: SpacedGap[] = [];
  const end = () => {
    const between = spaced.filter(({ hasSpace }) => !hasSpace);
    const gaps = between.map(({ gap }) => gap).toSorted((a, b) => a - b);
    // Where spaces divide the words, the other gaps lie between letters.
    const usual = gaps[gaps.length >> (gaps.length < spaced.length ? 1 : 2)] ?? 0;
    const hasWords = spaced.some(({ gap }) => gap > usual + WORD_GAP);
    const letters = between.filter(({ glyph }) => LETTER.test(glyph.char)).length;
    const isSpacing = usual <= FLOW_MAX && letters * 2 > gaps.length && gaps.length + 1 >= SPACED_LETTERS_MIN;
    const isSure = hasWords || usual < USUAL_SPACE || gaps.length + 1 >= SPACED_LETTERS_SURE;
    if (isSpacing && isSure)
      for (const { glyph, gap, em } of between)
        widened.set(glyph, gap > usual + WORD_GAP ? 0 : (widened.get(glyph) ?? 0) + gap * em);
    spaced = [];
  };
  let last: PaintedGlyph | undefined;
  let isBehindSpace = false;
  for (const glyph of glyphs) {
    if (glyph.isSpace || glyph.isMark) {
      isBehindSpace ||= glyph.isSpace;
      continue;
    }
    if (last !== undefined) {
      const { em, spacing } = last.run;
      const own = spacing > 0 && statesSpacing.has(spacingOf(last.run)) ? spacing : 0;
      if (own > 0) widened.set(glyph, own);
      const gap = (alongTo(last, glyph) - own) / em;
      if (gap > SPACE_MIN && gap <= WORD_GAP_MAX) spaced.push({ glyph, gap, em, hasSpace: isBehindSpace });
      else end();
    }
    last = glyph;
    isBehindSpace = false;
  }
  end();
  return widened;
}

/** The font and the spacing of a run: words of one line may be drawn one by one. */
function spacingOf({ font, em, spacing }: GlyphRun): string {
  return `${font.name} ${em.toFixed(1)} ${spacing.toFixed(2)}`;
}

/** The spacings by which letters really are apart. Some programs state a spacing and take it back at each letter but one. */
function spacedRuns(glyphs: readonly PaintedGlyph[]): ReadonlySet<string> {
  const gaps = new Map<string, boolean[]>();
  let last: PaintedGlyph | undefined;
  for (const glyph of glyphs) {
    const { run, isSpace, isMark } = glyph;
    if (isMark) continue;
    if (last?.run === run && !isSpace && run.spacing > 0.5 * SPACE_MIN * run.em) {
      const own = gaps.get(spacingOf(run)) ?? [];
      gaps.set(spacingOf(run), own);
      own.push(alongTo(last, glyph) > 0.5 * run.spacing);
    }
    last = isSpace ? undefined : glyph;
  }
  const isSpaced = (own: readonly boolean[]) => 2 * own.filter(Boolean).length > own.length;
  return new Set(
    [...gaps].flatMap(([key, own]) => (own.length >= SPACED_GAPS_MIN && isSpaced(own) ? [key] : [])),
  );
}
