/**
 * Pieces of which patterns that backtrack, or loops within loops, are slow when they stand in a row: letters, marks,
 * blanks, brackets, quotation marks, headings, references, letters of look-alike alphabets, scripts without spaces.
 */
export const TRAP_PIECES = [
  ...[
    "a",
    "A",
    "a ",
    "a. ",
    "a.b.",
    "a-",
    "a@",
    "t e x t ",
    "T-e-x-t ",
    "t  e  x  t  ",
    "A.B. ",
    "Dr. ",
    "e.g. ",
  ],
  ...[
    "\u0301",
    "e\u0301",
    " \u0301",
    "\u0323\u0302",
    "\u200b",
    "\u200ba",
    "\u202e",
    "\u202ea ",
    "\u200d",
    "\u034f",
  ],
  ...["\ud800", "\udc00", "\u{1f600}\u200d", "\u{1f1e6}", "\0", "\uffff"],
  ...[" ", "\t", "\n", "\r\n", " \n", "\u00a0", "\u0085", "\u2028", "\u3164"],
  ...["(", "((", "[", '"', "''", "'", "`", "“", "”", "«", "»", "‘", "’", "> ", ">\n", "> a\n"],
  ...["- \n", "-\n", "a-\n", "a-\r\n  ", "1914-\n18 ", "#", "# ", "==", "= a =\n", "a\n---\n"],
  ...["0", "1,", "1.", "1. ", "[1] ", "[1]\n", "(2001) ", "(2001). ", "²", "½", "http://", "doi:10.1000/1 "],
  ...["References\n", "References \n", "1. References\n", "Smith, J. (2001). A title. Journal 3, 4-5.\n"],
  ...[
    "…",
    "..",
    "?!",
    "·",
    "_",
    "__ ",
    "a? ",
    "。",
    "中",
    "中 ",
    "中。",
    "ก",
    "น้ำ",
    "か\u3099",
    "ᄀ",
    "각",
    "\u17d2ក",
  ],
  ...["ß", "İ", "а", "аa", "aа ", "p а y ", "𝐚", "ⓐ", "🅰", "ᴀ", "㍿", "ﷺ", "ـ ل", "می\u200c", "\u0600"],
] as const;

/** What stands before and after the row: a pattern that fails only at its end is the slowest. */
export const TRAP_ENDS = [
  ["", ""],
  ["x", "!"],
  ["\n", "\nz"],
] as const;

/** Texts of `units` UTF-16 units and a little more, each a row of one piece. */
export function* trapTexts(units: number): Generator<string> {
  for (const piece of TRAP_PIECES) {
    const row = piece.repeat(Math.ceil(units / piece.length));
    for (const [before, after] of TRAP_ENDS) yield before + row + after;
  }
}
