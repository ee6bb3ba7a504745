import { errorMessage } from "../../../platform/error-code.ts";
import { refusedFile } from "./refused-file.ts";
import { type InspectedFile, type OnBytes, readText } from "./text-file.ts";

/** A value of a file of JSON lines, or an element of one JSON array; rows count from 1. */
export type JsonRecord = { readonly row: number; readonly line: number; readonly value: unknown };

/**
 * The records of a file that is either JSON lines or one JSON array, however it is laid out; in constant memory.
 * @throws DomainError `unreadable_file` for a record that is not valid JSON, and for a file that ends within one.
 */
export async function* jsonRecords(input: InspectedFile, onBytes: OnBytes): AsyncGenerator<JsonRecord> {
  const { file } = input;
  const pieces = readText(input, onBytes);
  let row = 0;
  for await (const { text, line } of (await isArray(input)) ? elements(file, pieces) : lines(file, pieces)) {
    if (text.trim() === "") continue;
    row += 1;
    yield { row, line, value: parseJson(text, { file, row, line }) };
  }
  if (row === 0) throw refusedFile({ file }, "the file contains no records.");
}

async function isArray(input: InspectedFile): Promise<boolean> {
  for await (const piece of readText(input, () => undefined)) {
    if (piece.trim() !== "") return piece.trimStart().startsWith("[");
  }
  return false;
}

function parseJson(text: string, place: { file: string; row: number; line: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = errorMessage(error);
    throw refusedFile(place, `this is not valid JSON (${reason}); the file may be cut off.`, error);
  }
}

/** The text of one record, which need not be valid JSON and may be blank, and the line on which it begins. */
type JsonText = { readonly text: string; readonly line: number };

/** The largest record of ROR's dump has 0.1 million characters, an OpenAlex work with 8,000 authors 16 million. */
const RECORD_CHARS_MAX = 64_000_000;

function checkLength(text: string, file: string, line: number): void {
  if (text.length > RECORD_CHARS_MAX) {
    throw refusedFile({ file, line }, "one record has more than 64 million characters.");
  }
}

async function* lines(file: string, pieces: AsyncIterable<string>): AsyncGenerator<JsonText> {
  let line = 1;
  let rest = "";
  for await (const piece of pieces) {
    const complete = (rest + piece).split("\n");
    rest = complete.pop() ?? "";
    for (const text of complete) {
      yield { text, line };
      line += 1;
    }
    checkLength(rest, file, line);
  }
  yield { text: rest, line };
}

/** Where strings begin and end, how deep brackets are nested, and where elements and lines end. */
const MARKS = /["\\[\]{},\n]/g;

/** The elements of one array, which may be laid out over many lines. An array that is not closed is refused. */
async function* elements(file: string, pieces: AsyncIterable<string>): AsyncGenerator<JsonText> {
  let buffer = "";
  let at = 0;
  let depth = 0;
  let isInString = false;
  let line = 1;
  let startLine = 1;
  for await (const piece of pieces) {
    buffer += piece;
    let start = 0;
    while (at < buffer.length) {
      MARKS.lastIndex = at;
      const match = MARKS.exec(buffer);
      at = match === null ? buffer.length : match.index + 1;
      const mark = match?.[0];
      if (mark === "\n") line += 1;
      else if (mark === '"') isInString = !isInString;
      // The escaped character may be in the next piece.
      else if (isInString) at += mark === "\\" ? 1 : 0;
      else if (mark === "[" || mark === "{") {
        if (depth === 0 && mark === "[") start = at;
        depth += 1;
      } else if (mark === "]" || mark === "}" || mark === ",") {
        if (mark !== ",") depth -= 1;
        const isEnd = mark === "," ? depth === 1 : depth === 0;
        if (!isEnd) continue;
        yield { text: buffer.slice(start, at - 1), line: startLine };
        start = at;
        startLine = line;
      }
    }
    buffer = buffer.slice(start);
    at -= start;
    checkLength(buffer, file, startLine);
  }
  if (depth > 0) {
    throw refusedFile({ file, line: startLine }, "the array is not closed; the file is cut off.");
  }
  yield { text: buffer, line: startLine };
}
