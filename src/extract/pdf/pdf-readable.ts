import type { PageFont } from "./pdf-font.ts";
import type { PaintedGlyph } from "./pdf-painting.ts";

/** Characters that no font of text has: controls, unassigned ones, and the sign for an unknown one. */
const CONTROL = /[[\p{Cc}--\s]\p{Cn}\ufffd]/v;

/** Characters without a meaning of their own, which some fonts have for signs such as bullets. */
const PRIVATE = /\p{Co}/u;

/** The share of a font's characters on a page from which on its character map is missing or wrong. */
const CONTROL_SHARE = 0.02;
const PRIVATE_SHARE = 0.3;

/** Fewer characters of a font may be signs. */
const CHARACTERS_MIN = 20;

/** Text whose neighbouring letters are of different alphabets this often is in no language, if these are at least so many. */
const CHANGES_SHARE = 0.25;
const ALPHABETS_MIN = 3;

/** Japanese and Korean mix theirs, which so count as one. */
const ALPHABETS = [
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]",
  ..."Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Ethiopic Cherokee Canadian_Aboriginal Khmer Mongolian"
    .split(" ")
    .map((name) => `\\p{Script=${name}}`),
].map((alphabet) => new RegExp(alphabet, "u"));

/** The share of a page's characters that can't be read from which on the page counts as unreadable. */
const PAGE_SHARE = 0.2;

export type ReadableGlyphs = {
  readonly glyphs: readonly PaintedGlyph[];
  /** Whether a part of the page's text can't be read: the characters of its font have no map, or a wrong one. */
  readonly isUnreadable: boolean;
};

/**
 * Replaces characters that can't be read by the text that the file states for them (`ActualText`), and leaves out the text of fonts whose
 * characters can't be read. That text is not used for other characters: it could say something else than the page shows.
 * @param actualTexts called if they are needed; by the number of their marked content
 */
export function readableGlyphs(
  all: readonly PaintedGlyph[],
  actualTexts: () => ReadonlyMap<number, string>,
): ReadableGlyphs {
  const shown = all.filter(({ isSpace }) => !isSpace);
  const broken = new Set<PageFont>();
  for (const [font, glyphs] of Map.groupBy(shown, ({ run }) => run.font))
    if (isBroken(glyphs)) broken.add(font);
  if (broken.size === 0 && !shown.some(({ char }) => kindOf(char) === "control"))
    return { glyphs: all, isUnreadable: false };
  const texts = actualTexts();
  const isLost = ({ char, run }: PaintedGlyph) =>
    broken.has(run.font) || CONTROL.test(char) || PRIVATE.test(char);
  const told = new Set(
    shown.filter((glyph) => isLost(glyph) && texts.has(glyph.run.mark)).map(({ run }) => run.mark),
  );
  const begun = new Set<number>();
  for (const glyph of shown.filter(({ run }) => told.has(run.mark))) {
    glyph.char = begun.has(glyph.run.mark) ? "" : (texts.get(glyph.run.mark) ?? "");
    begun.add(glyph.run.mark);
  }
  const lost = shown.filter((glyph) => !told.has(glyph.run.mark) && broken.has(glyph.run.font));
  const isUnreadable = lost.length >= CHARACTERS_MIN && lost.length > PAGE_SHARE * shown.length;
  const left = new Set(lost);
  for (const glyph of shown) if (!told.has(glyph.run.mark) && CONTROL.test(glyph.char)) glyph.char = "\ufffd";
  return { glyphs: isUnreadable ? all.filter((glyph) => !left.has(glyph)) : all, isUnreadable };
}

function isBroken(glyphs: readonly PaintedGlyph[]): boolean {
  if (glyphs.length < CHARACTERS_MIN) return false;
  let [controls, privates, changes] = [0, 0, 0];
  const alphabets = new Set<number>();
  let last = -1;
  for (const { char } of glyphs) {
    const kind = kindOf(char);
    if (kind === "control") controls++;
    else if (kind === "private") privates++;
    else if (kind >= 0) {
      if (last >= 0 && kind !== last) changes++;
      alphabets.add(kind);
      last = kind;
    }
  }
  if (controls > CONTROL_SHARE * glyphs.length || privates > PRIVATE_SHARE * glyphs.length) return true;
  return alphabets.size >= ALPHABETS_MIN && changes > CHANGES_SHARE * glyphs.length;
}

const KINDS = new Map<string, "control" | "private" | number>();

/** The index of a letter's alphabet, or -1; cached, because most texts have few characters. */
function kindOf(char: string): "control" | "private" | number {
  const known = KINDS.get(char);
  if (known !== undefined) return known;
  const kind = CONTROL.test(char)
    ? "control"
    : PRIVATE.test(char)
      ? "private"
      : ALPHABETS.findIndex((alphabet) => alphabet.test(char));
  if (KINDS.size < 10_000) KINDS.set(char, kind);
  return kind;
}
