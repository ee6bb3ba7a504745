import type { PaintedGlyph } from "./pdf-painting.ts";

/** OT1, the first encoding of the text fonts of TeX, where it is not ASCII. */
const OT1 = new Map([
  ...charactersFrom(0x0b, "ff fi fl ffi ffl ı ȷ ` ´ ˇ ˘ ¯ ˚ ¸ ß æ œ ø Æ Œ Ø"),
  ...charactersFrom(0x5e, "ˆ ˙"),
  ...charactersFrom(0x7b, "– — ˝ ˜ ¨"),
  ...[...'"\\<>'].map((char, at) => [char, "”“¡¿"[at] ?? ""] as const),
]);

/** T1, the encoding of its European fonts, where it is not Latin 1. */
const T1 = new Map([
  ...charactersFrom(0x00, "` ´ ˆ ˜ ¨ ˝ ˚ ˇ ˘ ¯ ˙ ¸ ˛ ‚ ‹ › “ ” „ « » – —"),
  ...charactersFrom(0x19, "ı ȷ ff fi fl ffi ffl"),
  ...charactersFrom(0x7f, "- Ă Ą Ć Č Ď Ě Ę Ğ Ĺ Ľ Ł Ń Ň Ŋ Ő Ŕ Ř Ś Š Ş Ť Ţ Ű Ů Ÿ Ź Ž Ż Ĳ İ đ §"),
  ...charactersFrom(0xa0, "ă ą ć č ď ě ę ğ ĺ ľ ł ń ň ŋ ő ŕ ř ś š ş ť ţ ű ů ÿ ź ž ż ĳ ¡ ¿ £"),
  ...charactersFrom(0xd7, "Œ"),
  ...charactersFrom(0xdf, "SS"),
  ...charactersFrom(0xf7, "œ"),
  ...charactersFrom(0xff, "ß"),
]);

/** The letters of T2A and its sisters, the Cyrillic encodings, which have them at one place. */
const T2 = new Map([
  ...T1,
  ...Array.from(
    { length: 64 },
    (_, at) => [String.fromCharCode(0xc0 + at), String.fromCharCode(0x410 + at)] as const,
  ),
  ...charactersFrom(0x9c, "Ё"),
  ...charactersFrom(0xbc, "ё"),
]);

function charactersFrom(code: number, characters: string): (readonly [code: string, character: string])[] {
  return characters.split(" ").map((one, at) => [String.fromCharCode(code + at), one] as const);
}

/** A font of text has so many letters, as a share of its characters, and so many of them stand behind another one. */
const LETTERS_SHARE = 0.5;
const BEHIND_LETTER_SHARE = 0.5;

/** A font has more different letters than a formula. */
const LETTERS_DIFFERENT_MIN = 4;

/** From this share of letters beyond ASCII on, a text is Cyrillic. */
const CYRILLIC_SHARE = 0.7;

/** The ligatures and the accent that OT1 has where other encodings have signs that are rare or stand alone. */
const isOt1Sign = (char: string) => (char >= "\x0b" && char <= "\x0f") || char === "\x7f";

const LETTER = /[A-Za-z\x80-\xff]/;

/**
 * Replaces the codes of characters by the characters, for fonts of TeX whose glyphs have no names: fonts drawn as pictures (Type 3), and
 * Computer Modern with a map of some of its characters only. The encoding shows in the codes that the page uses.
 * @param glyphs change in place
 */
export function readTexFonts(glyphs: readonly PaintedGlyph[]): void {
  const coded = glyphs.filter(({ isSpace, run }) => !isSpace && run.font.hasCodes);
  for (const [font, own] of Map.groupBy(coded, ({ run }) => run.font)) {
    const encoding = font.isType3 ? encodingOf(own) : OT1;
    for (const glyph of own) glyph.char = encoding?.get(glyph.char) ?? glyph.char.replace(/[\v\f\r]/, " ");
  }
}

/** Undefined for a font of formulas, of signs, or of ASCII alone. */
function encodingOf(glyphs: readonly PaintedGlyph[]): ReadonlyMap<string, string> | undefined {
  const letters = glyphs.filter(({ char }) => LETTER.test(char));
  const behindLetter = glyphs.filter(({ char, run }, at) => {
    const before = glyphs[at - 1];
    return before?.run === run && LETTER.test(char) && LETTER.test(before.char);
  });
  if (
    letters.length < LETTERS_SHARE * glyphs.length ||
    behindLetter.length < BEHIND_LETTER_SHARE * letters.length
  )
    return undefined;
  const text = glyphs.map(({ char }) => char).join("");
  if (new Set(text.match(/[A-Za-z\xc0-\xff]/g)).size < LETTERS_DIFFERENT_MIN) return undefined;
  const beyond = letters.filter(({ char }) => char >= "\xc0").length;
  if (beyond > CYRILLIC_SHARE * letters.length) return T2;
  if (/[\x80-\xff]/.test(text) || !glyphs.some(({ char }) => isOt1Sign(char))) return T1;
  return new Set(letters.map(({ width }) => width.toFixed(1))).size > 1 ? OT1 : undefined;
}
