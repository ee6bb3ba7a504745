import { styleText } from "node:util";
import stringWidth from "string-width";

/**
 * Text as it may stand on a terminal: control characters, direction marks and line separators are shown as escapes, because
 * a name or a text may hold what a terminal takes for a command. Tabs and line ends count among them.
 */
export function visibleText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** JSON in one line in which these characters are escaped too; JSON itself escapes only those below a space. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** How many columns of a terminal a text takes: two for a letter of Chinese or an emoji, none for a combining mark. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** A text in at most so many columns; what is cut off leaves an ellipsis. Only as much of a long text is read as fits. */
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

/** Text with spaces behind it up to so many columns. */
export function padColumns(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A column is not made wider than this, so that one long cell does not push the next off the screen. */
const COLUMN_CHARS_MAX = 60;

/**
 * Rows as lines of aligned columns, two spaces between them; the last column is as long as it is. Control characters
 * are shown as escapes: a file's name may hold a line end, or what a terminal takes for a command.
 */
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

export type Format = "bold" | "dim" | "underline" | "red" | "yellow" | "cyan" | "green";

/** Where a style is for: a terminal has `isTTY`. */
export type StyledStream = { readonly isTTY?: boolean };

/**
 * How to style what is written to a stream: with colours on a terminal, plain elsewhere. `FORCE_COLOR` (not 0) asks for colours
 * anywhere, and comes before `NO_COLOR`, which turns them off.
 */
export function styleFor(
  stream: StyledStream,
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  if (!wantsColour(stream, environment)) return (_, text) => text;
  return (format, text) =>
    [format].flat().reduce((styled, one) => styleText(one, styled, { validateStream: false }), text);
}

function wantsColour(
  stream: StyledStream,
  { FORCE_COLOR, NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
) {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return stream.isTTY === true && !NO_COLOR && TERM !== "dumb";
}
