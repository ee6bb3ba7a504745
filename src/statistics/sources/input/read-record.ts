import type { z } from "zod";
import { type FilePlace, refusedFile } from "./refused-file.ts";

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
