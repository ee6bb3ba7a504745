import { basename } from "node:path";
import type { z } from "zod";
import { DomainError } from "../../../core/domain-error.ts";

/** A place in a file that a person can find: rows count from 1, a table's header being row 1. */
export type FilePlace = {
  readonly file: string;
  readonly row?: number | undefined;
  /** The line of the text on which the row begins, where it may differ from the row. */
  readonly line?: number | undefined;
  /** A column's name, or the path of a member of a JSON record. */
  readonly column?: string | undefined;
};

/** More of a wrong value than this would hide the rest of the message. */
const SHOWN_CHARS_MAX = 60;

/** The error of a file that can't be loaded: it names file, row and column, and says what is wrong there. */
export function refusedFile(
  { file, row, line, column }: FilePlace,
  reason: string,
  cause?: unknown,
): DomainError {
  const lineOnly = line === undefined || line === row ? [] : [`line ${line}`];
  const rowAndLine =
    row === undefined ? lineOnly : [[`row ${row}`, ...lineOnly.map((text) => `(${text})`)].join(" ")];
  const place = [basename(file), ...rowAndLine, ...(column === undefined ? [] : [`column ${column}`])];
  return new DomainError("unreadable_file", `${place.join(", ")}: ${reason}`, { cause });
}

/** A value of a file as it may stand in a message: short, in quotation marks, without control characters. */
export function shown(value: string): string {
  const short = value.length > SHOWN_CHARS_MAX ? `${value.slice(0, SHOWN_CHARS_MAX)}…` : value;
  return JSON.stringify(short);
}

/**
 * A JSON value of a file as a schema types it.
 * @throws DomainError `unreadable_file` that names the first member that breaks the schema as the column.
 */
export function readRecord<S extends z.ZodType>(schema: S, value: unknown, place: FilePlace): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const column = [place.column, ...(issue?.path.map(String) ?? [])].filter((part) => part !== undefined);
  const reason = `${issue?.message ?? "not as expected"}.`;
  throw refusedFile({ ...place, column: column.length === 0 ? undefined : column.join(".") }, reason);
}
