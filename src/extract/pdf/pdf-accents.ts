import type { PaintedGlyph } from "./pdf-painting.ts";

/** The accents that fonts have as glyphs of their own, and the marks that they are on a letter. The arrow of vectors may have the code of `~`. */
const MARKS = new Map([
  ["`", "\u0300"],
  ["\u00b4", "\u0301"],
  ["\u02c6", "\u0302"],
  ["\u02dc", "\u0303"],
  ["\u00af", "\u0304"],
  ["\u02c9", "\u0304"],
  ["\u02d8", "\u0306"],
  ["\u02d9", "\u0307"],
  ["\u00a8", "\u0308"],
  ["\u00b0", "\u030a"],
  ["\u02da", "\u030a"],
  ["\u02dd", "\u030b"],
  ["\u02c7", "\u030c"],
  ["\u00b8", "\u0327"],
  ["\u02db", "\u0328"],
]);

const DOTLESS = new Map([
  ["\u0131", "i"],
  ["\u0237", "j"],
]);

/** An accent on a letter lies over this share of the narrower one at least. Kerning moves an accent that stands alone by less. */
const OVER_SHARE = 0.6;

/** How far an accent may be raised (on a capital) or lowered, as shares of the size of the font. */
const RAISED_MAX = 0.5;
const LOWERED_MAX = 0.1;

/**
 * Joins accents with the letters over which they are drawn, before or after them, as old fonts of LaTeX draw "ö". Accents of another font
 * stay alone, because they belong to formulas. So does an accent that forms no letter with the one below it.
 */
export function withAccents(glyphs: readonly PaintedGlyph[]): readonly PaintedGlyph[] {
  if (!glyphs.some(({ char }) => MARKS.has(char))) return glyphs;
  const joined: (PaintedGlyph | undefined)[] = [...glyphs];
  for (const [at, accent] of glyphs.entries()) {
    const mark = MARKS.get(accent.char);
    if (mark === undefined) continue;
    for (const beside of [at + 1, at - 1]) {
      const letter = joined[beside];
      const char = letter && isOver(accent, letter) ? composed(letter.char, mark) : undefined;
      if (letter === undefined || char === undefined) continue;
      joined[beside] = { ...letter, char };
      joined[at] = undefined;
      break;
    }
  }
  return joined.filter((glyph) => glyph !== undefined);
}

/** The letter with a mark; undefined if Unicode has no such letter. */
function composed(letter: string, mark: string): string | undefined {
  const char = `${DOTLESS.get(letter) ?? letter}${mark}`.normalize("NFC");
  return /^\p{L}$/u.test(char) ? char : undefined;
}

function isOver(accent: PaintedGlyph, letter: PaintedGlyph): boolean {
  const { run } = accent;
  if (run.font !== letter.run.font || run.font.isVertical || accent.hidden !== letter.hidden) return false;
  const [ux, uy] = run.direction;
  const [dx, dy] = [accent.x - letter.x, accent.y - letter.y];
  const along = dx * ux + dy * uy;
  const raised = (dy * ux - dx * uy) / run.em;
  const over = Math.min(along + accent.width, letter.width) - Math.max(along, 0);
  const isAtHeight = raised <= RAISED_MAX && raised >= -LOWERED_MAX;
  return isAtHeight && over >= OVER_SHARE * Math.min(accent.width, letter.width);
}
