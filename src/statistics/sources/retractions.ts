import { decodeHTMLStrict } from "entities";
import { countryCodeOf } from "../facts/countries.ts";
import { readUsDate } from "./dates.ts";
import { normaliseDoi } from "./identifiers.ts";
import { type CsvRow, csvRows } from "./input/csv-rows.ts";
import { refusedFile, shown } from "./input/refused-file.ts";
import type { InspectedFile, OnBytes } from "./input/text-file.ts";
import { UnknownValues } from "./input/unknown-values.ts";

/** One notice of retraction. Several may be of one paper: they share its key. */
type Retraction = {
  /** `doi:` and the normalised DOI of the paper; without one `record:` and the notice's Record ID. */
  readonly paperKey: string;
  /** ISO 8601 day of the original publication; undefined when the file leaves it blank. */
  readonly publishedOn: string | undefined;
  readonly retractedOn: string | undefined;
  readonly isPlagiarism: boolean;
  /** Alpha-2 codes, each once. */
  readonly countries: readonly string[];
  /** Unrecognised names of countries, except `Unknown`. */
  readonly unknownCountries: readonly string[];
  /** Of the paper; undefined where the file has none. */
  readonly title: string | undefined;
  /** The normalised DOI of the notice. */
  readonly noticeDoi: string | undefined;
  /** All of them, without the `+` before each. */
  readonly reasons: readonly string[];
};

const COLUMNS = [
  "Record ID",
  "Country",
  "RetractionDate",
  "OriginalPaperDate",
  "OriginalPaperDOI",
  "RetractionNature",
  "Reason",
] as const;
const OPTIONAL = ["Title", "RetractionDOI"] as const;
type Column = (typeof COLUMNS)[number] | (typeof OPTIONAL)[number];
type Row = CsvRow<Column>;

/** The values of `RetractionNature`; only the first counts. */
const NATURES: ReadonlySet<string> = new Set([
  "retraction",
  "correction",
  "expression of concern",
  "reinstatement",
]);

/** What a file has that this program does not know. */
export class UnknownRetractions {
  readonly natures = new UnknownValues();
  /** Reasons with the word plagiarism that do not count, each with the papers that have it. */
  readonly papersOfReason = new Map<string, Set<string>>();
}

/**
 * The retractions of a Retraction Watch file, in its order; corrections, expressions of concern and reinstatements are left out.
 * @param unknown receives rows of another nature, which are left out too, and the names of new reasons.
 * @throws DomainError `unreadable_file`, naming row and column, for an invalid date, many rows of an unknown nature (as in a file
 * with mixed-up columns) and a retraction without an identifier.
 */
export async function* retractions(
  input: InspectedFile,
  onBytes: OnBytes,
  unknown = new UnknownRetractions(),
): AsyncGenerator<Retraction> {
  for await (const row of csvRows<Column>(input, COLUMNS, onBytes, OPTIONAL)) {
    if (!isRetraction(row, unknown.natures)) continue;
    const retraction = toRetraction(row);
    for (const reason of retraction.reasons) {
      if (!/plagiar/i.test(reason) || isCoreReason(reason)) continue;
      unknown.papersOfReason.set(
        reason,
        (unknown.papersOfReason.get(reason) ?? new Set()).add(retraction.paperKey),
      );
    }
    yield retraction;
  }
  unknown.natures.check();
}

function isRetraction(row: Row, unknown: UnknownValues): boolean {
  unknown.countRow();
  const nature = row.cell("RetractionNature");
  if (NATURES.has(nature.toLowerCase())) return nature.toLowerCase() === "retraction";
  const known = "Retraction, Correction, Expression of concern or Reinstatement";
  unknown.add(row.place("RetractionNature"), nature, `must be ${known}, not ${shown(nature)}.`);
  return false;
}

function toRetraction(row: Row): Retraction {
  const names = listItems(row.cell("Country")).filter((name) => name.toLowerCase() !== "unknown");
  const codes = names.map((name) => countryCodeOf(name));
  return {
    paperKey: paperKeyOf(row),
    publishedOn: readDate(row, "OriginalPaperDate"),
    retractedOn: readDate(row, "RetractionDate"),
    isPlagiarism: hasPlagiarismReason(row.cell("Reason")),
    reasons: reasonsOf(row.cell("Reason")),
    title: decodeHTMLStrict(row.cell("Title")) || undefined,
    noticeDoi: normaliseDoi(row.cell("RetractionDOI")),
    countries: [...new Set(codes.filter((code) => code !== undefined))],
    unknownCountries: names.filter((_, index) => codes[index] === undefined),
  };
}

function paperKeyOf(row: Row): string {
  const doi = normaliseDoi(row.cell("OriginalPaperDOI"));
  if (doi !== undefined) return `doi:${doi}`;
  const recordId = row.cell("Record ID");
  if (recordId !== "") return `record:${recordId}`;
  throw refusedFile(row.place("Record ID"), "a retraction needs a Record ID or the DOI of its paper.");
}

function readDate(row: Row, column: "OriginalPaperDate" | "RetractionDate"): string | undefined {
  const text = row.cell(column);
  if (text === "") return undefined;
  const date = readUsDate(text);
  if (date !== undefined) return date;
  throw refusedFile(row.place(column), `must be a date as in 5/22/2008 0:00, not ${shown(text)}.`);
}

/**
 * The reasons that count, as the file of 2025 and older ones write them. Deliberately excluded: duplication (also of one's own
 * work), `Taken from Dissertation/Thesis` and the like, concerns about referencing, copyright claims.
 */
const CORE_REASONS: ReadonlySet<string> = new Set([
  "plagiarism of article",
  "plagiarism of/in article",
  "plagiarism of text",
  "plagiarism of image",
  "plagiarism of data",
  "euphemisms for plagiarism",
]);

/** Whether a list of reasons, as Retraction Watch writes it, contains a core plagiarism reason. */
export function hasPlagiarismReason(reasons: string): boolean {
  return reasonsOf(reasons).some(isCoreReason);
}

/** In any case, without the `+` before it. */
export function isCoreReason(reason: string): boolean {
  return CORE_REASONS.has(reason.toLowerCase());
}

/** Without the `+` before each. */
function reasonsOf(list: string): string[] {
  return listItems(list).map((reason) => reason.replace(/^\+\s*/, ""));
}

/** The items of a list with semicolons between them, and perhaps at its end. */
function listItems(list: string): string[] {
  return list
    .split(";")
    .map((item) => item.trim().replaceAll(/\s+/g, " "))
    .filter((item) => item !== "");
}
