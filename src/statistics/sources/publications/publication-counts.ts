import { findCountry } from "../../facts/countries.ts";
import { readFieldId } from "../../facts/fields.ts";
import { YEAR_MAX, YEAR_MIN } from "../dates.ts";
import { normaliseRor } from "../identifiers.ts";
import { type CsvRow, csvRows } from "../input/csv-rows.ts";
import { refusedFile, shown } from "../input/refused-file.ts";
import type { InspectedFile, OnBytes } from "../input/text-file.ts";
import { UnknownValues } from "../input/unknown-values.ts";

/** The kinds of keys by which publications are counted. */
export const DIMENSIONS = ["country", "institution", "discipline"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

type PublicationCount = {
  /** The row of the file, for messages. */
  readonly row: number;
  readonly dimension: Dimension;
  /** An alpha-2 code, a full ROR id, or the number of a field. */
  readonly key: string;
  readonly year: number;
  readonly publications: number;
  /** As it is written in the file, so that sums are exact; undefined when the cell is empty. */
  readonly publicationsFractional: string | undefined;
};

const COLUMNS = ["dimension", "key", "year", "publications", "publications_fractional"] as const;
type Row = CsvRow<(typeof COLUMNS)[number]>;

/** Whole numbers up to here are exact in every place that they pass. */
const PUBLICATIONS_MAX = 1_000_000_000_000;

/**
 * The rows of a file of publication counts, in its order.
 * @param unknownKeys receives keys that the dimension does not have, such as codes of former countries; their rows are left out.
 * @throws DomainError `unreadable_file`, naming row and column, for many unknown keys, and for an invalid number.
 */
export async function* publicationCounts(
  input: InspectedFile,
  onBytes: OnBytes,
  unknownKeys = new UnknownValues(),
): AsyncGenerator<PublicationCount> {
  for await (const row of csvRows(input, COLUMNS, onBytes)) {
    const dimension = readDimension(row);
    const key = keyOf(row, dimension, unknownKeys);
    if (key === undefined) continue;
    yield {
      row: row.place().row ?? 0,
      dimension,
      key,
      year: readYear(row),
      publications: readPublications(row),
      publicationsFractional: readFractional(row),
    };
  }
  unknownKeys.check();
}

function readDimension(row: Row): Dimension {
  const given = row.cell("dimension").toLowerCase();
  const dimension = DIMENSIONS.find((one) => one === given);
  if (dimension !== undefined) return dimension;
  throw refusedFile(row.place("dimension"), `must be ${DIMENSIONS.join(", ")}, not ${shown(given)}.`);
}

/** The canonical form of a key: an alpha-2 code, a full ROR id or the number of a field; undefined for anything else. */
export function readKey(dimension: Dimension, written: string): string | undefined {
  if (dimension === "country") return findCountry(written.toUpperCase())?.code;
  return dimension === "institution" ? normaliseRor(written) : readFieldId(written)?.toString();
}

const KEY_NAMES = {
  country: "an ISO 3166-1 alpha-2 code, such as DE",
  institution: "a ROR id, such as https://ror.org/05a28rw58",
  discipline: "the number of an OpenAlex field, 11 to 36",
} as const;

function keyOf(row: Row, dimension: Dimension, unknown: UnknownValues): string | undefined {
  unknown.countRow();
  const written = row.cell("key");
  const key = readKey(dimension, written);
  if (key === undefined) {
    unknown.add(row.place("key"), written, `must be ${KEY_NAMES[dimension]}, not ${shown(written)}.`);
  }
  return key;
}

function readYear(row: Row): number {
  const text = row.cell("year");
  const year = /^\d{4}$/.test(text) ? Number(text) : 0;
  if (year >= YEAR_MIN && year <= YEAR_MAX) return year;
  throw refusedFile(row.place("year"), `must be a year, not ${shown(text)}.`);
}

function readPublications(row: Row): number {
  const text = row.cell("publications");
  const publications = /^\d{1,15}(?:\.0+)?$/.test(text) ? Number(text) : PUBLICATIONS_MAX + 1;
  if (publications <= PUBLICATIONS_MAX) return publications;
  throw refusedFile(row.place("publications"), `must be a whole number, not ${shown(text)}.`);
}

function readFractional(row: Row): string | undefined {
  const text = row.cell("publications_fractional");
  if (text === "") return undefined;
  if (/^(?:\d{1,15}(?:\.\d{0,30})?|\.\d{1,30})(?:e[-+]?\d{1,2})?$/i.test(text)) return text;
  const reason = `must be a number of at least 0, or empty, not ${shown(text)}.`;
  throw refusedFile(row.place("publications_fractional"), reason);
}
