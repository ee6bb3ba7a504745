/** Word characters, for regular expressions with the `v` flag. Superscripts and the like (No) are mostly footnote marks. */
export const WORD_CHARACTER = String.raw`[\p{L}\p{M}\p{Nd}\p{Nl}]`;

/** Word characters of the scripts that are written without spaces between words and that ICU has a dictionary for. */
export const UNSPACED_CHARACTER = String.raw`[${WORD_CHARACTER}&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]`;

/** Word characters of all other scripts. */
const SPACED_CHARACTER = `[${WORD_CHARACTER}--${UNSPACED_CHARACTER}]`;

/** A longer run is cut here: unbounded repetition would exhaust the stack, as documents may have 20 million characters. */
export const RUN_LENGTH_MAX = 10_000;

/** A run of spaced characters is a word; any mark on one belongs to it, even of an unspaced script. */
export const SPACED_RUN = `(?:${SPACED_CHARACTER}[${SPACED_CHARACTER}\\p{M}]{0,${RUN_LENGTH_MAX - 1}})`;

/** No such character stands before or after a whole spaced run. */
export const SPACED_CHARACTER_OR_MARK = `[${SPACED_CHARACTER}\\p{M}]`;

/** Whether a UTF-16 unit is an ASCII letter or digit. */
export function isAsciiWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
}

/** Whether a UTF-16 unit is an ASCII character that is part of no word: a space, a sign or a control. */
export function isAsciiBorder(unit: number): boolean {
  return unit < 128 && !isAsciiWordUnit(unit);
}

/** Whether a UTF-16 unit is one of the ASCII characters that `\s` stands for. */
export function isAsciiSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}
