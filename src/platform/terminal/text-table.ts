import { columnsOf, padColumns } from "./columns.ts";
import { visibleText } from "./visible-text.ts";

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
