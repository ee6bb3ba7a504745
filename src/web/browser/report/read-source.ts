import { engine } from "../shared/engine.ts";

/** A part of a source's text, in UTF-16 units. `length` is that of the whole source. */
export type SourceExtract = { readonly start: number; readonly text: string; readonly length: number };

/** Reads the text of a source from `start` to `end`, or to its end, in as many requests as it takes. */
export async function readSource(
  checkId: string,
  documentId: string,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<SourceExtract> {
  let text = "";
  for (;;) {
    const range = { start: start + text.length, end, offset_unit: "utf16" } as const;
    const read = await engine.getSourceText(checkId, documentId, range, { signal });
    text += read.text;
    if (read.text === "" || start + text.length >= Math.min(end, read.char_count))
      return { start, text, length: read.char_count };
  }
}
