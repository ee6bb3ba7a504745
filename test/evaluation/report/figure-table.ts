import { textTable } from "../../../src/platform/terminal/terminal-text.ts";

/** A table whose first column is text and whose others are figures: those are read in columns that end alike. */
export function figureTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return textTable(
    rows.map(([name = "", ...cells]) => [
      name,
      ...cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0)),
    ]),
  );
}
