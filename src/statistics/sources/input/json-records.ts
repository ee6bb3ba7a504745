import { errorMessage } from "../../../platform/error-code.ts";
import { refusedFile } from "./refused-file.ts";
import { type InspectedFile, type OnBytes, readText } from "./text-file.ts";

/** A value of a file of JSON lines, or an element of one JSON array; rows count from 1. */
type JsonRecord = { readonly row: number; readonly line: number; readonly value: unknown };

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

/** Most bytes of a file that is read whole. A wiki page has at most 2 MB, and three months of GDELT's pages about 20 MB. */
const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The one JSON value of a file of up to 64 MiB; characters and escapes that are illegal in JSON are tolerated.
 * @throws DomainError `unreadable_file` when the file is larger, or no JSON.
 */
export async function readDocument(input: InspectedFile, onBytes: OnBytes): Promise<unknown> {
  const { file, bytes } = input;
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw refusedFile(
      { file },
      `the file has ${Math.ceil(bytes / 1e6)} MB; more than 67 MB can't be such an answer.`,
    );
  }
  const text = (await Array.fromAsync(readText(input, onBytes))).join("");
  try {
    return repairedJson(text);
  } catch (error) {
    const reason = errorMessage(error);
    const line = lineOf(text, reason);
    throw refusedFile({ file, line }, `this is not valid JSON (${reason}).`, error);
  }
}

function lineOf(text: string, reason: string): number | undefined {
  const position = /at position (\d+)/.exec(reason)?.[1];
  return position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
}

/** Illegal in JSON strings. Between values, a space can replace them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]/g;

/** An escape of JSON, or a lone backslash. */
const ESCAPES = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g;

/**
 * Parses JSON that may contain raw control characters and backslashes that escape nothing, as GDELT's answers do when the
 * title of a page has them. @throws SyntaxError when the text is still no JSON.
 */
export function repairedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const spaced = text.replaceAll(CONTROL_CHARACTERS, " ");
    return JSON.parse(spaced.replaceAll(ESCAPES, (found) => (found === "\\" ? "\\\\" : found)));
  }
}
