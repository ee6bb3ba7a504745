import type { ScannedLine, ScannedWord } from "../text/scanned-page.ts";
import { drawnLines, type HiddenRun, type PageLine, type TextItem } from "./pdf-lines.ts";
import type { ReadPage } from "./pdf-page.ts";

/** The name of the font of scanned words; its measures are shares of the height of their lines. */
const SCANNED_FONT = "scanned";
const SCANNED_FONT_STYLE = { fontFamily: "serif", ascent: 0.75, descent: -0.25 };

/**
 * A page with the lines that OCR has read in place of the ones that the file draws, except the values of its form fields and the text
 * that was typed onto it. The browser makes the same page of the same lines, to find the places of a text on it.
 */
export function withScannedLines(read: ReadPage, lines: readonly ScannedLine[]): ReadPage {
  const typed = read.lines.filter(({ pieces }) => pieces === undefined);
  const hidden: Pick<HiddenRun, "means" | "text">[] = [
    ...(read.hidden ?? []),
    ...read.lines.flatMap((line) => line.hidden ?? []),
  ];
  const { gap: _, hidden: __, ...page } = read;
  return {
    ...page,
    lines: [...scannedLines(lines), ...typed],
    fonts: { ...read.fonts, [SCANNED_FONT]: SCANNED_FONT_STYLE },
    gap: undefined,
    ...(hidden.length > 0 && { hidden }),
  };
}

function scannedLines(lines: readonly ScannedLine[]): PageLine[] {
  return drawnLines(lines.flatMap(itemsOf));
}

/** Scripts that have no blanks between words; OCR takes their signs for words. */
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function itemsOf({ direction, height, is_right_to_left: isRightToLeft = false, words }: ScannedLine) {
  const { x: ux, y: uy } = direction;
  const item = ({ text, x, y, width }: ScannedWord, hasEOL: boolean): TextItem => ({
    str: text,
    transform: [height * ux, height * uy, -height * uy, height * ux, x, y],
    width,
    height,
    hasEOL,
    dir: isRightToLeft ? "rtl" : "ltr",
    fontName: SCANNED_FONT,
  });
  const spaceBetween = (left: ScannedWord, right: ScannedWord): ScannedWord => {
    const [x, y] = [left.x + ux * left.width, left.y + uy * left.width];
    return { text: " ", x, y, width: Math.max(0, (right.x - x) * ux + (right.y - y) * uy) };
  };
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (next === undefined) return [item(word, true)];
    if (WITHOUT_BLANKS.test(word.text.slice(-1)) && WITHOUT_BLANKS.test(next.text.slice(0, 1)))
      return [item(word, false)];
    const space = isRightToLeft ? spaceBetween(next, word) : spaceBetween(word, next);
    return [item(word, false), item(space, false)];
  });
}
