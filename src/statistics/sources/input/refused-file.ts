import { basename } from "node:path";
import type { z } from "zod";
import { DomainError } from "../../../platform/domain-error.ts";

/** A place in a file, for people: rows count from 1, and a table's header is row 1. */
export type FilePlace = {
  readonly file: string;
  readonly row?: number | undefined;
  /** The line of the text on which the row begins, where it may differ from the row. */
  readonly line?: number | undefined;
  /** A column's name, or the path of a member of a JSON record. */
  readonly column?: string | undefined;
};

/** A longer value would hide the rest of the message. */
const SHOWN_CHARS_MAX = 60;

/** The error of a file that can't be loaded, with file, row, column and reason. */
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

/** A value of a file for a message: short, in quotation marks, without control characters. */
export function shown(value: string): string {
  const short = value.length > SHOWN_CHARS_MAX ? `${value.slice(0, SHOWN_CHARS_MAX)}…` : value;
  return JSON.stringify(short);
}

/** A JSON value of a file, typed by a schema. @throws DomainError `unreadable_file` that names the first faulty member. */
export function parseRecord<S extends z.ZodType>(schema: S, value: unknown, place: FilePlace): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const column = [place.column, ...(issue?.path.map(String) ?? [])].filter((part) => part !== undefined);
  const reason = `${issue?.message ?? "not as expected"}.`;
  throw refusedFile({ ...place, column: column.length === 0 ? undefined : column.join(".") }, reason);
}
