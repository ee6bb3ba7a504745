import type { InspectedFile } from "./inspect-file.ts";
import { jsonTexts } from "./json-texts.ts";
import type { OnBytes } from "./read-text.ts";
import { refusedFile } from "./refused-file.ts";

/** A value of a file of JSON lines, or an element of one JSON array; rows count from 1. */
export type JsonRecord = { readonly row: number; readonly line: number; readonly value: unknown };

/**
 * The records of a file that is either JSON lines or one JSON array, however it is laid out; in constant memory.
 * @throws DomainError `unreadable_file` for a record that is no valid JSON, and for a file that ends within one.
 */
export async function* jsonRecords(input: InspectedFile, onBytes: OnBytes): AsyncGenerator<JsonRecord> {
  const { file } = input;
  let row = 0;
  for await (const { text, line } of jsonTexts(input, onBytes)) {
    row += 1;
    yield { row, line, value: parseJson(text, { file, row, line }) };
  }
  if (row === 0) throw refusedFile({ file }, "there is no record in the file.");
}

function parseJson(text: string, place: { file: string; row: number; line: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusedFile(place, `this is no valid JSON (${reason}); the file may be cut off.`, error);
  }
}
