export type Cell = string | number | boolean | null;

/**
 * A table in CSV (RFC 4180): a header with the columns, CRLF after each line, and quotes around cells that need them.
 * Numbers are written as in JSON, and null is an empty cell. A text that a spreadsheet would take for a formula is defused.
 */
export function toCsv<C extends string>(
  columns: readonly C[],
  rows: readonly { readonly [column in C]: Cell | undefined }[],
): string {
  return [...csvLines(columns, rows)].join("");
}

/** Tells Excel, which opens other files in the machine's old encoding, that this is UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** The same line by line, for streaming. */
export function* csvLines<C extends string>(
  columns: readonly C[],
  rows: Iterable<{ readonly [column in C]: Cell | undefined }>,
): Generator<string> {
  yield `${columns.join(",")}\r\n`;
  for (const row of rows) yield lineOf(columns, row);
}

/** A file with the same table line by line, for items that are read in batches. */
export async function* csvFile<C extends string, T>(
  columns: readonly C[],
  batches: AsyncIterable<readonly T[]>,
  rowOf: (item: T) => { readonly [column in C]: Cell },
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${columns.join(",")}\r\n`;
  for await (const items of batches) for (const item of items) yield lineOf(columns, rowOf(item));
}

function lineOf<C extends string>(
  columns: readonly C[],
  row: { readonly [column in C]: Cell | undefined },
): string {
  return `${columns.map((column) => csvCell(row[column])).join(",")}\r\n`;
}

/** A cell as it stands in the file; also used by the pages, whose figures are saved as CSV. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const text = defused(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A text with an apostrophe before each formula sign at its start and after a semicolon, a tab or a line end. Where a
 * spreadsheet expects one of these between cells instead of the comma, it cuts quoted cells there as well. A number stays.
 */
export function defused(text: string): string {
  if (NUMBER.test(text)) return text;
  return text.replace(FORMULA_START, "'$&").replace(FORMULA_INSIDE, "'$&");
}

/** Some programs skip white space and invisible characters before a formula, and accept full-width and small signs. */
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** Looks back from each sign, so that each character between two signs is read once. */
const FORMULA_INSIDE = /[=+\-@＝＋－＠﹦﹢﹣﹫](?<=[;\t\r\n][";\s\p{Cc}\p{Cf}]*.)/gu;

/** Matches digits in only one way, since a copied passage may have half a million of them. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const NEEDS_QUOTES = /[",;\t\r\n]/;
