// Characters that show nothing or next to nothing, as parts of regular expressions with the `v` flag.

/** Arabic, Syriac and Kaithi signs that enclose the digits after them: format characters that can be seen. */
const NUMBER_SIGNS = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;

/** Unicode's default ignorables, format and control characters, noncharacters, an empty note head. Two Hangul fillers are wide. */
export const INVISIBLE = String.raw`[[\p{DI}\p{NChar}[\p{Cf}--${NUMBER_SIGNS}][\p{Cc}--[\t-\r\x85]]\u{1d159}]--[\u3164\uffa0]]`;

/** Between two letters invisible or senseless: a hair space, a control that elsewhere ends a line, the place of an object, number signs. */
export const INVISIBLE_IN_WORD = String.raw`[\x85\u200a\ufffc${NUMBER_SIGNS}]`;

/** The longest row of them that is seen: a bound for the regular expression engine's stack (64 MB). */
export const INVISIBLE_MAX = 1000;

/** Characters that end a line, and that many programs show as nothing. */
export const LINE_SEPARATOR = String.raw`[\v\f\u2028\u2029]`;

/** A line too short to be one: a single letter, or the ends of two or three words. Lines of one whole word are a list. */
const CUT_LINE = String.raw`(?:\p{L}|[^\s]{1,20}(?:[ \xa0][^\s]{1,20}){1,2})`;

/** Line separators inside words: beside a line that is too short, without a capital after them as in lists and verse. */
export const SEPARATOR_IN_WORD = [
  // First, because it rules out most places at once.
  `(?=${LINE_SEPARATOR})`,
  String.raw`(?:(?<=[\p{L}\p{M}])(?=${LINE_SEPARATOR}{1,${INVISIBLE_MAX}}[\p{Ll}\p{Lo}\p{Lm}])|(?<=\p{Lu})(?=${LINE_SEPARATOR}{1,${INVISIBLE_MAX}}\p{Lu}))`,
  `(?:(?<=${LINE_SEPARATOR}${CUT_LINE})|(?=${LINE_SEPARATOR}{1,${INVISIBLE_MAX}}${CUT_LINE}${LINE_SEPARATOR}))${LINE_SEPARATOR}{1,${INVISIBLE_MAX}}`,
].join("");

/** Marks that stack or join letters of their own scripts and show nothing on others (Indic_Syllabic_Category), and a filler. */
export const INVISIBLE_ON_OTHERS = String.raw`[\u1039\u17d2\u1a60\u1bab\uaaf6\u{10a3f}\u{1107f}\u{11133}\u{113d0}\u{1193e}\u{11a47}\u{11a99}\u{11d45}\u{11d97}\u{11f42}\u{16fe4}]`;

/** The characters that those marks do not belong to. */
export const OTHERS = String.raw`[\0-\x7f\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]`;
