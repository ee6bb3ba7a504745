import { z } from "zod";
import { readFieldId } from "../../facts/fields.ts";
import { normaliseDoi, normaliseRor } from "../identifiers.ts";
import { jsonRecords } from "../input/json-records.ts";
import { parseRecord, shown } from "../input/refused-file.ts";
import type { InspectedFile, OnBytes } from "../input/text-file.ts";
import { UnknownValues } from "../input/unknown-values.ts";

/** An institution as OpenAlex knows it; the name serves where ROR's own record is not at hand. */
type WorkInstitution = {
  readonly ror: string;
  readonly name: string | undefined;
  readonly countryCode: string | undefined;
};

export type RetractedWork = {
  /** Normalised. */
  readonly doi: string;
  readonly publicationYear: number | undefined;
  /** Each once, in the order of the authors. */
  readonly institutions: readonly WorkInstitution[];
  /** The field of the primary topic; undefined when OpenAlex gives the work none. */
  readonly fieldId: number | undefined;
};

/** The part of OpenAlex's `authorships` that is read: the institutions of each author, in the order of the authors. */
export const Authorships = z
  .array(
    z.object({
      institutions: z
        .array(
          z.object({
            ror: z.string().nullish(),
            display_name: z.string().nullish(),
            country_code: z.string().nullish(),
          }),
        )
        .nullish(),
    }),
  )
  .nullish();

/** The part of OpenAlex's `primary_topic` that is read. */
export const PrimaryTopic = z
  .object({ field: z.object({ id: z.union([z.string(), z.number()]) }).nullish() })
  .nullish();

/** In OpenAlex, a work without a DOI has null. A record without the member is not a work. */
const Work = z.object({
  doi: z.string().nullable(),
  publication_year: z.int().nullish(),
  authorships: Authorships,
  primary_topic: PrimaryTopic,
});
type Work = z.infer<typeof Work>;

/**
 * The works of a file of OpenAlex records that have a DOI, in its order. Several may have the same.
 * @param unknownFields receives fields that are none of the 26; their works count for no discipline.
 * @throws DomainError `unreadable_file`, naming row and column, for a record of another shape and many unknown fields.
 */
export async function* retractedWorks(
  input: InspectedFile,
  onBytes: OnBytes,
  unknownFields = new UnknownValues(),
): AsyncGenerator<RetractedWork> {
  for await (const record of jsonRecords(input, onBytes)) {
    const place = { file: input.file, row: record.row, line: record.line };
    const work = parseRecord(Work, record.value, place);
    const doi = normaliseDoi(work.doi ?? "");
    const field = work.primary_topic?.field?.id;
    const fieldId = field === undefined ? undefined : readFieldId(String(field));
    unknownFields.countRow();
    if (field !== undefined && fieldId === undefined) {
      const reason = `must be one of OpenAlex's 26 fields, not ${shown(String(field))}.`;
      unknownFields.add({ ...place, column: "primary_topic.field.id" }, String(field), reason);
    }
    if (doi === undefined) continue;
    const publicationYear = work.publication_year ?? undefined;
    yield { doi, publicationYear, institutions: institutionsOf(work), fieldId };
  }
  unknownFields.check();
}

function institutionsOf({ authorships }: Work): WorkInstitution[] {
  const found = new Map<string, WorkInstitution>();
  for (const { institutions } of authorships ?? []) {
    for (const { ror, display_name, country_code } of institutions ?? []) {
      const id = normaliseRor(ror ?? "");
      if (id === undefined || found.has(id)) continue;
      const countryCode = country_code?.toUpperCase();
      found.set(id, { ror: id, name: display_name ?? undefined, countryCode });
    }
  }
  return [...found.values()];
}
