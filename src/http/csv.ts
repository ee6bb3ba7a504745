/** What a cell of a table may hold. */
export type Cell = string | number | boolean | null;

/**
 * A table as RFC 4180 has it: a header with the columns, CRLF after each line, and quotes around cells that need them.
 * Numbers are written as JSON writes them, null as nothing. A text that a spreadsheet would take for a formula gets an
 * apostrophe before it.
 */
export function toCsv<C extends string>(
  columns: readonly C[],
  rows: readonly { readonly [column in C]: Cell }[],
): string {
  return [...csvLines(columns, rows)].join("");
}

/** The same line by line, for a table that is sent while it is made. */
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

/** Some programs pass over white space before a formula, and take the wide forms of its signs for the signs. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** Digits have one way to match: a copied passage may be half a million of them. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const NEEDS_QUOTES = /[",\r\n]/;
