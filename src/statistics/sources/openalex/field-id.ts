import { findField } from "../../facts/fields.ts";

/** The number of one of the 26 fields, from `https://openalex.org/fields/27`, `fields/27` or `27`; undefined for anything else. */
export function readFieldId(written: string): number | undefined {
  const digits = /^(?:(?:https?:\/\/)?(?:api\.)?(?:openalex\.org\/)?fields\/)?(\d{2})$/.exec(
    written.trim().toLowerCase(),
  )?.[1];
  return digits === undefined ? undefined : findField(Number(digits))?.fieldId;
}
