import stringWidth from "string-width";

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
