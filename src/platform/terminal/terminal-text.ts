import stringWidth from "string-width";

/** Text with escapes for control characters, direction marks, tabs and line ends: it may contain commands for the terminal. */
export function visibleText(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** JSON in one line with the same escapes; JSON itself escapes only characters below a space. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** All of these are single UTF-16 units. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** The width of a text in terminal columns: two for a Chinese letter or an emoji, none for a combining mark. */
export const columnsOf: (text: string) => number = stringWidth;

/** Cuts a text to a number of columns, with an ellipsis for the rest. Reads only as much of a long text as fits. */
export function fitColumns(text: string, columnsMax: number): string {
  let columns = 0;
  let fits = "";
  for (const { segment, index } of graphemes.segment(text)) {
    columns += columnsOf(segment);
    if (columns > columnsMax) return columnsMax < 1 ? "" : `${fits}…`;
    if (columns < columnsMax) fits = text.slice(0, index + segment.length);
  }
  return text;
}

/** A count with its thousands separated: `12,345`. */
export function grouped(count: number): string {
  return count.toLocaleString("en");
}

/** Pads a text with spaces to a number of columns. */
export function padColumns(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Limits the padding of a column, so that one long cell does not push the next off the screen. */
const COLUMN_CHARS_MAX = 60;

/** Rows as lines of aligned columns with two spaces between them; cells are made safe by `visibleText`. */
export function textTable(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(visibleText));
  const widths: number[] = [];
  for (const row of shown) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.min(COLUMN_CHARS_MAX, Math.max(widths[column] ?? 0, columnsOf(cell)));
    }
  }
  return shown.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : padColumns(cell, widths[column] ?? 0)))
      .join("  "),
  );
}

export type Style = (format: Format | readonly Format[], text: string) => string;

export type Format = keyof typeof CODES;

/** The codes that start and end each format (ECMA-48). `util.styleText` needs a newer Node.js than the client. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  green: [32, 39],
} as const;

/** The style of output on a stream: colours on a terminal only, unless `FORCE_COLOR` or else `NO_COLOR` says otherwise. */
export function styleFor(
  { isTTY }: { readonly isTTY?: boolean },
  { FORCE_COLOR, NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): Style {
  const isWanted =
    FORCE_COLOR === undefined
      ? isTTY === true && !NO_COLOR && TERM !== "dumb"
      : FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (!isWanted) return (_, text) => text;
  return (format, text) =>
    [format].flat().reduce((styled, one) => {
      const [start, end] = CODES[one];
      return `\u001B[${start}m${styled}\u001B[${end}m`;
    }, text);
}
