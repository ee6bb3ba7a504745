import { refusedFile } from "./refused-file.ts";
import { type InspectedFile, type OnBytes, readText } from "./text-file.ts";

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

/** The text of one record, and the line on which it begins. */
type JsonText = { readonly text: string; readonly line: number };

/** The largest record of ROR's dump has 0.1 million characters, an OpenAlex work with 8,000 authors 16 million. */
const RECORD_CHARS_MAX = 64_000_000;

/**
 * Cuts a file into the texts of its records: the lines when it is JSON lines, the elements when it begins with `[`. What
 * comes out need not be valid JSON; an array that is not closed is noticed here.
 */
async function* jsonTexts(input: InspectedFile, onBytes: OnBytes): AsyncGenerator<JsonText> {
  let cutter: RecordCutter | undefined;
  for await (const piece of readText(input, onBytes)) {
    if (cutter === undefined && piece.trim() === "") continue;
    cutter ??= piece.trimStart().startsWith("[") ? new ElementCutter(input.file) : new LineCutter(input.file);
    yield* cutter.feed(piece);
  }
  if (cutter !== undefined) yield* cutter.end();
}

type RecordCutter = LineCutter | ElementCutter;

/** Every line that is not blank is a record. */
class LineCutter {
  readonly #file: string;
  #rest = "";
  #line = 1;

  constructor(file: string) {
    this.#file = file;
  }

  *feed(piece: string): Generator<JsonText> {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const text of lines) yield* this.#record(text);
    if (this.#rest.length > RECORD_CHARS_MAX) throw tooLong(this.#file, this.#line);
  }

  *end(): Generator<JsonText> {
    yield* this.#record(this.#rest);
  }

  *#record(text: string): Generator<JsonText> {
    if (text.trim() !== "") yield { text, line: this.#line };
    this.#line += 1;
  }
}

/** What counts while an array is cut: where strings begin and end, and how deep a bracket stands. */
const MARKS = /["\\[\]{},\n]/g;

/** The elements of one array, which may be laid out over many lines. */
class ElementCutter {
  readonly #file: string;
  #buffer = "";
  #scanned = 0;
  #depth = 0;
  #inString = false;
  #line = 1;
  #startLine = 1;

  constructor(file: string) {
    this.#file = file;
  }

  *feed(piece: string): Generator<JsonText> {
    this.#buffer += piece;
    let start = 0;
    let at = this.#scanned;
    while (at < this.#buffer.length) {
      MARKS.lastIndex = at;
      const mark = MARKS.exec(this.#buffer);
      if (mark === null) {
        at = this.#buffer.length;
        break;
      }
      at = mark.index + 1;
      // What a backslash escapes may stand in the next piece.
      if (mark[0] === "\\" && this.#inString) at += 1;
      else if (this.#ends(mark[0])) {
        yield* this.#element(this.#buffer.slice(start, mark.index));
        start = at;
      } else if (this.#depth === 1 && mark[0] === "[" && !this.#inString) start = at;
    }
    this.#buffer = this.#buffer.slice(start);
    this.#scanned = at - start;
    if (this.#buffer.length > RECORD_CHARS_MAX) throw tooLong(this.#file, this.#startLine);
  }

  *end(): Generator<JsonText> {
    if (this.#depth > 0) {
      throw refusedFile(
        { file: this.#file, line: this.#startLine },
        "the array is not closed; the file is cut off.",
      );
    }
    yield* this.#element(this.#buffer);
  }

  /** Takes note of a mark; true when it ends an element of the outermost array. */
  #ends(mark: string): boolean {
    if (mark === "\n") this.#line += 1;
    else if (mark === '"') this.#inString = !this.#inString;
    else if (this.#inString) return false;
    else if (mark === "[" || mark === "{") this.#depth += 1;
    else if (mark === "]" || mark === "}") {
      this.#depth -= 1;
      return this.#depth === 0;
    } else return mark === "," && this.#depth === 1;
    return false;
  }

  *#element(text: string): Generator<JsonText> {
    if (text.trim() !== "") yield { text, line: this.#startLine };
    this.#startLine = this.#line;
  }
}

function tooLong(file: string, line: number): Error {
  return refusedFile({ file, line }, "one record has more than 64 million characters.");
}
