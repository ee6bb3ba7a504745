import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { type FilePlace, refusedFile } from "./refused-file.ts";
import { type InspectedFile, type OnBytes, readText } from "./text-file.ts";

/** One row of a table below its header. */
export type CsvRow<C extends string> = {
  /** The content of a cell, without white space around it. */
  cell(column: C): string;
  /** The place of the row, or of one of its cells, for messages. */
  place(column?: C): FilePlace;
};

/**
 * The most characters of a row; the longest of Retraction Watch has 12,000. Without a limit, an unclosed quotation mark
 * would turn the rest of the file into one row.
 */
const ROW_CHARS_MAX = 1_000_000;

/** One file may have all of them, when files of several systems were joined. */
const LINE_ENDS = ["\r\n", "\n", "\r"];

/**
 * The rows of a CSV file, in constant memory. Columns are found by their names, in any order and case; others are
 * ignored. Blank rows and repeated headers are skipped; an empty cell after the last column is allowed.
 * @param optional columns whose cells are empty in a file without them.
 * @throws DomainError `unreadable_file`: a missing or doubled column, a row with too few or too many cells, broken quoting.
 */
export async function* csvRows<C extends string>(
  input: InspectedFile,
  columns: readonly C[],
  onBytes: OnBytes,
  optional: readonly C[] = [],
): AsyncGenerator<CsvRow<C>> {
  let header: Header<C> | undefined;
  for await (const { place, cells } of records(input, onBytes)) {
    if (cells.every((cell) => cell === "")) continue;
    if (header === undefined) header = readHeader(place, cells, columns, optional);
    else if (!isHeaderAgain(header, cells)) yield readRow(header, place, cells);
  }
  if (header === undefined) {
    throw refusedFile({ file: input.file, row: 1 }, "there is no header with the names of the columns.");
  }
}

type Record = { readonly place: FilePlace; readonly cells: readonly string[] };

async function* records(input: InspectedFile, onBytes: OnBytes): AsyncGenerator<Record> {
  const parser = parse({
    relax_column_count: true,
    info: true,
    max_record_size: ROW_CHARS_MAX,
    trim: true,
    record_delimiter: LINE_ENDS,
  });
  const text = Readable.from(readText(input, onBytes));
  text.on("error", (error) => parser.destroy(error));
  text.pipe(parser);
  let place: FilePlace = { file: input.file, row: 1, line: 1 };
  try {
    for await (const parsed of parser) {
      const { record, info }: ParsedRecord = parsed;
      yield { place, cells: record };
      place = { file: input.file, row: (place.row ?? 0) + 1, line: info.lines + 1 };
    }
  } catch (error) {
    throw error instanceof CsvError ? explainCsvError(place, error) : error;
  } finally {
    text.destroy();
    parser.destroy();
  }
}

/** `lines` counts up to the end of the record. */
type ParsedRecord = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

function explainCsvError(place: FilePlace, error: CsvError): Error {
  const index = typeof error.index === "number" ? error.index + 1 : undefined;
  const column = index === undefined ? undefined : String(index);
  const reason =
    error.code === "CSV_QUOTE_NOT_CLOSED" || error.code === "CSV_MAX_RECORD_SIZE"
      ? "a quotation mark is opened and not closed; the file may be cut off."
      : `this is not valid CSV: ${error.message}`;
  return refusedFile({ ...place, column }, reason, error);
}

type Header<C extends string> = {
  /** As written, without an empty last one. */
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<C, number>;
};

function readHeader<C extends string>(
  place: FilePlace,
  cells: readonly string[],
  required: readonly C[],
  optional: readonly C[],
): Header<C> {
  const names = withoutEmptyEnd(cells);
  const lowerNames = names.map((name) => name.toLowerCase());
  const missing = required.filter((column) => !lowerNames.includes(column.toLowerCase()));
  if (missing.length > 0) {
    throw refusedFile({ ...place, column: missing[0] }, `the header has no column ${missing.join(", ")}.`);
  }
  const columns = [...required, ...optional];
  for (const column of columns) {
    if (lowerNames.indexOf(column.toLowerCase()) !== lowerNames.lastIndexOf(column.toLowerCase())) {
      throw refusedFile({ ...place, column }, "the header has this column twice.");
    }
  }
  const indexOf = new Map(columns.map((column) => [column, lowerNames.indexOf(column.toLowerCase())]));
  return { names, indexOf };
}

/** Joined files contain the header of each. */
function isHeaderAgain<C extends string>({ names }: Header<C>, cells: readonly string[]): boolean {
  return names.every((name, index) => name.toLowerCase() === cells[index]?.toLowerCase());
}

function readRow<C extends string>(
  { names, indexOf }: Header<C>,
  place: FilePlace,
  cells: readonly string[],
): CsvRow<C> {
  const surplus = cells.findIndex((cell, index) => index >= names.length && cell !== "");
  if (cells.length < names.length || surplus >= 0) {
    const column = names[cells.length] ?? String(surplus + 1);
    throw refusedFile(
      { ...place, column },
      `the row has ${cells.length} cells and the header ${names.length}; the file may be cut off, or a field with a comma is not quoted.`,
    );
  }
  return {
    cell: (column) => cells[indexOf.get(column) ?? -1] ?? "",
    place: (column) => ({ ...place, column }),
  };
}

function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1);
}
