export type Cell = string | number | boolean | null;

/**
 * A table in CSV (RFC 4180): a header with the columns, CRLF after each line, and quotes around cells that need them.
 * Numbers are written as in JSON, and null is an empty cell. A text that a spreadsheet would take for a formula gets a
 * leading apostrophe.
 */
export function toCsv<C extends string>(
  columns: readonly C[],
  rows: readonly { readonly [column in C]: Cell }[],
): string {
  return [...csvLines(columns, rows)].join("");
}

/** The same line by line, for streaming. */
export function* csvLines<C extends string>(
  columns: readonly C[],
  rows: Iterable<{ readonly [column in C]: Cell }>,
): Generator<string> {
  yield `${columns.join(",")}\r\n`;
  for (const row of rows) yield `${columns.map((column) => cellOf(row[column])).join(",")}\r\n`;
}

function cellOf(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = FORMULA_START.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Some programs skip white space before a formula, and accept full-width signs. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** Matches digits in only one way, since a copied passage may have half a million of them. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const NEEDS_QUOTES = /[",\r\n]/;
