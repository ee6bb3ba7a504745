import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { SHARED } from "./shared-statistics.ts";

export type MadeUpLinks = { readonly works: string; readonly publications: string };

const FIRST_YEAR = 2008;
const LAST_YEAR = 2017;

/** A work has up to so many institutions, of which some are the same after the succession. */
const INSTITUTIONS_MAX = 4;

/**
 * Makes works for the papers of the shared sample, which link them to real organisations, withdrawn ones among them; and a file of
 * publications that adds made-up counts of institutions and disciplines to the real ones of countries.
 */
export async function madeUpLinks(
  write: (name: string, content: string) => Promise<string>,
): Promise<MadeUpLinks> {
  const rors = (await readFile(SHARED.organisations, "utf8"))
    .trim()
    .split("\n")
    .map((line) => RorId.parse(JSON.parse(line)).id);
  const dois = Rows.parse(parse(await readFile(SHARED.retractions), { columns: true })).map(
    (row) => row.OriginalPaperDOI,
  );
  const works = dois.flatMap((doi, index) =>
    index % 11 === 0 ? [] : [JSON.stringify(workOf(doi, index, rors))],
  );
  const countries = (await readFile(SHARED.publications, "utf8")).trim();
  return {
    works: await write("works.jsonl", `${works.join("\n")}\n`),
    publications: await write(
      "publications.csv",
      `${[countries, ...institutionCounts(rors), ...fieldCounts()].join("\n")}\n`,
    ),
  };
}

const RorId = z.object({ id: z.string() });
const Rows = z.array(z.object({ OriginalPaperDOI: z.string() }));

function workOf(doi: string, index: number, rors: readonly string[]) {
  const institutions = Array.from({ length: index % INSTITUTIONS_MAX }, (_, nth) => ({
    ror: rors[(index * 7 + nth * 3) % rors.length] ?? null,
    display_name: `Institution ${nth}`,
    country_code: "DE",
  }));
  const field = { id: `https://openalex.org/fields/${11 + (index % 26)}` };
  return {
    doi: `https://doi.org/${doi.toUpperCase()}`,
    publication_year: 2010,
    authorships: [
      { institutions },
      { institutions: institutions.slice(0, 1) },
      { institutions: [{ ror: null }] },
    ],
    primary_topic: index % 5 === 0 ? null : { field },
  };
}

/** Some have no publications at all, many fewer than are needed for a rank. */
function institutionCounts(rors: readonly string[]): string[] {
  return rors.flatMap((ror, index) =>
    index % 13 === 0 ? [] : counts("institution", ror, (year) => (index * 37 + year) % 400),
  );
}

function fieldCounts(): string[] {
  return Array.from({ length: 25 }, (_, index) =>
    counts("discipline", String(11 + index), (year) => index * 1_000 + year),
  ).flat();
}

function counts(dimension: string, key: string, count: (year: number) => number): string[] {
  return Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => {
    const publications = count(FIRST_YEAR + index);
    return `${dimension},${key},${FIRST_YEAR + index},${publications},${(publications / 3).toFixed(2)}`;
  });
}
