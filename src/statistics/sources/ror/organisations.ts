import { z } from "zod";
import { normaliseRor } from "../identifiers.ts";
import { jsonRecords } from "../input/json-records.ts";
import { parseRecord, refusedFile, shown } from "../input/refused-file.ts";
import type { InspectedFile, OnBytes } from "../input/text-file.ts";

type Organisation = {
  /** The row of the file, for messages. */
  readonly row: number;
  readonly ror: string;
  readonly name: string;
  readonly countryCode: string | undefined;
  /** The one organisation that a withdrawn one points to; undefined for all others, and when it points to none or several. */
  readonly successor: string | undefined;
  /** When the record was last changed, an ISO 8601 day. */
  readonly modifiedOn: string | undefined;
};

const RorRecord = z.object({
  id: z.string(),
  status: z.enum(["active", "inactive", "withdrawn"]),
  names: z.array(z.object({ value: z.string(), types: z.array(z.string()) })).min(1),
  locations: z
    .array(z.object({ geonames_details: z.object({ country_code: z.string().nullish() }).nullish() }))
    .nullish(),
  relationships: z.array(z.object({ type: z.string(), id: z.string() })).nullish(),
  admin: z.object({ last_modified: z.object({ date: z.iso.date() }).nullish() }).nullish(),
});
type RorRecord = z.infer<typeof RorRecord>;

/**
 * The organisations of a file of ROR v2 records, JSON lines or the dump's array, in its order.
 * @throws DomainError `unreadable_file`, naming row and column, for a record of another shape, such as one of ROR v1.
 */
export async function* organisations(input: InspectedFile, onBytes: OnBytes): AsyncGenerator<Organisation> {
  for await (const { row, line, value } of jsonRecords(input, onBytes)) {
    const place = { file: input.file, row, line };
    const record = parseRecord(RorRecord, value, place);
    const ror = normaliseRor(record.id);
    if (ror === undefined) {
      throw refusedFile({ ...place, column: "id" }, `must be a ROR id, not ${shown(record.id)}.`);
    }
    yield {
      row,
      ror,
      name: displayName(record),
      countryCode: record.locations?.[0]?.geonames_details?.country_code?.toUpperCase() || undefined,
      successor: record.status === "withdrawn" ? onlySuccessor(record, ror) : undefined,
      modifiedOn: record.admin?.last_modified?.date,
    };
  }
}

function displayName({ id, names }: RorRecord): string {
  const shownName = names.find(({ types }) => types.includes("ror_display"));
  return (shownName ?? names.find(({ types }) => types.includes("label")) ?? names[0])?.value ?? id;
}

function onlySuccessor({ relationships }: RorRecord, self: string): string | undefined {
  const ids = (relationships ?? [])
    .filter(({ type }) => type.toLowerCase() === "successor")
    .map(({ id }) => normaliseRor(id))
    .filter((id) => id !== self);
  const [only, ...more] = new Set(ids);
  return more.length === 0 ? only : undefined;
}

/**
 * Where each withdrawn organisation ends up when its successors are followed to the last.
 * One whose successors lead round in a circle stays where it is, and is not in the result.
 * @param successorOf the direct successor of each withdrawn organisation that has exactly one.
 */
export function followSuccessors(successorOf: ReadonlyMap<string, string>): Map<string, string> {
  const ends = new Map<string, string>();
  for (const start of successorOf.keys()) {
    const end = endOf(start, successorOf);
    if (end !== undefined) ends.set(start, end);
  }
  return ends;
}

function endOf(start: string, successorOf: ReadonlyMap<string, string>): string | undefined {
  const seen = new Set([start]);
  let at = start;
  for (let next = successorOf.get(at); next !== undefined; next = successorOf.get(at)) {
    if (seen.has(next)) return undefined;
    seen.add(next);
    at = next;
  }
  return at;
}
