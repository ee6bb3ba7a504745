import listed from "./fields.json" with { type: "json" };

/** A field of OpenAlex's classification: the service calls it a discipline. */
type Field = { readonly fieldId: number; readonly name: string; readonly domain: string };

/** All 26 fields with their domains, by number. */
export const FIELDS: readonly Field[] = listed;

const BY_ID = new Map(FIELDS.map((field) => [field.fieldId, field]));

export function findField(fieldId: number): Field | undefined {
  return BY_ID.get(fieldId);
}

/** The number of a field, from `https://openalex.org/fields/27`, `fields/27` or `27`; undefined for anything else. */
export function readFieldId(written: string): number | undefined {
  const digits = FIELD_ID.exec(written.trim().toLowerCase())?.[1];
  return digits === undefined ? undefined : findField(Number(digits))?.fieldId;
}

const FIELD_ID = /^(?:(?:https?:\/\/)?(?:api\.)?(?:openalex\.org\/)?fields\/)?(\d{2})$/;
